"""Numbers as people and systems of several countries write them.

One rule keeps a thousandfold error out: a single mark followed by exactly three digits is ambiguous, and is
read only when something else says what the mark means: the number itself, its column, a declared or detected
style.
"""

import re
from collections.abc import Iterable
from decimal import Decimal
from enum import Enum
from typing import Final

from forecourt.tables.word_lists import listed

_GROUPING_BLANKS: Final = str.maketrans("", "", " \u00a0\u202f\u2009\t'’`_")
_NUMBER: Final = re.compile(r"[+-]?\d[\d.,]*|[+-]?[.,]\d+")
_LONGEST: Final = 24
_ENOUGH: Final = 3


class NumberStyle(Enum):
    """Which mark separates the decimals: `POINT` in 1,234.50, `COMMA` in 1.234,50."""

    POINT = "."
    COMMA = ","


class AmbiguousNumber(ValueError):
    """The number can be read in two ways that differ by a factor of thousand."""


def read_number(text: str, style: NumberStyle | None) -> Decimal | None:
    """Read a number that stands alone in a text; None when it is none.

    Raises `AmbiguousNumber` when the text can be read in two ways and `style` does not settle it.
    """
    if text.isdecimal() and text.isascii() and len(text) <= _LONGEST:
        return Decimal(text)
    bare = text.translate(_GROUPING_BLANKS).removesuffix(",-").removesuffix(".-").removesuffix("--")
    if len(bare) > _LONGEST or not _NUMBER.fullmatch(bare):
        return None
    return _read_marks(bare, style)


def _read_marks(bare: str, style: NumberStyle | None) -> Decimal | None:
    points, commas = bare.count("."), bare.count(",")
    if points and commas:
        decimal_mark = "." if bare.rindex(".") > bare.rindex(",") else ","
        return _read_both(bare, decimal_mark)
    if not points and not commas:
        return Decimal(bare)
    mark = "." if points else ","
    if points + commas > 1:
        return _grouped(bare, mark)
    whole, _, after = bare.partition(mark)
    if len(after) != 3 or whole.lstrip("+-") in {"", "0"} or len(whole.lstrip("+-")) > 3:
        return Decimal(f"{whole or 0}.{after or 0}")
    if style is None or style.value == mark:
        raise AmbiguousNumber
    return Decimal(whole + after)


def _read_both(bare: str, decimal_mark: str) -> Decimal | None:
    whole, _, fraction = bare.rpartition(decimal_mark)
    grouping = "," if decimal_mark == "." else "."
    grouped = _grouped(whole, grouping)
    if decimal_mark in whole or grouped is None:
        return None
    return Decimal(f"{grouped}.{fraction or 0}")


def _grouped(text: str, mark: str) -> Decimal | None:
    """Read groups of three digits (Indian lakh groups of two before them are allowed)."""
    first, *groups = text.lstrip("+-").split(mark)
    well_formed = 1 <= len(first) <= 3 and groups and len(groups[-1]) == 3
    if not well_formed or any(len(group) not in {2, 3} for group in groups):
        return None
    sign = "-" if text.startswith("-") else ""
    return Decimal(sign + first + "".join(groups))


def style_of_column(texts: Iterable[str]) -> NumberStyle | None:
    """Return the style that the prices or odometers of one column prove, None when nothing or both is proved.

    Neither has three decimals, so three different numbers such as `12.345` prove that the point groups,
    unless another number proves the opposite.
    """
    bare = {
        match[0].rstrip(".,") for text in texts if (match := _NUMBER.search(text.translate(_GROUPING_BLANKS)))
    }
    proofs = {proof for text in bare if (proof := _proof(text)) is not None}
    if not proofs:
        proofs = {
            style for style in NumberStyle if sum(_looks_grouped(text, style) for text in bare) >= _ENOUGH
        }
    return proofs.pop() if len(proofs) == 1 else None


def _proof(bare: str) -> NumberStyle | None:
    points, commas = bare.count("."), bare.count(",")
    if points and commas:
        return NumberStyle(bare[max(bare.rindex("."), bare.rindex(","))])
    if points + commas == 0:
        return None
    mark, other = (".", ",") if points else (",", ".")
    if points + commas > 1:
        return NumberStyle(other)
    return None if _looks_grouped(bare, NumberStyle(other)) else NumberStyle(mark)


def _looks_grouped(bare: str, style: NumberStyle) -> bool:
    """Tell whether a number has the other mark before exactly three digits."""
    whole, mark, after = bare.lstrip("+-").partition("," if style is NumberStyle.POINT else ".")
    return (
        bool(mark)
        and after.isdecimal()
        and len(after) == 3
        and 1 <= len(whole) <= 3
        and whole.isdecimal()
        and whole != "0"
    )


COMMA_COUNTRIES: Final = listed(
    """AR AT BE BG BR BY CL CO CZ DE DK ES FI FR GR HR HU ID IS IT LT LU LV NL NO PL PT RO RS RU SE SI
    SK TR UA UY VN"""
)
POINT_COUNTRIES: Final = listed("""AU CA CH CN GB HK IE IL IN JP KR LI MX MY NZ PH SG TH US ZA""")


def style_of_country(country: str | None) -> NumberStyle | None:
    """Return how numbers are written in a country (ISO 3166-1 alpha-2)."""
    if country in COMMA_COUNTRIES:
        return NumberStyle.COMMA
    return NumberStyle.POINT if country in POINT_COUNTRIES else None
