"""The record of scheduled feeds."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from forecourt.dealer.feed.schedules import Progress, Schedule
from forecourt.dealer.store import find_dealer
from forecourt.storage.schema import BigInt, Instant, Json, table

SCHEDULES = table(
    "feed_schedules",
    sa.Column("slug", sa.Text, sa.ForeignKey("dealers.slug", ondelete="CASCADE"), primary_key=True),
    sa.Column("source", sa.Text, nullable=False),
    sa.Column("every_seconds", BigInt, nullable=False),
    sa.Column("stale_after_seconds", BigInt, nullable=False),
    sa.Column("mapping", Json, nullable=False),
    sa.Column("password_env", sa.Text),
    sa.Column("host_key", sa.Text),
    sa.Column("alarm_mail", sa.Text),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("next_run_at", Instant, nullable=False, index=True),
    sa.Column("memory", Json, nullable=False),
    sa.Column("imported_at", Instant),
    sa.Column("seen_at", Instant),
    sa.Column("outcome", sa.Text),
    sa.Column("alarmed_at", Instant),
)


def set_schedule(connection: Connection, schedule: Schedule, *, now: datetime) -> None:
    """Schedule a dealer's feed, due at once, in place of an earlier schedule; raises `DealerUnknown`."""
    find_dealer(connection, schedule.slug)
    remove_schedule(connection, schedule.slug)
    row = {
        "slug": schedule.slug,
        "source": schedule.source,
        "every_seconds": int(schedule.every.total_seconds()),
        "stale_after_seconds": int(schedule.stale_after.total_seconds()),
        "mapping": dict(schedule.mapping),
        "password_env": schedule.password_env,
        "host_key": schedule.host_key,
        "alarm_mail": schedule.alarm_mail,
        "created_at": now,
        "next_run_at": now,
        "memory": {},
    }
    connection.execute(sa.insert(SCHEDULES).values(row))


def remove_schedule(connection: Connection, slug: str) -> bool:
    """Stop fetching a dealer's feed; tell whether there was a schedule."""
    removed = connection.execute(
        sa.delete(SCHEDULES).where(SCHEDULES.c.slug == slug).returning(SCHEDULES.c.slug)
    )
    return removed.one_or_none() is not None


def list_schedules(connection: Connection) -> list[Progress]:
    """Return every schedule, by slug."""
    return [_progress(row) for row in connection.execute(sa.select(SCHEDULES).order_by(SCHEDULES.c.slug))]


def due_schedules(connection: Connection, *, now: datetime) -> list[Progress]:
    """Return the schedules whose time has come, the longest waiting first."""
    query = sa.select(SCHEDULES).where(SCHEDULES.c.next_run_at <= now).order_by(SCHEDULES.c.next_run_at)
    return [_progress(row) for row in connection.execute(query)]


def note_run(
    connection: Connection,
    progress: Progress,
    *,
    now: datetime,
    outcome: str,
    memory: Mapping[str, Any] | None = None,
    imported: bool = False,
) -> None:
    """Write down how a run went and when the next one is due; `memory` is None when no good file was seen."""
    values: dict[str, Any] = {"outcome": outcome, "next_run_at": now + progress.schedule.every}
    if memory is not None:
        values |= {"memory": dict(memory), "seen_at": now, "alarmed_at": None}
    if imported:
        values["imported_at"] = now
    connection.execute(sa.update(SCHEDULES).where(SCHEDULES.c.slug == progress.schedule.slug).values(values))


def note_alarm(connection: Connection, *, slug: str, now: datetime) -> None:
    """Write down that the silence of a feed was told."""
    connection.execute(sa.update(SCHEDULES).where(SCHEDULES.c.slug == slug).values(alarmed_at=now))


def stale_feeds(connection: Connection, *, now: datetime) -> list[str]:
    """Return the dealers whose feed has been silent for too long, for the readiness report."""
    return [progress.schedule.slug for progress in list_schedules(connection) if progress.is_stale(now)]


def _progress(row: sa.Row[Any]) -> Progress:
    schedule = Schedule(
        slug=row.slug,
        source=row.source,
        every=timedelta(seconds=row.every_seconds),
        stale_after=timedelta(seconds=row.stale_after_seconds),
        mapping=row.mapping,
        password_env=row.password_env,
        host_key=row.host_key,
        alarm_mail=row.alarm_mail,
    )
    return Progress(
        schedule=schedule,
        next_run_at=row.next_run_at,
        memory=row.memory,
        imported_at=row.imported_at,
        seen_at=row.seen_at,
        outcome=row.outcome,
        alarmed_at=row.alarmed_at,
        created_at=row.created_at,
    )
