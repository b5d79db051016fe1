"""One suite for both databases: what a store may rely on."""

import asyncio
import importlib
import pkgutil
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection

import forecourt
import forecourt.dealer.feed.store
import forecourt.dealer.store
import forecourt.leads.store
from forecourt.storage.database import Database, open_database
from forecourt.storage.errors import DatabaseClosed, DatabaseUnavailable, UnsupportedDatabase
from forecourt.storage.leases import LEASES, acquire_lease, release_lease
from forecourt.storage.schema import METADATA
from forecourt.storage.upsert import insert_or_ignore

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def add(connection: Connection, name: str, holder: str = "a") -> None:
    connection.execute(sa.insert(LEASES).values(name=name, holder=holder, fence=1, expires_at=NOW))


def names(connection: Connection) -> list[str]:
    return sorted(connection.execute(sa.select(LEASES.c.name)).scalars())


def test_what_is_written_can_be_read(database: Database) -> None:
    database.write_sync(lambda connection: add(connection, "feeds"))

    assert database.read_sync(names) == ["feeds"]


def test_an_instant_comes_back_aware_and_equal(database: Database) -> None:
    moment = datetime(2026, 3, 1, 8, 30, 0, 123456, tzinfo=UTC)
    row = {"name": "a", "holder": "b", "fence": 1, "expires_at": moment}
    database.write_sync(lambda connection: insert_or_ignore(connection, LEASES, [row]))

    stored = database.read_sync(lambda connection: connection.scalar(sa.select(LEASES.c.expires_at)))

    assert stored == moment
    assert stored.tzinfo is UTC


def test_a_job_that_raises_leaves_nothing_behind(database: Database) -> None:
    def half_done(connection: Connection) -> None:
        add(connection, "half")
        raise LookupError("stop")

    with pytest.raises(LookupError):
        database.write_sync(half_done)

    assert database.read_sync(names) == []


def test_a_failing_job_does_not_harm_the_jobs_beside_it(database: Database) -> None:
    def failing(connection: Connection) -> None:
        add(connection, "bad")
        raise LookupError("stop")

    async def together() -> list[object]:
        jobs = [database.write(lambda connection, n=n: add(connection, f"good{n}")) for n in range(20)]
        return await asyncio.gather(*jobs, database.write(failing), return_exceptions=True)

    answers = asyncio.run(together())

    assert [type(answer) for answer in answers] == [type(None)] * 20 + [LookupError]
    assert len(database.read_sync(names)) == 20


def test_a_broken_constraint_is_told_and_undone(database: Database) -> None:
    database.write_sync(lambda connection: add(connection, "feeds"))

    with pytest.raises(sa.exc.IntegrityError):
        database.write_sync(lambda connection: add(connection, "feeds"))

    assert database.read_sync(names) == ["feeds"]


def test_reading_jobs_cannot_write(database: Database) -> None:
    with pytest.raises((sa.exc.DBAPIError, DatabaseUnavailable)):
        database.read_sync(lambda connection: add(connection, "sneaky"))

    assert database.read_sync(names) == []


def test_a_closed_database_says_so(database_url: str) -> None:
    database = open_database(database_url)
    database.upgrade()
    database.close()

    with pytest.raises(DatabaseClosed):
        database.write_sync(names)
    with pytest.raises(DatabaseClosed):
        database.read_sync(names)


def test_closing_finishes_what_was_accepted(database_url: str) -> None:
    database = open_database(database_url)
    database.upgrade()
    threads = [
        threading.Thread(target=database.write_sync, args=(lambda connection, n=n: add(connection, f"n{n}"),))
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    database.close()

    reopened = open_database(database_url)
    assert len(reopened.read_sync(names)) == 8
    reopened.close()


def test_two_processes_may_upgrade_and_write_at_once(database_url: str) -> None:
    program = (
        "import sys; from forecourt.storage.database import open_database; "
        "from forecourt.storage.leases import acquire_lease; from datetime import *; "
        "d = open_database(sys.argv[1]); d.upgrade(); "
        "[d.write_sync(lambda c, n=n: acquire_lease(c, sys.argv[2] + str(n), holder='h', "
        "now=datetime.now(UTC), lasting=timedelta(1))) for n in range(25)]; d.close()"
    )
    processes = [
        subprocess.Popen([sys.executable, "-c", program, database_url, name]) for name in ("left", "right")
    ]
    assert [process.wait(60) for process in processes] == [0, 0]

    database = open_database(database_url)
    assert len(database.read_sync(names)) == 50
    database.close()


def import_all_stores() -> None:
    for module in pkgutil.walk_packages(forecourt.__path__, "forecourt."):
        if module.name.endswith(("store", ".outbox")):
            importlib.import_module(module.name)


def test_the_migrations_make_what_the_stores_declare(database: Database) -> None:
    import_all_stores()

    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), METADATA))

    assert database.read_sync(differences) == []


@pytest.mark.parametrize(
    "url", ["mysql://u@h/d", "sqlite://", "sqlite:///:memory:", "nonsense", "postgresql://h/d"]
)
def test_an_unsupported_database_is_refused_with_what_to_use(url: str) -> None:
    with pytest.raises(UnsupportedDatabase):
        open_database(url)


def test_a_lease_has_one_holder_until_it_ends(database: Database) -> None:
    def acquire(holder: str, now: datetime) -> int | None:
        return database.write_sync(
            lambda connection: acquire_lease(connection, "feeds", holder=holder, now=now, lasting=MINUTE)
        )

    assert acquire("a", NOW) == 1
    assert acquire("b", NOW) is None
    assert acquire("a", NOW + MINUTE / 2) == 1
    assert acquire("b", NOW + MINUTE) is None
    assert acquire("b", NOW + 2 * MINUTE) == 2


def test_a_released_lease_is_free_at_once(database: Database) -> None:
    def take_and_release(connection: Connection) -> int | None:
        acquire_lease(connection, "feeds", holder="a", now=NOW, lasting=MINUTE)
        release_lease(connection, "feeds", holder="a", now=NOW)
        return acquire_lease(connection, "feeds", holder="b", now=NOW, lasting=MINUTE)

    assert database.write_sync(take_and_release) == 2


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    (tmp_path / "forecourt.db").write_bytes(b"not a database " * 100)
    database = open_database(f"sqlite:///{tmp_path / 'forecourt.db'}")

    with pytest.raises(DatabaseUnavailable, match="no database"):
        database.read_sync(lambda connection: connection.execute(sa.text("SELECT 1")))
    with pytest.raises(DatabaseUnavailable, match="no database"):
        database.upgrade()
    database.close()
