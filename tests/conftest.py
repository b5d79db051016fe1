"""What every test can ask for."""

import os
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from forecourt.storage.database import Database, open_database

REPOSITORY = Path(__file__).resolve().parents[1]


def shared_folder() -> Path:
    """Return where the shared facts and data lie: FORECOURT_SHARED, else beside the checkout."""
    return Path(os.environ.get("FORECOURT_SHARED", REPOSITORY.parent / "shared"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The shared folder with the official schemas, feeds and data; absent on some machines."""
    folder = shared_folder()
    if not folder.is_dir():
        pytest.skip(f"the shared folder is not at {folder} (set FORECOURT_SHARED)")
    return folder


POSTGRESQL_URL = os.environ.get(
    "FORECOURT_TEST_POSTGRESQL", "postgresql+psycopg://postgres@127.0.0.1:5432/test"
)


@pytest.fixture(scope="session")
def postgresql_url() -> Iterator[str]:
    """A PostgreSQL database with a schema of this run alone; skipped when there is no server."""
    schema = f"forecourt_{uuid.uuid4().hex}"
    engine = sa.create_engine(POSTGRESQL_URL, connect_args={"connect_timeout": 3})
    try:
        with engine.begin() as connection:
            connection.execute(sa.text(f"CREATE SCHEMA {schema}"))
    except sa.exc.OperationalError:
        pytest.skip("no PostgreSQL at 127.0.0.1:5432 (set FORECOURT_TEST_POSTGRESQL)")
    yield f"{POSTGRESQL_URL}?options=-csearch_path%3D{schema}"
    with engine.begin() as connection:
        connection.execute(sa.text(f"DROP SCHEMA {schema} CASCADE"))
    engine.dispose()


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database, once on SQLite and once on PostgreSQL."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'forecourt.db'}"
    url: str = request.getfixturevalue("postgresql_url")
    _empty(url)
    return url


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """A migrated, empty database, once on SQLite and once on PostgreSQL."""
    opened = open_database(database_url)
    opened.upgrade()
    yield opened
    opened.close()


def _empty(url: str) -> None:
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        schema = connection.execute(sa.text("SELECT current_schema()")).scalar_one()
        connection.execute(sa.text(f"DROP SCHEMA {schema} CASCADE"))
        connection.execute(sa.text(f"CREATE SCHEMA {schema}"))
    engine.dispose()
