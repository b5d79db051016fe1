"""DuckDB in memory: dictionary-encoded columns (ENUM), the facets as one query with grouping sets."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import duckdb

from benchmarks.search.engines import NUMBERS, RANGES, TERMS, Answer, Vehicle, spoken, term, values_with_words

LIST_FILTERS = ("make", "model", "condition", "body", "fuel", "driveline", "exterior_color")
NAMED = [field for field in TERMS if field != "year"]


class DuckDB:
    """One table, loaded column by column."""

    def __init__(self, vehicles: Iterable[Vehicle]) -> None:
        self._database = duckdb.connect(config={"threads": 2})
        stock = list(vehicles)
        self._values = {
            field: sorted({str(v) for car in stock if (v := term(car, field))}) for field in NAMED
        }
        for field, values in self._values.items():
            quoted = ", ".join("'" + value.replace("'", "''") + "'" for value in values)
            self._database.execute(f"CREATE TYPE {field}_t AS ENUM ({quoted})")
        columns: dict[str, tuple[str, list[Any]]] = {
            **{field: (f"{field}_t", [term(car, field) for car in stock]) for field in NAMED},
            **{field: ("INTEGER", [car.get(field) for car in stock]) for field in NUMBERS},
            "updated_at": ("TIMESTAMPTZ", [car["updated_at"] for car in stock]),
            "vehicle_id": ("TEXT", [car["vehicle_id"] for car in stock]),
            "spoken": ("TEXT", [f" {spoken(car)} " for car in stock]),
            "payload": ("TEXT", [json.dumps(car) for car in stock]),
        }
        unnested = ", ".join(f"unnest(?::TEXT[])::{kind} AS {name}" for name, (kind, _) in columns.items())
        texts = [[None if v is None else str(v) for v in values] for _, values in columns.values()]
        self._database.execute(f"CREATE TABLE stock AS SELECT {unnested}", texts)

    def answer(self, request: Mapping[str, Any]) -> tuple[int, list[Any], list[Any], list[Any]]:
        """Filter once, then read page, facets and ranges from what is left."""
        clause, parameters = self._where(request["filters"])
        order = "DESC" if request["sort"]["order"] == "desc" else "ASC"
        columns = ", ".join(dict.fromkeys([*TERMS, *RANGES, "updated_at", "vehicle_id"]))
        execute = self._database.execute
        execute(
            "CREATE OR REPLACE TEMP TABLE found AS "
            f"SELECT {columns}, rowid AS place FROM stock WHERE {clause}",
            parameters,
        )
        page = execute(
            f"SELECT payload FROM (SELECT place, row_number() OVER () AS n FROM (SELECT place FROM found "
            f"ORDER BY {request['sort']['field']} {order} NULLS LAST, updated_at DESC, vehicle_id "
            f"LIMIT 20 OFFSET {request['pagination']['skip']})) JOIN stock ON place = stock.rowid ORDER BY n"
        ).fetchall()
        sets = ", ".join(f"({field})" for field in TERMS)
        facets = execute(
            f"SELECT {', '.join(TERMS)}, count(*) FROM found GROUP BY GROUPING SETS ({sets})"
        ).fetchall()
        ends = execute(
            "SELECT count(*), " + ", ".join(f"min({f}), max({f})" for f in RANGES) + " FROM found"
        ).fetchall()
        return ends[0][0], page, facets, ends

    def compared(self, result: tuple[int, list[Any], list[Any], list[Any]]) -> Answer:
        """Return what is compared between the engines."""
        total, page, facets, _ = result
        counted = sum(row[-1] for row in facets if any(value is not None for value in row[:-1]))
        return Answer(total, [json.loads(payload)["vehicle_id"] for (payload,) in page], counted)

    def _where(self, filters: Mapping[str, Any]) -> tuple[str, list[Any]]:
        clauses, parameters = ["true"], []
        for name, asked in filters.items():
            if name in LIST_FILTERS:
                values = [value for one in asked for value in values_with_words(self._values[name], one)]
                clauses.append(f"{name} IN ({', '.join('?' * len(values))})")
                parameters += values
            elif name == "query":
                clauses += ["contains(spoken, ?)"] * len(asked.split())
                parameters += [f" {word} " for word in asked.split()]
            else:
                field, bound = name.rsplit("_", 1)
                clauses.append(f"{field} {'>=' if bound == 'min' else '<='} {asked}")
        return " AND ".join(clauses), parameters
