"""RFC 3339 times as people and agents write them, turned into instants that arithmetic can bear."""

import re
from datetime import UTC, datetime, timedelta

EARLIEST = datetime(1, 1, 2, tzinfo=UTC)
LATEST = datetime(9999, 12, 30, tzinfo=UTC)
_RFC_3339 = re.compile(
    r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d):(\d\d)(?:\.(\d{1,6})\d*)?(?:[Zz]|([+-]\d\d:\d\d))", re.ASCII
)


def parse_instant(text: object) -> datetime | None:
    """Return the UTC instant of an RFC 3339 text with offset, or None when it is none.

    A leap second counts as the second before it, fractions beyond microseconds are cut, and the first and the
    last day of the calendar stand for everything further away, so that a time zone cannot push it out.
    """
    match = _RFC_3339.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        return None
    day, minute, second, fraction, offset = match.groups()
    try:
        moment = datetime.fromisoformat(
            f"{day}T{minute}:{min(int(second), 59):02}.{(fraction or '0').ljust(6, '0')}{offset or '+00:00'}"
        )
    except ValueError:
        return None
    if int(second) > 60:
        return None
    return min(max(moment, EARLIEST), LATEST).astimezone(UTC)


def seconds(moment: datetime) -> datetime:
    """Cut an instant to whole seconds, as documents for people and CRMs show it."""
    return moment - timedelta(microseconds=moment.microsecond)
