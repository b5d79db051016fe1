"""The record of German type keys (HSN and TSN), and the licence notice that goes with them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy import Connection

from forecourt.storage.schema import BigInt, Instant, Json, table

KEYS = table(
    "kba_keys",
    sa.Column("hsn", sa.Text, primary_key=True),
    sa.Column("tsn", sa.Text, primary_key=True),
    sa.Column("maker", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("model_ids", Json, nullable=False),
)

LISTS = table(
    "kba_lists",
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("as_of", sa.Text),
    sa.Column("notice", sa.Text, nullable=False),
    sa.Column("keys", BigInt, nullable=False),
    sa.Column("imported_at", Instant, nullable=False),
)

_FZ6: Final = "FZ 6"
_ROWS_AT_ONCE: Final = 2_000


@dataclass(frozen=True, slots=True)
class TypeKey:
    """A German type key: maker and trade name as the KBA writes them, and the models that the name means."""

    hsn: str
    tsn: str
    maker: str
    name: str
    model_ids: tuple[str, ...] = ()


def save_keys(
    connection: Connection, keys: Iterable[TypeKey], *, notice: str, as_of: date | None, now: datetime
) -> int:
    """Make a list of keys the one that counts, whole; return how many there are."""
    connection.execute(sa.delete(KEYS))
    rows = [
        {"hsn": k.hsn, "tsn": k.tsn, "maker": k.maker, "name": k.name, "model_ids": list(k.model_ids)}
        for k in keys
    ]
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        connection.execute(sa.insert(KEYS), rows[start : start + _ROWS_AT_ONCE])
    connection.execute(sa.delete(LISTS))
    about = {"name": _FZ6, "as_of": as_of and as_of.isoformat(), "notice": notice, "keys": len(rows)}
    connection.execute(sa.insert(LISTS).values(**about, imported_at=now))
    return len(rows)


def find_key(connection: Connection, hsn: str, tsn: str) -> TypeKey | None:
    """Return a key, its letters in capitals; None when the list does not have it."""
    found = connection.execute(sa.select(KEYS).where(KEYS.c.hsn == hsn, KEYS.c.tsn == tsn)).one_or_none()
    if found is None:
        return None
    return TypeKey(found.hsn, found.tsn, found.maker, found.name, tuple(found.model_ids))


def licence_notice(connection: Connection) -> str | None:
    """Return the notice that every answer made from the list must carry; None without a list."""
    notice: str | None = connection.execute(sa.select(LISTS.c.notice)).scalar()
    return notice
