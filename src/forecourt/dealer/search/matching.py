"""Which vehicles meet every constraint: from the smallest one outward, or all rows at once for broad ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Protocol

import numpy as np

from forecourt.dealer.search.columns import Column, Flags, Rows, Selector

BROAD: Final = 1 / 8
"""Share of the stock from which on testing every row is faster than testing a list of them."""


class Constraint(Protocol):
    """A condition on vehicles."""

    @property
    def count(self) -> int:
        """Return how many vehicles meet it."""

    def rows(self) -> Rows:
        """Return the rows that meet it, ascending."""

    def kept(self, rows: Rows) -> Rows:
        """Return those of the rows that meet it."""

    def flags(self) -> Flags:
        """Return by row whether it meets it."""


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


@dataclass(frozen=True)
class Among:
    """The vehicle is one of those that are marked by row."""

    marks: Flags

    @cached_property
    def _rows(self) -> Rows:
        return np.flatnonzero(self.marks)

    @property
    def count(self) -> int:
        """Return how many vehicles meet it."""
        return len(self._rows)

    def rows(self) -> Rows:
        """Return the rows that meet it, ascending."""
        return self._rows

    def kept(self, rows: Rows) -> Rows:
        """Return those of the rows that meet it."""
        return rows[self.marks[rows]]

    def flags(self) -> Flags:
        """Return by row whether it meets it."""
        return self.marks


def matching_rows(constraints: Sequence[Constraint], size: int) -> Rows:
    """Return the rows that meet every constraint, ascending; without any, all of a stock of that size."""
    if not constraints:
        return np.arange(size)
    smallest, *others = sorted(constraints, key=lambda constraint: constraint.count)
    if smallest.count < size * BROAD:
        rows = smallest.rows()
        for constraint in others:
            rows = constraint.kept(rows)
        return rows
    flags = smallest.flags()
    for constraint in others:
        flags = flags & constraint.flags()
    return np.flatnonzero(flags)
