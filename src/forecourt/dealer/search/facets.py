"""Counts per value and ranges over the matching vehicles, and how they read as AAP facets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic_core import from_json, to_json

from forecourt.dealer.search.columns import SILENT, Column, NumberColumn, Rows

FEW: Final = 6_000
"""Up to so many vehicles one pass over their rows of the table counts every facet at once."""

COUNT_SHIFT: Final = 28
FACET_SHIFT: Final = 56
"""A sort key of a value is its facet, its count counted down, and its place in the alphabet, in 63 bits."""

SMALL_COUNTS: Final = tuple(b"%d}" % count for count in range(1000))
"""How a value's JSON ends, ready for the counts that most values have."""


class TermFacet(NamedTuple):
    """A facet over a column whose codes fall into groups, each one facet value."""

    name: str
    column: Column
    group_starts: Rows
    labels: Sequence[str | int]
    newest_first: bool = False
    """Order by value descending (years) instead of by count."""


@dataclass(frozen=True)
class Facets:
    """The facets of one set of vehicles; they are spelled out when somebody reads them."""

    values: "FacetValues"
    counts: NDArray[np.int64]
    """Per facet value, over all facets."""
    ranges: Mapping[str, tuple[int | float, int | float]]

    @cached_property
    def encoded(self) -> bytes:
        """Return the JSON object of AAP facets: facets without any value are left out."""
        parts = self.values.encoded(self.counts)
        parts += [
            b'"%b":{"min":%b,"max":%b}' % (name.encode(), *map(to_json, ends))
            for name, ends in self.ranges.items()
        ]
        return b"{" + b",".join(parts) + b"}"

    def data(self) -> dict[str, Any]:
        """Return the AAP facets."""
        facets: dict[str, Any] = from_json(self.encoded)
        return facets


@dataclass(frozen=True)
class FacetValues:
    """All values of all term facets in one row, facet by facet, each as JSON that only lacks its count."""

    names: tuple[str, ...]
    facet_of: Rows
    prefixes: tuple[bytes, ...]
    places: NDArray[np.int64]
    """The part of each value's sort key that does not depend on counts."""
    by_count: NDArray[np.int64]
    """What a count weighs in the sort key: nothing where values are ordered newest first."""

    @classmethod
    def of(cls, facets: Sequence[TermFacet]) -> "FacetValues":
        """Build from the facets."""
        sizes = [len(facet.labels) for facet in facets]
        facet_of = np.repeat(np.arange(len(facets)), sizes)
        places = [
            np.arange(size)[:: -1 if facet.newest_first else 1]
            for facet, size in zip(facets, sizes, strict=True)
        ]
        weights = [0 if facet.newest_first else 1 << COUNT_SHIFT for facet in facets]
        return cls(
            names=tuple(facet.name for facet in facets),
            facet_of=facet_of,
            prefixes=tuple(
                b'{"value":%b,"count":' % to_json(label) for facet in facets for label in facet.labels
            ),
            places=(facet_of << FACET_SHIFT) + np.concatenate(places),
            by_count=np.repeat(np.array(weights, dtype=np.int64), sizes),
        )

    def encoded(self, counts: NDArray[np.int64]) -> list[bytes]:
        """Return the JSON members of the term facets that have values."""
        present = np.flatnonzero(counts)
        highest = (1 << (FACET_SHIFT - COUNT_SHIFT)) - 1
        keys = self.places[present] + self.by_count[present] * (highest - counts[present])
        present = present[np.argsort(keys)]
        entries = [
            prefix + (SMALL_COUNTS[count] if count < len(SMALL_COUNTS) else b"%d}" % count)
            for prefix, count in zip(
                map(self.prefixes.__getitem__, present.tolist()), counts[present].tolist(), strict=True
            )
        ]
        ends = np.searchsorted(self.facet_of[present], np.arange(len(self.names) + 1)).tolist()
        return [
            b'"%b":[%b]' % (name.encode(), b",".join(entries[start:end]))
            for name, start, end in zip(self.names, ends, ends[1:], strict=False)
            if start < end
        ]


class FacetCounter:
    """Counts facets over any set of rows."""

    def __init__(self, facets: Sequence[TermFacet], ranges: Mapping[str, NumberColumn]) -> None:
        self._columns = [facet.column for facet in facets]
        self._ranges = ranges
        self._values = FacetValues.of(facets)
        sizes = [column.size + 1 for column in self._columns]
        self._offsets = np.concatenate(([0], np.cumsum(sizes))).astype(np.intp)
        self._table = _table(self._columns, self._offsets)
        self._groups = _group_bounds(facets, self._offsets)
        self._size = len(self._table)

    @cached_property
    def everything(self) -> Facets:
        """Return the facets of the whole stock."""
        return Facets(self._values, self._grouped(self._all_counts), self._ranges_over(None))

    def over(self, rows: Rows) -> Facets:
        """Return the facets of the vehicles in these rows, which ascend."""
        if len(rows) == self._size:
            return self.everything
        return Facets(self._values, self._grouped(self._counts(rows)), self._ranges_over(rows))

    @cached_property
    def _all_counts(self) -> NDArray[np.int64]:
        return self._counted_by_column(None)

    def _counts(self, rows: Rows) -> NDArray[np.int64]:
        """Return the vehicles per code; of most of the stock, what the rest leaves."""
        if len(rows) <= FEW:
            return np.bincount(self._table[rows].ravel(), minlength=int(self._offsets[-1]))
        if 2 * len(rows) > self._size:
            return self._all_counts - self._counts(_others(rows, self._size))
        return self._counted_by_column(rows)

    def _counted_by_column(self, rows: Rows | None) -> NDArray[np.int64]:
        codes = [column.codes if rows is None else column.codes.take(rows) for column in self._columns]
        counted = [
            np.bincount(found + 1, minlength=column.size + 1)
            for found, column in zip(codes, self._columns, strict=True)
        ]
        return np.concatenate([np.roll(counts, -1) for counts in counted])

    def _grouped(self, counts: NDArray[np.int64]) -> NDArray[np.int64]:
        starts, ends = self._groups
        totals = np.concatenate(([0], np.cumsum(counts)))
        return totals[ends] - totals[starts]

    def _ranges_over(self, rows: Rows | None) -> dict[str, tuple[int | float, int | float]]:
        ends = {name: _lowest_and_highest(number, rows) for name, number in self._ranges.items()}
        return {name: found for name, found in ends.items() if found is not None}


def _table(columns: Sequence[Column], offsets: Rows) -> NDArray[np.int32]:
    """Return by row and column the code plus the column's offset; the silent have a column's last place."""
    table = np.empty((len(columns[0].codes), len(columns)), dtype=np.int32)
    for place, column in enumerate(columns):
        silent = column.codes == SILENT
        table[:, place] = np.where(silent, column.size, column.codes) + offsets[place]
    return table


def _group_bounds(facets: Sequence[TermFacet], offsets: Rows) -> tuple[Rows, Rows]:
    """Return where the codes of each facet value begin and end."""
    starts = [facet.group_starts + offset for facet, offset in zip(facets, offsets, strict=False)]
    ends = [
        np.append(start[1:], offset + facet.column.size) if len(start) else start
        for facet, start, offset in zip(facets, starts, offsets, strict=False)
    ]
    return np.concatenate(starts).astype(np.intp), np.concatenate(ends).astype(np.intp)


def _others(rows: Rows, size: int) -> Rows:
    rest = np.ones(size, dtype=np.bool_)
    rest[rows] = False
    return np.flatnonzero(rest)


def _lowest_and_highest(number: NumberColumn, rows: Rows | None) -> tuple[int | float, int | float] | None:
    if number.column.size == 0:
        return None
    if rows is None:
        return number.number(0), number.number(number.column.size - 1)
    codes = number.column.codes.take(rows)
    if len(codes) == 0 or (highest := int(codes.max())) == SILENT:
        return None
    lowest = int(codes.view(np.uint32).min())
    return number.number(lowest), number.number(highest)
