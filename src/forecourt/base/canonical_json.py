"""Canonical JSON (RFC 8785): one text for each value, so that equal values have equal digests."""

import json
from collections.abc import Mapping
from decimal import Decimal
from math import isfinite
from typing import Any, Final

_MOST_DIGITS: Final = 21
"""Numbers of more digits before the point are written with an exponent (ECMA-262, Number::toString)."""

_MOST_ZEROS: Final = 6


def canonical_json(value: Any) -> bytes:
    """Return the canonical text of a JSON value in UTF-8.

    Integers beyond 2**53 keep all their digits, where RFC 8785 would round them: two that differ stay
    different. Raises ValueError for a number that is not finite, UnicodeEncodeError for a lone surrogate.
    """
    return _text(value).encode()


def _text(value: Any) -> str:
    if isinstance(value, Mapping):
        members = sorted(value.items(), key=lambda member: member[0].encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(f"{_string(name)}:{_text(member)}" for name, member in members) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(_text, value)) + "]"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, float):
        return _number(value)
    return json.dumps(value)  # true, false, null and integers


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _number(number: float) -> str:
    """Write a float as JavaScript does; Python finds the same shortest digits but lays them out otherwise."""
    if not isfinite(number):
        raise ValueError("JSON has no such number")
    sign, digits, exponent = Decimal(repr(number)).normalize().as_tuple()
    text = "".join(map(str, digits))
    return ("-" if sign and number else "") + _laid_out(text, len(text) + int(exponent))


def _laid_out(digits: str, point: int) -> str:
    """Put the point after the first `point` digits, as ECMA-262 does it."""
    if not -_MOST_ZEROS < point <= _MOST_DIGITS:
        fraction = f".{digits[1:]}" if len(digits) > 1 else ""
        return f"{digits[0]}{fraction}e{point - 1:+d}"
    if point <= 0:
        return "0." + "0" * -point + digits
    if point < len(digits):
        return f"{digits[:point]}.{digits[point:]}"
    return digits.ljust(point, "0")
