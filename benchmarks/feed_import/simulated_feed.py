"""A large HomeNet feed that nobody sent: ordinary rows, repeated values where real feeds repeat them."""

import csv
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Final

COLUMNS: Final = [
    "DealerID",
    "Type",
    "Stock",
    "VIN",
    "Year",
    "Make",
    "Model",
    "Body",
    "Trim",
    "ModelNumber",
    "Doors",
    "ExteriorColor",
    "InteriorColor",
    "EngineCylinders",
    "EngineDisplacement",
    "Transmission",
    "Miles",
    "SellingPrice",
    "MSRP",
    "BookValue",
    "Invoice",
    "Certified",
    "DateInStock",
    "Description",
    "Options",
    "Dealer Name",
    "Ext_Color_Generic",
    "Drivetrain",
    "Fuel_Type",
    "CityMPG",
    "HighwayMPG",
    "Internet_Price",
    "MarketClass",
    "PassengerCapacity",
    "ImageList",
]
ROOFTOPS: Final = tuple(f"Larkfield {place}" for place in ("North", "South", "East", "West"))
_MODELS: Final = (
    ("1FTFW1E50", "Ford", "F-150", "Truck"),
    ("1FMCU9G60", "Ford", "Escape", "SUV"),
    ("2HGFC2F50", "Honda", "Civic", "Sedan"),
    ("5J6RW2H50", "Honda", "CR-V", "SUV"),
    ("4T1B11HK0", "Toyota", "Camry", "Sedan"),
    ("3GCUYDED0", "Chevrolet", "Silverado 1500", "Truck"),
)
_YEAR_CODES: Final = dict(zip(range(2012, 2027), "CDEFGHJKLMNPRST", strict=True))
_COLORS: Final = ("Crystal Black", "Glacier White", "Ruby Red", "Midnight Blue", "Silver Metallic")
_OPTIONS: Final = ("Sunroof", "Navigation", "Tow Package", "Leather", "Remote Start")


def write_feed(path: Path, *, rows: int, seed: int = 20261001) -> None:
    """Write a feed of so many rows."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        writer.writerows(_rows(random.Random(seed), rows))


def _rows(dice: random.Random, count: int) -> Iterator[list[object]]:
    for number in range(count):
        vin, make, model, body = dice.choice(_MODELS)
        year, price, stock = dice.randint(2012, 2026), dice.randint(60, 600) * 100, f"S{number:07d}"
        new = year >= 2025
        photos = "|".join(f"https://images.example.com/{stock}/{photo}.jpg" for photo in range(1, 6))
        told = f"{year} {make} {model}, one owner, with every service record. Ask for {stock}."
        options = "ABS|Cruise Control|Bluetooth|Heated Seats|" + dice.choice(_OPTIONS)
        miles = dice.randint(1, 900) if new else dice.randint(20, 1500) * 100
        yield [
            "4711", "New" if new else "Used", stock, f"{vin}{_YEAR_CODES[year]}A{number % 10**6:06d}", year,
            make, model, body, dice.choice(("SE", "LT", "EX-L", "Limited")), f"M{number % 500}", 4,
            dice.choice(_COLORS), "Black Cloth", 6, "2.0L", dice.choice(("Automatic", "CVT", "6-Speed Manual")),
            miles, price + 500, price + 2000, price - 3000, price - 1000, "No",
            f"2026-{1 + number % 12:02d}-{1 + number % 28:02d}", told, options, dice.choice(ROOFTOPS), "Black",
            dice.choice(("AWD", "FWD", "RWD")), "Gasoline", dice.randint(18, 35), dice.randint(25, 42), price,
            "Car", 5, photos,
        ]  # fmt: skip
