"""Columns of small integer codes: for each vehicle a code, for each code its vehicles.

A vehicle's row is its place in the default order (freshest first), so ascending rows are in that order.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int32]
Rows = NDArray[np.intp]
Flags = NDArray[np.bool_]
Selector = slice | Rows
"""Some codes of a column: a range of them, or a list."""

SILENT: Final = -1
"""The code of a vehicle that says nothing in this column."""

BEYOND_ANY_VALUE: Final = 2**53
"""No mileage, price or year is as great; JSON integers can be greater than any float."""

RADIX_LIMIT: Final = 2**16 - 1
"""Below it codes fit 16 bits and numpy sorts them stably by radix, ten times as fast."""


@dataclass(frozen=True)
class Column:
    """One field of every vehicle as codes 0 … size-1, which ascend with the value."""

    codes: Codes
    """By row; `SILENT` where the vehicle says nothing."""
    order: Codes
    """Rows by ascending code, in default order within one; the silent last."""
    starts: Rows
    """Rows of code c are `order[starts[c]:starts[c + 1]]`."""

    @classmethod
    def of(cls, codes: Codes, size: int) -> "Column":
        """Build from the codes by row."""
        counts = np.bincount(codes + 1, minlength=size + 1)[1:]
        starts = np.concatenate(([0], np.cumsum(counts))).astype(np.intp)
        return cls(codes, _rows_by(codes, size), starts)

    @property
    def size(self) -> int:
        """Return how many codes there are."""
        return len(self.starts) - 1

    def count(self, wanted: Selector) -> int:
        """Return how many vehicles have one of the codes."""
        if isinstance(wanted, slice):
            return int(self.starts[wanted.stop] - self.starts[wanted.start])
        return int((self.starts[wanted + 1] - self.starts[wanted]).sum())

    def rows(self, wanted: Selector) -> Rows:
        """Return the rows that have one of the codes, ascending."""
        if isinstance(wanted, slice):
            rows = self.order[self.starts[wanted.start] : self.starts[wanted.stop]]
            return (rows if wanted.stop - wanted.start == 1 else np.sort(rows)).astype(np.intp)
        slices = [self.order[self.starts[code] : self.starts[code + 1]] for code in wanted]
        rows = slices[0] if len(slices) == 1 else np.sort(np.concatenate(slices or [self.order[:0]]))
        return rows.astype(np.intp)

    def mark(self, code: int, holders: Flags) -> None:
        """Mark by row the vehicles that have a code."""
        holders[self.order[self.starts[code] : self.starts[code + 1]]] = True

    def accepts(self, wanted: Selector) -> Flags:
        """Return by code whether it is wanted; the last entry, which `SILENT` reads, is False."""
        accepted = np.zeros(self.size + 1, dtype=np.bool_)
        accepted[wanted] = True
        return accepted

    def flags(self, wanted: Selector) -> Flags:
        """Return by row whether it has one of the codes."""
        if isinstance(wanted, slice):
            return _inside(self.codes, wanted)
        return self.accepts(wanted).take(self.codes)

    def kept(self, rows: Rows, wanted: Selector) -> Rows:
        """Return those of the rows that have one of the codes."""
        codes: Codes = self.codes.take(rows)
        if isinstance(wanted, slice):
            return rows[_inside(codes, wanted)]
        return rows[self.accepts(wanted)[codes]]

    def ranks(self, rows: Rows, *, descending: bool) -> NDArray[np.int64]:
        """Return sort keys of rows: by code in either direction, the silent last in both."""
        codes = self.codes.take(rows).astype(np.int64)
        if descending:
            return self.size - 1 - codes
        return np.where(codes == SILENT, self.size, codes)

    def stretch(self, wanted: slice | None, *, descending: bool) -> Codes:
        """Return the rows of a range of codes (None: all rows, the silent last) in either direction."""
        order = self.descending if descending else self.order
        if wanted is None:
            return order
        start, stop, spoken = self.starts[[wanted.start, wanted.stop, -1]].tolist()
        return order[spoken - stop : spoken - start] if descending else order[start:stop]

    @cached_property
    def descending(self) -> Codes:
        """Return rows by descending code, in default order within one; the silent last."""
        return _rows_by(np.where(self.codes == SILENT, SILENT, self.size - 1 - self.codes), self.size)


def _inside(codes: Codes, wanted: slice) -> Flags:
    """Return which codes are in a range; as an unsigned number `SILENT` is beyond any."""
    below: Flags = codes.view(np.uint32) < wanted.stop
    return below if wanted.start == 0 else (codes >= wanted.start) & below


def _rows_by(codes: Codes, size: int) -> Codes:
    """Return the rows by ascending code, stably; as an unsigned number `SILENT` is the highest."""
    unsigned = codes.astype(np.uint16) if size < RADIX_LIMIT else codes.astype(np.uint32)
    return np.argsort(unsigned, kind="stable").astype(np.int32)


@dataclass(frozen=True)
class NumberColumn:
    """A number field; code c stands for `values[c]`."""

    column: Column
    values: NDArray[np.float64]

    def between(self, lowest: float | None, highest: float | None) -> slice:
        """Return the codes of values from `lowest` to `highest`, both inclusive."""
        start = 0 if lowest is None else self._place(lowest, side="left")
        stop = self.column.size if highest is None else self._place(highest, side="right")
        return slice(start, max(start, stop))

    def _place(self, number: float, *, side: Literal["left", "right"]) -> int:
        return int(self.values.searchsorted(float(min(number, BEYOND_ANY_VALUE)), side))

    def codes_of(self, value: float) -> range:
        """Return the code of a value, if there is one."""
        return range(*self.between(value, value).indices(self.column.size))

    def number(self, code: int) -> int | float:
        """Return a value as JSON has it: an integer when it is whole."""
        value = float(self.values[code])
        return int(value) if value.is_integer() else value
