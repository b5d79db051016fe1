"""The index and DuckDB give the same answers to the same questions, on generated and on real stock."""

from pathlib import Path
from typing import Any

import duckdb
import pytest
from tests.search import sql, stocks
from tests.search.reference import in_stock

from forecourt.dealer.search import SearchIndex

QUERIES = [
    "crv",
    "cr-v",
    "tow package",
    "one owner",
    "2020",
    "carplay heated",
    "bon etat",
    "zeppelin",
    "2.0l",
]
"""Without words of the vocabulary, whose meaning SQL does not know."""

FIRST_50 = (
    "SELECT vehicle_id FROM found "
    "ORDER BY price {} NULLS LAST, updated_at DESC NULLS LAST, vehicle_id LIMIT 50"
)
WORDED_MODEL = "squeezed(model) <> ''"

MERCEDES_ASKED = {
    "make": ["mercedes", "Mercedes-Benz", "BMW"],
    "model": ["c-class", "C300", "gl 450", "sprinter", "benz e350", "ml350", "s550", "other"],
    "fuel": ["gas", "petrol", "diesel", "hybrid", "electric", "other"],
    "transmission": ["automatic", "manual", "other"],
    "driveline": ["4wd", "awd", "rwd", "fwd"],
    "body": ["suv", "sedan", "convertible", "coupe", "wagon", "van", "other", "offroad", "mini-van"],
    "exterior_color": ["black", "white", "grey", "silver", "custom"],
    "vehicle_type": ["car", "motorcycle"],
}


@pytest.fixture(scope="module")
def generated() -> tuple[SearchIndex, duckdb.DuckDBPyConnection]:
    """A generated stock, indexed and as a table."""
    vehicles = in_stock(stocks.generated_stock(400, seed=3))
    return SearchIndex.build((vehicle, ()) for vehicle in vehicles), sql.table_of(vehicles)


@pytest.fixture(scope="module")
def mercedes(shared: Path) -> tuple[SearchIndex, duckdb.DuckDBPyConnection]:
    """Real American listings, indexed and as a table."""
    vehicles = stocks.mercedes_listings(shared)
    return SearchIndex.build((vehicle, ()) for vehicle in vehicles), sql.table_of(vehicles)


def check(index: SearchIndex, database: duckdb.DuckDBPyConnection, filters: dict[str, Any]) -> int:
    """Compare one question; return how many vehicles match."""
    clause, parameters = sql.condition(filters)
    database.execute(
        f"CREATE OR REPLACE TEMP TABLE found AS SELECT * FROM vehicles WHERE {clause}", parameters
    )
    total, low, high = database.execute("SELECT count(*), min(price), max(price) FROM found").fetchall()[0]
    for order in ("asc", "desc"):
        expected = database.execute(FIRST_50.format(order)).fetchall()
        sort = {"field": "price", "order": order}
        data = index.search({"filters": filters, "sort": sort, "pagination": {"limit": 50}}).data()
        assert data["total"] == total, filters
        assert [(vehicle["vehicle_id"],) for vehicle in data["vehicles"]] == expected, filters
    facets = index.facets(filters).data()
    assert facets.get("price_range") == (None if low is None else {"min": low, "max": high})
    years = database.execute("SELECT year, count(*) FROM found WHERE year > 0 GROUP BY 1").fetchall()
    assert _counts(facets, "years") == dict(years)
    models = database.execute(f"SELECT count(*) FROM found WHERE {WORDED_MODEL} GROUP BY squeezed(model)")
    assert sorted(_counts(facets, "models").values()) == sorted(count for (count,) in models.fetchall())
    return int(total)


def _counts(facets: dict[str, Any], name: str) -> dict[Any, int]:
    return {entry["value"]: entry["count"] for entry in facets.get(name, ())}


def test_generated_stock_answers_300_generated_filters_like_sql(
    generated: tuple[SearchIndex, duckdb.DuckDBPyConnection],
) -> None:
    questions = stocks.generated_filters(300, seed=42)
    for number, filters in enumerate(questions):
        if "query" in filters:
            filters["query"] = QUERIES[number % len(QUERIES)]

    totals = [check(*generated, filters) for filters in questions]

    assert sum(total > 0 for total in totals) > 150


def test_real_listings_answer_300_generated_filters_like_sql(
    mercedes: tuple[SearchIndex, duckdb.DuckDBPyConnection],
) -> None:
    questions = stocks.generated_filters(300, seed=43, asked=MERCEDES_ASKED)
    for filters in questions:
        filters.pop("query", None)

    totals = [check(*mercedes, filters) for filters in questions]

    assert sum(total > 0 for total in totals) > 150
