"""Which vehicles meet every constraint: from the smallest one outward, or all rows at once for broad ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Protocol

import numpy as np

from forecourt.dealer.search.columns import Column, Flags, Rows, Selector

BROAD: Final = 1 / 8
"""Share of the stock from which on testing every row is faster than testing a list of them."""


class Matches(Protocol):
    """Some vehicles of the stock."""

    @property
    def count(self) -> int:
        """Return how many they are."""

    def rows(self) -> Rows:
        """Return their rows, ascending."""

    def flags(self) -> Flags:
        """Return by row whether it is one of them."""


class Constraint(Matches, Protocol):
    """A condition on vehicles, and those that meet it."""

    def kept(self, rows: Rows) -> Rows:
        """Return those of the rows that meet it."""


@dataclass(frozen=True)
class InColumn:
    """The vehicle's code in a column is one of these."""

    column: Column
    wanted: Selector

    @property
    def count(self) -> int:
        """Return how many vehicles meet it."""
        return self.column.count(self.wanted)

    def rows(self) -> Rows:
        """Return the rows that meet it, ascending."""
        return self.column.rows(self.wanted)

    def kept(self, rows: Rows) -> Rows:
        """Return those of the rows that meet it."""
        return self.column.kept(rows, self.wanted)

    def flags(self) -> Flags:
        """Return by row whether it meets it."""
        return self.column.flags(self.wanted)


class Remembered(InColumn):
    """The same for questions to come: counted and marked once, when it is first needed."""

    @cached_property
    def _count(self) -> int:
        return super().count

    @property
    def count(self) -> int:
        """Return how many vehicles meet it."""
        return self._count

    @cached_property
    def _flags(self) -> Flags:
        return super().flags()

    def flags(self) -> Flags:
        """Return by row whether it meets it."""
        return self._flags


@dataclass(frozen=True)
class Among:
    """The vehicle is one of those that are marked by row."""

    marks: Flags
    count: int

    @classmethod
    def of(cls, marks: Flags) -> "Among":
        """Count the marks."""
        return cls(marks, int(np.count_nonzero(marks)))

    @cached_property
    def _rows(self) -> Rows:
        return np.flatnonzero(self.marks)

    def rows(self) -> Rows:
        """Return the rows that meet it, ascending."""
        return self._rows

    def kept(self, rows: Rows) -> Rows:
        """Return those of the rows that meet it."""
        return rows[self.marks[rows]]

    def flags(self) -> Flags:
        """Return by row whether it meets it."""
        return self.marks


@dataclass(frozen=True)
class Rowed:
    """Vehicles by their ascending rows, of a stock of that size."""

    found: Rows
    size: int

    @property
    def count(self) -> int:
        """Return how many they are."""
        return len(self.found)

    def rows(self) -> Rows:
        """Return their rows."""
        return self.found

    def flags(self) -> Flags:
        """Return by row whether it is one of them."""
        flags = np.zeros(self.size, dtype=np.bool_)
        flags[self.found] = True
        return flags


def matching(constraints: Sequence[Constraint], size: int) -> Matches:
    """Return the vehicles that meet every constraint; without any, all of a stock of that size."""
    if not constraints:
        return Rowed(np.arange(size), size)
    smallest, *others = sorted(constraints, key=lambda constraint: constraint.count)
    if smallest.count < size * BROAD:
        rows = smallest.rows()
        for constraint in others:
            rows = constraint.kept(rows)
        return Rowed(rows, size)
    flags = smallest.flags()
    for constraint in others:
        flags = flags & constraint.flags()
    return Among.of(flags)
