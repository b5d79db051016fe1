"""Idempotency keys of valuations, on both databases."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Barrier
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forecourt.base.canonical_json import canonical_json
from forecourt.contract.errors import (
    IdempotencyInProgress,
    IdempotencyKeyInvalid,
    IdempotencyKeyMissing,
    IdempotencyKeyReused,
)
from forecourt.guard import store
from forecourt.guard.idempotency import (
    ABANDONED_AFTER,
    KEPT_FOR,
    ClaimedKey,
    ClaimLost,
    fingerprint,
    idempotency_key,
)
from forecourt.storage.database import Database

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
CAR = ClaimedKey("org_1", "live", "car-1", fingerprint({"mileage_km": 85_000}))


def claim(
    database: Database, claimed: ClaimedKey = CAR, *, valuation_id: str = "val_1", at: datetime = NOW
) -> str | None:
    return database.write_sync(
        lambda connection: store.claim(connection, claimed, valuation_id=valuation_id, now=at)
    )


def finish(database: Database, claimed: ClaimedKey = CAR) -> None:
    database.write_sync(lambda connection: store.finish(connection, claimed))


def release(database: Database, claimed: ClaimedKey = CAR) -> None:
    database.write_sync(lambda connection: store.release(connection, claimed))


def find(database: Database, *, at: datetime = NOW) -> str | None:
    return database.read_sync(
        lambda connection: store.find(connection, organization_id="org_1", mode="live", key="car-1", now=at)
    )


def abandoned(database: Database, at: datetime) -> list[str]:
    found = database.write_sync(lambda connection: store.abandoned(connection, now=at, limit=10))
    return [claim.valuation_id for claim in found]


def forget(database: Database, at: datetime) -> int:
    return database.write_sync(lambda connection: store.forget(connection, now=at, limit=100))


def test_a_finished_key_stands_for_its_valuation(database: Database) -> None:
    assert claim(database) is None
    finish(database)

    assert claim(database, valuation_id="val_2") == "val_1"
    assert find(database) == "val_1"


def test_a_second_call_waits_while_the_first_runs(database: Database) -> None:
    claim(database)

    for at, wait_s in ((NOW, 1), (NOW + timedelta(seconds=3), 3), (NOW + timedelta(seconds=59), 10)):
        with pytest.raises(IdempotencyInProgress) as waiting:
            claim(database, valuation_id="val_2", at=at)
        assert waiting.value.details == {"retry_after": wait_s}
        with pytest.raises(IdempotencyInProgress):
            find(database, at=at)


@pytest.mark.parametrize("finished", [False, True])
def test_a_key_with_other_arguments_is_refused(database: Database, finished: bool) -> None:
    claim(database)
    if finished:
        finish(database)

    with pytest.raises(IdempotencyKeyReused):
        claim(database, ClaimedKey("org_1", "live", "car-1", fingerprint({"mileage_km": 85_001})))


def test_organisations_and_modes_have_keys_of_their_own(database: Database) -> None:
    claim(database)

    assert (
        claim(database, ClaimedKey("org_2", "live", "car-1", CAR.fingerprint), valuation_id="val_2") is None
    )
    assert (
        claim(database, ClaimedKey("org_1", "test", "car-1", CAR.fingerprint), valuation_id="val_3") is None
    )
    assert (
        claim(database, ClaimedKey("org_1", "live", "CAR-1", CAR.fingerprint), valuation_id="val_4") is None
    )


def test_a_released_key_can_be_used_again_with_other_arguments(database: Database) -> None:
    claim(database)
    release(database)

    assert find(database) is None
    other = ClaimedKey("org_1", "live", "car-1", fingerprint({}))
    assert claim(database, other, valuation_id="val_2") is None


def test_a_finished_key_cannot_be_released(database: Database) -> None:
    claim(database)
    finish(database)
    release(database)

    assert find(database) == "val_1"


def test_a_claim_is_undone_with_its_transaction(database: Database) -> None:
    def refused(connection: Any) -> None:
        store.claim(connection, CAR, valuation_id="val_1", now=NOW)
        raise LookupError

    with pytest.raises(LookupError):
        database.write_sync(refused)
    assert claim(database, valuation_id="val_2") is None


def test_what_a_dead_process_left_is_found_after_a_minute_and_not_before(database: Database) -> None:
    claim(database)
    almost, then = NOW + ABANDONED_AFTER - timedelta(seconds=1), NOW + ABANDONED_AFTER
    assert abandoned(database, almost) == []

    assert abandoned(database, then) == ["val_1"]
    assert claim(database, valuation_id="val_2", at=then) == "val_1"
    assert find(database, at=then) == "val_1"


def test_a_slow_worker_cannot_finish_what_was_closed(database: Database) -> None:
    claim(database)
    finish(database)

    with pytest.raises(ClaimLost):
        finish(database)
    assert abandoned(database, NOW + ABANDONED_AFTER) == []


def test_a_key_is_kept_for_a_week_and_then_new(database: Database) -> None:
    claim(database)
    finish(database)
    almost, then = NOW + KEPT_FOR - timedelta(seconds=1), NOW + KEPT_FOR

    assert claim(database, valuation_id="val_2", at=almost) == "val_1"
    assert find(database, at=then) is None
    assert claim(database, valuation_id="val_2", at=then) is None
    finish(database)
    assert find(database, at=then) == "val_2"


def test_old_keys_are_deleted_but_not_one_that_nobody_closed(database: Database) -> None:
    claim(database)
    finish(database)
    unclosed = ClaimedKey("org_1", "live", "car-2", CAR.fingerprint)
    claim(database, unclosed, valuation_id="val_2")
    fresh = ClaimedKey("org_1", "live", "car-3", CAR.fingerprint)
    claim(database, fresh, valuation_id="val_3", at=NOW + KEPT_FOR)
    finish(database, fresh)

    assert [forget(database, NOW + KEPT_FOR), forget(database, NOW + KEPT_FOR)] == [1, 0]
    assert abandoned(database, NOW + KEPT_FOR) == ["val_2"]


@pytest.mark.requirement("money.one-claim")
def test_of_many_equal_calls_at_once_one_runs(database: Database) -> None:
    callers = 32
    together = Barrier(callers)

    def call(number: int) -> str:
        together.wait()
        try:
            earlier = claim(database, valuation_id=f"val_{number}")
        except IdempotencyInProgress:
            return "waits"
        return "runs" if earlier is None else "replays"

    with ThreadPoolExecutor(callers) as threads:
        outcomes = sorted(threads.map(call, range(callers)))

    assert outcomes == ["runs", *["waits"] * (callers - 1)]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("a", "a"),
        ('"a"', "a"),
        (' "A.b_c:d-9" ', "A.b_c:d-9"),
        ("x" * 255, "x" * 255),
        (f'"{"x" * 255}"', "x" * 255),
    ],
)
def test_a_key_may_stand_in_quotes(text: str, key: str) -> None:
    assert idempotency_key(text) == key


@pytest.mark.parametrize("text", ["", '""', '"', '"a', "x" * 256, "a b", "a\0", "é", "a\n", '"a", "b"'])
def test_what_no_key_can_be_is_refused(text: str) -> None:
    with pytest.raises(IdempotencyKeyInvalid):
        idempotency_key(text)


def test_a_missing_key_is_told_apart_from_a_wrong_one() -> None:
    with pytest.raises(IdempotencyKeyMissing):
        idempotency_key(None)


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
NUMBER = st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBER | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(TEXT, st.integers(-(10**6), 10**6), max_size=5))
def test_the_order_of_members_and_the_form_of_numbers_do_not_matter(arguments: dict[str, int]) -> None:
    reordered = {name: float(value) for name, value in reversed(arguments.items())}

    assert fingerprint(reordered) == fingerprint(arguments)


@given(JSON)
def test_canonical_json_says_the_same_value_and_is_stable(value: Any) -> None:
    text = canonical_json(value)

    assert json.loads(text, parse_int=float) == value
    assert canonical_json(json.loads(text)) == text


@given(JSON, JSON)
def test_different_values_have_different_texts(first: Any, second: Any) -> None:
    assert (canonical_json(first) == canonical_json(second)) == (_typed(first) == _typed(second))


def _typed(value: Any) -> Any:
    """True is not 1 in JSON, although Python says so."""
    if isinstance(value, bool) or value is None:
        return repr(value)
    if isinstance(value, list):
        return [_typed(item) for item in value]
    if isinstance(value, dict):
        return {name: _typed(item) for name, item in value.items()}
    return value


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1.0, "1"),
        (-0.0, "0"),
        (4.50, "4.5"),
        (2e-3, "0.002"),
        (1e-6, "0.000001"),
        (1e-7, "1e-7"),
        (1e21, "1e+21"),
        (123456789012345680000.0, "123456789012345680000"),
        (333333333.33333329, "333333333.3333333"),
        (1e23, "1e+23"),
        (5e-324, "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (-1.5, "-1.5"),
    ],
)
def test_numbers_are_written_as_javascript_writes_them(number: float, text: str) -> None:
    assert canonical_json(number).decode() == text


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_number_that_is_none_has_no_text(number: float) -> None:
    with pytest.raises(ValueError, match="no such number"):
        canonical_json(number)


def test_members_are_sorted_as_rfc_8785_says() -> None:
    names = ["€", "\r", "\ufb33", "1", "😀", "\u0080", "ö"]

    ordered = [*json.loads(canonical_json(dict.fromkeys(names)))]
    assert ordered == ["\r", "1", "\u0080", "ö", "€", "😀", "\ufb33"]
