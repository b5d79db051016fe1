"""The limits of valuations, which hold over all workers, on both databases."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple
from datetime import UTC, datetime, timedelta
from functools import partial
from threading import Barrier

import anyio
import pytest

from forecourt.accounts.access import Mode
from forecourt.contract.errors import ConcurrencyLimited, RateLimited
from forecourt.guard import store
from forecourt.guard.call_limits import Allowance, CallLimits, Quotas, RateClass
from forecourt.guard.idempotency import ABANDONED_AFTER
from forecourt.storage.database import Database

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
QUOTAS = Quotas(valuations_per_minute=6, concurrent_valuations=2)


class Clock:
    """A clock that stands still until it is moved."""

    seconds = 0.0

    def now(self) -> datetime:
        return NOW + timedelta(seconds=self.seconds)

    def monotonic(self) -> float:
        return self.seconds


def enter(
    database: Database,
    valuation_id: str,
    *,
    organization_id: str = "org_1",
    key_id: str = "key_1",
    mode: Mode = "live",
    at: datetime = NOW,
    quotas: Quotas = QUOTAS,
) -> None:
    limits = CallLimits(quotas)
    database.write_sync(
        lambda connection: limits.enter(
            connection, organization_id, key_id=key_id, mode=mode, valuation_id=valuation_id, now=at
        )
    )


def leave(database: Database, valuation_id: str) -> None:
    database.write_sync(lambda connection: store.leave(connection, valuation_id))


def test_a_key_may_value_so_many_cars_per_minute_over_all_workers(database: Database) -> None:
    def value(number: int, at: datetime, **other: str) -> None:
        enter(database, f"val_{number}", at=at, **other)
        leave(database, f"val_{number}")

    value(1, NOW)
    value(2, NOW)
    with pytest.raises(RateLimited) as limited:
        value(3, NOW)

    assert limited.value.details == {"retry_after": 10}
    value(4, NOW, key_id="key_2")
    value(3, NOW + timedelta(seconds=10))
    with pytest.raises(RateLimited):
        value(5, NOW + timedelta(seconds=10))
    value(5, NOW + timedelta(seconds=60))
    value(6, NOW + timedelta(seconds=60))


def test_a_clock_that_was_set_back_keeps_no_key_waiting(database: Database) -> None:
    for number, at in enumerate((NOW + timedelta(days=1), NOW, NOW)):
        enter(database, f"val_{number}", at=at)
        leave(database, f"val_{number}")
    with pytest.raises(RateLimited):
        enter(database, "val_3", at=NOW)


def test_so_many_valuations_of_an_organisation_run_at_once(database: Database) -> None:
    enter(database, "val_1")
    enter(database, "val_2", key_id="key_2")
    with pytest.raises(ConcurrencyLimited) as limited:
        enter(database, "val_3", key_id="key_3")
    assert limited.value.details == {"retry_after": 1}

    enter(database, "val_4", organization_id="org_2", key_id="key_4")
    leave(database, "val_1")
    leave(database, "val_1")
    enter(database, "val_3", key_id="key_3")


def test_test_mode_has_half_of_everything_and_places_of_its_own(database: Database) -> None:
    enter(database, "val_test_1", mode="test")
    with pytest.raises(ConcurrencyLimited):
        enter(database, "val_test_2", mode="test", key_id="key_2")

    enter(database, "val_1", key_id="key_3")
    enter(database, "val_2", key_id="key_4")
    assert CallLimits(Quotas()).figures("test") == {
        "requests_per_minute": 30,
        "valuations_per_minute": 15,
        "concurrent_valuations": 2,
    }


def test_the_place_of_a_dead_holder_is_free_after_a_minute_and_not_before(database: Database) -> None:
    enter(database, "val_1")
    enter(database, "val_2", key_id="key_2")

    with pytest.raises(ConcurrencyLimited):
        enter(database, "val_3", key_id="key_3", at=NOW + ABANDONED_AFTER - timedelta(seconds=1))
    enter(database, "val_3", key_id="key_3", at=NOW + ABANDONED_AFTER)
    database.write_sync(lambda connection: store.forget(connection, now=NOW + ABANDONED_AFTER, limit=1))
    enter(database, "val_4", key_id="key_4", at=NOW + ABANDONED_AFTER)


def test_a_refused_valuation_is_not_counted(database: Database) -> None:
    enter(database, "val_1")
    enter(database, "val_2", key_id="key_2")
    with pytest.raises(ConcurrencyLimited):
        enter(database, "val_3")
    leave(database, "val_1")

    enter(database, "val_3")


def test_places_are_not_given_twice_under_a_rush(database: Database) -> None:
    callers = 16
    together = Barrier(callers)

    def call(number: int) -> bool:
        together.wait()
        try:
            enter(database, f"val_{number}", key_id=f"key_{number}", quotas=Quotas(concurrent_valuations=5))
        except ConcurrencyLimited:
            return False
        return True

    with ThreadPoolExecutor(callers) as threads:
        assert sum(threads.map(call, range(callers))) == 5


def take(
    limits: CallLimits, key_id: str = "key_1", *, mode: Mode = "live", rate: RateClass = "other"
) -> Allowance:
    return anyio.run(partial(limits.take, key_id, mode=mode, rate=rate))


def take_several(limits: CallLimits, times: int) -> list[tuple[int, int, int, int]]:
    return [astuple(take(limits)) for _ in range(times)]


def test_every_call_is_told_what_remains() -> None:
    clock = Clock()
    limits = CallLimits(Quotas(requests_per_minute=6), clock=clock)

    assert take_several(limits, 3) == [(6, 1, 10, 0), (6, 0, 20, 0), (6, 0, 20, 10)]
    clock.seconds = 10
    assert take_several(limits, 2) == [(6, 0, 20, 0), (6, 0, 20, 10)]
    clock.seconds = 100
    assert take_several(limits, 1) == [(6, 1, 10, 0)]


def test_kinds_of_calls_and_modes_are_counted_apart() -> None:
    limits = CallLimits(Quotas(requests_per_minute=1, catalogue_per_minute=1), clock=Clock())
    take(limits)

    assert take(limits, rate="catalogue").wait_s == 0
    assert take(limits, mode="test").wait_s == 0
    assert take(limits, "key_2").wait_s == 0
    assert take(limits).wait_s == 60
