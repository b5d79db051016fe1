"""The live search indexes: each dealer's stock as it is now, loaded when asked for and dropped when it grows
cold.
"""

import asyncio
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy import Connection

from forecourt.base.clock import SYSTEM_CLOCK, Clock
from forecourt.dealer import store
from forecourt.dealer.chunk import Chunk, aap_vehicles, decoded_chunk, with_further_rooftops
from forecourt.dealer.collector import paused_collector
from forecourt.dealer.listing import AapVehicle
from forecourt.dealer.search import SearchIndex
from forecourt.dealer.search.fields import IDENTIFIERS
from forecourt.dealer.store import StockVersion
from forecourt.storage.database import Database

CHECK_SECONDS: Final = 1.0
"""A dealer's version is looked at this often: every worker sees a new stock within two seconds."""
WARM_VEHICLES: Final = 1_000_000
"""Indexes are kept for this many vehicles together; the least recently asked dealers are dropped first."""


@dataclass(frozen=True, slots=True)
class LiveStock:
    """A dealer's index and the version it was built from; None and empty before the first import.

    `former_identifiers` holds pairs such as `("stock", "H-17")` of vehicles that only the version before had.
    """

    version_id: str | None
    index: SearchIndex
    former_identifiers: frozenset[tuple[str, str]] = frozenset()


class Stock:
    """Indexes by dealer. Payloads lie in files below `data_dir`, which workers of one machine share, else in
    memory.
    """

    def __init__(
        self,
        database: Database,
        data_dir: Path | None = None,
        *,
        clock: Clock = SYSTEM_CLOCK,
        warm_vehicles: int = WARM_VEHICLES,
    ) -> None:
        self._database = database
        self._folder = None if data_dir is None else data_dir / "stock"
        self._clock = clock
        self._warm_vehicles = warm_vehicles
        self._warm: OrderedDict[str, LiveStock] = OrderedDict()
        self._checked_at: dict[str, float] = {}
        self._loading: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def index(self, slug: str) -> SearchIndex:
        """Return the dealer's index, at most a second behind the database; an empty one before any import.

        Raises `DealerUnknown`.
        """
        return (await self.present(slug)).index

    async def present(self, slug: str) -> LiveStock:
        """Return the dealer's stock, at most a second behind the database; raises `DealerUnknown`."""
        now = self._clock.monotonic()
        if slug in self._warm and now - self._checked_at[slug] < CHECK_SECONDS:
            self._warm.move_to_end(slug)
            return self._warm[slug]
        version_id = await self._database.read(lambda connection: store.live_version_id(connection, slug))
        stock = await self.live(slug, version_id)
        self._checked_at[slug] = now
        return stock

    async def live(self, slug: str, version_id: str | None) -> LiveStock:
        """Return the stock of a version that is known to be live: the same object while it stays so."""
        async with self._loading[slug]:
            stock = self._warm.get(slug)
            if stock is None or stock.version_id != version_id:
                stock = await asyncio.to_thread(load_stock, self._database, slug, self._folder)
                self._warm[slug] = stock
            self._checked_at[slug] = self._clock.monotonic()
            self._warm.move_to_end(slug)
            self._drop_cold()
            return stock

    def _drop_cold(self) -> None:
        """Drop the dealers asked least recently until the rest is small enough; the newest always stays."""
        vehicles = sum(len(stock.index) for stock in self._warm.values())
        while vehicles > self._warm_vehicles and len(self._warm) > 1:
            slug, dropped = self._warm.popitem(last=False)
            self._checked_at.pop(slug, None)
            vehicles -= len(dropped.index)


def load_stock(database: Database, slug: str, folder: Path | None) -> LiveStock:
    """Build the index of a dealer's live stock; raises `DealerUnknown`."""

    def load(connection: Connection) -> LiveStock:
        version = store.live_version(connection, slug)
        if version is None:
            return LiveStock(None, SearchIndex.build([]))
        vehicles = vehicles_of(version, map(decoded_chunk, store.read_chunks(connection, version.id)))
        path = None if folder is None else _payload_path(folder, version)
        index = SearchIndex.build(vehicles, payload_path=path)
        return LiveStock(version.id, index, _former_identifiers(connection, slug, index))

    with paused_collector():
        return database.read_sync(load)


def _former_identifiers(connection: Connection, slug: str, index: SearchIndex) -> frozenset[tuple[str, str]]:
    """Return how the vehicles were called that the stock before had and this one has not."""
    version_id = store.previous_version_id(connection, slug)
    chunks = map(decoded_chunk, store.read_chunks(connection, version_id) if version_id else ())
    return frozenset(
        (kind, value)
        for chunk in chunks
        for kind in IDENTIFIERS
        if kind in chunk.columns
        for value in chunk.columns[kind].values
        if value is not None and index.find({kind: value}) is None
    )


def _payload_path(folder: Path, version: StockVersion) -> Path:
    """Return where the payloads of a version lie, after removing those of the dealer's older versions."""
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{version.slug}.{version.id}.vehicles"
    for old in folder.glob(f"{version.slug}.stock_*.vehicles"):
        if old.name != name:
            old.unlink(missing_ok=True)
    return folder / name


def vehicles_of(version: StockVersion, chunks: Iterable[Chunk]) -> Iterator[AapVehicle]:
    """Yield the AAP vehicles of a stock version, with the rooftops that later rows added."""
    also_at: dict[str, list[str]] = version.amendments.get("also_at", {})
    first = 0
    for chunk in chunks:
        whole = with_further_rooftops(chunk, also_at, first=first) if also_at else chunk
        yield from aap_vehicles(whole, version.confirmed_at)
        first += chunk.size
