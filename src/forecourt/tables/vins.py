"""Vehicle identification numbers in feeds: cleaned, with a rule for what was mended or found wrong.

The check digit (49 CFR 565.15, ISO 3779) is advice only: outside North America and China many makers do not
use it, so a wrong one never takes a VIN away. Who built a car and when is read in `identify`.
"""

import re
from typing import Final, NamedTuple

from forecourt.base.vin_form import LENGTH, check_digit_fits, is_vin

_DIRT: Final = re.compile(r"[\s\-_.:*#'\"\u200b\ufeff\u00a0]+|^(?:VIN|FIN|CHASSIS)\b")
_CONFUSED: Final = str.maketrans("OQI", "001")


class CleanedVin(NamedTuple):
    """A VIN fit for AAP, or None, and what was done or found wrong (`rule`), if anything."""

    vin: str | None
    rule: str | None = None


def clean_vin(text: str) -> CleanedVin:
    """Return the VIN in a cell: blanks, hyphens and case mended; O, Q and I read as 0, 0 and 1 if that fits.

    A letter that no VIN has is corrected only when the check digit then proves it. Rules: `vin_cleaned`,
    `vin_corrected`, `vin_length`, `vin_characters`, `vin_placeholder`.
    """
    if is_vin(text) and _plausible(text):
        return CleanedVin(text)
    bare = _DIRT.sub("", text.upper())
    if not bare:
        return CleanedVin(None)
    if len(bare) != LENGTH:
        return CleanedVin(None, "vin_length")
    if is_vin(bare):
        return CleanedVin(bare, "vin_cleaned") if _plausible(bare) else CleanedVin(None, "vin_placeholder")
    corrected = bare.translate(_CONFUSED)
    if is_vin(corrected) and _plausible(corrected) and check_digit_fits(corrected):
        return CleanedVin(corrected, "vin_corrected")
    return CleanedVin(None, "vin_characters")


def _plausible(vin: str) -> bool:
    """Tell a VIN from `11111111111111111`, `AAAAAAAAAAAAAAAAA` and words of 17 letters."""
    return len(set(vin)) > 3 and any(character.isdecimal() for character in vin)


def looks_like_vin(text: str) -> bool:
    """Tell whether a cell is a VIN as it stands, maybe in lower case."""
    return is_vin(text.upper()) and _plausible(text.upper())
