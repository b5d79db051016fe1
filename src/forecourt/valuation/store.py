"""The record of valuations: one row from the moment one is accepted, final once it has a verdict."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection

from forecourt.accounts.access import Mode
from forecourt.contract.errors import ValuationNotFound
from forecourt.storage.schema import BigInt, Instant, Json, table
from forecourt.storage.upsert import insert_or_ignore
from forecourt.valuation.envelope import Envelope, without_vehicle

RUNNING: Final = "running"

VALUATIONS = table(
    "valuations",
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("organization_id", sa.Text, sa.ForeignKey("organizations.id"), nullable=False),
    sa.Column("mode", sa.Text, nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("country", sa.Text, nullable=False),
    sa.Column("external_reference", sa.Text),
    sa.Column("identity_digest", sa.Text),
    sa.Column("key_id", sa.Text, nullable=False),
    sa.Column("request_id", sa.Text, nullable=False),
    sa.Column("credits_reserved", BigInt, nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("completed_at", Instant),
    sa.Column("envelope", Json, nullable=False),
    sa.Index("ix_valuations_organization_id", "organization_id", "mode", "id"),
    sa.Index("ix_valuations_usage", "organization_id", "mode", "created_at"),
    sa.Index("ix_valuations_created_at", "created_at"),
    sa.Index("ix_valuations_identity_digest", "identity_digest"),
)

TEST_MODE_ATTEMPTS = table(
    "test_mode_attempts",
    sa.Column("organization_id", sa.Text, sa.ForeignKey("organizations.id"), primary_key=True),
    sa.Column("idempotency_key", sa.Text, primary_key=True),
    sa.Column("attempts", BigInt, nullable=False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """A valuation that runs. `envelope` is what it comes to when its process dies: a failed one."""

    id: str
    organization_id: str
    mode: Mode
    country: str
    external_reference: str | None
    identity_digest: str
    key_id: str
    request_id: str
    credits_reserved: int
    created_at: datetime
    envelope: Envelope


@dataclass(frozen=True, slots=True)
class Stored:
    """A valuation as it is kept."""

    id: str
    organization_id: str
    status: str
    key_id: str
    request_id: str
    credits_reserved: int
    envelope: Envelope


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which finished valuations a caller lists, newest first; `before` is the last id of the page before."""

    organization_id: str
    mode: Mode
    status: str | None
    country: str | None
    external_reference: str | None
    created_after: datetime | None
    before: str | None
    limit: int


def add(connection: Connection, accepted: Accepted) -> None:
    """Keep a valuation that was accepted and has no verdict yet."""
    columns = {name: getattr(accepted, name) for name in Accepted.__slots__}
    connection.execute(sa.insert(VALUATIONS).values(status=RUNNING, **columns))


def finish(connection: Connection, envelope: Envelope, *, now: datetime) -> bool:
    """Make an envelope the result of the valuation that runs under its id; False when it has one already."""
    finished = connection.execute(
        sa.update(VALUATIONS)
        .where(VALUATIONS.c.id == envelope["id"], VALUATIONS.c.status == RUNNING)
        .values(status=envelope["status"], completed_at=now, envelope=envelope)
        .returning(VALUATIONS.c.id)
    )
    return finished.first() is not None


def remove(connection: Connection, valuation_id: str) -> None:
    """Forget a valuation that runs: nothing was created after all."""
    connection.execute(
        sa.delete(VALUATIONS).where(VALUATIONS.c.id == valuation_id, VALUATIONS.c.status == RUNNING)
    )


def find(connection: Connection, valuation_id: str, *, organization_id: str, mode: Mode) -> Stored:
    """Return a valuation of the organisation and the mode, running or not; raises `ValuationNotFound`."""
    row = connection.execute(
        sa.select(VALUATIONS).where(
            VALUATIONS.c.id == valuation_id,
            VALUATIONS.c.organization_id == organization_id,
            VALUATIONS.c.mode == mode,
        )
    ).first()
    if row is None:
        raise ValuationNotFound("There is no such valuation for this credential.")
    return _stored(row)


def page(connection: Connection, wanted: Wanted) -> list[Stored]:
    """Return finished valuations, newest first."""
    columns = VALUATIONS.c
    query = (
        sa.select(VALUATIONS)
        .where(columns.organization_id == wanted.organization_id, columns.mode == wanted.mode)
        .where(columns.status == wanted.status if wanted.status else columns.status != RUNNING)
    )
    if wanted.country:
        query = query.where(columns.country == wanted.country)
    if wanted.external_reference:
        query = query.where(columns.external_reference == wanted.external_reference)
    if wanted.created_after:
        query = query.where(columns.created_at > wanted.created_after)
    if wanted.before:
        query = query.where(columns.id < wanted.before)
    return [_stored(row) for row in connection.execute(query.order_by(columns.id.desc()).limit(wanted.limit))]


def erase_vehicle(connection: Connection, valuation_id: str, *, organization_id: str, mode: Mode) -> None:
    """Blank what tells the car of a finished valuation; raises `ValuationNotFound`."""
    stored = find(connection, valuation_id, organization_id=organization_id, mode=mode)
    if stored.status == RUNNING:
        raise ValuationNotFound("There is no such valuation for this credential.")
    connection.execute(
        sa.update(VALUATIONS)
        .where(VALUATIONS.c.id == valuation_id)
        .values(identity_digest=None, external_reference=None, envelope=without_vehicle(stored.envelope))
    )


def forget(connection: Connection, *, before: datetime, limit: int) -> int:
    """Delete finished valuations that were created before a moment; return how many."""
    old = (
        sa.select(VALUATIONS.c.id)
        .where(VALUATIONS.c.created_at < before, VALUATIONS.c.status != RUNNING)
        .limit(limit)
    )
    deleted = connection.execute(
        sa.delete(VALUATIONS).where(VALUATIONS.c.id.in_(old)).returning(VALUATIONS.c.id)
    )
    return len(deleted.all())


def same_car_lately(
    connection: Connection, identity_digest: str, *, organization_id: str, mode: Mode, since: datetime
) -> str | None:
    """Return the id of the organisation's completed valuation of the same car, not older than `since`."""
    return connection.scalar(
        sa.select(VALUATIONS.c.id)
        .where(VALUATIONS.c.identity_digest == identity_digest, VALUATIONS.c.status == "completed")
        .where(VALUATIONS.c.organization_id == organization_id, VALUATIONS.c.mode == mode)
        .where(VALUATIONS.c.created_at >= since)
        .order_by(VALUATIONS.c.created_at.desc())
        .limit(1)
    )


def usage(connection: Connection, organization_id: str, *, mode: Mode, since: datetime) -> dict[str, int]:
    """Return how many valuations since a moment came to which status."""
    query = (
        sa.select(VALUATIONS.c.status, sa.func.count().label("number"))
        .where(VALUATIONS.c.organization_id == organization_id, VALUATIONS.c.mode == mode)
        .where(VALUATIONS.c.created_at >= since, VALUATIONS.c.status != RUNNING)
        .group_by(VALUATIONS.c.status)
    )
    counts = {row.status: row.number for row in connection.execute(query)}
    return {status: counts.get(status, 0) for status in ("completed", "refused", "failed")}


def count_attempt(connection: Connection, *, organization_id: str, key: str) -> int:
    """Count a call of test mode under a key and return which one it is, from 1."""
    attempt = {"organization_id": organization_id, "idempotency_key": key, "attempts": 0}
    insert_or_ignore(connection, TEST_MODE_ATTEMPTS, [attempt])
    attempts: int = connection.execute(
        sa.update(TEST_MODE_ATTEMPTS)
        .where(TEST_MODE_ATTEMPTS.c.organization_id == organization_id)
        .where(TEST_MODE_ATTEMPTS.c.idempotency_key == key)
        .values(attempts=TEST_MODE_ATTEMPTS.c.attempts + 1)
        .returning(TEST_MODE_ATTEMPTS.c.attempts)
    ).scalar_one()
    return attempts


def _stored(row: sa.Row[Any]) -> Stored:
    return Stored(
        row.id,
        row.organization_id,
        row.status,
        row.key_id,
        row.request_id,
        row.credits_reserved,
        row.envelope,
    )
