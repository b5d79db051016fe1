"""The record of what operators add to the core: imported and learned entries, merged ids, and a revision."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection

from forecourt.catalogue.catalogue import Catalogue
from forecourt.catalogue.core import core_catalogue
from forecourt.catalogue.entries import Drivetrain, Entry, Generation, Kind, Make, Model, Years, kind_of
from forecourt.storage.schema import BigInt, Instant, Json, table
from forecourt.storage.upsert import insert_or_ignore

ENTRIES = table(
    "catalogue_entries",
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("place", BigInt, nullable=False, index=True),
    sa.Column("content", Json, nullable=False),
    sa.Column("source", sa.Text, nullable=False),
    sa.Column("changed_at", Instant, nullable=False),
)

REPLACEMENTS = table(
    "catalogue_replacements",
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("replaced_by", sa.Text, nullable=False),
    sa.Column("changed_at", Instant, nullable=False),
)

REVISIONS = table(
    "catalogue_revisions",
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("revision", BigInt, nullable=False),
)

_CLASSES: Final[Mapping[Kind, type[Entry]]] = {
    "make": Make,
    "model": Model,
    "generation": Generation,
    "drivetrain": Drivetrain,
}
_ROWS_AT_ONCE: Final = 500
_CURRENT: Final = "current"


def load_catalogue(connection: Connection) -> Catalogue:
    """Return the core with everything that was added to it."""
    rows = connection.execute(
        sa.select(ENTRIES.c.id, ENTRIES.c.content).order_by(ENTRIES.c.place, ENTRIES.c.id)
    )
    entries = [_entry(row.id, row.content) for row in rows]
    merged = connection.execute(sa.select(REPLACEMENTS.c.id, REPLACEMENTS.c.replaced_by))
    replaced = {row.id: row.replaced_by for row in merged}
    return core_catalogue().with_more(entries, replaced) if entries or replaced else core_catalogue()


def revision(connection: Connection) -> int:
    """Return a number that grows with every change; 0 before the first."""
    found = connection.execute(sa.select(REVISIONS.c.revision).where(REVISIONS.c.name == _CURRENT)).scalar()
    return found or 0


def save_entries(connection: Connection, entries: Iterable[Entry], *, source: str, now: datetime) -> int:
    """Add entries, or change those whose ids are there already; return how many. `source` says where from."""
    rows = [_row(entry, source, now) for entry in entries]
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        part = rows[start : start + _ROWS_AT_ONCE]
        connection.execute(sa.delete(ENTRIES).where(ENTRIES.c.id.in_([row["id"] for row in part])))
        connection.execute(sa.insert(ENTRIES), part)
    if rows:
        _count_change(connection)
    return len(rows)


def replace_entry(connection: Connection, entry_id: str, *, by: str, now: datetime) -> None:
    """Merge an entry into another; its id answers with its heir from now on, and so do ids that led to it."""
    connection.execute(
        sa.update(REPLACEMENTS).where(REPLACEMENTS.c.replaced_by == entry_id).values(replaced_by=by)
    )
    row = {"id": entry_id, "replaced_by": by, "changed_at": now}
    if not insert_or_ignore(connection, REPLACEMENTS, [row]):
        connection.execute(sa.update(REPLACEMENTS).where(REPLACEMENTS.c.id == entry_id).values(row))
    _count_change(connection)


def _count_change(connection: Connection) -> None:
    insert_or_ignore(connection, REVISIONS, [{"name": _CURRENT, "revision": 0}])
    connection.execute(
        sa.update(REVISIONS).where(REVISIONS.c.name == _CURRENT).values(revision=REVISIONS.c.revision + 1)
    )


def _row(entry: Entry, source: str, now: datetime) -> dict[str, Any]:
    place = list(_CLASSES.values()).index(type(entry))
    content = {name: value for name, value in asdict(entry).items() if name != "id"}
    return {"id": entry.id, "place": place, "content": content, "source": source, "changed_at": now}


def _entry(entry_id: str, content: Mapping[str, Any]) -> Entry:
    kind = kind_of(entry_id)
    if kind is None:
        raise ValueError(f"{entry_id} names no kind of entry")
    known = {one.name for one in fields(_CLASSES[kind])}
    values = {name: _value(name, value) for name, value in content.items() if name in known}
    return _CLASSES[kind](id=entry_id, **values)


def _value(name: str, value: Any) -> Any:
    if name == "years":
        return Years(**value)
    return tuple(value) if isinstance(value, list) else value
