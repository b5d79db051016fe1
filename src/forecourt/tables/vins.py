"""Vehicle identification numbers in feeds: cleaned, and asked what make and model year they speak of.

The check digit (49 CFR 565.15, ISO 3779) is advice only: outside North America and China many makers do not
use it, so a wrong one never takes a VIN away.
"""

import re
from collections.abc import Mapping
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

_VIN: Final = re.compile(r"[A-HJ-NPR-Z0-9]{17}")
_DIRT: Final = re.compile(r"[\s\-_.:*#'\"\u200b\ufeff\u00a0]+|^(?:VIN|FIN|CHASSIS)\b")
_CONFUSED: Final = str.maketrans("OQI", "001")
_WEIGHTS: Final = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
_VALUES: Final = {**{str(digit): digit for digit in range(10)}} | dict(
    zip(
        "ABCDEFGHJKLMNPRSTUVWXYZ",
        (1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 7, 9, 2, 3, 4, 5, 6, 7, 8, 9),
        strict=True,
    )
)
_YEAR_CODES: Final = "ABCDEFGHJKLMNPRSTVWXY123456789"
_FIRST_CYCLE: Final = 1980
_USES_YEAR_CODE: Final = frozenset("12345LJK")
"""World regions whose makers state the model year in position 10."""


class CleanedVin(NamedTuple):
    """A VIN fit for AAP, or None, and what was done or found wrong (`rule`), if anything."""

    vin: str | None
    rule: str | None = None


def clean_vin(text: str) -> CleanedVin:
    """Return the VIN in a cell: blanks, hyphens and case mended; O, Q and I read as 0, 0 and 1 if that fits.

    A letter that no VIN has is corrected only when the check digit then proves it. Rules: `vin_cleaned`,
    `vin_corrected`, `vin_length`, `vin_characters`, `vin_placeholder`.
    """
    if _VIN.fullmatch(text) and _plausible(text):
        return CleanedVin(text)
    bare = _DIRT.sub("", text.upper())
    if not bare:
        return CleanedVin(None)
    if len(bare) != 17:
        return CleanedVin(None, "vin_length")
    if _VIN.fullmatch(bare):
        return CleanedVin(bare, "vin_cleaned") if _plausible(bare) else CleanedVin(None, "vin_placeholder")
    corrected = bare.translate(_CONFUSED)
    if _VIN.fullmatch(corrected) and _plausible(corrected) and check_digit_fits(corrected):
        return CleanedVin(corrected, "vin_corrected")
    return CleanedVin(None, "vin_characters")


def _plausible(vin: str) -> bool:
    """Tell a VIN from `11111111111111111`, `AAAAAAAAAAAAAAAAA` and words of 17 letters."""
    return len(set(vin)) > 3 and any(character.isdecimal() for character in vin)


def looks_like_vin(text: str) -> bool:
    """Tell whether a cell is a VIN as it stands, maybe in lower case."""
    return bool(_VIN.fullmatch(text.upper())) and _plausible(text.upper())


def check_digit_fits(vin: str) -> bool:
    """Tell whether position 9 is the check digit of the rest."""
    remainder = sum(_VALUES[character] * weight for character, weight in zip(vin, _WEIGHTS, strict=True)) % 11
    return vin[8] == ("X" if remainder == 10 else str(remainder))


def model_years(vin: str, *, today: date) -> tuple[int, ...]:
    """Return the model years that position 10 can mean, likeliest first; empty where makers do not use it.

    The code repeats every 30 years. In North America a letter in position 7 means 2010 or later (49 CFR
    565.15, light vehicles); elsewhere both stand.
    """
    position = _YEAR_CODES.find(vin[9])
    if position < 0 or vin[0] not in _USES_YEAR_CODE:
        return ()
    early = _FIRST_CYCLE + position
    late = early + len(_YEAR_CODES)
    newest = today.year + 2
    if late > newest:
        return (early,)
    if vin[0] in "12345" and check_digit_fits(vin):
        return (early, late) if vin[6].isdecimal() else (late, early)
    return (late, early)


def makes_of_vin(vin: str) -> tuple[str, ...]:
    """Return the makes that a world manufacturer identifier stands for; empty when it is not in our table."""
    return _makers().get(vin[:3]) or _makers().get(vin[:2]) or ()


@cache
def _makers() -> Mapping[str, tuple[str, ...]]:
    text = files("forecourt.tables").joinpath("wmi.csv").read_text(encoding="utf-8")
    makers: dict[str, tuple[str, ...]] = {}
    for line in text.splitlines():
        prefixes, _, makes = line.partition(",")
        if not line.startswith("#"):
            for prefix in prefixes.split():
                makers[prefix] = tuple(dict.fromkeys((*makers.get(prefix, ()), *makes.split("|"))))
    return makers
