"""Power, displacement, months and the closed sets, read from texts into the contract's words and units."""

from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Final

from forecourt.catalogue.entries import kilowatts
from forecourt.tables.amounts import Reading, read_mileage
from forecourt.tables.dates import read_date
from forecourt.tables.numbers import AmbiguousNumber, NumberStyle, read_number
from forecourt.tables.words import is_blank, meaning_of

KM_PER_MILE: Final = 1.609344
_FUELS: Final[Mapping[str, str]] = {
    "gas": "petrol", "bev": "electric", "phev": "plugin_hybrid", "mild hybrid": "mild_hybrid",
    "flex fuel": "ethanol",
    "diesel": "diesel", "hybrid": "hybrid", "hydrogen": "hydrogen", "cng": "cng", "lpg": "lpg",
}  # fmt: skip
_BODIES: Final[Mapping[str, str]] = {
    "sedan": "saloon", "wagon": "estate", "minivan": "mpv", "truck": "pickup", "convertible": "convertible",
    "suv": "suv", "hatchback": "hatchback", "van": "van", "coupe": "coupe",
}  # fmt: skip
_DRIVES: Final[Mapping[str, str]] = {"4wd": "awd", "awd": "awd", "fwd": "fwd", "rwd": "rwd"}
_LARGEST_LITRES: Final = 10


@lru_cache(maxsize=20_000)
def fuel_of(text: str) -> str | None:
    """Return the fuel in the contract's words."""
    if is_blank(text):
        return None
    found = _FUELS.get(meaning_of("fuel", text) or "")
    return found or ("other" if text.lower().startswith(("other", "andere", "sonstige")) else None)


@lru_cache(maxsize=20_000)
def transmission_of(text: str) -> str | None:
    """Return `manual` or `automatic`; every gearbox that shifts by itself is automatic."""
    found = None if is_blank(text) else meaning_of("transmission", text)
    return None if found is None else "manual" if found == "manual" else "automatic"


@lru_cache(maxsize=20_000)
def drive_of(text: str) -> str | None:
    """Return the driven wheels; two of them, without saying which, is not known."""
    return None if is_blank(text) else _DRIVES.get(meaning_of("driveline", text) or "")


@lru_cache(maxsize=20_000)
def body_of(text: str) -> str | None:
    """Return the body in the contract's words."""
    return None if is_blank(text) else _BODIES.get(meaning_of("body", text) or "")


@lru_cache(maxsize=20_000)
def power_kw(text: str, unit: str | None) -> int | None:
    """Return power in kilowatts. `hp` without more counts as metric, as listings in Europe mean it."""
    number = _number(text)
    if number is None or not 0 < number < 2500:
        return None
    value = float(number)
    found = round(value) if unit == "kw" else kilowatts(value)
    return found if 10 <= found <= 1500 else None


@lru_cache(maxsize=20_000)
def displacement_cc(text: str, unit: str | None) -> int | None:
    """Return displacement in cubic centimetres; small numbers are litres."""
    number = _number(text)
    if number is None or number <= 0:
        return None
    litres = unit == "l" or (unit is None and number < _LARGEST_LITRES)
    found = round(float(number) * (1000 if litres else 1))
    return found if 300 <= found <= 9000 else None


@lru_cache(maxsize=20_000)
def battery_kwh(text: str) -> float | None:
    """Return the battery's capacity."""
    number = _number(text)
    return float(number) if number is not None and 1 <= number <= 250 else None


@lru_cache(maxsize=20_000)
def doors_of(text: str) -> int | None:
    """Return the number of doors, the upper one of `4/5`."""
    number = _number(text.rpartition("/")[2])
    return int(number) if number is not None and 1 <= number <= 7 else None


def _number(text: str) -> Decimal | None:
    words = text.split()
    if not words or is_blank(text):
        return None
    try:
        return read_number(words[0], NumberStyle.POINT)
    except AmbiguousNumber:
        return None


@lru_cache(maxsize=200_000)
def kilometres(text: str, style: NumberStyle | None, unit: str) -> int | str:
    """Return an odometer reading in kilometres, or the reason why there is none."""
    reading = read_mileage(text, style, unit=unit)
    if not isinstance(reading, Reading):
        silent = reading.rule in {"blank", "no_reading", "placeholder_mileage"}
        return "no_mileage" if silent else _mileage_reason(reading.rule)
    return reading.value if (reading.unit or unit) == "km" else int(reading.value * KM_PER_MILE + 0.5)


def _mileage_reason(rule: str) -> str:
    return rule if rule == "mileage_out_of_range" else "mileage_unreadable"


@lru_cache(maxsize=20_000)
def registration_month(text: str) -> str | None:
    """Return the month of first registration as `YYYY-MM`; None when there is no month."""
    bare = text.strip()
    for mark in ("/", "-", ".", " "):
        first, found, second = bare.partition(mark)
        if found and first.isdecimal() and second.isdecimal():
            year, month = (first, second) if len(first) == 4 else (second, first)
            if len(year) == 4 and 1 <= int(month) <= 12:
                return f"{year}-{int(month):02}"
    day = read_date(bare)
    return None if day is None else f"{day.year:04}-{day.month:02}"


_TRADE: Final = ("dealer", "trade", "profi", "händler", "haendler", "gewerb", "firm")
_PRIVATE: Final = ("privat", "particul", "private", "prive", "osoba pryw")


@lru_cache(maxsize=20_000)
def seller_type_of(text: str) -> str | None:
    """Return `private` or `dealer`; no name of a seller is kept."""
    if is_blank(text):
        return None
    folded = text.lower()
    if any(word in folded for word in _PRIVATE):
        return "private"
    return "dealer" if _is_trade(folded) else None


def _is_trade(folded: str) -> bool:
    return any(word in folded for word in _TRADE)
