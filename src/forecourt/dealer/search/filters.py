"""From the filters of a request to constraints on vehicles, and what has to be said about them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from forecourt.dealer.search.columns import Column, Rows
from forecourt.dealer.search.fields import NUMBER_FIELDS, TERM_FIELDS, NumberField
from forecourt.dealer.search.free_text import holders_of
from forecourt.dealer.search.matching import Among, Constraint, InColumn, matching_rows
from forecourt.dealer.search.stock import Stock

Filters = Mapping[str, Any]

MOST_VALUES: Final = 1_000
"""Values of one list filter that are looked at: a longer list is no question but a burden."""

PRICE_FILTERS: Final = ("price_min", "price_max")


@dataclass(frozen=True)
class Selection:
    """The vehicles that meet the filters, and remarks for the person who asked."""

    rows: Rows
    messages: tuple[str, ...]


@dataclass(frozen=True)
class Finding:
    """What one filter comes to."""

    constraint: Constraint | None = None
    message: str | None = None


def select(stock: Stock, filters: Filters) -> Selection:
    """Return the rows that meet every filter, and a remark for each that cannot be met as it stands."""
    findings = list(_findings(stock, filters))
    constraints = [finding.constraint for finding in findings if finding.constraint is not None]
    messages = tuple(finding.message for finding in findings if finding.message is not None)
    return Selection(matching_rows(constraints, stock.size), messages)


def _findings(stock: Stock, filters: Filters) -> Iterator[Finding]:
    for term_field in TERM_FIELDS:
        if values := filters.get(term_field.filter or ""):
            yield _among_terms(stock, term_field.name, asked=values, label=str(term_field.filter))
    for number_field in NUMBER_FIELDS:
        yield from _within_range(stock, number_field, filters)
    yield from _special_findings(stock, filters)


def _special_findings(stock: Stock, filters: Filters) -> Iterator[Finding]:
    if filters.get("dc_fast_charge"):
        yield _among_terms(stock, "dc_fast_charge", asked=["true"], label="dc_fast_charge")
    for kind in ("vin", "stock"):
        if kind in filters:
            yield _identified(stock, kind, filters[kind])
    if filters.get("query", "").strip():
        yield _holding_words(stock, filters["query"])
    if any(name in filters for name in PRICE_FILTERS) and (currencies := stock.left_out_anywhere()):
        yield Finding(
            message=f"Vehicles priced only in {_listed(currencies)} cannot match a price in US dollars."
        )


def _among_terms(stock: Stock, name: str, *, asked: list[str], label: str) -> Finding:
    column, terms = stock.terms[name].column, stock.terms[name].terms
    distinct = list(dict.fromkeys(asked))
    matching = [terms.matching(value) for value in distinct[:MOST_VALUES]]
    unknown = sum(len(codes) == 0 for codes in matching)
    wanted = np.unique(np.concatenate(matching))
    if len(distinct) > MOST_VALUES:
        return Finding(InColumn(column, wanted), f"The filter {label} was cut to {MOST_VALUES} values.")
    return Finding(InColumn(column, wanted), _unknown_values(label, unknown, of=len(matching)))


def _unknown_values(label: str, unknown: int, *, of: int) -> str | None:
    if unknown == 0:
        return None
    if unknown == of:
        return f"No vehicle in this stock matches the filter {label}; inventory.facets lists its values."
    return f"Of the {of} values of the filter {label}, {unknown} match no vehicle in this stock."


def _within_range(stock: Stock, field: NumberField, filters: Filters) -> Iterator[Finding]:
    lowest, highest = filters.get(field.lowest or ""), filters.get(field.highest or "")
    if lowest is None and highest is None:
        return
    number = stock.numbers[field.name]
    crossed = lowest is not None and highest is not None and lowest > highest
    message = f"{field.lowest} is greater than {field.highest}, so no vehicle can match." if crossed else None
    yield Finding(InColumn(number.column, number.between(lowest, highest)), message)


def _identified(stock: Stock, kind: str, identifier: str) -> Finding:
    marks = np.zeros(stock.size, dtype=np.bool_)
    marks[stock.identified(kind, identifier)] = True
    message = None if marks.any() else f"No vehicle in this stock has the {kind} that was asked for."
    return Finding(Among(marks), message)


def _holding_words(stock: Stock, query: str) -> Finding:
    marks = holders_of(query, stock)
    message = None if marks.any() else "No vehicle in this stock holds all the words of the query."
    return Finding(Among(marks), message)


def _listed(names: list[str]) -> str:
    return " or ".join(names)


def sort_column(stock: Stock, field: str, *, descending: bool) -> Column | None:
    """Return the column to sort by; None when it is the default order (freshest first)."""
    if field == "updated_at":
        return None if descending else stock.updated_order
    if field == "stock":
        return stock.stock_order
    return stock.terms[field].column if field in stock.terms else stock.numbers[field].column
