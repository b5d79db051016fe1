"""PostgreSQL: every job on a connection of a bounded pool, conflicts run again."""

import asyncio
import random
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.engine import URL

from forecourt.storage.errors import DatabaseClosed, DatabaseConflict, database_errors
from forecourt.storage.job import Job
from forecourt.storage.migrations import upgrade_schema

T = TypeVar("T")

RETRY_SECONDS = 10.0
UPGRADE_LOCK = 0x464F5245  # "FORE": one upgrade at a time


class PostgresqlDatabase:
    """A PostgreSQL database through psycopg. See `storage.database.Database` for the interface."""

    dialect = "postgresql"

    def __init__(self, url: URL, *, connections: int) -> None:
        self._engine = sa.create_engine(
            url, pool_size=connections, max_overflow=connections, pool_pre_ping=True, hide_parameters=True
        )
        self._threads = ThreadPoolExecutor(connections, thread_name_prefix="forecourt-database")
        self._closed = False

    async def write(self, job: Job[T]) -> T:
        """Run `job` in a thread of the pool and return its value after the commit."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, self.write_sync, job)

    def write_sync(self, job: Job[T]) -> T:
        """Run `job` here; a serialization failure or deadlock starts it again for up to ten seconds."""
        self._refuse_when_closed()
        deadline = time.monotonic() + RETRY_SECONDS
        while True:
            try:
                with database_errors(), self._engine.begin() as connection:
                    return job(connection)
            except DatabaseConflict:
                if time.monotonic() > deadline:
                    raise
                time.sleep(random.uniform(0.001, 0.02))  # noqa: S311 — spreads the competitors

    async def read(self, job: Job[T]) -> T:
        """Run `job` in a thread of the pool."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, self.read_sync, job)

    def read_sync(self, job: Job[T]) -> T:
        """Run `job` here in a read-only transaction that sees one snapshot."""
        self._refuse_when_closed()
        with database_errors(), self._engine.connect() as connection:
            connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            with connection.begin():
                return job(connection)

    def upgrade(self) -> None:
        """Bring the schema to the newest migration, one process at a time."""
        self.write_sync(_upgrade_alone)

    def close(self) -> None:
        """Finish the running jobs, then close every connection."""
        self._closed = True
        self._threads.shutdown()
        self._engine.dispose()

    def _refuse_when_closed(self) -> None:
        if self._closed:
            raise DatabaseClosed("The database is closed.")


def _upgrade_alone(connection: Connection) -> None:
    connection.execute(sa.select(sa.func.pg_advisory_xact_lock(UPGRADE_LOCK)))
    upgrade_schema(connection)
