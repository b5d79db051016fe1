"""The stock of the simulated dealer group: 400 vehicles that nobody can buy.

Makes, models and engines are general knowledge; each vehicle (VIN, colours, mileage, price, photo addresses)
is drawn by chance from a fixed seed. Field names are those of the AAP Vehicle.
"""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from importlib.resources import files

from forecourt.demo.dice import Dice
from forecourt.demo.vin import invented_vin

STOCK_SIZE = 400
STOCK_DATE = date(2026, 10, 1)
"""The day on which the simulated lots were counted; fixed, so that every demo shows the same stock."""

NEW_YEARS = (2026, 2027)

_CAR_COLORS = (
    "Crystal Black", "Glacier White", "Silver Metallic", "Slate Gray", "Midnight Blue",
    "Ruby Red", "Forest Green", "Sand Beige", "Sunset Orange",
)  # fmt: skip
_MOTORCYCLE_COLORS = ("Gloss Black", "Matte Gray", "Racing Red", "Pearl White", "Deep Blue", "Lime Green")
_INTERIORS = ("Black Cloth", "Gray Cloth", "Black Leather", "Tan Leather", "Ivory Leatherette")
_CAR_FEATURES = (
    "Adaptive cruise control", "Android Auto", "Apple CarPlay", "Blind spot monitor", "Heated front seats",
    "Heated steering wheel", "Keyless entry", "Lane keeping assist", "Panoramic roof", "Power liftgate",
    "Rear view camera", "Roof rails", "Tow package", "Ventilated front seats", "Wireless charging",
)  # fmt: skip
_MOTORCYCLE_FEATURES = (
    "ABS",
    "Cruise control",
    "Heated grips",
    "Panniers",
    "Quickshifter",
    "Traction control",
)


@dataclass(frozen=True, slots=True)
class Model:
    """What a rooftop sells: one row of models.csv. Prices in whole US dollars as new."""

    rooftop: str
    vehicle_type: str
    make: str
    model: str
    trims: tuple[str, ...]
    body: str
    msrp: int
    first_year: int
    fuel: str
    engine: str | None
    displacement_cc: int | None
    driveline: str | None
    transmission: str
    city_mpg: int | None
    highway_mpg: int | None
    electric_range_mi: int | None
    battery_kwh: float | None
    motor_power_hp: int | None
    charge_port: str | None
    dc_fast_charge: bool | None
    doors: int | None
    wmi: str
    share: int


@dataclass(frozen=True, slots=True)
class StockVehicle:
    """One vehicle on a simulated lot. `price`, when given, includes every fee of the rooftop."""

    stock: str
    vin: str
    model: Model
    year: int
    trim: str
    condition: str
    status: str
    mileage: int
    exterior_color: str
    interior_color: str | None
    features: tuple[str, ...]
    photo_count: int
    inventory_date: date
    msrp: int | None
    list_price: int | None
    price: int | None

    @property
    def title(self) -> str:
        """Return year, make, model and trim, as a dealer calls the vehicle."""
        return f"{self.year} {self.model.make} {self.model.model} {self.trim}"

    @property
    def photos(self) -> tuple[str, ...]:
        """Addresses of pictures that do not exist, at a domain that is reserved for examples."""
        folder = f"https://example.com/photos/{self.stock}"
        return tuple(f"{folder}/{number}.jpg" for number in range(1, self.photo_count + 1))


@cache
def models() -> tuple[Model, ...]:
    """Return every model that the group sells."""
    text = files("forecourt.demo").joinpath("models.csv").read_text(encoding="utf-8")
    return tuple(_model(row) for row in csv.DictReader(text.splitlines()))


def simulated_stock(
    fees: Mapping[str, int], *, size: int = STOCK_SIZE, seed: int = 20261001
) -> tuple[StockVehicle, ...]:
    """Return the whole stock; `fees` holds for each rooftop key what its mandatory charges add up to."""
    dice = Dice(seed)
    deck = [model for model in models() for _ in range(model.share)]
    positions = range(1, size + 1)
    return tuple(_vehicle(dice, dice.pick(deck), position=number, fees=fees) for number in positions)


def _model(row: dict[str, str]) -> Model:
    def number(name: str) -> int | None:
        return int(row[name]) if row[name] else None

    return Model(
        rooftop=row["rooftop"],
        vehicle_type=row["vehicle_type"],
        make=row["make"],
        model=row["model"],
        trims=tuple(row["trims"].split("|")),
        body=row["body"],
        msrp=int(row["msrp"]),
        first_year=int(row["first_year"]),
        fuel=row["fuel"],
        engine=row["engine"] or None,
        displacement_cc=number("displacement_cc"),
        driveline=row["driveline"] or None,
        transmission=row["transmission"],
        city_mpg=number("city_mpg"),
        highway_mpg=number("highway_mpg"),
        electric_range_mi=number("electric_range_mi"),
        battery_kwh=float(row["battery_kwh"]) if row["battery_kwh"] else None,
        motor_power_hp=number("motor_power_hp"),
        charge_port=row["charge_port"] or None,
        dc_fast_charge={"yes": True, "no": False}.get(row["dc_fast_charge"]),
        doors=number("doors"),
        wmi=row["wmi"],
        share=int(row["share"]),
    )


def _vehicle(dice: Dice, model: Model, *, position: int, fees: Mapping[str, int]) -> StockVehicle:
    is_new = dice.chance(0.25)
    year = dice.pick(NEW_YEARS) if is_new else dice.whole(model.first_year, NEW_YEARS[0] - 1)
    mileage = _mileage(dice, model, age_years=NEW_YEARS[0] - year, is_new=is_new)
    trim = dice.pick(model.trims)
    msrp = _rounded(model.msrp * (1 + 0.09 * model.trims.index(trim)))
    list_price, price = _prices(
        dice, _asking(dice, msrp, year=year, mileage=mileage, is_new=is_new), fees=fees[model.rooftop]
    )
    is_car = model.vehicle_type == "car"
    return StockVehicle(
        stock=f"{position:05d}",
        vin=invented_vin(model.wmi, year, serial=position, dice=dice),
        model=model,
        year=year,
        trim=trim,
        condition=_condition(dice, year=year, is_new=is_new, is_car=is_car),
        status=_status(dice, is_new=is_new),
        mileage=mileage,
        exterior_color=dice.pick(_CAR_COLORS if is_car else _MOTORCYCLE_COLORS),
        interior_color=dice.pick(_INTERIORS) if is_car else None,
        features=_features(dice, is_car=is_car),
        photo_count=dice.whole(1, 6),
        inventory_date=STOCK_DATE - timedelta(days=dice.whole(0, 120)),
        msrp=msrp if is_new else None,
        list_price=list_price,
        price=price,
    )


def _mileage(dice: Dice, model: Model, *, age_years: int, is_new: bool) -> int:
    if is_new:
        return dice.whole(3, 60)
    per_year = 10_500 if model.vehicle_type == "car" else 2_800
    return int(per_year * (age_years + 0.4) * dice.between(0.55, 1.4))


def _asking(dice: Dice, msrp: int, *, year: int, mileage: int, is_new: bool) -> int:
    """Return a base price that falls with age and mileage, and by a small discount when new."""
    if is_new:
        return _rounded(msrp * dice.between(0.95, 1.0))
    worth = msrp * 0.93 * 0.94 ** (NEW_YEARS[0] - year) * (1 - min(mileage, 150_000) / 450_000)
    return _rounded(worth * dice.between(0.94, 1.06))


def _prices(dice: Dice, asking: int, *, fees: int) -> tuple[int | None, int | None]:
    """Return (list price, price): most have both, some only the base price, a few are on request."""
    throw = dice.between(0, 1)
    if throw < 0.04:
        return None, None
    return asking, None if throw < 0.12 else asking + fees


def _rounded(dollars: float) -> int:
    return int(dollars / 10 + 0.5) * 10 - 5


def _condition(dice: Dice, *, year: int, is_new: bool, is_car: bool) -> str:
    if is_new:
        return "new"
    certified = is_car and year >= NEW_YEARS[0] - 5 and dice.chance(0.35)
    return "cpo" if certified else "used"


def _status(dice: Dice, *, is_new: bool) -> str:
    if is_new and dice.chance(0.2):
        return "intransit"
    return "pending" if dice.chance(0.04) else "available"


def _features(dice: Dice, *, is_car: bool) -> tuple[str, ...]:
    choice: Sequence[str] = _CAR_FEATURES if is_car else _MOTORCYCLE_FEATURES
    return dice.several(choice, dice.whole(2, len(choice) // 2))
