"""The form of a vehicle identification number: characters, check digit, codes of model years.

ISO 3779 and 3780 for the form, 49 CFR 565.15 for the check digit and the model year. No maker is known here.
"""

import re
from operator import mul
from typing import Final

LENGTH: Final = 17
VIN: Final = re.compile(r"[A-HJ-NPR-Z0-9]{17}")
"""Seventeen capital letters and digits without I, O and Q."""
YEAR_CODES: Final = "ABCDEFGHJKLMNPRSTVWXY123456789"
"""Codes of thirty model years in a row, from 1980 and again from 2010; I, O, Q, U, Z and 0 are none."""
FIRST_CYCLE: Final = 1980
_CHECK: Final = 8
_LETTER_VALUES: Final = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", "12345678123457923456789", strict=True))
_VALUES: Final = {character: int(_LETTER_VALUES.get(character, character)) for character in "0123456789"} | {
    letter: int(value) for letter, value in _LETTER_VALUES.items()
}
_WEIGHTS: Final = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
_REMAINDERS: Final = "0123456789X"
_MISREAD: Final = str.maketrans("IOQ", "100")
_SEPARATORS: Final = re.compile(r"[\s\-]+")


def bare(text: str) -> str:
    """Return a text without blanks and hyphens, in capitals."""
    return _SEPARATORS.sub("", text).upper()


def is_vin(text: str) -> bool:
    """Tell whether a text has the form of a VIN."""
    return VIN.fullmatch(text) is not None


def repaired(text: str) -> str | None:
    """Return what a text may mean when I, O and Q are read as 1, 0 and 0; None when that is no VIN either."""
    meant = text.translate(_MISREAD)
    return meant if is_vin(meant) else None


def check_digit(vin: str) -> str:
    """Return what position 9 has to be, whatever stands there now: a digit, or X for ten."""
    values = map(_VALUES.__getitem__, vin)
    return _REMAINDERS[sum(map(mul, values, _WEIGHTS)) % 11]


def check_digit_fits(vin: str) -> bool:
    """Tell whether position 9 is the check digit of the rest."""
    return vin[_CHECK] == check_digit(vin)


def years_of_code(code: str) -> tuple[int, ...]:
    """Return the two model years that a code stands for, thirty years apart; none when it is no code."""
    place = YEAR_CODES.find(code)
    first = FIRST_CYCLE + place
    return () if place < 0 else (first, first + len(YEAR_CODES))
