"""Turn vehicles into columns: one pass that gives every distinct value a number, then sorting in numpy."""

from array import array
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from itertools import islice
from operator import itemgetter
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from forecourt.dealer.search.columns import SILENT, Codes, Column, NumberColumn, Rows
from forecourt.dealer.search.fields import (
    IDENTIFIERS,
    NUMBER_FIELDS,
    STATUSES_IN_STOCK,
    TERM_FIELDS,
    TermField,
)
from forecourt.dealer.search.identifiers import NOTHING, Identifiers, identifier_hashes
from forecourt.dealer.search.payloads import FilePayloads, MemoryPayloads
from forecourt.dealer.search.prose import ProseBuilder
from forecourt.dealer.search.stock import Stock, TermColumn, TermWords
from forecourt.dealer.search.terms import build_terms

Vehicle = Mapping[str, Any]
Listed = tuple[Vehicle, Iterable[str]]
"""An AAP vehicle and the currencies whose prices it leaves out."""

CHUNK: Final = 4096
AFTER_EVERY_ID: Final = "\U0010ffff"
"""Where a vehicle without an id sorts."""

FLAG_WORDS: Final[Mapping[Any, str]] = {True: "true", False: "false"}
SPECIAL_TERMS: Final[Mapping[str, Callable[[Vehicle], str | None]]] = {
    "vehicle_type": lambda vehicle: vehicle.get("vehicle_type", "car"),
    "dc_fast_charge": lambda vehicle: FLAG_WORDS.get(vehicle.get("dc_fast_charge")),
}
"""An absent vehicle type counts as `car`; a flag becomes the words that its facet uses (AAP v1.3)."""


class _Numbered(dict[Any, int]):
    """Gives every distinct value a number, and None the number -1."""

    def __init__(self) -> None:
        super().__init__({None: SILENT})
        self.by_vehicle = array("i")

    def __missing__(self, value: Any) -> int:
        number = self[value] = len(self) - 1
        return number

    def take(self, values: Iterable[Any]) -> None:
        """Note the value of each of the next vehicles."""
        self.by_vehicle.extend(map(self.__getitem__, values))

    def distinct(self) -> list[Any]:
        """Return the values by number."""
        return list(islice(self, 1, None))

    def numbers(self) -> Codes:
        """Return the number of each vehicle's value."""
        return np.frombuffer(self.by_vehicle, dtype=np.int32)


class StockBuilder:
    """Collects vehicles in the order in which they come."""

    def __init__(self, payloads: MemoryPayloads | FilePayloads) -> None:
        self._payloads = payloads
        self._terms = {field.name: _Numbered() for field in TERM_FIELDS}
        self._numbers = {field.name: _Numbered() for field in NUMBER_FIELDS}
        self._updated = _Numbered()
        self._currencies = _Numbered()
        self._prose = ProseBuilder()
        self._hashes = {kind: array("q") for kind in IDENTIFIERS}
        self._vehicle_ids: list[str] = []
        self._stock_numbers: list[str] = []

    def take(self, listed: Iterable[Listed]) -> None:
        """Take in vehicles; those that are not in stock stay out."""
        in_stock = ((vehicle, left) for vehicle, left in listed if vehicle.get("status") in STATUSES_IN_STOCK)
        while chunk := list(islice(in_stock, CHUNK)):
            self._take_chunk(list(map(itemgetter(0), chunk)))
            self._currencies.take([tuple(sorted(left)) if left else () for _, left in chunk])

    def _take_chunk(self, vehicles: list[Vehicle]) -> None:
        for name, numbered in (*self._terms.items(), *self._numbers.items()):
            special = SPECIAL_TERMS.get(name)
            numbered.take(map(special, vehicles) if special else [vehicle.get(name) for vehicle in vehicles])
        self._updated.take([vehicle.get("updated_at") for vehicle in vehicles])
        for kind, hashes in self._hashes.items():
            hashes.extend(identifier_hashes([vehicle.get(kind, "") for vehicle in vehicles]))
        self._vehicle_ids += [vehicle.get("vehicle_id", AFTER_EVERY_ID) for vehicle in vehicles]
        self._stock_numbers += [vehicle.get("stock", "") for vehicle in vehicles]
        for vehicle in vehicles:
            self._prose.add(vehicle)
            self._payloads.add(vehicle)
        self._prose.forget()

    def finish(self) -> Stock:
        """Return the stock in default order."""
        updated, instants = _ranked(self._updated, _instant)
        positions = _default_order(updated, self._vehicle_ids)
        row_of_position = _inverse(positions)
        hashes = {
            kind: np.frombuffer(found, dtype=np.int64)[positions] for kind, found in self._hashes.items()
        }
        terms = {field.name: self._term_column(field, positions) for field in TERM_FIELDS}
        return Stock(
            size=len(positions),
            terms=terms,
            term_words=TermWords.of([terms[field.name] for field in TERM_FIELDS if field.searched]),
            numbers={field.name: self._number_column(field.name, positions) for field in NUMBER_FIELDS},
            stock_order=_stock_order(self._stock_numbers, hashes["stock"], row_of_position),
            updated_order=Column.of(updated[positions], len(instants)),
            identifiers={kind: Identifiers.of(found) for kind, found in hashes.items()},
            prose=self._prose.finish(row_of_position),
            payloads=self._payloads.finish(),
            positions=positions.astype(np.int32),
            currencies=self._currencies.numbers()[positions].astype(np.uint16),
            currency_sets=tuple(self._currencies.distinct()),
        )

    def _term_column(self, field: TermField, positions: Rows) -> TermColumn:
        numbered = self._terms[field.name]
        raw, numbers = numbered.distinct(), numbered.numbers()
        counts = np.bincount(numbers + 1, minlength=len(raw) + 1)[1:]
        terms, code_of_number = build_terms(raw, counts=counts, vocabulary=field.vocabulary)
        codes = np.append(code_of_number, np.int32(SILENT))[numbers[positions]]
        return TermColumn(Column.of(codes, len(terms.texts)), terms)

    def _number_column(self, name: str, positions: Rows) -> NumberColumn:
        codes, values = _ranked(self._numbers[name], float)
        return NumberColumn(Column.of(codes[positions], len(values)), values)


def _ranked(numbered: _Numbered, measure: Callable[[Any], float]) -> tuple[Codes, NDArray[np.float64]]:
    """Return by vehicle the rank of its value's measure, and the distinct measures, ascending."""
    measures = np.array([measure(value) for value in numbered.distinct()], dtype=np.float64)
    values, rank_of_number = np.unique(measures, return_inverse=True)
    ranks = np.append(rank_of_number, SILENT).astype(np.int32)
    return ranks[numbered.numbers()], values


def _instant(timestamp: str) -> float:
    """Return the seconds since 1970 of an RFC 3339 time; one without an offset counts as UTC."""
    moment = datetime.fromisoformat(timestamp)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _default_order(updated: Codes, vehicle_ids: list[str]) -> Rows:
    """Return positions by descending time of update (silent last), then by vehicle id, then as they came."""
    by_id = sorted(range(len(vehicle_ids)), key=vehicle_ids.__getitem__)
    positions = np.array(by_id, dtype=np.intp)
    return positions[np.argsort(-updated[positions], kind="stable")]


def _inverse(positions: Rows) -> Rows:
    rows = np.empty_like(positions)
    rows[positions] = np.arange(len(positions))
    return rows


def _stock_order(stock_numbers: list[str], hashes: NDArray[np.int64], row_of_position: Rows) -> Column:
    """Return the column that orders vehicles by stock number without regard to case."""
    folded = list(map(str.lower, stock_numbers))
    by_number = sorted(range(len(folded)), key=folded.__getitem__)
    rows = row_of_position[np.array(by_number, dtype=np.intp)]
    rows = rows[hashes[rows] != NOTHING]
    codes = np.full(len(hashes), SILENT, dtype=np.int32)
    if len(rows):
        codes[rows] = np.concatenate(([0], np.cumsum(hashes[rows][1:] != hashes[rows][:-1])))
    return Column.of(codes, int(codes.max(initial=SILENT)) + 1)
