"""Leases: one process at a time does a piece of work, and a dead one loses it by itself.

A lease has a fencing number that grows whenever the holder changes, so that work done under an old one shows.
"""

from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy import Connection

from forecourt.storage.schema import BigInt, Instant, table
from forecourt.storage.upsert import insert_or_ignore

LEASES = table(
    "leases",
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("holder", sa.Text, nullable=False),
    sa.Column("fence", BigInt, nullable=False),
    sa.Column("expires_at", Instant, nullable=False),
)


def acquire_lease(
    connection: Connection, name: str, *, holder: str, now: datetime, lasting: timedelta
) -> int | None:
    """Take or renew the lease `name`; return its fencing number, or None while another holds it."""
    fresh = {"name": name, "holder": holder, "fence": 1, "expires_at": now + lasting}
    if insert_or_ignore(connection, LEASES, [fresh]):
        return 1
    fence = sa.case((LEASES.c.holder == holder, LEASES.c.fence), else_=LEASES.c.fence + 1)
    free_or_mine = sa.or_(LEASES.c.holder == holder, LEASES.c.expires_at <= now)
    return connection.execute(
        sa.update(LEASES)
        .where(LEASES.c.name == name, free_or_mine)
        .values(holder=holder, fence=fence, expires_at=now + lasting)
        .returning(LEASES.c.fence)
    ).scalar_one_or_none()


def release_lease(connection: Connection, name: str, *, holder: str, now: datetime) -> None:
    """Give the lease back at once, if `holder` still has it."""
    mine = sa.and_(LEASES.c.name == name, LEASES.c.holder == holder)
    connection.execute(sa.update(LEASES).where(mine).values(expires_at=now))
