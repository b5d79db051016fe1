"""SQLite in memory: values as small integers, an index per filter, FTS5 for words, matches copied once."""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any

from benchmarks.search.engines import NUMBERS, RANGES, TERMS, Answer, Vehicle, spoken, term, values_with_words
from benchmarks.search.on_duckdb import LIST_FILTERS

STORED = tuple(dict.fromkeys([*TERMS, *NUMBERS, "updated_at", "vehicle_id"]))
INDEXED = (*LIST_FILTERS, "price", "mileage", "year", "updated_at")


class SQLite:
    """One table of numbers with indexes, one of payloads, one full-text index."""

    def __init__(self, vehicles: Iterable[Vehicle]) -> None:
        self._database = sqlite3.connect(":memory:")
        execute = self._database.execute
        execute(f"CREATE TABLE stock (id INTEGER PRIMARY KEY, {', '.join(STORED)})")
        execute("CREATE TABLE payloads (id INTEGER PRIMARY KEY, payload TEXT)")
        execute("CREATE VIRTUAL TABLE spoken USING fts5(words, content='', detail=none)")
        self._codes: dict[str, dict[str, int]] = {field: {} for field in TERMS if field != "year"}
        for number, vehicle in enumerate(vehicles):
            row = [number, *(self._stored(vehicle, field) for field in STORED)]
            execute(f"INSERT INTO stock VALUES ({', '.join('?' * len(row))})", row)
            execute("INSERT INTO payloads VALUES (?, ?)", (number, json.dumps(vehicle)))
            execute("INSERT INTO spoken (rowid, words) VALUES (?, ?)", (number, spoken(vehicle)))
        for field in INDEXED:
            execute(f"CREATE INDEX by_{field} ON stock ({field})")
        execute("INSERT INTO spoken (spoken) VALUES ('optimize')")
        execute("ANALYZE")
        execute(f"CREATE TEMP TABLE found (id INTEGER PRIMARY KEY, {', '.join(STORED)})")

    def _stored(self, vehicle: Vehicle, field: str) -> Any:
        value = term(vehicle, field)
        if value is None or field not in self._codes:
            return value
        return self._codes[field].setdefault(str(value), len(self._codes[field]))

    def answer(self, request: Mapping[str, Any]) -> tuple[int, list[Any], list[Any], Any]:
        """Copy the matches, then read page, facets and ranges from the copy."""
        execute = self._database.execute
        clause, parameters = self._where(request["filters"])
        execute("DELETE FROM found")
        execute(f"INSERT INTO found SELECT * FROM stock WHERE {clause}", parameters)
        order = "DESC" if request["sort"]["order"] == "desc" else "ASC"
        page = execute(
            f"SELECT payload FROM (SELECT id FROM found ORDER BY {request['sort']['field']} {order} "
            f"NULLS LAST, updated_at DESC, vehicle_id LIMIT 20 OFFSET {request['pagination']['skip']}) "
            "JOIN payloads USING (id)"
        ).fetchall()
        facets = [
            execute(f"SELECT {f}, count(*) FROM found WHERE {f} IS NOT NULL GROUP BY 1").fetchall()
            for f in TERMS
        ]
        ends = execute(
            "SELECT count(*), " + ", ".join(f"min({f}), max({f})" for f in RANGES) + " FROM found"
        ).fetchone()
        return ends[0], page, facets, ends

    def compared(self, result: tuple[int, list[Any], list[Any], Any]) -> Answer:
        """Return what is compared between the engines."""
        total, page, facets, _ = result
        counted = sum(count for values in facets for _, count in values)
        return Answer(total, [json.loads(payload)["vehicle_id"] for (payload,) in page], counted)

    def _where(self, filters: Mapping[str, Any]) -> tuple[str, list[Any]]:
        clauses, parameters = ["true"], []
        for name, asked in filters.items():
            if name in LIST_FILTERS:
                values = [value for one in asked for value in values_with_words(self._codes[name], one)]
                clauses.append(f"{name} IN ({', '.join(str(self._codes[name][value]) for value in values)})")
            elif name == "query":
                clauses.append("id IN (SELECT rowid FROM spoken WHERE spoken MATCH ?)")
                parameters.append(" AND ".join(f'"{word}"' for word in asked.split()))
            else:
                field, bound = name.rsplit("_", 1)
                clauses.append(f"{field} {'>=' if bound == 'min' else '<='} {asked}")
        return " AND ".join(clauses), parameters
