"""The service on an empty database: SQLite for most, both databases where money and keys are concerned."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.rest.service import Api, api_on

from forecourt.storage.database import Database, open_database


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def api(tmp_path: Path) -> Iterator[Api]:
    database = open_database(f"sqlite:///{tmp_path / 'forecourt.db'}")
    database.upgrade()
    yield api_on(database)
    database.close()


@pytest.fixture
def api_on_both(database: Database) -> Api:
    return api_on(database)
