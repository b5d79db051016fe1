"""Rewrite a SQLite file so that nothing deleted is left in it, byte for byte."""

import sqlite3
from contextlib import closing

from sqlalchemy import make_url

from forecourt.storage.errors import DatabaseUnavailable

BUSY_S = 30.0


def compact(url: str) -> None:
    """Empty the write-ahead log, rebuild the file, and empty the log again; nothing to do on PostgreSQL.

    A running server may go on; while it holds a transaction this waits. Raises `DatabaseUnavailable` when the
    database stays busy, so that nobody believes in a clean file that is not.
    """
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite" or parsed.database is None:
        return
    try:
        with closing(sqlite3.connect(parsed.database, timeout=BUSY_S, isolation_level=None)) as connection:
            _truncate_log(connection)
            connection.execute("VACUUM")
            _truncate_log(connection)
    except sqlite3.OperationalError as error:
        raise DatabaseUnavailable("The database is too busy to be compacted: try again.") from error


def _truncate_log(connection: sqlite3.Connection) -> None:
    busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise DatabaseUnavailable("The database is too busy to be compacted: try again.")
