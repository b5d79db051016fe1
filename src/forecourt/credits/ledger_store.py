"""The book-keeping of credits: an account, its lots and the ledger change together or not at all.

An account is one row, and each change of it is one guarded UPDATE with its line in the ledger; the database
itself keeps both numbers from going below zero and refuses to change or delete a line. A lot is what is left
of the credits that one line added, and has its number; the lot that expires first is spent first.

Whoever changes an account on PostgreSQL locks its row before it reads lots.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from forecourt.accounts.store import find_organization
from forecourt.base.ids import new_id
from forecourt.contract.errors import InsufficientCredits
from forecourt.credits.errors import LedgerBroken
from forecourt.credits.ledger import EntryKind, LedgerEntry
from forecourt.credits.warning import WarningHook, warning_parcel
from forecourt.storage.outbox import post
from forecourt.storage.schema import BigInt, Instant, table
from forecourt.storage.statements import Statement
from forecourt.storage.upsert import insert_or_ignore

ACCOUNTS = table(
    "credit_accounts",
    sa.Column("organization_id", sa.Text, sa.ForeignKey("organizations.id"), primary_key=True),
    sa.Column("available", BigInt, nullable=False),
    sa.Column("reserved", BigInt, nullable=False),
    sa.Column("last_entry", BigInt, nullable=False),
    sa.Column("low_below", BigInt, nullable=False),
    sa.Column("low_since", Instant),
    sa.Column("webhook_url", sa.Text),
    sa.Column("webhook_secret_env", sa.Text),
)

LOTS = table(
    "credit_lots",
    sa.Column("organization_id", sa.Text, sa.ForeignKey("credit_accounts.organization_id"), primary_key=True),
    sa.Column("number", BigInt, primary_key=True),
    sa.Column("amount", BigInt, nullable=False),
    sa.Column("remaining", BigInt, nullable=False),
    sa.Column("expires_at", Instant),
    sa.Index(
        "ix_credit_lots_left",
        "organization_id",
        "expires_at",
        sqlite_where=sa.text("remaining > 0"),
        postgresql_where=sa.text("remaining > 0"),
    ),
)

ENTRIES = table(
    "credit_entries",
    sa.Column("organization_id", sa.Text, sa.ForeignKey("credit_accounts.organization_id"), primary_key=True),
    sa.Column("number", BigInt, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("reference", sa.Text, nullable=False),
    sa.Column("amount", BigInt, nullable=False),
    sa.Column("available_change", BigInt, nullable=False),
    sa.Column("reserved_change", BigInt, nullable=False),
    sa.Column("available_after", BigInt, nullable=False),
    sa.Column("reserved_after", BigInt, nullable=False),
    sa.Column("valuation_id", sa.Text),
    sa.Column("key_id", sa.Text),
    sa.Column("request_id", sa.Text),
    sa.Column("created_at", Instant, nullable=False),
    sa.UniqueConstraint("organization_id", "kind", "reference", name="uq_credit_entries_reference"),
)


_LESS: Final = frozenset({EntryKind.CAPTURE, EntryKind.EXPIRE, EntryKind.ADJUSTMENT})
_MORE: Final = frozenset({EntryKind.GRANT, EntryKind.REFUND, EntryKind.ADJUSTMENT})
"""After these kinds of lines a low balance is told, or forgotten. A release is neither: refused valuations
move the balance to and fro, and must not warn each time."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the ledger that is to be written: `available` and `reserved` are what it changes."""

    organization_id: str
    kind: EntryKind
    reference: str
    amount: int
    available: int = 0
    reserved: int = 0
    valuation_id: str | None = None
    key_id: str | None = None
    request_id: str | None = None


@dataclass(frozen=True, slots=True)
class Lot:
    """What is left of a lot, and whether its time has run out."""

    number: int
    remaining: int
    is_due: bool


class _Account(NamedTuple):
    available: int
    reserved: int
    last_entry: int
    low_below: int
    low_since: datetime | str | None


def prepare_account(connection: Connection, organization_id: str) -> None:
    """Make an organisation's account if it has none, and lock it; raises `OrganizationUnknown`."""
    find_organization(connection, organization_id)
    empty = {
        "organization_id": organization_id,
        "available": 0,
        "reserved": 0,
        "last_entry": 0,
        "low_below": 0,
    }
    insert_or_ignore(connection, ACCOUNTS, [empty])
    lock_account(connection, organization_id)


def lock_account(connection: Connection, organization_id: str) -> None:
    """Let whoever else wants to change the account wait until this transaction ends."""
    query = sa.select(ACCOUNTS.c.organization_id).where(of(ACCOUNTS, organization_id))
    connection.execute(query.with_for_update())


def available_in(connection: Connection, organization_id: str) -> int:
    """Return what an account says is available; without an account that is nothing."""
    return connection.scalar(sa.select(ACCOUNTS.c.available).where(of(ACCOUNTS, organization_id))) or 0


def write(connection: Connection, line: Line, now: datetime) -> tuple[int, int]:
    """Change the account and write the line; return what is available now and the line's number.

    Raises `InsufficientCredits` before a number would go below zero.
    """
    changed = _CHANGE_ACCOUNT.first(
        connection,
        organization_id=line.organization_id,
        available_change=line.available,
        reserved_change=line.reserved,
    )
    if changed is None:
        raise too_few(-line.available, available_in(connection, line.organization_id))
    account = _Account(*changed)
    _ADD_ENTRY.run(
        connection,
        organization_id=line.organization_id,
        number=account.last_entry,
        kind=line.kind.value,
        reference=line.reference,
        amount=line.amount,
        available_change=line.available,
        reserved_change=line.reserved,
        available_after=account.available,
        reserved_after=account.reserved,
        valuation_id=line.valuation_id,
        key_id=line.key_id,
        request_id=line.request_id,
        created_at=now,
    )
    _watch(connection, line, account, now)
    return account.available, account.last_entry


def _watch(connection: Connection, line: Line, account: _Account, now: datetime) -> None:
    """Warn once when credits run low, and be ready to warn again when there are enough."""
    is_low = account.available < account.low_below
    if is_low and line.kind in _LESS and account.low_since is None:
        _set_low_since(connection, line.organization_id, now)
        if find_warning_hook(connection, line.organization_id):
            parcel = warning_parcel(
                line.organization_id, available=account.available, low_below=account.low_below, now=now
            )
            post(connection, [parcel], now=now)
    elif not is_low and line.kind in _MORE and account.low_since is not None:
        _set_low_since(connection, line.organization_id, None)


def _set_low_since(connection: Connection, organization_id: str, moment: datetime | None) -> None:
    connection.execute(sa.update(ACCOUNTS).where(of(ACCOUNTS, organization_id)).values(low_since=moment))


def add_lot(connection: Connection, line: Line, *, expires_at: datetime | None, now: datetime) -> LedgerEntry:
    """Write a line that adds credits, with the lot that they are; return it."""
    _, number = write(connection, line, now)
    connection.execute(
        sa.insert(LOTS).values(
            organization_id=line.organization_id,
            number=number,
            amount=line.amount,
            remaining=line.amount,
            expires_at=expires_at,
        )
    )
    return find_entry(connection, line.organization_id, number)


def find_entry(connection: Connection, organization_id: str, number: int) -> LedgerEntry:
    """Return one line of the ledger."""
    query = sa.select(ENTRIES).where(of(ENTRIES, organization_id), ENTRIES.c.number == number)
    return entry_of(connection.execute(query).one())


def lots_to_spend(connection: Connection, organization_id: str, now: datetime) -> list[Lot]:
    """Return what is left of an account's lots, the one that expires first at the head; due ones end here."""
    lots = [
        Lot(number, remaining, bool(is_due))
        for number, remaining, is_due in _LOTS_LEFT.all(connection, organization_id=organization_id, now=now)
    ]
    for lot in lots:
        if lot.is_due:
            _expire(connection, organization_id, lot, now)
    return [lot for lot in lots if not lot.is_due]


def _expire(connection: Connection, organization_id: str, lot: Lot, now: datetime) -> None:
    line = Line(
        organization_id,
        EntryKind.EXPIRE,
        reference=f"{lot.number}/{new_id('expiry')}",
        amount=lot.remaining,
        available=-lot.remaining,
    )
    write(connection, line, now)
    _CHANGE_LOT.run(connection, organization_id=organization_id, number=lot.number, change=-lot.remaining)


def take(
    connection: Connection, organization_id: str, lots: Sequence[Lot], amount: int
) -> list[tuple[int, int]]:
    """Take an amount out of lots, from the head on; return how much of each."""
    parts: list[tuple[int, int]] = []
    missing = amount
    for lot in lots:
        part = min(missing, lot.remaining)
        _CHANGE_LOT.run(connection, organization_id=organization_id, number=lot.number, change=-part)
        parts.append((lot.number, part))
        missing -= part
        if not missing:
            return parts
    raise LedgerBroken("The account has more credits than its lots.")


def give_back(connection: Connection, organization_id: str, parts: Sequence[tuple[int, int]]) -> None:
    """Put what `take` took back into its lots, also into one whose time has run out meanwhile."""
    for number, part in parts:
        _CHANGE_LOT.run(connection, organization_id=organization_id, number=number, change=part)


def set_warning(
    connection: Connection, organization_id: str, *, low_below: int, hook: WarningHook | None
) -> None:
    """Warn an organisation when fewer than `low_below` credits are available, by a webhook if one is given.

    Raises `OrganizationUnknown`.
    """
    prepare_account(connection, organization_id)
    connection.execute(
        sa.update(ACCOUNTS)
        .where(of(ACCOUNTS, organization_id))
        .values(
            low_below=low_below,
            low_since=None,
            webhook_url=hook.url if hook else None,
            webhook_secret_env=hook.secret_env if hook else None,
        )
    )


def find_warning_hook(connection: Connection, organization_id: str) -> WarningHook | None:
    """Return where an organisation's warnings go now."""
    query = sa.select(ACCOUNTS.c.webhook_url, ACCOUNTS.c.webhook_secret_env)
    row = connection.execute(query.where(of(ACCOUNTS, organization_id))).first()
    return WarningHook(row.webhook_url, row.webhook_secret_env) if row and row.webhook_url else None


def too_few(required: int, remaining: int) -> InsufficientCredits:
    """Return the error that says so."""
    return InsufficientCredits(
        "The organisation has too few credits.",
        details={"credits_required": required, "credits_remaining": remaining},
    )


def of(owned: sa.Table, organization_id: str) -> sa.ColumnElement[bool]:
    """Return the condition that a row of one of the tables is the organisation's."""
    condition: sa.ColumnElement[bool] = owned.c.organization_id == organization_id
    return condition


def entry_of(row: sa.Row[Any]) -> LedgerEntry:
    """Return a row of `ENTRIES` as it is shown."""
    return LedgerEntry(
        number=row.number,
        type=row.kind,
        amount=row.amount,
        balance_after=row.available_after,
        created_at=row.created_at,
        valuation_id=row.valuation_id,
        key_id=row.key_id,
        request_id=row.request_id,
        reference=row.reference if row.kind in _NAMED_BY_PEOPLE else None,
    )


_NAMED_BY_PEOPLE: Final = frozenset({EntryKind.GRANT, EntryKind.ADJUSTMENT})

_LOTS_LEFT = Statement(
    """
    SELECT number, remaining, expires_at IS NOT NULL AND expires_at <= :now AS is_due
    FROM credit_lots WHERE organization_id = :organization_id AND remaining > 0
    ORDER BY expires_at NULLS LAST, number
    """
)

# `low_since IS NOT NULL` would come back as true from the RETURNING of SQLite 3.40, whatever it holds.
_CHANGE_ACCOUNT = Statement(
    """
    UPDATE credit_accounts
    SET available = available + :available_change, reserved = reserved + :reserved_change,
        last_entry = last_entry + 1
    WHERE organization_id = :organization_id
      AND available + :available_change >= 0 AND reserved + :reserved_change >= 0
    RETURNING available, reserved, last_entry, low_below, low_since
    """
)

_ADD_ENTRY = Statement(
    """
    INSERT INTO credit_entries
      (organization_id, number, kind, reference, amount, available_change, reserved_change, available_after,
       reserved_after, valuation_id, key_id, request_id, created_at)
    VALUES
      (:organization_id, :number, :kind, :reference, :amount, :available_change, :reserved_change,
       :available_after, :reserved_after, :valuation_id, :key_id, :request_id, :created_at)
    """
)

_CHANGE_LOT = Statement(
    """
    UPDATE credit_lots SET remaining = remaining + :change
    WHERE organization_id = :organization_id AND number = :number
    """
)
