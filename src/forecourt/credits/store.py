"""What is done with credits: grant, put aside, take, give back. Each function is a step of a transaction.

The functions that change an account keep the books through `credits.ledger_store`.
"""

import json
from datetime import UTC, datetime
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from forecourt.contract.errors import InsufficientCredits
from forecourt.credits.errors import NotCaptured, NotReserved, ReferenceUsed
from forecourt.credits.ledger import (
    RESERVED_FOR,
    Balance,
    EntryKind,
    LedgerEntry,
    Spending,
    checked_amount,
    checked_expiry,
    checked_reference,
)
from forecourt.credits.ledger_store import (
    ACCOUNTS,
    ENTRIES,
    LOTS,
    Line,
    add_lot,
    available_in,
    entry_of,
    find_entry,
    give_back,
    lock_account,
    lots_to_spend,
    of,
    prepare_account,
    take,
    too_few,
    write,
)
from forecourt.storage.schema import BigInt, Instant, Json, table
from forecourt.storage.statements import Statement

RESERVATIONS = table(
    "credit_reservations",
    sa.Column("valuation_id", sa.Text, primary_key=True),
    sa.Column("organization_id", sa.Text, sa.ForeignKey("credit_accounts.organization_id"), nullable=False),
    sa.Column("key_id", sa.Text, nullable=False),
    sa.Column("amount", BigInt, nullable=False),
    sa.Column("month", sa.Text, nullable=False),
    sa.Column("parts", Json, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("expires_at", Instant, nullable=False),
    sa.Index(
        "ix_credit_reservations_open",
        "expires_at",
        sqlite_where=sa.text("state = 'open'"),
        postgresql_where=sa.text("state = 'open'"),
    ),
)

KEY_MONTHS = table(
    "credit_key_months",
    sa.Column("key_id", sa.Text, primary_key=True),
    sa.Column("month", sa.Text, primary_key=True),
    sa.Column("spent", BigInt, nullable=False),
)


def balance(connection: Connection, organization_id: str, *, now: datetime) -> Balance:
    """Return what there is to spend; credits whose time has run out do not count."""
    account = connection.execute(sa.select(ACCOUNTS).where(of(ACCOUNTS, organization_id))).first()
    if account is None:
        return Balance(available=0, reserved=0, next_expiry=None, low=False)
    lots = connection.execute(
        sa.select(LOTS.c.remaining, LOTS.c.expires_at)
        .where(of(LOTS, organization_id), LOTS.c.remaining > 0, LOTS.c.expires_at.is_not(None))
        .order_by(LOTS.c.expires_at)
    ).all()
    available = account.available - sum(lot.remaining for lot in lots if lot.expires_at <= now)
    days = [(lot.expires_at.date(), lot.remaining) for lot in lots if lot.expires_at > now]
    first = days[0][0] if days else None
    return Balance(
        available=available,
        reserved=account.reserved,
        next_expiry=(first, sum(left for day, left in days if day == first)) if first else None,
        low=available < account.low_below,
    )


def reserve(connection: Connection, spending: Spending, *, now: datetime) -> int:
    """Put credits aside for a valuation and return what remains available.

    Raises `InsufficientCredits`, also when the key would spend more than its cap of this month (UTC).
    """
    if connection.dialect.name == "postgresql":
        return _reserve_in_the_server(connection, spending, now)
    lots = lots_to_spend(connection, spending.organization_id, now)
    line = Line(
        spending.organization_id,
        EntryKind.RESERVE,
        reference=spending.valuation_id,
        amount=spending.amount,
        available=-spending.amount,
        reserved=spending.amount,
        valuation_id=spending.valuation_id,
        key_id=spending.key_id,
        request_id=spending.request_id,
    )
    left, _ = write(connection, line, now)
    parts = take(connection, spending.organization_id, lots, spending.amount)
    _count_month(connection, spending, now)
    _ADD_RESERVATION.run(
        connection,
        valuation_id=spending.valuation_id,
        organization_id=spending.organization_id,
        key_id=spending.key_id,
        amount=spending.amount,
        month=_month(now),
        parts=json.dumps(parts),
        expires_at=now + RESERVED_FOR,
    )
    return left


def _reserve_in_the_server(connection: Connection, spending: Spending, now: datetime) -> int:
    outcome, remaining = _RESERVE_IN_THE_SERVER.all(
        connection,
        organization_id=spending.organization_id,
        valuation_id=spending.valuation_id,
        key_id=spending.key_id,
        request_id=spending.request_id,
        amount=spending.amount,
        cap=spending.monthly_cap,
        month=_month(now),
        now=now,
        until=now + RESERVED_FOR,
    )[0]
    if outcome == "too_few":
        raise too_few(spending.amount, remaining)
    if outcome == "capped":
        raise _capped(spending.amount, remaining)
    return int(remaining)


def _count_month(connection: Connection, spending: Spending, now: datetime) -> None:
    ((spent,),) = _COUNT_MONTH.all(
        connection, key_id=spending.key_id, month=_month(now), amount=spending.amount
    )
    cap = spending.monthly_cap
    if cap is not None and spent > cap:
        raise _capped(spending.amount, max(cap - spent + spending.amount, 0))


def capture(connection: Connection, spending: Spending, *, now: datetime) -> int:
    """Take what was reserved and return what remains available; raises `NotReserved` when it is gone."""
    settled = _settle(connection, spending.valuation_id, "open", "captured")
    if settled is None:
        raise NotReserved("Nothing is reserved for that valuation.")
    line = Line(
        settled.organization_id,
        EntryKind.CAPTURE,
        reference=spending.valuation_id,
        amount=settled.amount,
        reserved=-settled.amount,
        valuation_id=spending.valuation_id,
        key_id=settled.key_id,
        request_id=spending.request_id,
    )
    left, _ = write(connection, line, now)
    return left


def release(connection: Connection, spending: Spending, *, now: datetime) -> int:
    """Give back what was reserved and return what is available; a second time changes nothing."""
    left = _release(connection, spending.valuation_id, request_id=spending.request_id, now=now)
    return available_in(connection, spending.organization_id) if left is None else left


def _release(
    connection: Connection, valuation_id: str, *, request_id: str | None, now: datetime
) -> int | None:
    settled = _settle(connection, valuation_id, "open", "released")
    if settled is None:
        return None
    line = Line(
        settled.organization_id,
        EntryKind.RELEASE,
        reference=valuation_id,
        amount=settled.amount,
        available=settled.amount,
        reserved=-settled.amount,
        valuation_id=valuation_id,
        key_id=settled.key_id,
        request_id=request_id,
    )
    left, _ = write(connection, line, now)
    give_back(connection, settled.organization_id, json.loads(settled.parts))
    _UNCOUNT_MONTH.run(connection, key_id=settled.key_id, month=settled.month, amount=settled.amount)
    return left


def entries(
    connection: Connection, organization_id: str, *, before: int | None, limit: int
) -> list[LedgerEntry]:
    """Return lines of the ledger, newest first, those below the number `before` when it is given."""
    query = sa.select(ENTRIES).where(of(ENTRIES, organization_id))
    if before is not None:
        query = query.where(ENTRIES.c.number < before)
    rows = connection.execute(query.order_by(ENTRIES.c.number.desc()).limit(limit))
    return [entry_of(row) for row in rows]


def grant(
    connection: Connection,
    organization_id: str,
    *,
    amount: int,
    reference: str,
    expires_at: datetime | None,
    now: datetime,
) -> LedgerEntry:
    """Add credits, once for each reference: the same grant again changes nothing and returns its line.

    Raises `OrganizationUnknown`, `WrongAmount`, and `ReferenceUsed` when the reference names another grant.
    """
    line = Line(
        organization_id,
        EntryKind.GRANT,
        reference=checked_reference(reference),
        amount=checked_amount(amount),
        available=amount,
    )
    prepare_account(connection, organization_id)
    earlier = _earlier(connection, line)
    if earlier is None:
        return add_lot(connection, line, expires_at=checked_expiry(expires_at, now), now=now)
    if _expiry_of(connection, organization_id, earlier.number) != expires_at:
        raise ReferenceUsed("A grant of that reference has another expiry.")
    return earlier


def adjust(
    connection: Connection, organization_id: str, *, amount: int, reference: str, now: datetime
) -> LedgerEntry:
    """Correct by hand: add credits that do not expire or take some away, once for each reference.

    Raises `OrganizationUnknown`, `WrongAmount`, `ReferenceUsed`, and `InsufficientCredits` before it would
    take more than there is.
    """
    checked_amount(abs(amount))
    line = Line(
        organization_id,
        EntryKind.ADJUSTMENT,
        reference=checked_reference(reference),
        amount=amount,
        available=amount,
    )
    prepare_account(connection, organization_id)
    earlier = _earlier(connection, line)
    if earlier is not None:
        return earlier
    if amount > 0:
        return add_lot(connection, line, expires_at=None, now=now)
    lots = lots_to_spend(connection, organization_id, now)
    _, number = write(connection, line, now)
    take(connection, organization_id, lots, -amount)
    return find_entry(connection, organization_id, number)


def refund(
    connection: Connection, valuation_id: str, *, request_id: str | None, now: datetime
) -> LedgerEntry:
    """Give back what a valuation has cost, at most once, as credits that do not expire.

    Raises `NotCaptured`.
    """
    settled = _settle(connection, valuation_id, "captured", "refunded")
    if settled is None:
        raise NotCaptured("That valuation has cost nothing, or its cost was given back before.")
    line = Line(
        settled.organization_id,
        EntryKind.REFUND,
        reference=valuation_id,
        amount=settled.amount,
        available=settled.amount,
        valuation_id=valuation_id,
        key_id=settled.key_id,
        request_id=request_id,
    )
    return add_lot(connection, line, expires_at=None, now=now)


def release_dead(connection: Connection, *, now: datetime, limit: int) -> int:
    """Release reservations that were not settled within `RESERVED_FOR`; return how many."""
    dead = connection.scalars(
        sa.select(RESERVATIONS.c.valuation_id)
        .where(RESERVATIONS.c.state == "open", RESERVATIONS.c.expires_at <= now)
        .order_by(RESERVATIONS.c.expires_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
    ).all()
    return sum(_release(connection, one, request_id=None, now=now) is not None for one in dead)


def expire_due(connection: Connection, *, now: datetime, limit: int) -> int:
    """Take away what is left of lots whose time has run out, in up to `limit` accounts; return how many."""
    owners = connection.scalars(
        sa.select(LOTS.c.organization_id)
        .distinct()
        .where(LOTS.c.remaining > 0, LOTS.c.expires_at <= now)
        .order_by(LOTS.c.organization_id)
        .limit(limit)
    ).all()
    for organization_id in owners:
        lock_account(connection, organization_id)
        lots_to_spend(connection, organization_id, now)
    return len(owners)


class _Settled(NamedTuple):
    organization_id: str
    key_id: str
    amount: int
    month: str
    parts: str


def _settle(connection: Connection, valuation_id: str, before: str, after: str) -> _Settled | None:
    """Change the state of a reservation, if it is `before`."""
    row = _SETTLE.first(connection, valuation_id=valuation_id, before=before, after=after)
    return _Settled(*row) if row else None


def _earlier(connection: Connection, line: Line) -> LedgerEntry | None:
    """Return the line of the same kind and reference; raises `ReferenceUsed` when its amount is another."""
    row = connection.execute(
        sa.select(ENTRIES).where(
            of(ENTRIES, line.organization_id),
            ENTRIES.c.kind == line.kind.value,
            ENTRIES.c.reference == line.reference,
        )
    ).first()
    if row is not None and row.amount != line.amount:
        raise ReferenceUsed(f"There is a line of that reference with {row.amount} credits.")
    return entry_of(row) if row is not None else None


def _expiry_of(connection: Connection, organization_id: str, number: int) -> datetime | None:
    query = sa.select(LOTS.c.expires_at).where(of(LOTS, organization_id), LOTS.c.number == number)
    moment: datetime | None = connection.execute(query).scalar_one()
    return moment


def _capped(required: int, remaining: int) -> InsufficientCredits:
    return InsufficientCredits(
        "The API key has spent what it may spend in this month.",
        details={"credits_required": required, "credits_remaining": remaining},
    )


def _month(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m")


_ADD_RESERVATION = Statement(
    """
    INSERT INTO credit_reservations
      (valuation_id, organization_id, key_id, amount, month, parts, state, expires_at)
    VALUES (:valuation_id, :organization_id, :key_id, :amount, :month, :parts, 'open', :expires_at)
    """
)

_SETTLE = Statement(
    """
    UPDATE credit_reservations SET state = :after WHERE valuation_id = :valuation_id AND state = :before
    RETURNING organization_id, key_id, amount, month, parts
    """
)

_COUNT_MONTH = Statement(
    """
    INSERT INTO credit_key_months (key_id, month, spent) VALUES (:key_id, :month, :amount)
    ON CONFLICT (key_id, month) DO UPDATE SET spent = credit_key_months.spent + excluded.spent
    RETURNING spent
    """
)

_UNCOUNT_MONTH = Statement(
    "UPDATE credit_key_months SET spent = spent - :amount WHERE key_id = :key_id AND month = :month"
)

_RESERVE_IN_THE_SERVER = Statement(
    """
    SELECT outcome, remaining FROM credit_reserve(
      :organization_id, :valuation_id, :key_id, :request_id, :amount, :cap, :month, :now, :until)
    """
)
