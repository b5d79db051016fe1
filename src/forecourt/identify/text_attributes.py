"""Numbers in adverts: power, displacement, battery, mileage, dates, doors and seats, with their units."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any, Final

from forecourt.base.text_folding import fold_letters
from forecourt.catalogue.entries import kilowatts
from forecourt.identify.text_words import advert_words

_KM_PER_MIL: Final = 10
"""The Scandinavian mile."""
_NOT_IN_NUMBER: Final = r"(?<![\d.,])"
_UNIT_ENDS: Final = r"(?![a-zà-öø-ÿ])"
_POWER_UNITS: Final = """
    kw kilowatt ps hk hp bhp cv ch pk hkr hv hastar hastkrafter pferdestarken chevaux cavalli
    caballos cavalos koni"""
_DOOR_WORDS: Final = """
    d dr drs dors dorrars? dorers turig turer turen doors? p portes? puertas? portas? drzwi
    deurs dv ov"""
_SEAT_WORDS: Final = """
    prs pers personers sitzer sitze seats? seater sader sits sitsig seter places posti plazas
    lugares osobowy persoons miejsc"""
_GEAR_WORDS: Final = """
    g gear gang speed spd vxl trins? tri vaxlad gir vitesses rapports rapporti marce
    velocidades vel biegow bieg"""


def _any_of(words: str) -> str:
    """Return a pattern for one of the words, none of whose letters may follow."""
    return "(?:" + "|".join(words.split()) + ")" + _UNIT_ENDS


_POWER: Final = re.compile(_NOT_IN_NUMBER + r"(\d{2,4}) ?(" + _any_of(_POWER_UNITS) + ")")
_LITRES: Final = re.compile(
    r"(?<![\d.,/-])(?<!\bt)(?<!\bdr)(\d[.,]\d)(?![\d.,]|/| ?(?:kwh|l/100|km|tkm|mil\b))"
)
_CC: Final = re.compile(_NOT_IN_NUMBER + r"(\d{3}|\d[.,]?\d{3}) ?(?:ccm|cc|cm3|cm³|kcm|cm2)" + _UNIT_ENDS)
_BATTERY: Final = re.compile(_NOT_IN_NUMBER + r"(\d{2,3}(?:[.,]\d{1,2})?) ?kwh" + _UNIT_ENDS)
_MILEAGE: Final = re.compile(
    r"(?<![\d.,\w])(\d{1,3}(?:[ .,'’\u00a0]\d{3})+|\d{1,7}(?:[.,]\d)?)[ \u00a0]?"
    r"(t|k|tsd\.? ?|tus\.? ?|tys\.? ?|mila ?|mille ?|mil (?=km))?[ \u00a0]?"
    r"(kilometers?|kilometres?|kilometer|quilometros|chilometri|kms|km|miles|mls|mi|mil)" + _UNIT_ENDS
)
_THOUSAND: Final = re.compile(r"(?<![\d.,\w])(\d{2,3})(?:k|tkm)(?![a-z])")
_DAY: Final = re.compile(r"(?<![\d.,])(\d{1,2})[./-](\d{1,2})[./-]((?:19|20)\d\d)(?!\d)")
_ISO: Final = re.compile(r"(?<!\d)((?:19|20)\d\d)-(0[1-9]|1[0-2])(?:-\d\d)?(?!\d)")
_MONTH: Final = re.compile(r"(?<![\d.,/-])(0?[1-9]|1[0-2])[ ]?[./-][ ]?((?:19|20)\d\d)(?!\d)")
_YEAR: Final = re.compile(r"(?<![\d.,/\w-])((?:19[5-9]|20[0-4])\d)(?![\d/\w-])(?![.,]\d)")
_SHORT_YEAR: Final = re.compile(r"(?<=\s)['’-]([0-4]\d|[89]\d)(?=[\s,;]|$)")
_PLATE_AGE: Final = re.compile(r"(?<![\d.,\w])(\d{2})[ -](?:plate|reg)" + _UNIT_ENDS)
_DOORS: Final = re.compile(_NOT_IN_NUMBER + r"([2-5])(?:/[2-5])?[ -]?" + _any_of(_DOOR_WORDS))
_SEATS: Final = re.compile(_NOT_IN_NUMBER + r"([2-9])[ -]?" + _any_of(_SEAT_WORDS))
_GEARS: Final = re.compile(_NOT_IN_NUMBER + r"(?:[4-9]|10)[ -]?" + _any_of(_GEAR_WORDS))
_FLEET_CODE: Final = re.compile(r"(?<!\d)(?:\d{2,3})?f?(?:tdi|tsi|tfsi|fsi|crd?)?([mad])(\d)([fasm])(?!\w)")


@dataclass(frozen=True, slots=True)
class Attribute:
    """A value read from a text between two places of it; `inferred` when it was converted."""

    field: str
    value: Any
    start: int
    end: int
    inferred: bool = False


def read_attributes(text: str, *, country: str | None = None) -> list[Attribute]:
    """Return what the numbers of a text say; no two of them overlap."""
    folded = _aligned(text)
    found: list[Attribute] = []
    for reader in _READERS:
        found.extend(
            one for one in reader(folded, country) if not any(_overlap(one, other) for other in found)
        )
    return sorted(found, key=lambda one: one.start)


def _aligned(text: str) -> str:
    """Fold each letter alone, so that places in the text stay what they are."""
    return "".join(_one(letter) for letter in text)


@lru_cache(maxsize=4096)
def _one(letter: str) -> str:
    folded = fold_letters(letter)
    return folded[0] if folded else (letter if not letter.isalpha() else " ")


def _overlap(one: Attribute, other: Attribute) -> bool:
    return one.start < other.end and other.start < one.end


def _power(text: str, country: str | None) -> Iterator[Attribute]:
    for match in _POWER.finditer(text):
        value, unit = int(match[1]), match[2]
        if unit in {"kw", "kilowatt"}:
            if 10 <= value <= 1500:
                yield Attribute("power_kw", value, match.start(), match.end())
        elif 13 <= value <= 2040:
            yield Attribute("power_kw", kilowatts(value), match.start(), match.end(), inferred=True)
    if country == "PL":
        yield from _polish_power(text)


_POLISH: Final = re.compile(_NOT_IN_NUMBER + r"(?<!\d )(\d{2,3}) ?km" + _UNIT_ENDS)


def _polish_power(text: str) -> Iterator[Attribute]:
    """In Poland KM is horsepower too: a number below 1,000 with it is no mileage."""
    for match in _POLISH.finditer(text):
        yield Attribute("power_kw", kilowatts(int(match[1])), match.start(), match.end(), inferred=True)


def _battery(text: str, country: str | None) -> Iterator[Attribute]:
    del country
    for match in _BATTERY.finditer(text):
        yield Attribute("battery_kwh", float(match[1].replace(",", ".")), match.start(), match.end())


def _mileage(text: str, country: str | None) -> Iterator[Attribute]:
    del country
    for match in _MILEAGE.finditer(text):
        attribute = _distance(match)
        if attribute is not None:
            yield attribute
    for match in _THOUSAND.finditer(text):
        yield Attribute("mileage_km", int(match[1]) * 1000, match.start(), match.end())


def _distance(match: re.Match[str]) -> Attribute | None:
    number, factor, unit = match[1], match[2], match[3]
    grouped = re.search(r"[ .,'’\u00a0]\d{3}", number)
    value = float(re.sub(r"\D", "", number)) if grouped else float(number.replace(",", "."))
    value *= 1000 if factor else 1
    if unit == "mil":
        value *= _KM_PER_MIL
    field = "mileage_miles" if unit in {"miles", "mls", "mi"} else "mileage_km"
    if not 0 < value < 1_000_000:
        return None
    return Attribute(field, int(value), match.start(), match.end(), inferred=unit == "mil")


def _displacement(text: str, country: str | None) -> Iterator[Attribute]:
    del country
    for match in _CC.finditer(text):
        value = int(re.sub(r"\D", "", match[1]))
        if 300 <= value <= 8500:
            yield Attribute("displacement_cc", value, match.start(), match.end())
    for match in _LITRES.finditer(text):
        litres = float(match[1].replace(",", "."))
        if 0.6 <= litres <= 8.4:
            yield Attribute(
                "displacement_cc", round(litres * 1000), match.start(), match.end(), inferred=True
            )


def _dates(text: str, country: str | None) -> Iterator[Attribute]:
    del country
    for match in _ISO.finditer(text):
        yield _registered(match[1], match[2], match)
    for match in _DAY.finditer(text):
        if int(match[2]) <= 12:
            yield _registered(match[3], match[2], match)
    for match in _MONTH.finditer(text):
        yield _registered(match[2], match[1], match)
    for match in _named_month().finditer(text):
        yield _registered(_full_year(match[2]), str(advert_words().months[match[1]]), match)
    yield from _years(text)


def _years(text: str) -> Iterator[Attribute]:
    for match in _registered_month().finditer(text):
        yield _registered(_full_year(match[2]), match[1], match)
    for match in _registered_year().finditer(text):
        yield Attribute("year", int(_full_year(match[1])), match.start(), match.end())
    for match in _PLATE_AGE.finditer(text):
        yield Attribute("year", _year_of_plate(int(match[1])), match.start(), match.end(), inferred=True)
    for match in chain(_YEAR.finditer(text), _SHORT_YEAR.finditer(text)):
        yield Attribute("year", int(_full_year(match[1])), match.start(), match.end())


def _registered(year: str, month: str, match: re.Match[str]) -> Attribute:
    return Attribute("first_registration", f"{int(year):04}-{int(month):02}", match.start(), match.end())


def _year_of_plate(age: int) -> int:
    """Return the year of a British age identifier: 18 and 68 are both of 2018."""
    return 2000 + (age - 50 if age > 50 else age)


def _full_year(year: str) -> str:
    if len(year) == 4:
        return year
    return f"20{year}" if int(year) < 50 else f"19{year}"


@lru_cache(maxsize=1)
def _introduction() -> str:
    words = sorted(advert_words().registration, key=len, reverse=True)
    return r"\b(?:" + "|".join(re.escape(word).replace(r"\ ", r"[ .]*") for word in words) + r")[ .:]*"


@lru_cache(maxsize=1)
def _registered_month() -> re.Pattern[str]:
    return re.compile(_introduction() + r"(0?[1-9]|1[0-2])[ ]?[./-][ ]?['’]?(\d\d)(?!\d)")


@lru_cache(maxsize=1)
def _registered_year() -> re.Pattern[str]:
    return re.compile(_introduction() + r"[-'’]?((?:19|20)\d\d|[0-4]\d|9\d)(?![\d.,/])")


@lru_cache(maxsize=1)
def _named_month() -> re.Pattern[str]:
    names = sorted(advert_words().months, key=len, reverse=True)
    return re.compile(r"\b(" + "|".join(names) + r")\.?[ /-]*(?:de )?['’]?((?:19|20)\d\d)(?!\d)")


def _counted(field: str, pattern: re.Pattern[str]) -> Callable[[str, str | None], Iterator[Attribute]]:
    def read(text: str, country: str | None) -> Iterator[Attribute]:
        del country
        for match in pattern.finditer(text):
            yield Attribute(field, int(match[1]), match.start(), match.end())

    return read


def _gears(text: str, country: str | None) -> Iterator[Attribute]:
    """Read the number of gears, which is no field, and the fleet codes M6F, A8A, D7F of gearbox and drive."""
    del country
    for match in _GEARS.finditer(text):
        yield Attribute("gears", match[0], match.start(), match.end())
    for match in _FLEET_CODE.finditer(text):
        kind = "manual" if match[1] == "m" else "automatic"
        yield Attribute("transmission", kind, match.start(), match.end(), inferred=True)


_READERS: Final = (
    _battery,
    _power,
    _mileage,
    _displacement,
    _dates,
    _counted("seats", _SEATS),
    _counted("doors", _DOORS),
    _gears,
)
"""In the order in which they may claim a place of the text."""
