"""Dates in feeds: ISO and RFC forms, day and month in both orders, months and years alone."""

import re
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from typing import Final

_DAY: Final = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_COMPACT_DAY: Final = re.compile(r"((?:19|20)\d\d)(0[1-9]|1[0-2])([0-2]\d|3[01])(?:\d{6})?")
_OTHER_DAY: Final = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d\d)(?!\d)")
_MONTH: Final = re.compile(
    r"(?:(\d{1,2})[-/.\s](\d{4})|(\d{4})[-/.](\d{1,2})|(\d{4})(0[1-9]|1[0-2])|(0[1-9]|1[0-2])(\d{4}))"
)
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_EXCEL_DAYS: Final = range(20_000, 70_000)
"""Serial days of a spreadsheet between 1954 and 2091."""
_FIRST_YEAR: Final = 1885


def read_date(text: str, *, month_first: bool | None = None) -> date | None:
    """Read a calendar date; None when the text is none, or its day and month could be exchanged.

    `month_first` says what 03/04/2026 means where the writer is known; points always mean day first.
    """
    text = text.strip()
    found = _DAY.match(text) or _COMPACT_DAY.fullmatch(text)
    if found:
        return _date(int(found[1]), int(found[2]), int(found[3]))
    found = _OTHER_DAY.match(text)
    if found:
        return _day_of(found, month_first=month_first)
    return _written_out(text)


def _day_of(found: re.Match[str], *, month_first: bool | None) -> date | None:
    first, mark, second, year_text = int(found[1]), found[2], int(found[3]), found[4]
    year = int(year_text) + (0 if len(year_text) == 4 else 2000 if int(year_text) < 60 else 1900)
    if mark == "." or first > 12:
        return _date(year, second, first)
    if second > 12 or first == second:
        return _date(year, first, second)
    if month_first is None:
        return None
    return _date(year, first, second) if month_first else _date(year, second, first)


def _written_out(text: str) -> date | None:
    if text.isdecimal() and len(text) == 5 and int(text) in _EXCEL_DAYS:
        return date.fromordinal(date(1899, 12, 30).toordinal() + int(text))
    try:
        return parsedate_to_datetime(text).date()
    except (ValueError, IndexError, TypeError):
        return _named_month(text)


_NAMED: Final = (
    "%b %d, %Y",
    "%B %d, %Y",
    "%d %b %Y",
    "%d %B %Y",
    "%d-%b-%Y",
    "%d-%b-%y",
    "%b %d %Y",
    "%d/%b/%Y",
)


def _named_month(text: str) -> date | None:
    for form in _NAMED:
        try:
            return datetime.strptime(text, form).replace(tzinfo=UTC).date()
        except ValueError:
            continue
    return None


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day) if year >= _FIRST_YEAR else None
    except ValueError:
        return None


def read_moment(text: str, *, month_first: bool | None = None) -> datetime | None:
    """Read a date and time as an aware datetime; without an offset it is UTC, without a time midnight."""
    moment = _iso_moment(text) or _mail_moment(text)
    if moment is None:
        day = read_date(text, month_first=month_first)
        moment = datetime(day.year, day.month, day.day, tzinfo=UTC) if day else None
    if moment is None or moment.year < _FIRST_YEAR:
        return None
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def _iso_moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text.strip())
    except ValueError:
        return None


def _mail_moment(text: str) -> datetime | None:
    try:
        return parsedate_to_datetime(text)
    except (ValueError, IndexError, TypeError):
        return None


def read_year(text: str, *, newest: int) -> int | None:
    """Read a model year, or that of a first registration, up to `newest`; None when the text holds none."""
    text = text.strip()
    if text.isdecimal() and len(text) == 4:
        year = int(text)
    elif text.isdecimal() and len(text) == 2:
        year = int(text) + (2000 if int(text) + 2000 <= newest else 1900)
    else:
        year = _year_within(text)
    return year if 1900 <= year <= newest else None


def _year_within(text: str) -> int:
    day = read_date(text, month_first=True) or read_date(text, month_first=False)
    if day is not None:
        return day.year
    month = _MONTH.fullmatch(text)
    if month is not None:
        years = [part for part in month.groups() if part and len(part) == 4]
        return int(years[0]) if years else 0
    found = _YEAR.findall(text) if len(text) <= 24 else []
    return int(found[0]) if len(found) == 1 else 0
