"""The search index of one dealer's stock: built once, then only read, by any number of threads."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from forecourt.dealer.search.answers import FacetsAnswer, FoundVehicle, SearchAnswer, left_out_remark
from forecourt.dealer.search.blocks import Block, Listed, blocks_of
from forecourt.dealer.search.building import StockBuilder
from forecourt.dealer.search.facets import FacetCounter, TermFacet
from forecourt.dealer.search.fields import IDENTIFIERS, NUMBER_FIELDS, TERM_FIELDS
from forecourt.dealer.search.filters import select, sort_column
from forecourt.dealer.search.ordering import page_of
from forecourt.dealer.search.payloads import PayloadCollector
from forecourt.dealer.search.stock import Stock

DEFAULT_LIMIT: Final = 20
HIGHEST_LIMIT: Final = 100
"""A request may ask for up to 1,000; more than this is clamped and the answer says so in `limit`."""


@dataclass(frozen=True)
class SearchIndex:
    """An immutable index over the vehicles of one stock version."""

    stock: Stock
    counter: FacetCounter

    @classmethod
    def build(cls, listed: Iterable[Listed], *, payload_path: Path | None = None) -> "SearchIndex":
        """Build from AAP vehicles as they are answered, each with the currencies whose prices it leaves out.

        The vehicles' JSON stays in memory or, from 4 MB on, lies in a file at `payload_path`, which has to be
        named by stock version: workers that give the same path share the file's memory. Vehicles that are not
        in stock stay out. Raises ValueError when the file there holds another stock.
        """
        return cls.build_from_blocks(blocks_of(listed), payload_path=payload_path)

    @classmethod
    def build_from_blocks(cls, blocks: Iterable[Block], *, payload_path: Path | None = None) -> "SearchIndex":
        """Build like `build` from vehicles whose fields are columns already, in three quarters the time."""
        payloads = PayloadCollector(payload_path)
        builder = StockBuilder(payloads)
        try:
            for block in blocks:
                builder.take(block)
            stock = builder.finish()
        except BaseException:
            payloads.abandon()
            raise
        return cls(stock, _facet_counter(stock))

    def __len__(self) -> int:
        """Return how many vehicles are in stock."""
        return self.stock.size

    def search(self, request: Mapping[str, Any], *, with_facets: bool = True) -> SearchAnswer:
        """Answer a valid `inventory.search.request`; facets are those of all matching vehicles."""
        selection = select(self.stock, request.get("filters", {}))
        skip, limit = _page_bounds(request.get("pagination", {}))
        sort = request.get("sort", {"field": "updated_at", "order": "desc"})
        descending = sort["order"] == "desc"
        column = sort_column(self.stock, sort["field"], descending=descending)
        page = page_of(selection.rows, column, descending=descending, skip=skip, limit=limit)
        return SearchAnswer(
            total=len(selection.rows),
            skip=skip,
            limit=limit,
            payloads=tuple(map(self.stock.compact, page.tolist())),
            facets=self.counter.over(selection.rows) if with_facets else None,
            messages=selection.messages + left_out_remark(self.stock.left_out(page)),
        )

    def facets(self, filters: Mapping[str, Any]) -> FacetsAnswer:
        """Answer `inventory.facets` over the vehicles that meet valid filters."""
        selection = select(self.stock, filters)
        return FacetsAnswer(self.counter.over(selection.rows), selection.messages)

    def find(self, identifiers: Mapping[str, str]) -> FoundVehicle | None:
        """Return the vehicle of a `vin`, `stock` or `vehicle_id`; None when none of them is in stock.

        When they disagree the most specific one that is known counts, in that order.
        """
        for kind in IDENTIFIERS:
            rows = self.stock.identified(kind, identifiers[kind]) if kind in identifiers else []
            if rows:
                remark = left_out_remark(self.stock.left_out(np.array([min(rows)])))
                return FoundVehicle(self.stock.vehicle(min(rows)), remark)
        return None


def _page_bounds(pagination: Mapping[str, int]) -> tuple[int, int]:
    return pagination.get("skip", 0), min(pagination.get("limit", DEFAULT_LIMIT), HIGHEST_LIMIT)


def _facet_counter(stock: Stock) -> FacetCounter:
    years = stock.numbers["year"]
    newest = [int(year) for year in years.values]
    facets = [TermFacet("years", years.column.codes, newest, newest_first=True)]
    for field in TERM_FIELDS:
        found = stock.terms[field.name]
        facets.append(TermFacet(field.facet, found.terms.groups_of(found.column.codes), found.terms.labels))
    ranges = {field.range_facet: stock.numbers[field.name] for field in NUMBER_FIELDS if field.range_facet}
    return FacetCounter(facets, ranges)
