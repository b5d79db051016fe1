"""The one source of time, so that tests and simulations can hold it."""

from datetime import UTC, datetime
from time import monotonic
from typing import Protocol


class Clock(Protocol):
    """Wall time in UTC and a monotonic counter in seconds."""

    def now(self) -> datetime:
        """Return the present moment as an aware UTC datetime."""
        ...

    def monotonic(self) -> float:
        """Return seconds on a clock that never goes back."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        """Return the present moment as an aware UTC datetime."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Return seconds on a clock that never goes back."""
        return monotonic()


SYSTEM_CLOCK: Clock = SystemClock()


def isoformat(moment: datetime) -> str:
    """Write an aware datetime as RFC 3339 in UTC with `Z`, seconds or finer as given."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
