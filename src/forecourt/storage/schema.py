"""The one metadata of all tables, and the column types that mean the same on SQLite and PostgreSQL."""

import json
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator, TypeEngine

METADATA = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

BigInt = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
"""A 64-bit integer; STRICT tables of SQLite know it as INTEGER."""


class Instant(TypeDecorator[datetime]):
    """An aware UTC datetime with microseconds; SQLite keeps it as sortable text of fixed width."""

    impl = sa.Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Choose `timestamptz` on PostgreSQL and text elsewhere."""
        if dialect.name == "postgresql":
            return dialect.type_descriptor(postgresql.TIMESTAMP(timezone=True))
        return dialect.type_descriptor(sa.Text())

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        """Refuse a naive datetime: it would mean another moment on another machine."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("an Instant needs an aware datetime")
        moment = value.astimezone(UTC)
        return moment if dialect.name == "postgresql" else moment.isoformat(timespec="microseconds")

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """Return an aware UTC datetime."""
        if value is None:
            return None
        moment: datetime = value if dialect.name == "postgresql" else datetime.fromisoformat(value)
        return moment.astimezone(UTC)


class Json(TypeDecorator[Any]):
    """A JSON value kept as compact text on both databases: what goes in comes out, key order included."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        """Encode; `None` is SQL NULL."""
        del dialect
        return None if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":"))

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        """Decode."""
        del dialect
        return None if value is None else json.loads(value)


def table(name: str, *items: sa.schema.SchemaItem) -> sa.Table:
    """Declare a table on `METADATA`, STRICT on SQLite so that a column holds what it says."""
    return sa.Table(name, METADATA, *items, sqlite_strict=True)
