"""SQL that runs on the driver itself, for the few paths where SQLAlchemy would be most of the cost.

An UPDATE on SQLite costs 9 µs of CPU in this way, and 40 through SQLAlchemy (docs/decisions/0102).
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

_NAME = re.compile(r"(?<!:):([a-z_]+)")

Row = tuple[Any, ...]


class Statement:
    """One statement with `:names`, for SQLite and PostgreSQL alike, as a step of a transaction.

    Parameters are what the drivers take, and aware datetimes. Rows are tuples as the driver gives them: a
    column of type `Instant` or `Json` is not turned back. Errors are those of SQLAlchemy.
    """

    def __init__(self, sql: str) -> None:
        self._sqlite = sql
        self._postgresql = _NAME.sub(r"%(\1)s", sql.replace("%", "%%"))

    def run(self, connection: Connection, **parameters: Any) -> None:
        """Execute a statement that returns nothing."""
        self._execute(connection, parameters)

    def first(self, connection: Connection, **parameters: Any) -> Row | None:
        """Execute the statement and return its first row, None when there is none."""
        rows = self.all(connection, **parameters)
        return rows[0] if rows else None

    def all(self, connection: Connection, **parameters: Any) -> Sequence[Row]:
        """Execute the statement and return its rows."""
        rows: Sequence[Row] = self._execute(connection, parameters).fetchall()
        return rows

    def _execute(self, connection: Connection, parameters: dict[str, Any]) -> Any:
        driver: Any = connection.connection.driver_connection
        dialect = connection.dialect
        try:
            if dialect.name == "postgresql":
                return driver.execute(self._postgresql, parameters)
            return driver.execute(self._sqlite, _bound(parameters))
        except dialect.loaded_dbapi.Error as error:
            raise DBAPIError.instance(
                self._sqlite, None, error, dialect.loaded_dbapi.Error, hide_parameters=True, dialect=dialect
            ) from error


def _bound(parameters: dict[str, Any]) -> dict[str, Any]:
    """Write moments as `storage.schema.Instant` keeps them on SQLite."""
    return {
        name: value.astimezone(UTC).isoformat(timespec="microseconds")
        if isinstance(value, datetime)
        else value
        for name, value in parameters.items()
    }
