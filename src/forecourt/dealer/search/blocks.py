"""Vehicles on their way into an index: some thousands at a time, as columns of values and codes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from forecourt.dealer.search.columns import Rows
from forecourt.dealer.search.fields import SEARCHED_FIELDS, STATUSES_IN_STOCK

Vehicle = Mapping[str, Any]
Listed = tuple[Vehicle, Iterable[str]]
"""An AAP vehicle and the currencies whose prices it leaves out."""

VEHICLES_PER_BLOCK: Final = 4_096


class CodedColumn(Protocol):
    """A field of many vehicles: vehicle i has `values[codes[i]]`; None says that it has none."""

    @property
    def values(self) -> Sequence[Any]:
        """Return the values; equal ones may stand in it more than once."""

    @property
    def codes(self) -> NDArray[np.int32]:
        """Return the place of each vehicle's value."""


@dataclass(frozen=True)
class PlainColumn:
    """A coded column that holds what it was given."""

    values: Sequence[Any]
    codes: NDArray[np.int32]


@dataclass(frozen=True)
class Block:
    """Some AAP vehicles, and the fields that are searched as columns; a field that none has may be absent."""

    vehicles: Sequence[Vehicle]
    columns: Mapping[str, CodedColumn]
    left_out: CodedColumn
    """The currencies whose prices each vehicle leaves out, as sets or tuples."""

    def column(self, field: str) -> CodedColumn:
        """Return a field's column, one of nothing when the field is absent."""
        found = self.columns.get(field)
        return PlainColumn([None], np.zeros(len(self.vehicles), dtype=np.int32)) if found is None else found

    def in_stock(self) -> "Block":
        """Return the vehicles whose status says that they are in stock."""
        status = self.column("status")
        stays = np.array([value in STATUSES_IN_STOCK for value in status.values], dtype=np.bool_)
        kept = np.flatnonzero(stays[status.codes])
        if len(kept) == len(self.vehicles):
            return self
        vehicles = [self.vehicles[place] for place in kept.tolist()]
        columns = {field: _kept(column, kept) for field, column in self.columns.items()}
        return Block(vehicles, columns, _kept(self.left_out, kept))


def _kept(column: CodedColumn, kept: Rows) -> PlainColumn:
    return PlainColumn(column.values, column.codes[kept])


def blocks_of(listed: Iterable[Listed]) -> Iterator[Block]:
    """Cut vehicles that come one by one into blocks."""
    rest = iter(listed)
    while some := list(islice(rest, VEHICLES_PER_BLOCK)):
        vehicles = [vehicle for vehicle, _ in some]
        every = np.arange(len(vehicles), dtype=np.int32)
        columns = {
            field: PlainColumn([car.get(field) for car in vehicles], every) for field in SEARCHED_FIELDS
        }
        yield Block(vehicles, columns, PlainColumn([left for _, left in some], every))
