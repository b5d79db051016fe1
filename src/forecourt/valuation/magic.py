"""The mileages that mean something else in test mode; in live mode all of them are out of range."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from forecourt.accounts.access import Scope
from forecourt.accounts.errors import InsufficientScope
from forecourt.base.errors import ForecourtError
from forecourt.contract.errors import (
    ConcurrencyLimited,
    CountryNotEnabled,
    EngineBusy,
    IdempotencyInProgress,
    InsufficientCredits,
    InternalError,
    RateLimited,
)

ALWAYS_20000: Final = 990001
GRADE_D: Final = 990002
BUSY_TWICE: Final = 990053
SLOW: Final = 990054
SLOW_S: Final = 10

REFUSED: Final[Mapping[int, str]] = {
    990010: "insufficient_market_data",
    990011: "vehicle_ambiguous",
    990012: "vehicle_not_identified",
    990013: "vehicle_too_old",
    990014: "mileage_out_of_range",
    990015: "interval_too_wide",
}
FAILED: Final[Mapping[int, str]] = {990020: "engine_error", 990021: "engine_timeout"}

_TEXT: Final = "Simulated, because of the mileage that was sent."

PROBLEMS: Final[Mapping[int, Callable[[], ForecourtError]]] = {
    990040: partial(InsufficientCredits, _TEXT, details={"credits_required": 1, "credits_remaining": 0}),
    990041: partial(InsufficientScope, _TEXT, details={"required_scope": Scope.VALUATIONS_WRITE.value}),
    990042: partial(CountryNotEnabled, _TEXT),
    990050: partial(RateLimited, _TEXT, details={"retry_after": 2}),
    990051: partial(ConcurrencyLimited, _TEXT, details={"retry_after": 1}),
    990052: partial(EngineBusy, _TEXT, details={"retry_after": 3}),
    990060: partial(IdempotencyInProgress, _TEXT, details={"retry_after": 1}),
    990070: partial(InternalError, _TEXT),
}
"""What such a mileage answers every time, as a new error each time."""

busy: Final = partial(EngineBusy, _TEXT, details={"retry_after": 1})
"""What `BUSY_TWICE` answers on the first two calls with a key."""

_MEANINGFUL: Final = frozenset({ALWAYS_20000, GRADE_D, BUSY_TWICE, SLOW, *REFUSED, *FAILED, *PROBLEMS})


def is_magic(mileage_km: int) -> bool:
    """Tell whether test mode gives a mileage a meaning of its own."""
    return mileage_km in _MEANINGFUL
