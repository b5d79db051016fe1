"""Whatever calls, crashes, sweeps and waits follow each other, a key runs once and costs once."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from sqlalchemy import Connection
from tests.credits.bank import Bank

from forecourt.contract.errors import IdempotencyInProgress, IdempotencyKeyReused
from forecourt.credits.errors import NotReserved
from forecourt.credits.ledger import Spending
from forecourt.credits.store import capture, release, reserve
from forecourt.guard import store
from forecourt.guard.idempotency import ABANDONED_AFTER, KEPT_FOR, ClaimedKey, ClaimLost
from forecourt.storage.database import Database

KEYS = st.sampled_from(["car-1", "car-2"])
BODIES = st.sampled_from(["body-1", "body-2"])
OUTCOMES = st.sampled_from(["completed", "refused"])
CREDITS = 1000


class Calls(RuleBasedStateMachine):
    """`known` is what each key stands for: its body, its valuation, when it was claimed, how it ended."""

    database: Database

    def __init__(self) -> None:
        super().__init__()
        self.bank = Bank(self.database)
        self.bank.grant(CREDITS)
        self.known: dict[str, dict[str, Any]] = {}
        self.slow: list[tuple[ClaimedKey, Spending]] = []
        self.completed = 0

    @rule(key=KEYS, body=BODIES, outcome=OUTCOMES)
    def call(self, key: str, body: str, outcome: str) -> None:
        claimed, spending = self._accept(key, body)
        if spending is not None:
            self._settle(claimed, spending, outcome)
            self.known[key]["ended"] = outcome
            self.completed += outcome == "completed"

    @rule(key=KEYS, body=BODIES)
    def call_that_hangs_or_dies(self, key: str, body: str) -> None:
        claimed, spending = self._accept(key, body)
        if spending is not None:
            self.slow.append((claimed, spending))

    @rule(outcome=OUTCOMES)
    def hanging_call_comes_back(self, outcome: str) -> None:
        if not self.slow:
            return
        claimed, spending = self.slow.pop()
        known = self.known[claimed.key]
        if known["valuation_id"] == spending.valuation_id and known["ended"] is None:
            self._settle(claimed, spending, outcome)
            known["ended"] = outcome
            self.completed += outcome == "completed"
        else:
            with pytest.raises((NotReserved, ClaimLost)):
                self._settle(claimed, spending, "completed")

    @rule(key=KEYS, body=BODIES)
    def refused_at_a_gate(self, key: str, body: str) -> None:
        if key in self.known:
            return
        claimed = self._claimed(key, body)
        spending = self.bank.spending()

        def refused(connection: Connection) -> None:
            assert store.claim(connection, claimed, valuation_id="val_x", now=self.bank.now) is None
            reserve(connection, spending, now=self.bank.now)
            raise LookupError

        with pytest.raises(LookupError):
            self.bank.write(refused)

    @rule()
    def close_what_dead_processes_left(self) -> None:
        def close(connection: Connection) -> set[str]:
            dead = store.abandoned(connection, now=self.bank.now, limit=10)
            mine = [one for one in dead if one.claimed.organization_id == self.bank.organization_id]
            for one in mine:
                spending = Spending(self.bank.organization_id, one.valuation_id, "key_1", "req_1", 1, None)
                release(connection, spending, now=self.bank.now)
                store.finish(connection, one.claimed)
            return {one.claimed.key for one in mine}

        expected = {key for key, known in self.known.items() if self._is_dead(known)}
        assert self.bank.write(close) == expected
        for key in expected:
            self.known[key]["ended"] = "failed"

    @rule(span=st.sampled_from([timedelta(seconds=1), ABANDONED_AFTER, KEPT_FOR]))
    def wait(self, span: timedelta) -> None:
        self.bank.now += span

    @invariant()
    def what_completed_is_what_was_paid(self) -> None:
        balance = self.bank.balance
        running = sum(known["ended"] is None for known in self.known.values())
        assert balance.available + balance.reserved == CREDITS - self.completed
        assert balance.reserved == running

    def teardown(self) -> None:
        self.bank.check()
        self.bank.now += KEPT_FOR
        self.close_what_dead_processes_left()

    def _accept(self, key: str, body: str) -> tuple[ClaimedKey, Spending | None]:
        """Claim and reserve as the model says; without a spending the call got an answer instead."""
        claimed, spending, known = self._claimed(key, body), self.bank.spending(), self._standing(key)
        if known is None:
            assert self._claim(claimed, spending) is None
            self.known[key] = {
                "body": body,
                "valuation_id": spending.valuation_id,
                "at": self.bank.now,
                "ended": None,
            }
            return claimed, spending
        if known["body"] != body:
            with pytest.raises(IdempotencyKeyReused):
                self._claim(claimed, spending)
        elif known["ended"] is None and not self._is_dead(known):
            with pytest.raises(IdempotencyInProgress):
                self._claim(claimed, spending)
        else:
            assert self._claim(claimed, spending) == known["valuation_id"]
        return claimed, None

    def _claim(self, claimed: ClaimedKey, spending: Spending) -> str | None:
        def accept(connection: Connection) -> str | None:
            earlier = store.claim(connection, claimed, valuation_id=spending.valuation_id, now=self.bank.now)
            if earlier is None:
                reserve(connection, spending, now=self.bank.now)
            return earlier

        return self.bank.write(accept)

    def _settle(self, claimed: ClaimedKey, spending: Spending, outcome: str) -> None:
        def settle(connection: Connection) -> None:
            (capture if outcome == "completed" else release)(connection, spending, now=self.bank.now)
            store.finish(connection, claimed)

        self.bank.write(settle)

    def _claimed(self, key: str, body: str) -> ClaimedKey:
        return ClaimedKey(self.bank.organization_id, "live", key, body)

    def _standing(self, key: str) -> dict[str, Any] | None:
        known = self.known.get(key)
        if known and known["ended"] and self._now() - known["at"] >= KEPT_FOR:
            return None
        return known

    def _is_dead(self, known: dict[str, Any]) -> bool:
        return known["ended"] is None and self._now() - known["at"] >= ABANDONED_AFTER

    def _now(self) -> datetime:
        return self.bank.now


def test_a_key_runs_once_and_costs_once_whatever_happens(database: Database) -> None:
    machine = type("Calls", (Calls,), {"database": database})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=15,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=[HealthCheck.function_scoped_fixture],
        ),
    )
