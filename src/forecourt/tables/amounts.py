"""Prices and odometer readings: a number with a currency or unit around it, or a way to say "ask us"."""

import re
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from typing import Final, NamedTuple

from forecourt.tables.numbers import AmbiguousNumber, NumberStyle, read_number
from forecourt.tables.word_lists import listed
from forecourt.tables.words import fold, is_blank

_CODES: Final = listed(
    """USD EUR GBP CAD AUD CHF SEK NOK DKK PLN CZK HUF RON BGN ISK JPY NZD MXN BRL ZAR INR AED SAR TRY
    ILS CNY KRW SGD HKD THB PHP MYR IDR VND CLP COP ARS PEN UAH RSD HRK"""
)
_MARKS: Final[Mapping[str, str]] = {
    "us$": "USD", "us dollar": "USD", "c$": "CAD", "ca$": "CAD", "cdn$": "CAD", "can$": "CAD", "a$": "AUD",
    "au$": "AUD", "nz$": "NZD",
    "r$": "BRL", "mx$": "MXN", "€": "EUR", "euro": "EUR", "euros": "EUR", "£": "GBP", "zł": "PLN",
    "zl": "PLN", "kč": "CZK", "kc": "CZK",
    "ft": "HUF", "lei": "RON", "₹": "INR", "¥": "JPY", "fr.": "CHF", "sfr": "CHF", "sfr.": "CHF",
    "dollars": "USD", "usd$": "USD", "cdn": "CAD", "\u0080": "EUR", "€uro": "EUR", "pounds": "GBP",
    "lv": "BGN", "лв": "BGN", "₽": "RUB",
}  # fmt: skip
_AMBIGUOUS_MARKS: Final = {
    "$": ("USD", "CAD", "AUD", "NZD", "MXN"),
    "kr": ("SEK", "NOK", "DKK", "ISK"),
    "kr.": ("DKK", "SEK", "NOK"),
}
_AROUND: Final = re.compile(
    r"^\s*([^\d.,+-]*?)\s*([+-]?[\d.,][\d.,\s\u00a0\u202f\u2009'’]*(?:,-|\.-|,--|--)?)\s*([^\d]*?)\s*$"
)
_NOISE: Final = re.compile(
    r"\b(?:only|now|from|ab|nur|price|preis|prix|prezzo|precio|pris|fixed|vb|vhb|fp|ono|incl|inkl|vat|mwst|iva|tva|moms|ttc|"
    r"plus|tax|brutto|gross|obo|firm|asking|excl|dph|s|est|approx|starting|at|was|only|ca|cca|about)\b"
)
_CALL: Final = re.compile(
    r"call|contact|inquire|enquire|request|poa|p o a|ask|email|tba|anfrage|nachfrage|demande|consult|"
    r"nous contacter|richiesta|trattativa|"
    r"aanvraag|forfragan|foresporsel|forespoersel|pyydettaessa|zapytanie|dotaz|telefon|quote|negotiable|"
    r"n v t|see dealer|unlock|e price|get price|hidden|sob consulta|"
    r"contactar|ring|coming soon|tbd|special|best price|free"
)  # fmt: skip
_PLACEHOLDERS: Final = frozenset(
    {
        123_456,
        1_234_567,
        12_345_678,
        123_456_789,
        1_234_566,
        999_990,
        999_998,
        9_999_990,
        987_654,
        9_876_543,
        98_765_432,
    }
)
_MOST_EXPENSIVE: Final[Mapping[str, int]] = {
    "SEK": 100_000_000, "NOK": 100_000_000, "DKK": 100_000_000, "CZK": 200_000_000, "HUF": 3_000_000_000,
    "JPY": 1_500_000_000, "INR": 1_000_000_000, "ISK": 1_000_000_000, "KRW": 15_000_000_000,
    "CLP": 10_000_000_000, "COP": 40_000_000_000, "IDR": 200_000_000_000, "VND": 300_000_000_000,
    "ARS": 10_000_000_000,
}  # fmt: skip
_MOST_EXPENSIVE_ELSEWHERE: Final = 10_000_000
_CHEAPEST: Final = 50


_LONGEST_WHOLE: Final = 13


class Unreadable(NamedTuple):
    """A cell that claims something and cannot be read; `rule` says why."""

    rule: str


class NoAmount(NamedTuple):
    """A cell that states no amount: empty, zero, "call for price", a placeholder; `rule` says which."""

    rule: str


class Amount(NamedTuple):
    """A price in hundredths; the currency is None when only the file or the dealer can say."""

    cents: int
    currency: str | None


def read_price(
    text: str, style: NumberStyle | None, *, currency: str | None = None
) -> Amount | NoAmount | Unreadable:
    """Read a price. `currency` (ISO 4217) is what the column or file says; a mark beside the number wins."""
    if text.isdecimal() and text.isascii() and len(text) < _LONGEST_WHOLE:
        return _plausible_whole(int(text), currency)
    if is_blank(text):
        return NoAmount("blank")
    match = _AROUND.match(text)
    if match is None:
        return NoAmount("call_for_price") if _CALL.search(fold(text)) else Unreadable("price_unreadable")
    before, number_text, after = match.groups()
    found = _currency_in(before, after, currency)
    try:
        number = None if found is _STRANGE else read_number(number_text.strip(), style)
    except AmbiguousNumber:
        return Unreadable("number_ambiguous")
    return Unreadable("price_unreadable") if number is None or number < 0 else _plausible(number, found)


_STRANGE: Final = "?"


def _currency_in(before: str, after: str, declared: str | None) -> str | None:
    """Return the currency of the text around a number, `_STRANGE` when it is no currency at all."""
    for mark in filter(None, (_bare_mark(before), _bare_mark(after))):
        if mark.upper() in _CODES:
            return mark.upper()
        if mark in _MARKS:
            return _MARKS[mark]
        if mark in _AMBIGUOUS_MARKS:
            return declared if declared in _AMBIGUOUS_MARKS[mark] else None
        return _STRANGE
    return declared


def _bare_mark(text: str) -> str:
    lowered = text.lower().replace("\u00a0", " ")
    return _NOISE.sub("", lowered).strip(" :;/()[]-+*~≈=\"'|.!").strip() or (
        "kr." if lowered.strip() == "kr." else ""
    )


def _plausible(number: Decimal, currency: str | None) -> Amount | NoAmount | Unreadable:
    judged = (
        _plausible_whole(int(number), currency)
        if number >= 1 or number == 0
        else NoAmount("placeholder_price")
    )
    if isinstance(judged, Amount):
        return Amount(int((number * 100).to_integral_value(ROUND_HALF_UP)), currency)
    return judged


def _plausible_whole(number: int, currency: str | None) -> Amount | NoAmount | Unreadable:
    """Return an amount, unless it stands for no price: 0, 1, 12345678, 99999999."""
    if number == 0:
        return NoAmount("zero")
    if number < _CHEAPEST or _stands_for_nothing(number):
        return NoAmount("placeholder_price")
    if number > _MOST_EXPENSIVE.get(currency or "", _MOST_EXPENSIVE_ELSEWHERE):
        return Unreadable("price_out_of_range")
    return Amount(number * 100, currency)


def _stands_for_nothing(number: int) -> bool:
    """Tell numbers that are typed to fill a field: six or more times one digit, digits in a row."""
    return number > 99_999 and (number in _PLACEHOLDERS or str(number).strip(str(number % 10)) == "")


class Reading(NamedTuple):
    """An odometer reading in whole miles or kilometres; the unit is None when only the file can say."""

    value: int
    unit: str | None


_UNITS: Final[Mapping[str, str]] = {
    "km": "km", "kms": "km", "kilometer": "km", "kilometers": "km", "kilometre": "km", "kilometres": "km",
    "kilometros": "km", "chilometri": "km", "kmt": "km",
    "kmh": "km", "kmt.": "km", "mi": "mi", "mi.": "mi", "mile": "mi", "miles": "mi", "m": "mi",
    "mls": "mi", "mil": "mil", "smi": "mi", "kmi": "km", "kilometraje": "km",
    "km.": "km", "milhas": "mi", "millas": "mi", "miglia": "mi", "meilen": "mi", "original miles": "mi",
    "actual miles": "mi", "kmstand": "km", "k": "thousand", "k miles": "thousand mi",
    "k mi": "thousand mi", "k km": "thousand km", "tkm": "thousand km", "tsd km": "thousand km",
    "tys km": "thousand km", "tkm.": "thousand km", "t km": "thousand km", "xxx miles": "mi",
}  # fmt: skip
UNIT_WORDS: Final[Mapping[str, str]] = {
    **{word: unit for word, unit in _UNITS.items() if unit in {"km", "mi", "mil"}},
    "kmt": "km", "k": "km", "swedish mil": "mil", "miles us": "mi", "statute miles": "mi", "m": "mi",
}  # fmt: skip
_NO_READING: Final = re.compile(
    r"\b(?:exempt|tmu|nam|not actual|true mileage unknown|unknown|n a|see dealer|call)\b"
)
_PLAIN_UNITS: Final = frozenset({None, "km", "mi"})
_MOST_MILES: Final = 1_500_000
KM_PER_MIL: Final = 10


def unit_of_distance(text: str) -> str | None:
    """Read a unit column: `mi`, `km` or `mil` (ten kilometres); None when it names none."""
    return UNIT_WORDS.get(fold(text))


def read_mileage(
    text: str, style: NumberStyle | None, *, unit: str | None = None
) -> Reading | NoAmount | Unreadable:
    """Read an odometer. `unit` (`mi`, `km`, `mil`) is what column or file say; one beside the number wins."""
    if text.isdecimal() and text.isascii() and len(text) < _LONGEST_WHOLE and unit in _PLAIN_UNITS:
        return _plausible_reading(int(text), unit)
    if is_blank(text):
        return NoAmount("blank")
    match = _AROUND.match(text)
    if match is None:
        return NoAmount("no_reading") if _NO_READING.search(fold(text)) else Unreadable("mileage_unreadable")
    before, number_text, after = match.groups()
    stated = _UNITS.get(fold(after)) if after.strip() else None
    if (after.strip(" .*") and stated is None) or before.strip(" :~≈.") not in {
        "",
        "ca",
        "approx",
        "Ca",
        "Approx",
    }:
        return Unreadable("mileage_unreadable")
    try:
        number = read_number(number_text.strip(), style)
    except AmbiguousNumber:
        return Unreadable("number_ambiguous")
    return _reading(number, stated or unit)


def _reading(number: Decimal | None, unit: str | None) -> Reading | NoAmount | Unreadable:
    if number is None or number < 0:
        return Unreadable("mileage_unreadable")
    if unit is not None and unit.startswith("thousand"):
        number, unit = number * 1000, unit.removeprefix("thousand").strip() or None
    if unit == "mil":
        number, unit = number * KM_PER_MIL, "km"
    return _plausible_reading(int(number.to_integral_value(ROUND_HALF_UP)), unit)


def _plausible_reading(number: int, unit: str | None) -> Reading | NoAmount | Unreadable:
    if _stands_for_nothing(number):
        return NoAmount("placeholder_mileage")
    return Reading(number, unit) if number <= _MOST_MILES else Unreadable("mileage_out_of_range")
