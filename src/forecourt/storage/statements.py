"""SQL that runs on the driver itself, for the few paths where SQLAlchemy's compiler would cost most."""

import re
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, CursorResult

_NAME = re.compile(r"(?<!:):([a-z_]+)")


class Statement:
    """One statement with `:names`, for SQLite and PostgreSQL alike.

    Parameters are what the drivers take, and aware datetimes. Rows come as the driver gives them: a column of
    type `Instant` or `Json` is not turned back.
    """

    def __init__(self, sql: str) -> None:
        self._sqlite = sql
        self._postgresql = _NAME.sub(r"%(\1)s", sql.replace("%", "%%"))

    def run(self, connection: Connection, **parameters: Any) -> CursorResult[Any]:
        """Execute the statement."""
        if connection.dialect.name == "postgresql":
            return connection.exec_driver_sql(self._postgresql, parameters)
        bound = {name: _bound(value) for name, value in parameters.items()}
        return connection.exec_driver_sql(self._sqlite, bound)


def _bound(value: Any) -> Any:
    """Write a moment as `storage.schema.Instant` keeps it on SQLite."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    return value
