"""What a server does about feeds besides answering: one elected worker fetches those that are due and tells
of silence.
"""

import asyncio
import logging
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Final

from forecourt.base.clock import SYSTEM_CLOCK, Clock
from forecourt.base.errors import ForecourtError
from forecourt.base.ids import new_id
from forecourt.dealer.feed.importing import Terms, import_feed
from forecourt.dealer.feed.schedules import Progress
from forecourt.dealer.feed.sources import Retrieved, retrieve
from forecourt.dealer.feed.store import due_schedules, list_schedules, note_alarm, note_run
from forecourt.fetch.client import Fetch
from forecourt.storage.database import Database
from forecourt.storage.leases import acquire_lease, release_lease
from forecourt.tables.mapping import build_mapping

LEASE: Final = "feeds"
LEASE_TIME: Final = timedelta(minutes=2)
LOOK_SECONDS: Final = 15.0
CONFIRM_AFTER: Final = timedelta(hours=20)
"""An unchanged file is read again after this, because a listing must be confirmed every business day (AAP
v1.3).
"""

_log = logging.getLogger(__name__)

Alarm = Callable[[Progress], Awaitable[None]]
"""Tells somebody that a feed is silent."""


async def log_alarm(progress: Progress) -> None:
    """Tell the log, in any case."""
    _log.error("the feed of dealer %s is stale: last outcome %s", progress.schedule.slug, progress.outcome)


@dataclass(slots=True)
class FeedWorker:
    """Fetches and imports due feeds while it holds the lease; any number of workers may try."""

    database: Database
    fetch: Fetch
    alarm: Alarm = log_alarm
    clock: Clock = SYSTEM_CLOCK
    holder: str = field(default_factory=lambda: new_id("worker"))

    async def work_forever(self) -> None:
        """Look for due feeds until cancelled; give the lease back at the end."""
        try:
            while True:
                with suppress(ForecourtError):  # a database that is gone for a while
                    await self.work_once()
                await asyncio.sleep(LOOK_SECONDS)
        finally:
            with suppress(ForecourtError):
                await asyncio.shield(self._release())

    async def work_once(self) -> list[str]:
        """Run every due schedule if this worker is elected; return what each came to, as `slug outcome`."""
        if not await self._is_elected():
            return []
        due = await self.database.read(lambda connection: due_schedules(connection, now=self.clock.now()))
        done = [f"{progress.schedule.slug} {await self._run_keeping_lease(progress)}" for progress in due]
        await self._tell_of_silence()
        return done

    async def run(self, progress: Progress) -> str:
        """Fetch and import one feed now; return `published`, `unchanged` or the code of what went wrong."""
        try:
            return await self._run(progress)
        except ForecourtError as error:
            await self._note(progress, error.code)
            return error.code

    async def _run(self, progress: Progress) -> str:
        schedule, now = progress.schedule, self.clock.now()
        recent = progress.imported_at is not None and now - progress.imported_at < CONFIRM_AFTER
        with tempfile.TemporaryDirectory(prefix="forecourt-feed-") as folder:
            found = await retrieve(
                schedule, progress.memory if recent else {}, fetch=self.fetch, folder=Path(folder), now=now
            )
            if found.path is None:
                await self._note(progress, "unchanged", found)
                return "unchanged"
            terms = Terms(mapping=build_mapping(schedule.mapping))
            await asyncio.to_thread(
                import_feed,
                self.database,
                schedule.slug,
                found.path,
                terms=terms,
                source="schedule",
                clock=self.clock,
            )
        await self._note(progress, "published", found, imported=True)
        return "published"

    async def _note(
        self, progress: Progress, outcome: str, found: Retrieved | None = None, *, imported: bool = False
    ) -> None:
        now, memory = self.clock.now(), None if found is None else found.memory
        await self.database.write(
            lambda connection: note_run(
                connection, progress, now=now, outcome=outcome, memory=memory, imported=imported
            )
        )

    async def _is_elected(self) -> bool:
        fence = await self.database.write(
            lambda connection: acquire_lease(
                connection, LEASE, holder=self.holder, now=self.clock.now(), lasting=LEASE_TIME
            )
        )
        return fence is not None

    async def _run_keeping_lease(self, progress: Progress) -> str:
        """Run one schedule and renew the lease meanwhile: an import may take longer than it lasts."""
        run = asyncio.create_task(self.run(progress))
        while not run.done():
            await asyncio.wait([run], timeout=LEASE_TIME.total_seconds() / 4)
            await self._is_elected()
        return await run

    async def _release(self) -> None:
        await self.database.write(
            lambda connection: release_lease(connection, LEASE, holder=self.holder, now=self.clock.now())
        )

    async def _tell_of_silence(self) -> None:
        now = self.clock.now()
        for progress in await self.database.read(list_schedules):
            if progress.is_stale(now) and progress.alarmed_at is None:
                await self.alarm(progress)
                await self.database.write(partial(note_alarm, slug=progress.schedule.slug, now=now))


@asynccontextmanager
async def feed_work(
    database: Database, fetch: Fetch, *, alarm: Alarm = log_alarm, clock: Clock = SYSTEM_CLOCK
) -> AsyncIterator[None]:
    """Import scheduled feeds while the context is open; each worker process may, a lease elects one."""
    task = asyncio.create_task(FeedWorker(database, fetch, alarm, clock).work_forever())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
