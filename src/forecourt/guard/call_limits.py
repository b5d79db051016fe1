"""How often an API key may call, and how many valuations of an organisation may run at once."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from typing import Final, Literal

from sqlalchemy import Connection

from forecourt.accounts.access import Mode
from forecourt.base.clock import SYSTEM_CLOCK, Clock
from forecourt.guard import store
from forecourt.guard.limits import Rate, RateLimiter

RateClass = Literal["valuation", "catalogue", "other"]
_CLASSES: Final[tuple[RateClass, ...]] = ("valuation", "catalogue", "other")


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotas:
    """What a live key may do; a test key may do half of it."""

    requests_per_minute: int = 60
    catalogue_per_minute: int = 120
    valuations_per_minute: int = 30
    concurrent_valuations: int = 5

    def of(self, mode: Mode) -> "Quotas":
        """Return what a key of a mode may do, at least one of everything."""
        if mode == "live":
            return self
        return Quotas(
            requests_per_minute=_half(self.requests_per_minute),
            catalogue_per_minute=_half(self.catalogue_per_minute),
            valuations_per_minute=_half(self.valuations_per_minute),
            concurrent_valuations=_half(self.concurrent_valuations),
        )


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a rate limit says to one call; it may go on when `wait_s` is 0.

    `limit` calls are allowed per minute, `remaining` at once from now on, and after `reset_s` seconds without
    a call as many as ever.
    """

    limit: int
    remaining: int
    reset_s: int
    wait_s: int


class CallLimits:
    """Counts calls: in this worker's memory each call, in the database each new valuation.

    The count in memory costs nothing and guards the server. That of the database is exact over all workers
    and outlives them; it is a step of the transaction that accepts a valuation, so a call that is answered
    from an idempotency key does not meet it.
    """

    def __init__(self, quotas: Quotas, *, clock: Clock = SYSTEM_CLOCK) -> None:
        self._quotas: Mapping[Mode, Quotas] = {"live": quotas, "test": quotas.of("test")}
        self._limiters = {
            (mode, kind): RateLimiter(_rate(mode_quotas, kind), clock=clock)
            for mode, mode_quotas in self._quotas.items()
            for kind in _CLASSES
        }

    async def take(self, key_id: str, *, mode: Mode, rate: RateClass) -> Allowance:
        """Count one call of a key."""
        limiter = self._limiters[mode, rate]
        wait_ms = limiter.wait_ms(key_id)
        remaining, full_again_s = limiter.state_of(key_id)
        return Allowance(limiter.rate.per_minute, remaining, ceil(full_again_s), ceil(wait_ms / 1000))

    def figures(self, mode: Mode) -> Mapping[str, int]:
        """Return the limits of a mode as `get_account` shows them."""
        quotas = self._quotas[mode]
        return {
            "requests_per_minute": quotas.requests_per_minute,
            "valuations_per_minute": quotas.valuations_per_minute,
            "concurrent_valuations": quotas.concurrent_valuations,
        }

    def enter(
        self,
        connection: Connection,
        organization_id: str,
        *,
        key_id: str,
        mode: Mode,
        valuation_id: str,
        now: datetime,
    ) -> None:
        """Count a new valuation and take a place for it; raises `RateLimited`, `ConcurrencyLimited`."""
        quotas = self._quotas[mode]
        store.take_turn(connection, key_id, rate=_rate(quotas, "valuation"), now=now)
        store.enter(
            connection,
            organization_id,
            mode=mode,
            valuation_id=valuation_id,
            places=quotas.concurrent_valuations,
            now=now,
        )


def _rate(quotas: Quotas, kind: RateClass) -> Rate:
    per_minute = {
        "valuation": quotas.valuations_per_minute,
        "catalogue": quotas.catalogue_per_minute,
        "other": quotas.requests_per_minute,
    }[kind]
    return Rate(per_minute, burst=max(per_minute // 3, 1))


def _half(quota: int) -> int:
    return max(quota // 2, 1)
