"""Tantivy in memory, one segment: raw fast fields for facets (one aggregation), tokenised text for words."""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

import tantivy

from benchmarks.search.engines import NUMBERS, RANGES, TERMS, Answer, Vehicle, spoken, term, values_with_words
from benchmarks.search.on_duckdb import LIST_FILTERS

NAMED = [field for field in TERMS if field != "year"]
MOST_VALUES = 10_000
MISSING_LAST = {"asc": 2**40, "desc": -1}
"""Tantivy sorts a missing number as zero: each direction has a field with a number for the missing."""

AGGREGATION = {
    **{field: {"terms": {"field": field, "size": MOST_VALUES}} for field in TERMS},
    **{f"{field}_range": {"stats": {"field": field}} for field in RANGES},
}


class Tantivy:
    """One index in memory, merged into one segment."""

    def __init__(self, vehicles: Iterable[Vehicle]) -> None:
        self._schema = _schema()
        index = tantivy.Index(self._schema)
        writer = index.writer(heap_size=256_000_000, num_threads=1)
        self._values: dict[str, set[str]] = {field: set() for field in LIST_FILTERS}
        for vehicle in vehicles:
            for field, values in self._values.items():
                values.add(vehicle[field])
            writer.add_document(_document(vehicle))
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        self._searcher = index.searcher()

    def answer(self, request: Mapping[str, Any]) -> tuple[Any, list[Any], Any]:
        """Search a page, then aggregate the facets over the same query."""
        query = self._query(request["filters"])
        order = request["sort"]["order"]
        found = self._searcher.search(
            query,
            limit=20,
            offset=request["pagination"]["skip"],
            order_by_field=f"{request['sort']['field']}_{order}",
            order=tantivy.Order.Asc if order == "asc" else tantivy.Order.Desc,
        )
        page = [self._searcher.doc(address)["payload"][0] for _, address in found.hits]
        return found.count, page, self._searcher.aggregate(query, AGGREGATION)

    def compared(self, result: tuple[Any, list[Any], Any]) -> Answer:
        """Return what is compared; ties are in Tantivy's own order, so its page is not."""
        total, _, facets = result
        counted = sum(bucket["doc_count"] for field in TERMS for bucket in facets[field]["buckets"])
        return Answer(total, [], counted)

    def _query(self, filters: Mapping[str, Any]) -> tantivy.Query:
        parts = [part for name, asked in filters.items() for part in self._parts(name, asked)]
        if not parts:
            return tantivy.Query.all_query()
        return tantivy.Query.boolean_query([(tantivy.Occur.Must, part) for part in parts])

    def _parts(self, name: str, asked: Any) -> list[tantivy.Query]:
        if name in LIST_FILTERS:
            values = [value for one in asked for value in values_with_words(self._values[name], one)]
            return [tantivy.Query.term_set_query(self._schema, name, values)]
        if name == "query":
            return [tantivy.Query.term_query(self._schema, "spoken", word) for word in asked.split()]
        field, bound = name.rsplit("_", 1)
        ends = {"lower_bound": asked} if bound == "min" else {"upper_bound": asked}
        return [tantivy.Query.range_query(self._schema, field, tantivy.FieldType.Integer, **ends)]


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    for field in NAMED:
        builder.add_text_field(field, fast=True, tokenizer_name="raw", index_option="basic")
    for field in NUMBERS:
        builder.add_integer_field(field, indexed=True, fast=True)
    for field in ("price", "mileage", "year", "updated_at"):
        for order in MISSING_LAST:
            builder.add_integer_field(f"{field}_{order}", fast=True)
    builder.add_text_field("spoken", index_option="basic")
    builder.add_text_field("payload", stored=True, tokenizer_name="raw", index_option="basic")
    return builder.build()


def _document(vehicle: Vehicle) -> tantivy.Document:
    document = tantivy.Document()
    for field in NAMED:
        if (value := term(vehicle, field)) is not None:
            document.add_text(field, str(value))
    for field in NUMBERS:
        if field in vehicle:
            document.add_integer(field, vehicle[field])
    numbers = {**vehicle, "updated_at": int(datetime.fromisoformat(vehicle["updated_at"]).timestamp())}
    for field in ("price", "mileage", "year", "updated_at"):
        for order, missing in MISSING_LAST.items():
            document.add_integer(f"{field}_{order}", numbers.get(field, missing))
    document.add_text("spoken", spoken(vehicle))
    document.add_text("payload", json.dumps(vehicle))
    return document
