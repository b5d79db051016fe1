"""One database behind one interface: a transaction is a function run as one job."""

from typing import Protocol, TypeVar

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from forecourt.storage.errors import UnsupportedDatabase
from forecourt.storage.job import Job

T = TypeVar("T")


class Database(Protocol):
    """Runs jobs. A job gets a connection inside a transaction; it must not commit or keep the connection.

    When a write returns, its transaction is synced to disk; when it raises, nothing of it happened. On
    PostgreSQL a job that meets a serialization failure or a deadlock is run again, so it must have no effects
    outside its connection.
    """

    @property
    def dialect(self) -> str:
        """`sqlite` or `postgresql`."""
        ...

    async def write(self, job: Job[T]) -> T:
        """Run `job` in a transaction of its own and return its value once it is durable."""
        ...

    async def read(self, job: Job[T]) -> T:
        """Run `job` on one consistent, read-only snapshot."""
        ...

    def write_sync(self, job: Job[T]) -> T:
        """Do what `write` does, for the command line and for threads."""
        ...

    def read_sync(self, job: Job[T]) -> T:
        """Do what `read` does, for the command line and for threads."""
        ...

    def upgrade(self) -> None:
        """Bring the schema to the newest migration; several processes may call it at once."""
        ...

    def close(self) -> None:
        """Finish the jobs that were accepted and let go of every connection."""
        ...


def open_database(url: str, *, readers: int = 4) -> Database:
    """Open the database at a SQLAlchemy URL, `sqlite:///FILE` or `postgresql+psycopg://…`.

    `readers` bounds the threads that read (SQLite) or use the server (PostgreSQL).

    Raises `UnsupportedDatabase` for any other URL and `DatabaseUnavailable` when it cannot be opened.
    """
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise UnsupportedDatabase("The database URL cannot be read as a URL.") from error
    if parsed.get_backend_name() == "sqlite" and parsed.database not in (None, "", ":memory:"):
        from forecourt.storage.sqlite import SqliteDatabase

        return SqliteDatabase(parsed, readers=readers)
    if parsed.drivername == "postgresql+psycopg":
        from forecourt.storage.postgresql import PostgresqlDatabase

        return PostgresqlDatabase(parsed, connections=readers)
    raise UnsupportedDatabase("Use sqlite:///FILE or postgresql+psycopg://USER@HOST/NAME.")
