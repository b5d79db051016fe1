"""A service with an organisation, its keys and an empty database, and both faces of it."""

import pytest
from tests.mcp_data.service import Service, service_on

from forecourt.storage.database import open_database


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture
def service(tmp_path) -> Service:
    database = open_database(f"sqlite:///{tmp_path / 'forecourt.db'}")
    database.upgrade()
    yield service_on(database)
    database.close()
