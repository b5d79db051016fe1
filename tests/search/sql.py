"""The rules of inventory search a third time, as SQL over a table in DuckDB."""

from collections.abc import Iterable, Sequence
from typing import Any

import duckdb
from tests.search.reference import BOUNDS, CLASSED, LIST_FILTERS, SEARCHED

from forecourt.base.text_folding import fold

Vehicle = dict[str, Any]

TEXTS = [*dict.fromkeys([*LIST_FILTERS.values(), *SEARCHED]), "vehicle_id", "stock", "status", "features"]
NUMBERS = ["year", "price", "list_price", "msrp", "mileage", "displacement_cc", "electric_range_mi"]

MACROS = r"""
CREATE MACRO american(t) AS regexp_replace(t, '\bgrey\b', 'gray', 'g');
CREATE MACRO plain(t) AS
    regexp_replace(replace(strip_accents(lower(t)), '''', ''), '(\d)\.(\d)', '\1·\2', 'g');
CREATE MACRO parted(t) AS american(trim(regexp_replace(plain(t), '[^a-z0-9·]+', ' ', 'g')));
CREATE MACRO chunked(t) AS
    american(trim(regexp_replace(regexp_replace(plain(t), '[^a-z0-9·\s]+', '', 'g'), '\s+', ' ', 'g')));
CREATE MACRO squeezed(t) AS replace(parted(t), ' ', '');
CREATE MACRO within(needle, hay) AS contains(' ' || hay || ' ', ' ' || needle || ' ');
CREATE MACRO matches_text(asked, t) AS parted(asked) <> '' AND (within(parted(asked), parted(t))
    OR within(chunked(asked), chunked(t)) OR squeezed(asked) = squeezed(t));
"""
"""Folding: a decimal point becomes a middle dot, and only then is punctuation cut away."""


def table_of(vehicles: list[Vehicle]) -> duckdb.DuckDBPyConnection:
    """Return a database with the vehicles, and which wording of them belongs to which class."""
    database = duckdb.connect()
    types = dict.fromkeys(TEXTS, "TEXT") | dict.fromkeys(NUMBERS, "DOUBLE")
    types |= {"dc_fast_charge": "BOOLEAN", "updated_at": "TIMESTAMPTZ"}
    _create(database, "vehicles", types, [[_cell(car, name) for car in vehicles] for name in types])
    wordings = [row for field in CLASSED for row in _wordings(vehicles, field)]
    _create(
        database,
        "wordings",
        dict.fromkeys(["field", "wording", "class"], "TEXT"),
        zip(*wordings, strict=True),
    )
    database.execute(MACROS)
    return database


def _create(
    database: duckdb.DuckDBPyConnection, name: str, types: dict[str, str], columns: Iterable[Sequence[Any]]
) -> None:
    unnested = ", ".join(f"unnest(?::{kind}[]) AS {column}" for column, kind in types.items())
    database.execute(f"CREATE TABLE {name} AS SELECT {unnested}", [list(values) for values in columns])


def _cell(vehicle: Vehicle, name: str) -> Any:
    if name == "features":
        return " | ".join(vehicle.get("features", ()))
    return vehicle.get(name, "car" if name == "vehicle_type" else None)


def _wordings(vehicles: list[Vehicle], field: str) -> list[list[str]]:
    values = {vehicle[field] for vehicle in vehicles if field in vehicle}
    return [[field, value, name] for value in sorted(values) for name in CLASSED[field].classes(fold(value))]


def condition(filters: dict[str, Any]) -> tuple[str, list[Any]]:
    """Return the WHERE clause of filters and its parameters."""
    clauses, parameters = ["true"], []
    for name, field in LIST_FILTERS.items():
        if asked := filters.get(name):
            parts = [_text_clause(field, value) for value in asked]
            clauses.append("(" + " OR ".join(clause for clause, _ in parts) + ")")
            parameters += [parameter for _, found in parts for parameter in found]
    for name, (field, sign) in BOUNDS.items():
        if name in filters:
            clauses.append(f"{field} {'>=' if sign > 0 else '<='} ?")
            parameters.append(filters[name])
    if filters.get("dc_fast_charge"):
        clauses.append("dc_fast_charge")
    if "stock" in filters:
        clauses.append("stock = ?")
        parameters.append(filters["stock"])
    for chunk in filters.get("query", "").split():
        clauses.append(f"({_spoken_clause()})")
        parameters += [chunk] * 3
    return " AND ".join(clauses), parameters


def _text_clause(field: str, asked: str) -> tuple[str, list[Any]]:
    words = f"coalesce(matches_text(?, {field}), false)"
    wanted = sorted(CLASSED[field].asked(fold(asked))) if field in CLASSED else []
    if not wanted:
        return words, [asked]
    known = f"SELECT wording FROM wordings WHERE field = '{field}'"
    by_class = f"{field} IN ({known} AND class IN ({', '.join('?' * len(wanted))}))"
    if CLASSED[field].decides:
        words = f"({words} AND {field} NOT IN ({known}))"
    return f"({by_class} OR {words})", [*wanted, asked]


def _spoken_clause() -> str:
    texts = "concat_ws(' | ', " + ", ".join([*SEARCHED, "CAST(year AS INTEGER)", "features"]) + ")"
    return (
        f"list_bool_and([within(word, parted({texts})) OR within(word, chunked({texts})) "
        f"FOR word IN string_split(parted(?), ' ')]) "
        f"OR within(chunked(?), chunked({texts})) OR within(chunked(?), parted({texts}))"
    )
