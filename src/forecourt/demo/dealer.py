"""The simulated dealer group: its profile as a dealer writes it, its feed as a provider sends it."""

import csv
import io
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from forecourt.demo.stock import StockVehicle, simulated_stock

DEALER_SLUG = "larkfield"
ROOFTOP_KEYS = ("motors", "electric", "cycles")
"""How models.csv names the rooftops, in the order in which the profile lists them."""

LEADS_ADDRESS = "leads@larkfield.example.com"
DESTINATION = "crm"

_MAIL_DESTINATION = f"""
[[destinations]]
kind = "adf-email"
name = "{DESTINATION}"
host = "127.0.0.1"
port = {{port}}
security = "none"
from = "forecourt@larkfield.example.com"
to = "{LEADS_ADDRESS}"
"""

_BODY_WORDS = {"suv": "SUV", "sport_touring": "Sport Touring"}
_FUEL_WORDS = {
    "gas": "Gasoline",
    "diesel": "Diesel",
    "hybrid": "Hybrid",
    "phev": "Plug-In Hybrid",
    "bev": "Electric",
}


@dataclass(frozen=True, slots=True)
class Rooftop:
    """What the tour knows of a rooftop without asking the product."""

    name: str
    timezone: str
    sales_hours: Mapping[str, Mapping[str, str] | str]
    fees: Mapping[str, int]


def profile_toml(mail_port: int | None = None) -> str:
    """Return the profile of the group as `forecourt dealer add` reads it.

    With `mail_port` its leads go by mail to the SMTP server at that port of this machine, else they wait in
    the inbox.
    """
    profile = files("forecourt.demo").joinpath("profile.toml").read_text(encoding="utf-8")
    return profile if mail_port is None else profile + _MAIL_DESTINATION.format(port=mail_port)


@cache
def rooftops() -> Mapping[str, Rooftop]:
    """Return the rooftops by their key in models.csv."""
    tables = tomllib.loads(profile_toml())["rooftops"]
    return {key: _rooftop(table) for key, table in zip(ROOFTOP_KEYS, tables, strict=True)}


def group_name() -> str:
    """Return the name of the group as shoppers see it."""
    return str(tomllib.loads(profile_toml())["name"])


@cache
def dealer_stock() -> tuple[StockVehicle, ...]:
    """Return the vehicles of all three rooftops, each price with the fees of its rooftop."""
    return simulated_stock({key: sum(rooftop.fees.values()) for key, rooftop in rooftops().items()})


def homenet_csv(stock: Sequence[StockVehicle]) -> str:
    """Return the stock as a feed with HomeNet's column names, and further columns for electric drives."""
    rows = [_feed_row(vehicle) for vehicle in stock]
    sheet = io.StringIO()
    writer = csv.DictWriter(sheet, fieldnames=list(rows[0]), lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(rows)
    return sheet.getvalue()


def _rooftop(table: dict[str, Any]) -> Rooftop:
    sales = next(schedule["value"] for schedule in table["schedules"] if schedule["name"] == "sales")
    return Rooftop(
        name=table["name"],
        timezone=table["timezone"],
        sales_hours=sales,
        fees={fee["name"]: fee["amount"] for fee in table["fees"]},
    )


def _feed_row(vehicle: StockVehicle) -> dict[str, object]:
    """Return one row; a value that the vehicle does not have is an empty cell, as providers write it."""
    return (
        _identity_cells(vehicle) | _price_cells(vehicle) | _technical_cells(vehicle) | _media_cells(vehicle)
    )


def _identity_cells(vehicle: StockVehicle) -> dict[str, object]:
    model = vehicle.model
    return {
        "Dealer Name": rooftops()[model.rooftop].name,
        "Type": "New" if vehicle.condition == "new" else "Used",
        "Certified": "Yes" if vehicle.condition == "cpo" else "No",
        "Status": vehicle.status,
        "Vehicle Type": model.vehicle_type,
        "Stock": vehicle.stock,
        "VIN": vehicle.vin,
        "Year": vehicle.year,
        "Make": model.make,
        "Model": model.model,
        "Trim": vehicle.trim,
        "Body": _BODY_WORDS.get(model.body, model.body.title()),
        "Doors": _cell(model.doors),
    }


def _price_cells(vehicle: StockVehicle) -> dict[str, object]:
    fees = rooftops()[vehicle.model.rooftop].fees if vehicle.list_price else {}
    return {
        "MSRP": _cell(vehicle.msrp),
        "List Price": _cell(vehicle.list_price),
        "Internet_Price": _cell(vehicle.price),
        **{f"fees.{name}.amount": _cell(fees.get(name)) for name in _fee_names()},
    }


def _fee_names() -> list[str]:
    """Return the name of every fee of the group, once: each has a column of the feed."""
    return list(dict.fromkeys(name for rooftop in rooftops().values() for name in rooftop.fees))


def _technical_cells(vehicle: StockVehicle) -> dict[str, object]:
    model = vehicle.model
    return {
        "Miles": vehicle.mileage,
        "ExteriorColor": vehicle.exterior_color,
        "InteriorColor": _cell(vehicle.interior_color),
        "Engine_Description": _cell(model.engine),
        "Displacement CC": _cell(model.displacement_cc),
        "Fuel_Type": _FUEL_WORDS[model.fuel],
        "Transmission": model.transmission,
        "Drivetrain": model.driveline.upper() if model.driveline else "",
        "CityMPG": _cell(model.city_mpg),
        "HighwayMPG": _cell(model.highway_mpg),
        "Electric Range": _cell(model.electric_range_mi),
        "Battery kWh": _cell(model.battery_kwh),
        "Motor Power HP": _cell(model.motor_power_hp),
        "Charge Port": _cell(model.charge_port),
        "DC Fast Charge": {True: "Yes", False: "No", None: ""}[model.dc_fast_charge],
    }


def _media_cells(vehicle: StockVehicle) -> dict[str, object]:
    return {
        "DateInStock": vehicle.inventory_date.isoformat(),
        "Options": "|".join(vehicle.features),
        "ImageList": "|".join(vehicle.photos),
        "Description": f"{vehicle.title} in {vehicle.exterior_color}: simulated, nobody can buy it.",
    }


def _cell(value: object | None) -> object:
    return "" if value is None else value
