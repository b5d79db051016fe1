"""Counts per value and ranges over the matching vehicles, and how they read as AAP facets."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic_core import from_json, to_json

from forecourt.dealer.search.columns import SILENT, Codes, NumberColumn, Rows
from forecourt.dealer.search.counting import Counts, SlotCounter

COUNT_SHIFT: Final = 28
FACET_SHIFT: Final = 56
"""A sort key of a value is its facet, its count counted down, and its place in the alphabet, in 63 bits."""

Fragments = NDArray[np.object_]
"""Bytes objects in an array, so that thousands are picked at once."""


def _fragments(parts: Iterable[bytes]) -> Fragments:
    return np.fromiter(parts, dtype=np.object_)


COUNTS_READY: Final = 1_000
ENDINGS: Final = _fragments(b"%d}," % count for count in range(COUNTS_READY + 1))
"""How a value's JSON ends, ready for the counts that most values have."""

SILENT_VALUE: Final = b""


class TermFacet(NamedTuple):
    """A facet over the codes of its values by row; code c is shown as `labels[c]`."""

    name: str
    codes: Codes
    labels: Sequence[str | int]
    newest_first: bool = False
    """Order by value descending (years) instead of by count."""


@dataclass(frozen=True)
class Facets:
    """The facets of one set of vehicles; they are spelled out when somebody reads them."""

    values: "FacetValues"
    counts: Counts
    ranges: Mapping[str, tuple[int | float, int | float]]

    @cached_property
    def encoded(self) -> bytes:
        """Return the JSON object of AAP facets: facets without any value are left out."""
        parts = self.values.encoded(self.counts)
        for name, (lowest, highest) in self.ranges.items():
            parts.append(b'"%b":{"min":%b,"max":%b}' % (name.encode(), to_json(lowest), to_json(highest)))
        return b"{" + b",".join(parts) + b"}"

    def data(self) -> dict[str, Any]:
        """Return the AAP facets."""
        facets: dict[str, Any] = from_json(self.encoded)
        return facets


@dataclass(frozen=True)
class FacetValues:
    """The values of all term facets by slot, each as JSON that only lacks its count."""

    names: tuple[str, ...]
    facet_of: Rows
    prefixes: Fragments
    places: NDArray[np.int64]
    """The part of each value's sort key that does not depend on counts."""
    by_count: NDArray[np.int64]
    """What a count weighs in the sort key: nothing where values are ordered newest first."""
    shown: NDArray[np.int64]
    """0 for the slots of silent vehicles, which no facet shows, else 1."""

    @classmethod
    def of(cls, facets: Sequence[TermFacet]) -> "FacetValues":
        """Build from the facets, in the order of the slots."""
        slots = [len(facet.labels) + 1 for facet in facets]
        facet_of = np.repeat(np.arange(len(facets)), slots)
        places = [
            _alphabet(size, backward=facet.newest_first) for facet, size in zip(facets, slots, strict=True)
        ]
        weights = [0 if facet.newest_first else 1 << COUNT_SHIFT for facet in facets]
        prefixes = _fragments(prefix for facet in facets for prefix in _prefixes(facet))
        return cls(
            names=tuple(facet.name for facet in facets),
            facet_of=facet_of,
            prefixes=prefixes,
            places=(facet_of << FACET_SHIFT) + np.concatenate(places),
            by_count=np.repeat(np.array(weights, dtype=np.int64), slots),
            shown=np.array([prefix != SILENT_VALUE for prefix in prefixes], dtype=np.int64),
        )

    def encoded(self, counts: Counts) -> list[bytes]:
        """Return the JSON members of the term facets that have values."""
        present = self._ordered(counts)
        parts = np.empty((len(present), 2), dtype=np.object_)
        parts[:, 0] = self.prefixes[present]
        parts[:, 1] = _endings(counts[present])
        flat = parts.ravel().tolist()
        ends = 2 * np.searchsorted(self.facet_of[present], np.arange(len(self.names) + 1))
        return [
            b'"%b":[%b]' % (name.encode(), b"".join(flat[start:end])[:-1])
            for name, start, end in zip(self.names, ends.tolist(), ends[1:].tolist(), strict=False)
            if start < end
        ]

    def _ordered(self, counts: Counts) -> Rows:
        """Return the slots that some vehicle has, facet by facet in the order in which they are shown."""
        present = np.flatnonzero(counts * self.shown)
        highest = (1 << (FACET_SHIFT - COUNT_SHIFT)) - 1
        keys = self.places[present] + self.by_count[present] * (highest - counts[present])
        return present[np.argsort(keys)]


def _alphabet(size: int, *, backward: bool) -> Rows:
    return np.arange(size)[:: -1 if backward else 1]


def _prefixes(facet: TermFacet) -> list[bytes]:
    return [b'{"value":%b,"count":' % to_json(label) for label in facet.labels] + [SILENT_VALUE]


def _endings(counts: Counts) -> Fragments:
    endings = ENDINGS[np.minimum(counts, COUNTS_READY)]
    for place in np.flatnonzero(counts > COUNTS_READY).tolist():
        endings[place] = b"%d}," % counts[place]
    return endings


class FacetCounter:
    """Counts facets over any set of rows."""

    def __init__(self, facets: Sequence[TermFacet], ranges: Mapping[str, NumberColumn]) -> None:
        self._ranges = ranges
        self._values = FacetValues.of(facets)
        self._slots = SlotCounter([facet.codes for facet in facets], [len(facet.labels) for facet in facets])
        self._size = len(facets[0].codes)

    @cached_property
    def everything(self) -> Facets:
        """Return the facets of the whole stock."""
        return self._facets(np.arange(self._size))

    def over(self, rows: Rows) -> Facets:
        """Return the facets of the vehicles in these rows, which ascend."""
        return self.everything if len(rows) == self._size else self._facets(rows)

    def _facets(self, rows: Rows) -> Facets:
        ends = {name: _lowest_and_highest(number, rows) for name, number in self._ranges.items()}
        ranges = {name: found for name, found in ends.items() if found is not None}
        return Facets(self._values, self._slots.over(rows), ranges)


def _lowest_and_highest(number: NumberColumn, rows: Rows) -> tuple[int | float, int | float] | None:
    """Return the ends of what the vehicles say; as an unsigned number `SILENT` is above every code."""
    codes = number.column.codes.take(rows)
    highest = int(codes.max(initial=SILENT))
    if highest == SILENT:
        return None
    return number.number(int(codes.view(np.uint32).min())), number.number(highest)
