"""Generated stock in the dirt of real feeds, and generated filters over it."""

import csv
import gzip
import random
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

Vehicle = dict[str, Any]

MODELS = {
    "BMW": ["3 Series", "3 Series Gran Turismo", "i3", "X5", "330i xDrive"],
    "Chevy": ["Silverado 1500"],
    "CHEVROLET": ["SILVERADO 1500", "Equinox EV"],
    "Citroën": ["C4 Picasso", "ë-C4"],
    "Ford": ["F-150", "F150", "Mustang Mach-E"],
    "Honda": ["CR-V", "CRV", "CR V Hybrid", "Civic"],
    "Hyundai": ["i30", "i30 N", "IONIQ 5"],
    "Mercedes": ["C-Class", "E 220 d"],
    "Mercedes-Benz": ["C-Class", "C Class", "GLC 300"],
    "Volkswagen": ["Golf", "ID.4", "Golf-Serie"],
    "VW": ["Golf", "Passat Variant"],
    "Harley-Davidson": ["Street Glide"],
    "Škoda": ["Octavia"],
}
CHOICES: dict[str, list[str]] = {
    "trim": ["EX-L", "EX", "Sport", "sport", "2.0 TDI", "Touring", "--", "Limited  - Leather Seats"],
    "transmission": [
        "Automatic",
        "8-Speed Automatic",
        "8 speed automatic",
        "Manuell",
        "CVT",
        "7G-DCT",
        "Semi-Auto",
    ],
    "fuel": [
        "GASOLINE",
        "Gas",
        "Petrol",
        "Benzin",
        "Diesel",
        "Gasoline Hybrid",
        "Plug-in Bensin",
        "Elettrica",
        "Other",
    ],
    "driveline": ["AWD", "awd", "4X4", "Front-wheel Drive", "posteriore", "AWD/4WD", "4x2"],
    "body": [
        "SUV",
        "suv",
        "Sport Utility",
        "Sedan",
        "Kombi",
        "Halvkombi 5-dörrar",
        "Crew Cab",
        "Convertible/SUV",
    ],
    "exterior_color": ["Crystal Black Pearl", "Black", "bLACK", "Grey", "GRAY", "Blu/Azzurro", "Rosso"],
    "interior_color": ["Black", "black", "Black w/Red Stitching", "Charcoal", "Nero"],
    "rooftop": ["Northgate Honda", "Northgate Honda East", "Southside"],
    "condition": ["new", "used", "cpo"],
    "charge_port": ["nacs", "NACS", "ccs"],
    "vehicle_type": ["car", "motorcycle", "other"],
    "engine": ["2.0L Turbo I4", "1868cc V-twin"],
    "notes": ["Recently arrived", "One owner, non-smoker."],
    "description": [
        "Full service history; new tyres.",
        "Traded in for a Honda. 8-seater, tow-bar",
        "Très bon état",
    ],
}
FEATURES = [
    "Apple CarPlay",
    "Heated Front Seats",
    "Tow Package",
    "Adaptive Cruise Control",
    "Blind-Spot Monitor",
]
ASKED: dict[str, list[str]] = {
    "make": ["vw", "Volkswagen", "mercedes", "CHEVY", "citroen", "skoda", "Tata", "harley", "BMW", "honda"],
    "model": [
        "3 series",
        "i3",
        "i30",
        "crv",
        "CR-V",
        "cr v",
        "f150",
        "golf",
        "silverado",
        "c-class",
        "id4",
        "series 3",
    ],
    "trim": ["ex", "EX-L", "sport", "2.0", "leather", "--"],
    "transmission": ["automatic", "8-speed automatic", "manual", "cvt", "dct", "semi-automatic", "Automatik"],
    "fuel": [
        "gas",
        "petrol",
        "diesel",
        "hybrid",
        "phev",
        "electric",
        "bev",
        "other",
        "gasoline hybrid",
        "steam",
    ],
    "driveline": ["awd", "4wd", "fwd", "rwd", "2wd", "four-wheel drive"],
    "body": ["suv", "crossover", "wagon", "hatchback", "truck", "convertible", "sedan", "van"],
    "exterior_color": ["black", "grey", "gray", "crystal pearl", "blu", "pearl"],
    "interior_color": ["BLACK", "red", "nero"],
    "charge_port": ["nacs", "CCS"],
    "rooftops": ["Northgate Honda", "southside", "Nowhere"],
    "condition": ["new", "used", "cpo"],
    "vehicle_type": ["car", "motorcycle", "rv"],
}
QUERIES = [
    "honda", "crv awd", "cr-v", "plug-in hybrid", "black suv", "tow package", "petrol automatic", "8-seater",
    "one owner", "2020", "all-wheel drive", "carplay heated", "service history tyres", "bon etat", "S-000012",
    "front wheel", "station wagon", "zeppelin", "vw golf", "non-smoker", "2.0l",
    "blind spot", "   ", "!!", "blindspot",
]  # fmt: skip
SORTS = ["price", "list_price", "msrp", "mileage", "year", "make", "model", "stock", "updated_at"]


def generated_stock(size: int, *, seed: int) -> list[Vehicle]:
    """Return vehicles with every kind of gap, spelling and tie; a few are not in stock."""
    dice = random.Random(seed)
    return [_generated_vehicle(number, dice) for number in range(size)]


def _generated_vehicle(number: int, dice: random.Random) -> Vehicle:
    make = dice.choice(list(MODELS))
    vehicle: Vehicle = {
        "vehicle_id": f"veh-{dice.randrange(10**6):06d}-{number}",
        "status": dice.choice(["available"] * 8 + ["intransit", "pending", "sold"]),
        "make": make,
        "model": dice.choice(MODELS[make]),
        "features": dice.sample(FEATURES, dice.randrange(4)),
    }
    for field, values in CHOICES.items():
        if dice.random() < 0.75:
            vehicle[field] = dice.choice(values)
    numbers = {
        "year": dice.randrange(2015, 2027), "price": dice.randrange(5, 60) * 1000,
        "msrp": dice.randrange(20, 80) * 1000, "list_price": dice.randrange(5, 60) * 1000,
        "mileage": dice.randrange(0, 100) * 1500,
        "displacement_cc": dice.choice([998, 1868, 1998]), "electric_range_mi": dice.choice([25, 113.5, 300]),
    }  # fmt: skip
    vehicle |= {field: value for field, value in numbers.items() if dice.random() < 0.7}
    if dice.random() < 0.9:
        vehicle["updated_at"] = (
            f"2026-04-{dice.randrange(1, 5):02d}T0{dice.randrange(3)}:00:00{dice.choice(['Z', '+02:00'])}"
        )
    if dice.random() < 0.8:
        vehicle["stock"] = f"{dice.choice('Ss')}-{number:06d}"
    if dice.random() < 0.5:
        vehicle["vin"] = f"1HGCR{number:012d}"
    if dice.random() < 0.3:
        vehicle["dc_fast_charge"] = dice.random() < 0.5
    return vehicle


def generated_filters(count: int, *, seed: int, asked: dict[str, list[str]] = ASKED) -> list[dict[str, Any]]:
    """Return filters of one to four conditions each."""
    dice = random.Random(seed)
    return [_generated_filter(dice, asked) for _ in range(count)]


def _generated_filter(dice: random.Random, asked: dict[str, list[str]]) -> dict[str, Any]:
    numbers = {
        "year_min": dice.randrange(2014, 2027), "year_max": dice.randrange(2014, 2027),
        "price_min": dice.randrange(60) * 1000, "price_max": dice.randrange(60) * 1000,
        "mileage_max": dice.randrange(150_000), "displacement_cc_min": 1000, "displacement_cc_max": 1900,
        "electric_range_mi_min": 100, "electric_range_mi_max": 200,
    }  # fmt: skip
    lists = {name: dice.sample(values, min(len(values), dice.randrange(3))) for name, values in asked.items()}
    others = {
        "dc_fast_charge": dice.random() < 0.5,
        "query": dice.choice(QUERIES),
        "stock": f"S-{dice.randrange(300):06d}",
    }
    every: dict[str, Any] = lists | numbers | others
    weights = [3 if name in lists else 1 for name in every]
    names = dice.choices(list(every), weights=weights, k=dice.choice([1, 1, 2, 2, 3, 4]))
    return {name: every[name] for name in names}


def mercedes_listings(shared: Path) -> list[Vehicle]:
    """Return the real American listings of the shared data as vehicles; ids and stock numbers are made up."""
    with gzip.open(shared / "data" / "listings_us_mercedes_2021.csv.gz", "rt", encoding="utf-8") as file:
        return [_mercedes(number, row) for number, row in enumerate(csv.DictReader(file))]


def _mercedes(number: int, row: dict[str, str]) -> Vehicle:
    texts = {
        "make": row["make"], "model": row["model"], "fuel": row["fuel"], "transmission": row["gearbox"],
        "driveline": row["drive"], "body": row["type"], "exterior_color": row["paint_color"],
        "notes": row["condition"],
    }  # fmt: skip
    numbers = {"year": row["year"], "price": row["price"], "mileage": row["mileage_mi"]}
    return {
        "vehicle_id": f"veh-{number * 7919 % 100_003:06d}",
        "stock": f"M{number:05d}",
        "status": "available",
        "condition": "used",
        "updated_at": f"2026-04-{1 + number % 5:02d}T08:00:00Z",
        **{field: text for field, text in texts.items() if text},
        **{field: int(float(text)) for field, text in numbers.items() if text},
    }


filters = st.integers(0, 10**9).map(lambda seed: generated_filters(1, seed=seed)[0])
sorts = st.none() | st.fixed_dictionaries(
    {"field": st.sampled_from(SORTS), "order": st.sampled_from(["asc", "desc"])}
)
pages = st.fixed_dictionaries({}, optional={"skip": st.integers(0, 400), "limit": st.integers(1, 150)})
