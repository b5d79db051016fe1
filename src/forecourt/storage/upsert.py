"""The one insert that both databases spell alike but SQLAlchemy keeps in two dialects."""

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.dialects import postgresql, sqlite


def insert_or_ignore(connection: Connection, table: sa.Table, rows: Sequence[Mapping[str, Any]]) -> int:
    """Insert rows unless they break a unique constraint; return how many went in."""
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    statement = dialect.insert(table).on_conflict_do_nothing().values(list(rows))
    return connection.execute(statement, execution_options={"preserve_rowcount": True}).rowcount
