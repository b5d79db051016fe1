"""The index and a plain loop over the vehicles answer alike, whatever is asked."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.search import reference, stocks

from forecourt.dealer.search import SearchIndex

STOCK = stocks.generated_stock(300, seed=7)
SHOWN = reference.in_stock(STOCK)
INDEX = SearchIndex.build((vehicle, ()) for vehicle in STOCK)
LABELS = reference.facet_labels(SHOWN)


def spelled_out(facets: dict[str, dict[str, int]]) -> dict[str, dict[Any, int]]:
    """Return counts by the value that an answer shows."""
    return {
        facet: {
            int(key) if facet == "years" else LABELS[facet].get(key, key): count
            for key, count in counts.items()
        }
        for facet, counts in facets.items()
    }


@settings(max_examples=300, deadline=None)
@given(stocks.filters, stocks.sorts, stocks.pages)
def test_a_search_finds_what_a_loop_over_all_vehicles_finds_in_the_same_order(
    filters: dict[str, Any], sort: dict[str, str] | None, pagination: dict[str, int]
) -> None:
    request = {"type": "inventory.search.request", "filters": filters, "pagination": pagination}
    request |= {"sort": sort} if sort else {}
    expected = reference.ordered([car for car in SHOWN if reference.matches(car, filters)], sort)
    skip, limit = pagination.get("skip", 0), min(pagination.get("limit", 20), 100)

    data = INDEX.search(request).data()

    assert data["total"] == len(expected), filters
    assert (data["skip"], data["limit"]) == (skip, limit)
    found = [vehicle["vehicle_id"] for vehicle in data["vehicles"]]
    assert found == [vehicle["vehicle_id"] for vehicle in expected[skip : skip + limit]], (filters, sort)


@settings(max_examples=200, deadline=None)
@given(stocks.filters)
def test_facets_count_what_a_loop_over_the_matching_vehicles_counts(filters: dict[str, Any]) -> None:
    expected = [vehicle for vehicle in SHOWN if reference.matches(vehicle, filters)]

    facets = INDEX.facets(filters).data()

    terms = {name: values for name, values in facets.items() if isinstance(values, list)}
    counted = {name: {entry["value"]: entry["count"] for entry in values} for name, values in terms.items()}
    assert counted == spelled_out(reference.facet_counts(expected))
    assert {name: ends for name, ends in facets.items() if name not in terms} == reference.ranges(expected)


@settings(max_examples=100, deadline=None)
@given(stocks.filters)
def test_the_facets_of_a_search_are_those_of_the_same_filters(filters: dict[str, Any]) -> None:
    assert INDEX.search({"filters": filters}).data()["facets"] == INDEX.facets(filters).data()


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 60), stocks.filters, stocks.sorts)
def test_small_stocks_of_any_size_answer_like_large_ones(
    seed: int, size: int, filters: dict[str, Any], sort: dict[str, str] | None
) -> None:
    stock = stocks.generated_stock(size, seed=seed)
    shown = reference.in_stock(stock)
    expected = reference.ordered([car for car in shown if reference.matches(car, filters)], sort)
    index = SearchIndex.build((vehicle, ()) for vehicle in stock)

    data = index.search(
        {"filters": filters, "pagination": {"limit": 100}} | ({"sort": sort} if sort else {})
    ).data()

    assert len(index) == len(shown)
    assert [car["vehicle_id"] for car in data["vehicles"]] == [car["vehicle_id"] for car in expected]


@pytest.mark.parametrize("facet", sorted(reference.LIST_FILTERS))
def test_filtering_by_a_value_that_a_facet_lists_finds_at_least_as_many(facet: str) -> None:
    field = reference.LIST_FILTERS[facet]
    name = next(name for name, counted in reference.TERM_FACETS.items() if counted == field)

    for entry in INDEX.facets({}).data()[name]:
        assert INDEX.search({"filters": {facet: [entry["value"]]}}).total >= entry["count"], entry


def test_broad_filters_over_a_large_stock_count_and_sort_like_the_loop() -> None:
    stock = reference.in_stock(stocks.generated_stock(16_000, seed=11))
    index = SearchIndex.build((vehicle, ()) for vehicle in stock)
    for filters in (
        {"condition": ["used", "new"]},
        {"year_min": 2016},
        {"make": ["vw", "bmw", "honda", "ford", "mercedes", "hyundai", "skoda"]},
        {"price_min": 9000},
    ):
        expected = [vehicle for vehicle in stock if reference.matches(vehicle, filters)]
        for sort in ({"field": "price", "order": "desc"}, {"field": "stock", "order": "asc"}):
            data = index.search(
                {"filters": filters, "sort": sort, "pagination": {"skip": 3_000, "limit": 50}}
            ).data()

            assert data["total"] == len(expected) > 6_000
            page = reference.ordered(expected, sort)[3_000:3_050]
            assert [car["vehicle_id"] for car in data["vehicles"]] == [car["vehicle_id"] for car in page]
            makes = {entry["value"]: entry["count"] for entry in data["facets"]["makes"]}
            assert sum(makes.values()) == len(expected)
            assert data["facets"]["price_range"] == reference.ranges(expected)["price_range"]
