"""Whatever happens to an account in whatever order, it agrees with a model of a few lines."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    invariant,
    rule,
    run_state_machine_as_test,
)
from tests.credits.bank import NOW, Bank

from forecourt.base.ids import new_id
from forecourt.contract.errors import InsufficientCredits
from forecourt.credits import store
from forecourt.credits.errors import NotCaptured, NotReserved
from forecourt.credits.ledger import RESERVED_FOR, Spending
from forecourt.storage.database import Database

AMOUNTS = st.integers(1, 6)
CAP = 12


class Account(RuleBasedStateMachine):
    """Lots are `[remaining, expiry]` in the order in which they are spent; time only goes forward."""

    database: Database
    spendings = Bundle("spendings")

    def __init__(self) -> None:
        super().__init__()
        self.bank = Bank(self.database)
        self.key_id = new_id("key")
        self.lots: list[list[Any]] = []
        self.open: dict[str, tuple[Spending, list[tuple[list[Any], int]], Any]] = {}
        self.captured: dict[str, int] = {}
        self.spent_by_key = 0

    @rule(amount=AMOUNTS, days=st.none() | st.integers(1, 3))
    def grant(self, amount: int, days: int | None) -> None:
        expires_at = None if days is None else self.bank.now + timedelta(days=days)
        self.bank.grant(amount, expires_at=expires_at)
        self._add(amount, expires_at)

    @rule(target=spendings, amount=AMOUNTS, capped=st.booleans())
    def reserve(self, amount: int, capped: bool) -> Spending:
        too_many = amount > self._available()
        over_cap = capped and self.spent_by_key + amount > CAP
        spending = self.bank.spending(amount, key_id=self.key_id, monthly_cap=CAP if capped else None)
        if too_many or over_cap:
            with pytest.raises(InsufficientCredits):
                self._reserve(spending)
            return spending
        self._reserve(spending)
        self.open[spending.valuation_id] = (spending, self._take(amount), self.bank.now)
        self.spent_by_key += amount
        return spending

    @rule(spending=spendings)
    def capture(self, spending: Spending) -> None:
        if spending.valuation_id not in self.open:
            with pytest.raises(NotReserved):
                self.bank.capture(spending)
            return
        self.bank.capture(spending)
        self.open.pop(spending.valuation_id)
        self.captured[spending.valuation_id] = spending.amount

    @rule(spending=spendings)
    def release(self, spending: Spending) -> None:
        self.bank.release(spending)
        self._give_back(spending.valuation_id)

    @rule(spending=consumes(spendings))
    def refund(self, spending: Spending) -> None:
        amount = self.captured.pop(spending.valuation_id, None)
        if amount is None:
            with pytest.raises(NotCaptured):
                self.bank.refund(spending.valuation_id)
            return
        self.bank.refund(spending.valuation_id)
        self._add(amount, None)

    @rule(amount=st.integers(-6, 6).filter(bool))
    def adjust(self, amount: int) -> None:
        if amount > 0:
            self.bank.adjust(amount)
            self._add(amount, None)
        elif -amount > self._available():
            with pytest.raises(InsufficientCredits):
                self.bank.adjust(amount)
        else:
            self.bank.adjust(amount)
            self._take(-amount)

    @rule(hours=st.sampled_from([0, 12, 24]))
    def wait(self, hours: int) -> None:
        later = self.bank.now + timedelta(hours=hours)
        if later.month == NOW.month or hours == 0:
            self.bank.now = later

    @rule()
    def sweep(self) -> None:
        dead = [one for one, (*_, at) in self.open.items() if at + RESERVED_FOR <= self.bank.now]
        released, _ = self.bank.sweep()
        assert released == len(dead)
        for valuation_id in dead:
            self._give_back(valuation_id)

    @invariant()
    def agrees(self) -> None:
        balance = self.bank.balance
        assert balance.available == self._available()
        assert balance.reserved == sum(spending.amount for spending, *_ in self.open.values())

    def teardown(self) -> None:
        self.bank.check()

    def _reserve(self, spending: Spending) -> None:
        self.bank.write(lambda connection: store.reserve(connection, spending, now=self.bank.now))

    def _usable(self) -> list[list[Any]]:
        return [lot for lot in self.lots if lot[0] and (lot[1] is None or lot[1] > self.bank.now)]

    def _available(self) -> int:
        return sum(lot[0] for lot in self._usable())

    def _add(self, amount: int, expires_at: Any) -> None:
        self.lots.append([amount, expires_at])
        self.lots.sort(key=lambda lot: (lot[1] is None, lot[1] or NOW))

    def _take(self, amount: int) -> list[tuple[list[Any], int]]:
        parts = []
        for lot in self._usable():
            part = min(amount, lot[0])
            lot[0] -= part
            amount -= part
            parts.append((lot, part))
        return parts

    def _give_back(self, valuation_id: str) -> None:
        spending, parts, _ = self.open.pop(valuation_id, (None, [], None))
        for lot, part in parts:
            lot[0] += part
        self.spent_by_key -= spending.amount if spending else 0


def test_an_account_agrees_with_its_model_whatever_happens(database: Database) -> None:
    machine = type("Account", (Account,), {"database": database})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=15,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=[HealthCheck.function_scoped_fixture],
        ),
    )
