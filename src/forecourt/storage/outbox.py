"""Transactional outbox: what has to leave is committed with what it is about, and leaves at least once.

A parcel is one text for one destination. It waits (`pending`), is worked on under a lease (`delivering`) and
ends as `delivered` or `dead`; `held` waits for a destination that asked to be left alone. A worker that dies
loses its lease by time. Every claim raises the parcel's `fence`, and a result counts only under the fence
under which the parcel was claimed, so a worker that was only slow cannot overwrite its successor.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from forecourt.storage.schema import BigInt, Instant, table
from forecourt.storage.upsert import insert_or_ignore

OUTBOX = table(
    "outbox",
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("owner", sa.Text, nullable=False),
    sa.Column("subject", sa.Text, nullable=False, index=True),
    sa.Column("destination", sa.Text, nullable=False),
    sa.Column("format", sa.Text, nullable=False),
    sa.Column("body", sa.Text),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("attempts", BigInt, nullable=False),
    sa.Column("fence", BigInt, nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("due_at", Instant, nullable=False),
    sa.Column("settled_at", Instant),
    sa.Column("outcome", sa.Text),
    sa.UniqueConstraint("subject", "destination"),
    sa.Index(None, "state", "due_at"),
)

CLOSED = table(
    "outbox_closed_destinations",
    sa.Column("owner", sa.Text, primary_key=True),
    sa.Column("destination", sa.Text, primary_key=True),
    sa.Column("closed_at", Instant, nullable=False),
    sa.Column("outcome", sa.Text, nullable=False),
)

OPEN_STATES = ("pending", "delivering")
ALARMING_STATES = ("dead", "held")


# Built once: on the way of every parcel, building a statement costs more than running it.
_INSERT = sa.insert(OUTBOX)
_CLOSED_DESTINATIONS = sa.select(CLOSED.c.owner, CLOSED.c.destination).where(
    CLOSED.c.owner.in_(sa.bindparam("owners", expanding=True))
)
_NEXT_DUE = sa.select(sa.func.min(OUTBOX.c.due_at)).where(OUTBOX.c.state.in_(OPEN_STATES))
_SETTLE = (
    sa.update(OUTBOX)
    .where(
        OUTBOX.c.id == sa.bindparam("claimed_id"),
        OUTBOX.c.fence == sa.bindparam("claimed_fence"),
        OUTBOX.c.state == "delivering",
    )
    .returning(OUTBOX.c.id)
)
_DUE = (
    sa.select(OUTBOX.c.id)
    .where(OUTBOX.c.state.in_(OPEN_STATES), OUTBOX.c.due_at <= sa.bindparam("now"))
    .order_by(OUTBOX.c.due_at)
    .limit(sa.bindparam("limit"))
    .with_for_update(skip_locked=True)
    .cte("due")
)
_CLAIM = (
    sa.update(OUTBOX)
    .where(OUTBOX.c.id.in_(sa.select(_DUE.c.id)))
    .values(
        state="delivering",
        attempts=OUTBOX.c.attempts + 1,
        fence=OUTBOX.c.fence + 1,
        due_at=sa.bindparam("lease_ends"),
    )
    .returning(*OUTBOX.c)
)


@dataclass(frozen=True, slots=True)
class Parcel:
    """One text on its way, or arrived.

    `subject` is the stable id that every delivery carries, `outcome` what the last attempt came to, in words
    of ours. While a parcel is `delivering`, `due_at` is the end of its lease.
    """

    id: str
    owner: str
    subject: str
    destination: str
    format: str
    body: str | None
    state: str
    attempts: int
    fence: int
    created_at: datetime
    due_at: datetime
    settled_at: datetime | None = None
    outcome: str | None = None


def post(connection: Connection, parcels: Sequence[Mapping[str, Any]], *, now: datetime) -> None:
    """Put parcels in; each gives `id`, `owner`, `subject`, `destination`, `format` and `body`.

    One without a body is dead from the start, its `outcome` says why; one for a closed destination is held.
    """
    if not parcels:
        return
    closed = _closed_destinations(connection, {parcel["owner"] for parcel in parcels})
    connection.execute(_INSERT, [_new_row(parcel, closed, now) for parcel in parcels])


def _new_row(parcel: Mapping[str, Any], closed: set[tuple[str, str]], now: datetime) -> dict[str, Any]:
    state = "held" if (parcel["owner"], parcel["destination"]) in closed else "pending"
    return {
        "attempts": 0,
        "fence": 0,
        "created_at": now,
        "due_at": now,
        "outcome": None,
        **parcel,
        "state": "dead" if parcel["body"] is None else state,
    }


def _closed_destinations(connection: Connection, owners: Iterable[str]) -> set[tuple[str, str]]:
    found = connection.execute(_CLOSED_DESTINATIONS, {"owners": list(owners)})
    return {(row.owner, row.destination) for row in found}


def next_due(connection: Connection) -> datetime | None:
    """Return when the next parcel may be claimed, None when none is under way."""
    moment: datetime | None = connection.execute(_NEXT_DUE).scalar_one()
    return moment


def claim(connection: Connection, *, now: datetime, lasting: timedelta, limit: int) -> list[Parcel]:
    """Take up to `limit` due parcels under a lease, also those whose worker let its lease run out."""
    rows = connection.execute(_CLAIM, {"now": now, "limit": limit, "lease_ends": now + lasting})
    return [_parcel(row) for row in rows]


def settle_delivered(connection: Connection, parcel: Parcel, *, now: datetime, outcome: str) -> bool:
    """Record that the destination has the parcel; False when the lease has passed to another worker."""
    return _settle(connection, parcel, state="delivered", outcome=outcome, settled_at=now)


def settle_failed(
    connection: Connection, parcel: Parcel, *, now: datetime, outcome: str, again_at: datetime | None
) -> bool:
    """Record a failure: try again at that time, or never (dead); False when the lease has passed on."""
    if again_at is None:
        return _settle(connection, parcel, state="dead", outcome=outcome, settled_at=now)
    return _settle(connection, parcel, state="pending", outcome=outcome, due_at=again_at)


def _settle(connection: Connection, parcel: Parcel, **values: Any) -> bool:
    claimed = {"claimed_id": parcel.id, "claimed_fence": parcel.fence}
    return connection.execute(_SETTLE, claimed | values).one_or_none() is not None


def close_destination(connection: Connection, parcel: Parcel, *, now: datetime, outcome: str) -> None:
    """Hold this parcel and whatever else waits for its destination until the destination is opened again.

    Parcels that others carry at this moment come to their own end.
    """
    row = {"owner": parcel.owner, "destination": parcel.destination, "closed_at": now, "outcome": outcome}
    insert_or_ignore(connection, CLOSED, [row])
    waiting = sa.and_(
        _to(parcel.owner, parcel.destination), sa.or_(OUTBOX.c.state == "pending", OUTBOX.c.id == parcel.id)
    )
    connection.execute(
        sa.update(OUTBOX).where(waiting).values(state="held", fence=OUTBOX.c.fence + 1, outcome=outcome)
    )


def open_destination(connection: Connection, owner: str, destination: str, *, now: datetime) -> None:
    """Let a closed destination have its parcels again."""
    here = sa.and_(CLOSED.c.owner == owner, CLOSED.c.destination == destination)
    connection.execute(sa.delete(CLOSED).where(here))
    held = sa.and_(_to(owner, destination), OUTBOX.c.state == "held")
    connection.execute(sa.update(OUTBOX).where(held).values(state="pending", due_at=now, attempts=0))


def post_again(connection: Connection, parcel: Mapping[str, Any], *, now: datetime) -> None:
    """Put a parcel in again with a new body, whatever became of the one before."""
    same = sa.and_(OUTBOX.c.subject == parcel["subject"], OUTBOX.c.destination == parcel["destination"])
    values = {
        "body": parcel["body"],
        "format": parcel["format"],
        "state": "pending" if parcel["body"] is not None else "dead",
        "attempts": 0,
        "fence": OUTBOX.c.fence + 1,
        "due_at": now,
        "settled_at": None,
        "outcome": parcel.get("outcome"),
    }
    changed = connection.execute(sa.update(OUTBOX).where(same).values(**values).returning(OUTBOX.c.id))
    if changed.one_or_none() is None:
        post(connection, [parcel], now=now)


def parcels_about(connection: Connection, subjects: Sequence[str]) -> list[Parcel]:
    """Return every parcel about these subjects, by subject and destination."""
    query = (
        sa.select(OUTBOX)
        .where(OUTBOX.c.subject.in_(subjects))
        .order_by(OUTBOX.c.subject, OUTBOX.c.destination)
    )
    return [_parcel(row) for row in connection.execute(query)]


def stuck_parcels(connection: Connection, owner: str) -> list[Parcel]:
    """Return an owner's parcels that need a person, oldest first."""
    query = (
        sa.select(OUTBOX)
        .where(OUTBOX.c.owner == owner, OUTBOX.c.state.in_(ALARMING_STATES))
        .order_by(OUTBOX.c.created_at, OUTBOX.c.id)
    )
    return [_parcel(row) for row in connection.execute(query)]


def alarms(connection: Connection) -> dict[str, int]:
    """Count the parcels that need a person: `dead` and `held`; states without any are left out."""
    query = (
        sa.select(OUTBOX.c.state, sa.func.count().label("parcels"))
        .where(OUTBOX.c.state.in_(ALARMING_STATES))
        .group_by(OUTBOX.c.state)
    )
    return {row.state: row.parcels for row in connection.execute(query)}


def erase_parcels(connection: Connection, subjects: Sequence[str]) -> None:
    """Forget the bodies of all parcels about these subjects; what had not left stays here for good."""
    about = OUTBOX.c.subject.in_(subjects)
    left = OUTBOX.c.state == "delivered"
    connection.execute(
        sa.update(OUTBOX)
        .where(about)
        .values(body=None, state=sa.case((left, "delivered"), else_="erased"), fence=OUTBOX.c.fence + 1)
    )


def _to(owner: str, destination: str) -> sa.ColumnElement[bool]:
    return sa.and_(OUTBOX.c.owner == owner, OUTBOX.c.destination == destination)


def _parcel(row: sa.Row[Any]) -> Parcel:
    return Parcel(**row._mapping)
