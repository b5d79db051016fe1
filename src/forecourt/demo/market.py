"""The simulated market of the demo: adverts for cars that nobody sells, in Germany and Great Britain.

Makes, models and engines are real and rough general knowledge; cars, prices and ids are drawn by chance from
a fixed seed. Over eighteen months prices drift, cars are reposted and stand on two sites, and there is junk,
as on real sites. Which adverts are one car is known (`SimulatedRow.car`): finding them can be tested.
"""

import csv
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from forecourt.demo.dice import Dice

COUNTRIES: Final = ("DE", "GB")
ADVERTS: Final = 15_000
"""Adverts of one country, reposts included; junk comes on top."""
LAST_DAY: Final = date(2026, 9, 30)
FIRST_DAY: Final = date(2025, 4, 1)
SITES: Final = ("cars.simulated.example", "autos.simulated.example")
HEADER: Final = (
    "ad id", "url", "seen on", "make", "model", "version", "first registration", "mileage", "fuel", "gearbox",
    "power kW", "engine cc", "body", "doors", "colour", "seller", "postcode", "price", "currency", "title",
)  # fmt: skip

_DAYS: Final = (LAST_DAY - FIRST_DAY).days
_KM_PER_MILE: Final = 1.609344
_KM_A_YEAR: Final = {"diesel": 19_000, "electric": 13_000}
_USUAL_KM_A_YEAR: Final = 13_500
_DRIFT_A_MONTH: Final = {"electric": -0.012, "plugin": -0.007}
_USUAL_DRIFT: Final = -0.003
_TRIMS: Final = (("", 1.0), ("Comfort", 1.03), ("Style", 1.06), ("Sport", 1.09))
_COLOURS: Final = {
    "DE": ("schwarz", "weiß", "grau", "silber", "blau", "rot", "grün"),
    "GB": ("black", "white", "grey", "silver", "blue", "red", "green"),
}
_FUEL_WORDS: Final = {
    "DE": {
        "petrol": "Benzin", "diesel": "Diesel", "electric": "Elektro", "hybrid": "Hybrid",
        "plugin": "Plug-in-Hybrid",
    },
    "GB": {
        "petrol": "Petrol", "diesel": "Diesel", "electric": "Electric", "hybrid": "Hybrid",
        "plugin": "Plug-in Hybrid",
    },
}  # fmt: skip
_GEARBOXES: Final = {
    "DE": {"M": "Schaltgetriebe", "A": "Automatik"},
    "GB": {"M": "Manual", "A": "Automatic"},
}
_BODIES: Final = {
    "DE": {"hatchback": "Schrägheck", "estate": "Kombi", "saloon": "Limousine", "suv": "SUV"},
    "GB": {"hatchback": "Hatchback", "estate": "Estate", "saloon": "Saloon", "suv": "SUV"},
}
_SELLERS: Final = {"DE": ("Händler", "Privat"), "GB": ("Trade", "Private")}
_PRICE_LEVEL: Final = {"DE": 1.0, "GB": 0.84}
_CURRENCIES: Final = {"DE": "EUR", "GB": "GBP"}


@dataclass(frozen=True, slots=True)
class SimulatedRow:
    """One row of the file. `car` numbers the car; None for junk, of which `junk` says the kind."""

    cells: Mapping[str, str]
    car: int | None
    junk: str | None = None


@dataclass(frozen=True, slots=True)
class _Engine:
    fuel: str
    power_kw: int
    displacement_cc: int
    gearbox: str
    factor: float


@dataclass(frozen=True, slots=True)
class _Line:
    make: str
    model: str
    body: str
    new_eur: int
    engines: tuple[_Engine, ...]


@dataclass(frozen=True, slots=True)
class _Car:
    number: int
    line: _Line
    engine: _Engine
    trim: str
    trim_factor: float
    year: int
    month: int
    mileage_km: int
    colour: str
    private: bool
    postcode: str
    luck: float
    offered_day: int


@dataclass(frozen=True, slots=True)
class _Advert:
    car: _Car
    site: str
    number: int
    first_day: int
    days: int
    price_factor: float = 1.0


def write_simulated_market(path: Path, country: str, *, adverts: int = ADVERTS, seed: int = 6) -> None:
    """Write the simulated listings of a country (`DE` or `GB`) as a CSV file for `market import`."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, HEADER)
        writer.writeheader()
        writer.writerows(row.cells for row in simulated_rows(country, adverts=adverts, seed=seed))


def simulated_rows(country: str, *, adverts: int = ADVERTS, seed: int = 6) -> Iterator[SimulatedRow]:
    """Yield the rows of a simulated file: each advert as first seen, at each new price and as last seen."""
    dice = Dice(seed * 100 + COUNTRIES.index(country))
    written = number = 0
    twin: _Car | None = None
    while written < adverts:
        number += 1
        car = _car(dice, country, number) if twin is None else _twin(dice, twin, number)
        twin = car if twin is None and dice.chance(0.05) else None
        for advert in _adverts(dice, car, first_number=number * 10):
            if written < adverts:
                written += 1
                yield from _rows(dice, country, advert)
        if dice.chance(0.03):
            yield _junk(dice, country, number)


@cache
def _lines() -> tuple[_Line, ...]:
    text = files("forecourt.demo").joinpath("market_cars.tsv").read_text(encoding="utf-8")
    lines: list[_Line] = []
    for row in csv.DictReader(text.splitlines(), delimiter="\t"):
        engines = tuple(_engine(words) for words in row["engines"].split(";"))
        line = _Line(row["make"], row["model"], row["body"], int(row["new_eur"]), engines)
        lines.extend([line] * int(row["share"]))
    return tuple(lines)


def _engine(words: str) -> _Engine:
    fuel, power, displacement, gearbox, factor = words.split()
    return _Engine(fuel, int(power), int(displacement), gearbox, float(factor))


def _car(dice: Dice, country: str, number: int) -> _Car:
    line = dice.pick(_lines())
    if country == "GB" and line.make == "Opel":
        line = replace(line, make="Vauxhall")
    engine = dice.pick(line.engines)
    age = 0.3 + 11 * dice.between(0, 1) ** 1.4
    offered_day = dice.whole(0, _DAYS - 10)
    registered = FIRST_DAY + timedelta(days=offered_day - int(age * 365))
    trim, factor = dice.pick(_TRIMS)
    private = dice.chance(0.2)
    usual = _KM_A_YEAR.get(engine.fuel, _USUAL_KM_A_YEAR) * age
    mileage = max(1_200, int(usual * math.exp(0.45 * _bell(dice))))
    if dice.chance(0.35 if private else 0.08):
        mileage = round(mileage, -3)
    return _Car(
        number, line, engine, trim, factor, registered.year, registered.month, mileage,
        dice.pick(_COLOURS[country]), private, _postcode(dice, country), math.exp(0.07 * _bell(dice)),
        offered_day,
    )  # fmt: skip


def _twin(dice: Dice, car: _Car, number: int) -> _Car:
    """Return another car of the same fleet: alike in all but its odometer and what it is asked for."""
    mileage = max(1_000, car.mileage_km + dice.pick((-1, 1)) * dice.whole(20, 6_000))
    luck = car.luck * dice.between(0.97, 1.03)
    day = min(_DAYS - 10, car.offered_day + dice.whole(0, 30))
    return replace(car, number=number, mileage_km=mileage, luck=luck, offered_day=day)


def _bell(dice: Dice) -> float:
    """Return a number around 0 of deviation 1."""
    return sum(dice.between(-1, 1) for _ in range(6)) / math.sqrt(2)


def _postcode(dice: Dice, country: str) -> str:
    area = dice.whole(1, 99)
    return f"{area:02}000" if country == "DE" else f"{dice.pick(('B', 'LS', 'M', 'NE', 'SW'))}{area % 20 + 1}"


def _adverts(dice: Dice, car: _Car, *, first_number: int) -> Iterator[_Advert]:
    """Yield the adverts of a car: one, now and then one more on another site or another one after it."""
    site = dice.pick(SITES)
    days = 3 + int(-38 * math.log(1 - dice.between(0, 0.99)))
    first = _Advert(car, site, first_number, car.offered_day, days)
    yield first
    if dice.chance(0.10):
        other = SITES[1 - SITES.index(site)]
        later = first.first_day + dice.whole(0, 6)
        yield replace(
            first,
            site=other,
            number=first_number + 1,
            first_day=later,
            price_factor=dice.pick((1, 1, 0.99, 1.01)),
        )
    again = first
    for place in range(2, 4):
        start = again.first_day + again.days + dice.whole(0, 25)
        if not dice.chance(0.08) or start >= _DAYS - 5:
            return
        driven = 0 if dice.chance(0.7) else dice.whole(1, 150)
        moved = replace(car, mileage_km=again.car.mileage_km + (0 if car.mileage_km % 1_000 == 0 else driven))
        again = _Advert(
            moved, site, first_number + place, start, 3 + dice.whole(0, 60), dice.between(0.95, 1.0)
        )
        yield again


def _rows(dice: Dice, country: str, advert: _Advert) -> Iterator[SimulatedRow]:
    last = min(advert.first_day + advert.days, _DAYS)
    day, price = advert.first_day, _asked(country, advert)
    cells = _cells(dice, country, advert)
    while True:
        yield SimulatedRow({**cells, **_seen(day, price)}, advert.car.number)
        if day >= last:
            return
        following = day + dice.whole(12, 40)
        price = price if following > last else _rounded(price * dice.between(0.955, 0.99))
        day = min(following, last)


def _seen(day: int, price: int) -> dict[str, str]:
    return {"seen on": (FIRST_DAY + timedelta(days=day)).isoformat(), "price": str(price)}


def _asked(country: str, advert: _Advert) -> int:
    car = advert.car
    seen = FIRST_DAY + timedelta(days=advert.first_day)
    age = max(0.1, (seen - date(car.year, car.month, 15)).days / 365.25)
    usual = _KM_A_YEAR.get(car.engine.fuel, _USUAL_KM_A_YEAR) * age
    kept = 0.86 * math.exp(-0.135 * age) * math.exp(-0.0000032 * (car.mileage_km - usual))
    drift = 1 + _DRIFT_A_MONTH.get(car.engine.fuel, _USUAL_DRIFT) * advert.first_day / 30.4
    new = car.line.new_eur * car.engine.factor * car.trim_factor * _PRICE_LEVEL[country]
    seller = 0.94 if car.private else 1.0
    return _rounded(new * kept * drift * seller * car.luck * advert.price_factor)


def _rounded(price: float) -> int:
    return max(600, round(price / 10) * 10)


def _cells(dice: Dice, country: str, advert: _Advert) -> dict[str, str]:
    car, line, engine = advert.car, advert.car.line, advert.car.engine
    miles = round(car.mileage_km / _KM_PER_MILE)
    litres = f"{engine.displacement_cc / 1000:.1f} " if engine.displacement_cc else ""
    version = f"{litres}{car.trim}".strip()
    words = {
        "ad id": f"{advert.number}",
        "url": f"https://www.{advert.site}/ad/{advert.number}",
        "make": line.make,
        "model": line.model,
        "version": version,
        "first registration": f"{car.month:02}/{car.year}",
        "mileage": str(car.mileage_km) if country == "DE" else f"{miles} miles",
        "fuel": _FUEL_WORDS[country][engine.fuel],
        "gearbox": _GEARBOXES[country][engine.gearbox],
        "power kW": str(engine.power_kw),
        "engine cc": str(engine.displacement_cc or ""),
        "body": _BODIES[country][line.body],
        "doors": "5" if line.body != "saloon" else "4",
        "colour": "" if dice.chance(0.06) else car.colour,
        "seller": _SELLERS[country][car.private],
        "postcode": car.postcode,
        "currency": _CURRENCIES[country],
        "title": f"{line.make} {line.model} {version}".strip(),
    }
    return words if not dice.chance(0.04) else {**words, "first registration": str(car.year)}


_JUNK: Final[Mapping[str, Mapping[str, str]]] = {
    "placeholder_price": {"price": "123456"},
    "no_price": {"price": ""},
    "price_too_low": {"price": "99"},
    "instalment": {"price": "249", "title": "Leasing 249 mtl."},
    "wanted": {"title": "Suche Kombi bis 10.000"},
    "damaged": {"title": "Motorschaden, for parts"},
    "no_mileage": {"mileage": ""},
    "mileage_out_of_range": {"mileage": "1400000"},
    "registered_in_future": {"first registration": "05/2049"},
    "no_year": {"first registration": ""},
    "no_make_or_model": {"make": "", "model": "", "title": "Top Zustand"},
    "other_currency": {"currency": "PLN"},
}
"""Cells that make a row junk, by the reason for which it has to be dropped."""


def _junk(dice: Dice, country: str, number: int) -> SimulatedRow:
    kind = dice.pick(tuple(_JUNK))
    advert = _Advert(_car(dice, country, number), dice.pick(SITES), number * 10 + 9, dice.whole(0, _DAYS), 1)
    cells = {**_cells(dice, country, advert), **_seen(advert.first_day, _asked(country, advert))}
    return SimulatedRow({**cells, **_JUNK[kind]}, None, kind)
