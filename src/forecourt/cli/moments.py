"""Moments as a person types and reads them."""

from datetime import UTC, datetime, time

import click

DAY = click.DateTime(["%Y-%m-%d"])
"""The type of an option that names a day."""


def end_of(day: datetime | None) -> datetime | None:
    """Return the last moment (UTC) of a day that was named in an option."""
    return None if day is None else datetime.combine(day.date(), time.max, UTC)


def shown(moment: datetime | None) -> str | None:
    """Return a moment to the second."""
    return None if moment is None else moment.isoformat(timespec="seconds")
