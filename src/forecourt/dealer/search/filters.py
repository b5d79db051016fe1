"""From the filters of a request to constraints on vehicles, and what has to be said about them."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from forecourt.dealer.search.columns import Column
from forecourt.dealer.search.fields import NUMBER_FIELDS, TERM_FIELDS, NumberField
from forecourt.dealer.search.free_text import holders_of
from forecourt.dealer.search.matching import Among, Constraint, InColumn, Matches, matching
from forecourt.dealer.search.stock import Meaning, Stock, meaning_of

Filters = Mapping[str, Any]

MOST_VALUES: Final = 1_000
"""Values of one list filter that are looked at: a longer list is no question but a burden."""

MOST_REMEMBERED_CHARACTERS: Final = 200
"""Longer lists of filter values are not remembered."""

PRICE_FILTERS: Final = ("price_min", "price_max")


class Selection(NamedTuple):
    """The vehicles that meet the filters, and remarks for the person who asked."""

    matches: Matches
    messages: tuple[str, ...]
    constraints: tuple[Constraint, ...]

    def span(self, column: Column | None) -> slice | None:
        """Return the range of a column's codes that the filters ask for, if they ask for one."""
        for constraint in self.constraints:
            if isinstance(constraint, InColumn) and constraint.column is column:
                return constraint.wanted if isinstance(constraint.wanted, slice) else None
        return None


class Finding(NamedTuple):
    """What one filter comes to."""

    constraint: Constraint | None = None
    message: str | None = None


def select(stock: Stock, filters: Filters) -> Selection:
    """Return the rows that meet every filter, and a remark for each that cannot be met as it stands."""
    findings = list(_findings(stock, filters))
    constraints = tuple(finding.constraint for finding in findings if finding.constraint is not None)
    messages = tuple(finding.message for finding in findings if finding.message is not None)
    return Selection(matching(constraints, stock.size), messages, constraints)


def _findings(stock: Stock, filters: Filters) -> Iterator[Finding]:
    for term_field in TERM_FIELDS:
        label = term_field.filter
        if label is not None and (values := filters.get(label)):
            yield _among_terms(stock, term_field.name, asked=values, label=label)
    for number_field in NUMBER_FIELDS:
        if number_field.lowest in filters or number_field.highest in filters:
            yield _within_range(stock, number_field, filters)
    yield from _special_findings(stock, filters)


def _special_findings(stock: Stock, filters: Filters) -> Iterator[Finding]:
    if filters.get("dc_fast_charge"):
        yield _among_terms(stock, "dc_fast_charge", asked=["true"], label="dc_fast_charge")
    for kind in ("vin", "stock"):
        if kind in filters:
            yield _identified(stock, kind, filters[kind])
    if filters.get("query", "").strip():
        yield _holding_words(stock, filters["query"])
    if any(name in filters for name in PRICE_FILTERS) and (currencies := stock.left_out_anywhere):
        yield Finding(
            message=f"Vehicles priced only in {_listed(currencies)} cannot match a price in US dollars."
        )


def _among_terms(stock: Stock, name: str, *, asked: list[str], label: str) -> Finding:
    distinct = tuple(dict.fromkeys(asked))
    holders, unknown = _meaning(stock, name, distinct[:MOST_VALUES])
    if len(distinct) > MOST_VALUES:
        return Finding(holders, f"The filter {label} was cut to {MOST_VALUES} values.")
    return Finding(holders, _unknown_values(label, unknown, of=len(distinct)))


def _meaning(stock: Stock, name: str, asked: tuple[str, ...]) -> Meaning:
    """Return what values mean; long lists are looked up anew each time, so that little is remembered."""
    if sum(map(len, asked)) > MOST_REMEMBERED_CHARACTERS:
        return meaning_of(stock.terms, name, asked)
    return stock.meaning(name, asked)


def _unknown_values(label: str, unknown: int, *, of: int) -> str | None:
    if unknown == 0:
        return None
    if unknown == of:
        return f"No vehicle in this stock matches the filter {label}; inventory.facets lists its values."
    return f"Of the {of} values of the filter {label}, {unknown} match no vehicle in this stock."


def _within_range(stock: Stock, field: NumberField, filters: Filters) -> Finding:
    lowest, highest = filters.get(field.lowest or ""), filters.get(field.highest or "")
    number = stock.numbers[field.name]
    crossed = lowest is not None and highest is not None and lowest > highest
    message = f"{field.lowest} is greater than {field.highest}, so no vehicle can match." if crossed else None
    return Finding(InColumn(number.column, number.between(lowest, highest)), message)


def _identified(stock: Stock, kind: str, identifier: str) -> Finding:
    marks = np.zeros(stock.size, dtype=np.bool_)
    marks[stock.identified(kind, identifier)] = True
    message = None if marks.any() else f"No vehicle in this stock has the {kind} that was asked for."
    return Finding(Among.of(marks), message)


def _holding_words(stock: Stock, query: str) -> Finding:
    marks = holders_of(query, stock)
    message = None if marks.any() else "No vehicle in this stock holds all the words of the query."
    return Finding(Among.of(marks), message)


def _listed(names: list[str]) -> str:
    return " or ".join(names)


def sort_column(stock: Stock, field: str, *, descending: bool) -> Column | None:
    """Return the column to sort by; None when it is the default order (freshest first)."""
    if field == "updated_at":
        return None if descending else stock.updated_order
    if field == "stock":
        return stock.stock_order
    return stock.terms[field].column if field in stock.terms else stock.numbers[field].column
