"""Values as registers write them: numbers in texts, dates in one run of digits, 0 for what is not known."""

import math
from datetime import date
from typing import Any


def whole(value: Any) -> int | None:
    """Return a number, rounded half up; None when it is none or not above 0."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return math.floor(number + 0.5) if math.isfinite(number) and number >= 0.5 else None


def compact_date(value: Any) -> str | None:
    """Return a date that is written YYYYMMDD as YYYY-MM-DD; None when it is none."""
    if not isinstance(value, str) or len(value) != 8 or not value.isdigit():
        return None
    return iso_date(f"{value[:4]}-{value[4:6]}-{value[6:]}")


def iso_date(value: Any) -> str | None:
    """Return the day of a date or time in ISO 8601; None when it is none."""
    if not isinstance(value, str):
        return None
    try:
        return date.fromisoformat(value[:10]).isoformat()
    except ValueError:
        return None


def iso_month(value: Any) -> str | None:
    """Return a month written YYYY-MM; None when it is none."""
    return value if isinstance(value, str) and len(value) == 7 and iso_date(f"{value}-01") else None
