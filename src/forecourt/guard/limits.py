"""Rate limits in the memory of one worker, for calls that cost little and need no exact count."""

from collections import OrderedDict
from dataclasses import dataclass
from math import ceil

from forecourt.base.clock import SYSTEM_CLOCK, Clock

_ROUNDING_S = 1e-6
"""An interval added and taken away again must be nothing, although floats are rounded."""


@dataclass(frozen=True)
class Rate:
    """How many calls a caller may make: steadily per minute, and at once after a pause."""

    per_minute: int
    burst: int

    def __post_init__(self) -> None:
        if self.per_minute < 1 or self.burst < 1:
            raise ValueError("a rate allows at least one call per minute and a burst of at least one")


class RateLimiter:
    """Counts calls per caller by the generic cell rate algorithm (GCRA): one number of state for each.

    The number is the moment at which the caller's bucket will be full again. At most `max_callers` are
    remembered; the one seen longest ago is forgotten first, so memory stays bounded whoever calls.
    """

    def __init__(self, rate: Rate, *, max_callers: int = 10_000, clock: Clock = SYSTEM_CLOCK) -> None:
        self.rate = rate
        self._interval_s = 60 / rate.per_minute
        self._tolerance_s = self._interval_s * (rate.burst - 1)
        self._max_callers = max_callers
        self._clock = clock
        self._full_again_at: OrderedDict[str, float] = OrderedDict()

    def wait_ms(self, caller: str) -> int:
        """Count one call and return 0, or return in how many milliseconds the next one is allowed.

        A refused call is not counted: a caller that waits as told is let in.
        """
        now = self._clock.monotonic()
        full_again_at = max(self._full_again_at.get(caller, now), now)
        early_s = full_again_at - now - self._tolerance_s - _ROUNDING_S
        if early_s > 0:
            return ceil(early_s * 1000)
        self._full_again_at[caller] = full_again_at + self._interval_s
        self._full_again_at.move_to_end(caller)
        if len(self._full_again_at) > self._max_callers:
            self._full_again_at.popitem(last=False)
        return 0

    def state_of(self, caller: str) -> tuple[int, float]:
        """Return how many calls a caller could make at once now, and in how many seconds a whole burst."""
        now = self._clock.monotonic()
        full_again_s = max(self._full_again_at.get(caller, now) - now, 0.0)
        room_s = self._tolerance_s + self._interval_s - full_again_s
        return max(int((room_s + _ROUNDING_S) / self._interval_s), 0), full_again_s
