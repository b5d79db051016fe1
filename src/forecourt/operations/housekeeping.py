"""What has to be done now and then: close what dead processes left, and forget what was kept long enough."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from sqlalchemy import Connection

import forecourt.credits.store as credits_store
import forecourt.guard.store as guard_store
from forecourt.operations.services import Services
from forecourt.operations.valuations import close_abandoned
from forecourt.valuation import store

EVERY_S: Final = 30
AT_ONCE: Final = 200
"""Rows of one transaction: others wait for it."""

_log = logging.getLogger(__name__)

Chore = Callable[[Connection], int]


@asynccontextmanager
async def housekeeping(services: Services, *, valuations_kept: timedelta) -> AsyncIterator[None]:
    """Do every chore again and again meanwhile; one that fails is tried again the next time."""
    keeper = asyncio.create_task(_keep_house(services, valuations_kept))
    try:
        yield
    finally:
        keeper.cancel()
        await asyncio.wait([keeper])


async def _keep_house(services: Services, valuations_kept: timedelta) -> None:
    while True:
        await asyncio.sleep(EVERY_S)
        for chore in chores(services, now=services.clock.now(), valuations_kept=valuations_kept):
            try:
                await services.database.write(chore)
            except Exception:  # noqa: BLE001 — the house is kept as long as the server runs
                _log.exception("a chore failed")


def chores(services: Services, *, now: datetime, valuations_kept: timedelta) -> tuple[Chore, ...]:
    """Return the chores; each is one short transaction that any number of processes may run at once."""
    return (
        partial(close_abandoned, services=services, limit=AT_ONCE),
        partial(credits_store.release_dead, now=now, limit=AT_ONCE),
        partial(credits_store.expire_due, now=now, limit=AT_ONCE),
        partial(guard_store.forget, now=now, limit=AT_ONCE),
        partial(store.forget, before=now - valuations_kept, limit=AT_ONCE),
    )
