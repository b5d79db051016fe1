"""Idempotency keys, and the limits of valuations, which count across all processes.

Every function is a step of the caller's transaction; see `guard.idempotency` for their order.
"""

from datetime import UTC, datetime, timedelta
from math import ceil
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection

from forecourt.accounts.access import Mode
from forecourt.contract.errors import (
    ConcurrencyLimited,
    IdempotencyInProgress,
    IdempotencyKeyReused,
    RateLimited,
)
from forecourt.guard.idempotency import ABANDONED_AFTER, KEPT_FOR, AbandonedClaim, ClaimedKey, ClaimLost
from forecourt.guard.limits import Rate
from forecourt.storage.schema import BigInt, Instant, table
from forecourt.storage.statements import Statement

KEYS = table(
    "idempotency_keys",
    sa.Column("organization_id", sa.Text, primary_key=True),
    sa.Column("mode", sa.Text, primary_key=True),
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("fingerprint", sa.Text, nullable=False),
    sa.Column("valuation_id", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("claimed_at", Instant, nullable=False),
    sa.Index(None, "state", "claimed_at"),
)

RATES = table(
    "valuation_rates",
    sa.Column("key_id", sa.Text, primary_key=True),
    sa.Column("full_again_us", BigInt, nullable=False),
)

PLACES = table(
    "valuation_places",
    sa.Column("valuation_id", sa.Text, primary_key=True),
    sa.Column("organization_id", sa.Text, nullable=False),
    sa.Column("mode", sa.Text, nullable=False),
    sa.Column("free_at", Instant, nullable=False),
    sa.Index("ix_valuation_places_organization_id_mode", "organization_id", "mode"),
    sa.Index(None, "free_at"),
)

LONGEST_WAIT_S: Final = 10
_CLOCKS_DIFFER_US: Final = 60_000_000
"""How far the clocks of servers on one database may lie apart."""
WAIT_FOR_A_PLACE_S: Final = 1
"""A valuation takes far less than a second, so a place is soon free."""


def claim(connection: Connection, claimed: ClaimedKey, *, valuation_id: str, now: datetime) -> str | None:
    """Claim a key for a new valuation and return None, or return the id of the valuation it stands for.

    That one has a result, unless the process that claimed the key died (`ABANDONED_AFTER`): without a result
    the caller closes it as failed before it answers. Raises `IdempotencyKeyReused` for other arguments and
    `IdempotencyInProgress`, with `retry_after` in its details, while the first call runs.
    """
    taken = _CLAIM.first(
        connection,
        organization_id=claimed.organization_id,
        mode=claimed.mode,
        key=claimed.key,
        fingerprint=claimed.fingerprint,
        valuation_id=valuation_id,
        now=now,
        forgotten=now - KEPT_FOR,
    )
    if taken is not None:
        return None
    kept = connection.execute(sa.select(KEYS).where(_is(claimed.organization_id, claimed.mode, claimed.key)))
    row = kept.first()
    if row is None:  # it was released between the two statements
        return claim(connection, claimed, valuation_id=valuation_id, now=now)
    if row.fingerprint != claimed.fingerprint:
        raise IdempotencyKeyReused("The idempotency key came with other arguments before.")
    return _standing_for(row, now)


def finish(connection: Connection, claimed: ClaimedKey) -> None:
    """Make the key's valuation the answer to every later call; raises `ClaimLost` when it has one already."""
    done = _FINISH.first(
        connection, organization_id=claimed.organization_id, mode=claimed.mode, key=claimed.key
    )
    if done is None:
        raise ClaimLost("The valuation took too long and was closed.")


def release(connection: Connection, claimed: ClaimedKey) -> None:
    """Forget a key under which nothing was created; a finished one stays."""
    mine = _is(claimed.organization_id, claimed.mode, claimed.key)
    connection.execute(sa.delete(KEYS).where(mine, KEYS.c.state == "running"))


def find(connection: Connection, *, organization_id: str, mode: Mode, key: str, now: datetime) -> str | None:
    """Return the id of the valuation that a key stands for, None when it stands for none.

    As with `claim`, it may be one whose process died. Raises `IdempotencyInProgress`.
    """
    kept = connection.execute(
        sa.select(KEYS).where(_is(organization_id, mode, key), KEYS.c.claimed_at > now - KEPT_FOR)
    ).first()
    return None if kept is None else _standing_for(kept, now)


def abandoned(connection: Connection, *, now: datetime, limit: int) -> list[AbandonedClaim]:
    """Return claims whose process died, oldest first: their valuations have to be closed as failed.

    On PostgreSQL those that another transaction is closing at the moment are left out.
    """
    rows = connection.execute(
        sa.select(KEYS)
        .where(KEYS.c.state == "running", KEYS.c.claimed_at <= now - ABANDONED_AFTER)
        .order_by(KEYS.c.claimed_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    return [
        AbandonedClaim(
            ClaimedKey(row.organization_id, row.mode, row.key, row.fingerprint),
            row.valuation_id,
            row.claimed_at,
        )
        for row in rows
    ]


def forget(connection: Connection, *, now: datetime, limit: int) -> int:
    """Delete keys that were kept long enough and places whose holder died; return how many keys.

    A key that still runs stays, however old it is.
    """
    old = (
        sa.select(KEYS.c.organization_id, KEYS.c.mode, KEYS.c.key)
        .where(KEYS.c.state == "finished", KEYS.c.claimed_at <= now - KEPT_FOR)
        .limit(limit)
    )
    named = sa.tuple_(KEYS.c.organization_id, KEYS.c.mode, KEYS.c.key)
    gone = connection.execute(sa.delete(KEYS).where(named.in_(old)).returning(KEYS.c.key)).all()
    connection.execute(sa.delete(PLACES).where(PLACES.c.free_at <= now))
    return len(gone)


def take_turn(connection: Connection, key_id: str, *, rate: Rate, now: datetime) -> None:
    """Count one valuation of an API key; raises `RateLimited` with `retry_after`, and then counts nothing.

    The one number of state for each key is the moment at which its bucket will be full again (GCRA). It never
    lies further away than a whole burst: when it does, the clock was set back, and the key begins anew.
    """
    moment = _microseconds(now)
    interval = 60_000_000 // rate.per_minute
    tolerance = interval * (rate.burst - 1)
    counted = _TAKE_TURN.first(
        connection,
        key_id=key_id,
        moment=moment,
        first=moment + interval,
        interval=interval,
        tolerance=tolerance,
        impossible=moment + interval + tolerance + _CLOCKS_DIFFER_US,
    )
    if counted is None:
        full_again = connection.scalars(
            sa.select(RATES.c.full_again_us).where(RATES.c.key_id == key_id)
        ).one()
        wait_s = max(ceil((full_again - tolerance - moment) / 1_000_000), 1)
        raise RateLimited(
            f"The API key may ask for {rate.per_minute} valuations per minute.",
            details={"retry_after": wait_s},
        )


def enter(
    connection: Connection,
    organization_id: str,
    *,
    mode: Mode,
    valuation_id: str,
    places: int,
    now: datetime,
) -> None:
    """Take one of an organisation's places among the valuations that run; raises `ConcurrencyLimited`.

    A place whose holder died is free again after `ABANDONED_AFTER`, not before.
    """
    if connection.dialect.name == "postgresql":
        _QUEUE_UP.first(connection, queue=f"{organization_id} {mode}")
    entered = _ENTER.first(
        connection,
        organization_id=organization_id,
        mode=mode,
        valuation_id=valuation_id,
        places=places,
        now=now,
        free_at=now + ABANDONED_AFTER,
    )
    if entered is None:
        raise ConcurrencyLimited(
            f"{places} valuations of the organisation are running.",
            details={"retry_after": WAIT_FOR_A_PLACE_S},
        )


def leave(connection: Connection, valuation_id: str) -> None:
    """Give a place back; without one it changes nothing."""
    _LEAVE.run(connection, valuation_id=valuation_id)


def _standing_for(row: sa.Row[Any], now: datetime) -> str:
    age = now - row.claimed_at
    if row.state == "running" and age < ABANDONED_AFTER:
        wait_s = min(max(ceil(age.total_seconds()), 1), LONGEST_WAIT_S)
        raise IdempotencyInProgress(
            "The first call with this key is still running.", details={"retry_after": wait_s}
        )
    valuation_id: str = row.valuation_id
    return valuation_id


def _is(organization_id: str, mode: str, key: str) -> sa.ColumnElement[bool]:
    return sa.and_(KEYS.c.organization_id == organization_id, KEYS.c.mode == mode, KEYS.c.key == key)


def _microseconds(moment: datetime) -> int:
    return (moment - _EPOCH) // timedelta(microseconds=1)


_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

# A key that was kept long enough is claimed anew, as if it had been deleted already.
_CLAIM = Statement(
    """
    INSERT INTO idempotency_keys
      (organization_id, mode, key, fingerprint, valuation_id, state, claimed_at)
    VALUES (:organization_id, :mode, :key, :fingerprint, :valuation_id, 'running', :now)
    ON CONFLICT (organization_id, mode, key) DO UPDATE
    SET fingerprint = excluded.fingerprint, valuation_id = excluded.valuation_id, state = 'running',
        claimed_at = excluded.claimed_at
    WHERE idempotency_keys.state = 'finished' AND idempotency_keys.claimed_at <= :forgotten
    RETURNING key
    """
)

_FINISH = Statement(
    """
    UPDATE idempotency_keys SET state = 'finished'
    WHERE organization_id = :organization_id AND mode = :mode AND key = :key AND state = 'running'
    RETURNING key
    """
)

_TAKE_TURN = Statement(
    """
    INSERT INTO valuation_rates (key_id, full_again_us) VALUES (:key_id, :first)
    ON CONFLICT (key_id) DO UPDATE
    SET full_again_us = CASE WHEN valuation_rates.full_again_us BETWEEN :moment AND :moment + :tolerance
                        THEN valuation_rates.full_again_us + :interval ELSE excluded.full_again_us END
    WHERE valuation_rates.full_again_us <= :moment + :tolerance
       OR valuation_rates.full_again_us > :impossible
    RETURNING full_again_us
    """
)

# Counting and inserting are one statement on SQLite, where one transaction writes at a time.
_QUEUE_UP = Statement("SELECT pg_advisory_xact_lock(hashtextextended(:queue, 0))")

_ENTER = Statement(
    """
    INSERT INTO valuation_places (valuation_id, organization_id, mode, free_at)
    SELECT :valuation_id, :organization_id, :mode, :free_at
    WHERE (SELECT count(*) FROM valuation_places
           WHERE organization_id = :organization_id AND mode = :mode AND free_at > :now) < :places
    RETURNING valuation_id
    """
)

_LEAVE = Statement("DELETE FROM valuation_places WHERE valuation_id = :valuation_id")
