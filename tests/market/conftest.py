"""A market on an empty database."""

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

import pytest
from tests.market.listings import write_listings

from forecourt.market.importing import Imported, Market, Terms
from forecourt.market.store import Warehouse
from forecourt.storage.database import open_database

PLAIN = Terms()


class FixedClock:
    """Always the same day."""

    def now(self) -> datetime:
        return datetime(2026, 11, 30, 9, tzinfo=UTC)

    def monotonic(self) -> float:
        return monotonic()


@pytest.fixture
def market(tmp_path: Path) -> Iterator[Market]:
    database = open_database(f"sqlite:///{tmp_path / 'forecourt.db'}")
    database.upgrade()
    yield Market(database, Warehouse(tmp_path / "market"), clock=FixedClock())
    database.close()


Import = Callable[..., Imported]


@pytest.fixture
def take(market: Market, tmp_path: Path) -> Import:
    """Import rows, given as mappings of cells, as one file."""

    def run(rows: list[Mapping[str, str]], *, country: str = "DE", terms: Terms = PLAIN) -> Imported:
        return market.import_file(write_listings(tmp_path / "file.csv", rows), country, terms=terms)

    return run
