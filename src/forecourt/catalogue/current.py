"""The catalogue of a running server: kept in memory, loaded again within a second after a change."""

import asyncio
from typing import Final

from forecourt.base.clock import SYSTEM_CLOCK, Clock
from forecourt.catalogue.catalogue import Catalogue
from forecourt.catalogue.store import load_catalogue, revision
from forecourt.storage.database import Database

_CHECK_EVERY_S: Final = 1.0


class CurrentCatalogue:
    """Hands out the newest catalogue of a database; all calls share one load."""

    def __init__(self, database: Database, *, clock: Clock = SYSTEM_CLOCK) -> None:
        self._database = database
        self._clock = clock
        self._catalogue: Catalogue | None = None
        self._revision = -1
        self._checked_at = float("-inf")
        self._lock = asyncio.Lock()

    async def current(self) -> Catalogue:
        """Return the catalogue; at most every second it is asked whether it changed."""
        if self._catalogue is not None and self._clock.monotonic() - self._checked_at < _CHECK_EVERY_S:
            return self._catalogue
        async with self._lock:
            return await self._refreshed()

    async def _refreshed(self) -> Catalogue:
        newest = await self._database.read(revision)
        if self._catalogue is None or newest != self._revision:
            self._catalogue = await self._database.read(load_catalogue)
            self._revision = newest
        self._checked_at = self._clock.monotonic()
        return self._catalogue
