"""Count the values of many columns over any set of vehicles.

Every value of every column has a slot of its own, and each column one more for its silent vehicles. How it is
counted depends on how many vehicles there are: few by one pass over their rows of a table, many by packs of
columns that are counted as one, most of the stock by what the rest leaves.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from forecourt.dealer.search.columns import SILENT, Codes, Rows

FEW: Final = 6_000
"""Up to so many vehicles the table is faster than the packs."""

LARGEST_PACK: Final = 4_096
"""Combinations of values in a pack of several columns: their counts fit the fastest cache."""

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Pack:
    """Columns that are counted as one: a row's code says its value in each of them."""

    members: tuple[int, ...]
    sizes: tuple[int, ...]
    codes: Codes

    def counts(self, rows: Rows | None) -> Iterator[tuple[int, Counts]]:
        """Yield each member and how often the rows (None: all) have each of its values."""
        codes = self.codes if rows is None else self.codes.take(rows)
        joint = np.bincount(codes, minlength=prod(self.sizes)).reshape(self.sizes)
        axes = range(len(self.sizes))
        for axis, member in enumerate(self.members):
            yield member, joint.sum(axis=tuple(other for other in axes if other != axis))


class SlotCounter:
    """Counts per slot; `starts` says where the slots of each column begin, its silent slot being the last."""

    def __init__(self, columns: Sequence[Codes], sizes: Sequence[int]) -> None:
        spoken = [np.where(codes == SILENT, size, codes) for codes, size in zip(columns, sizes, strict=True)]
        slots = [size + 1 for size in sizes]
        self.starts = np.cumsum([0, *slots])
        self._table = np.column_stack(spoken).astype(np.int32) + self.starts[:-1].astype(np.int32)
        self._packs = tuple(_packed(spoken, slots))

    @cached_property
    def everywhere(self) -> Counts:
        """Return the counts over all vehicles."""
        return self._by_pack(None)

    def over(self, rows: Rows) -> Counts:
        """Return the counts over the vehicles in these rows."""
        size = len(self._table)
        if len(rows) == size:
            return self.everywhere
        if len(rows) <= FEW:
            return np.bincount(self._table[rows].ravel(), minlength=int(self.starts[-1]))
        if 2 * len(rows) > size:
            return self.everywhere - self.over(_others(rows, size))
        return self._by_pack(rows)

    def _by_pack(self, rows: Rows | None) -> Counts:
        counts = np.empty(int(self.starts[-1]), dtype=np.int64)
        for pack in self._packs:
            for member, counted in pack.counts(rows):
                counts[self.starts[member] : self.starts[member + 1]] = counted
        return counts


def _packed(columns: Sequence[NDArray[np.integer]], slots: Sequence[int]) -> Iterator[Pack]:
    """Yield packs: columns by ascending number of values, as many together as the limit allows."""
    members: list[int] = []
    for member in sorted(range(len(slots)), key=slots.__getitem__):
        if members and prod(slots[other] for other in members) * slots[member] > LARGEST_PACK:
            yield _pack(members, columns, slots)
            members = []
        members.append(member)
    yield _pack(members, columns, slots)


def _pack(members: list[int], columns: Sequence[NDArray[np.integer]], slots: Sequence[int]) -> Pack:
    sizes = tuple(slots[member] for member in members)
    codes = np.zeros(len(columns[0]), dtype=np.int32)
    for member in members:
        codes = codes * slots[member] + columns[member].astype(np.int32)
    return Pack(tuple(members), sizes, codes)


def _others(rows: Rows, size: int) -> Rows:
    rest = np.ones(size, dtype=np.bool_)
    rest[rows] = False
    return np.flatnonzero(rest)
