"""One organisation with credits, as the tests of this folder use it."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeVar

from forecourt.accounts.store import add_organization
from forecourt.base.ids import new_id
from forecourt.credits import store
from forecourt.credits.audit_store import discrepancies
from forecourt.credits.ledger import Balance, LedgerEntry, Spending
from forecourt.storage.database import Database

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
T = TypeVar("T")


class Bank:
    """Calls the store in transactions of its own, at the time `now`."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.now = NOW
        self.organization_id = self.write(
            lambda connection: add_organization(connection, "Harbour Data", countries=("DE",), now=NOW)
        ).id

    def write(self, job: Callable[..., T]) -> T:
        return self.database.write_sync(job)

    def grant(
        self, amount: int, reference: str | None = None, expires_at: datetime | None = None
    ) -> LedgerEntry:
        return self.write(
            lambda connection: store.grant(
                connection,
                self.organization_id,
                amount=amount,
                reference=reference or new_id("invoice"),
                expires_at=expires_at,
                now=self.now,
            )
        )

    def adjust(self, amount: int, reference: str | None = None) -> LedgerEntry:
        return self.write(
            lambda connection: store.adjust(
                connection,
                self.organization_id,
                amount=amount,
                reference=reference or new_id("note"),
                now=self.now,
            )
        )

    def spending(self, amount: int = 1, *, key_id: str = "key_1", monthly_cap: int | None = None) -> Spending:
        return Spending(self.organization_id, new_id("val"), key_id, new_id("req"), amount, monthly_cap)

    def reserve(self, amount: int = 1, *, key_id: str = "key_1", monthly_cap: int | None = None) -> Spending:
        spending = self.spending(amount, key_id=key_id, monthly_cap=monthly_cap)
        self.write(lambda connection: store.reserve(connection, spending, now=self.now))
        return spending

    def capture(self, spending: Spending) -> int:
        return self.write(lambda connection: store.capture(connection, spending, now=self.now))

    def release(self, spending: Spending) -> int:
        return self.write(lambda connection: store.release(connection, spending, now=self.now))

    def refund(self, valuation_id: str) -> LedgerEntry:
        return self.write(
            lambda connection: store.refund(connection, valuation_id, request_id=None, now=self.now)
        )

    def sweep(self) -> tuple[int, int]:
        """Release dead reservations, then expire lots; return how many."""
        return (
            self.write(lambda connection: store.release_dead(connection, now=self.now, limit=100)),
            self.write(lambda connection: store.expire_due(connection, now=self.now, limit=100)),
        )

    @property
    def balance(self) -> Balance:
        return self.database.read_sync(
            lambda connection: store.balance(connection, self.organization_id, now=self.now)
        )

    @property
    def available(self) -> int:
        return self.balance.available

    def ledger(self) -> list[LedgerEntry]:
        """Every line, oldest first."""
        found = self.database.read_sync(
            lambda connection: store.entries(connection, self.organization_id, before=None, limit=10_000)
        )
        return found[::-1]

    def kinds(self) -> list[str]:
        return [entry.type for entry in self.ledger()]

    def check(self) -> None:
        """The trial balance of the whole database."""
        assert self.database.read_sync(discrepancies) == []
