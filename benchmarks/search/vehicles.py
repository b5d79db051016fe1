"""A generated stock of a large marketplace: skewed makes, many trims and colours, dealer descriptions."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

VEHICLES = 100_000
START = datetime(2026, 4, 1, tzinfo=UTC)

MAKES = [
    "Ford", "Chevrolet", "Toyota", "Honda", "Nissan", "Jeep", "Hyundai", "Kia", "Subaru", "GMC", "BMW",
    "Volkswagen", "Mercedes-Benz", "Mazda", "Audi", "Lexus", "Dodge", "Ram", "Tesla", "Volvo", "Acura",
    "Cadillac", "Buick", "Infiniti", "Lincoln", "Land Rover", "Porsche", "MINI", "Mitsubishi", "Genesis",
    "Chrysler", "Jaguar", "Alfa Romeo", "Polestar", "Rivian", "Harley-Davidson", "Kawasaki", "Ducati",
    "Yamaha", "Suzuki",
]  # fmt: skip
SYLLABLES = [
    "ka",
    "vo",
    "tri",
    "sel",
    "mo",
    "ren",
    "ta",
    "lux",
    "dor",
    "ni",
    "ze",
    "fal",
    "ro",
    "qui",
    "bex",
    "wyn",
]
COLORS = [
    "Black",
    "White",
    "Silver",
    "Gray",
    "Red",
    "Blue",
    "Green",
    "Brown",
    "Orange",
    "Yellow",
    "Gold",
    "Purple",
]
SHADES = [
    "Crystal",
    "Midnight",
    "Pearl",
    "Glacier",
    "Deep",
    "Electric",
    "Lunar",
    "Storm",
    "Platinum",
    "Sunset",
    "Arctic",
]
FINISHES = ["", "Metallic", "Pearl", "Tricoat", "Mica"]
FEATURES = [
    "Adaptive Cruise Control", "Apple CarPlay", "Android Auto", "Heated Front Seats", "Ventilated Seats",
    "Sunroof", "Panoramic Roof", "Blind Spot Monitor", "Lane Keeping Assist", "Backup Camera",
    "Towing Package", "Third Row", "Navigation", "Remote Start", "Keyless Entry", "Alloy Wheels",
    "Leather Upholstery", "Power Liftgate", "Wireless Charging", "Premium Audio", "Head-Up Display",
    "Roof Rails", "Running Boards", "Bed Liner",
]  # fmt: skip
WORDS = [a + b + c for a in SYLLABLES for b in SYLLABLES for c in ("", "n", "s", "th")]
BODIES = (
    ["suv"] * 9
    + ["sedan"] * 5
    + ["truck"] * 4
    + ["hatchback"] * 2
    + ["coupe", "wagon", "minivan", "convertible"]
)
FUELS = ["gas"] * 14 + ["hybrid"] * 3 + ["diesel", "phev", "bev", "bev"]
CONDITIONS = ["used"] * 5 + ["new"] * 3 + ["cpo"]
STATUSES = ["available"] * 8 + ["intransit", "pending"]


def vehicles(count: int = VEHICLES) -> Iterator[dict[str, Any]]:
    """Yield the same vehicles at every call, in canonical wordings that every engine can compare whole."""
    dice = random.Random(20_260_401)
    lines = {make: _model_names(dice) for make in MAKES}
    colors = sorted(
        {f"{dice.choice(SHADES)} {c} {f}".strip() for c in COLORS for f in FINISHES for _ in range(12)}
    )
    for number in range(count):
        make = MAKES[min(int(dice.expovariate(0.16)), len(MAKES) - 1)]
        yield _vehicle(dice, number=number, make=make, model=dice.choice(lines[make]), colors=colors)


def _model_names(dice: random.Random) -> list[str]:
    names = ["".join(dice.choices(SYLLABLES, k=3)).capitalize() for _ in range(14)]
    return names + [f"{name} {suffix}" for name in names[:5] for suffix in ("Sport", "Max")]


def _vehicle(dice: random.Random, *, number: int, make: str, model: str, colors: list[str]) -> dict[str, Any]:
    fuel, year = dice.choice(FUELS), 2026 - int(dice.expovariate(0.18)) % 26
    price = int(dice.lognormvariate(10.2, 0.5))
    vehicle: dict[str, Any] = {
        "vehicle_id": f"veh_{number * 7_919 % 1_000_003:07d}",
        "vin": f"1HGCR{number:012d}",
        "stock": f"S{number:06d}",
        "status": dice.choice(STATUSES),
        "condition": dice.choice(CONDITIONS),
        "year": year,
        "make": make,
        "model": model,
        "trim": f"{dice.choice(SYLLABLES).upper()} {dice.randrange(60)}",
        "mileage": int(dice.expovariate(1 / 45_000)),
        "body": dice.choice(BODIES),
        "transmission": "manual" if dice.random() < 0.06 else dice.choice(["automatic"] * 4 + ["cvt"]),
        "driveline": dice.choice(["awd", "awd", "fwd", "fwd", "rwd", "4wd"]),
        "fuel": fuel,
        "exterior_color": dice.choice(colors),
        "interior_color": f"{dice.choice(COLORS)} {dice.choice(['Leather', 'Cloth', 'Leatherette'])}",
        "rooftop": f"Rooftop {dice.randrange(25)}",
        "features": dice.sample(FEATURES, dice.randrange(4, 11)),
        "description": " ".join(dice.choices(WORDS, k=40)),
        "photos": [f"https://cdn.example.com/{number}/{photo}.jpg" for photo in range(8)],
        "updated_at": (START + timedelta(minutes=dice.randrange(40_000))).isoformat(),
    }
    if dice.random() < 0.93:
        vehicle |= {"price": price, "list_price": price - 500}
    if fuel in {"bev", "phev"}:
        port = dice.choice(["nacs", "ccs"])
        vehicle |= {
            "electric_range_mi": dice.randrange(20, 400),
            "dc_fast_charge": fuel == "bev",
            "charge_port": port,
        }
    if fuel != "bev":
        vehicle["displacement_cc"] = dice.choice([998, 1498, 1998, 2498, 3498, 4998])
    return vehicle
