"""Turn vehicles into columns: one pass that gives every distinct value a number, then sorting in numpy."""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from itertools import islice
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from forecourt.dealer.search.blocks import Block, CodedColumn
from forecourt.dealer.search.columns import SILENT, Codes, Column, NumberColumn, Rows
from forecourt.dealer.search.fields import (
    IDENTIFIERS,
    NUMBER_FIELDS,
    TERM_FIELDS,
    TermField,
)
from forecourt.dealer.search.identifiers import NOTHING, Identifiers, identifier_hashes
from forecourt.dealer.search.payloads import PayloadCollector
from forecourt.dealer.search.prose import ProseBuilder
from forecourt.dealer.search.stock import Stock, TermColumn, TermWords
from forecourt.dealer.search.terms import build_terms

AFTER_EVERY_ID: Final = "\U0010ffff"
"""Where a vehicle without an id sorts."""

FLAG_WORDS: Final[Mapping[Any, str]] = {True: "true", False: "false"}
SPECIAL_TERMS: Final[Mapping[str, Callable[[Any], str | None]]] = {
    "vehicle_type": lambda value: value or "car",
    "dc_fast_charge": FLAG_WORDS.get,
}
"""An absent vehicle type counts as `car`; a flag becomes the words that its facet uses (AAP v1.3)."""


class _Numbered(dict[Any, int]):
    """Gives every distinct value a number, and None the number -1."""

    def __init__(self) -> None:
        super().__init__({None: SILENT})
        self._by_vehicle: list[Codes] = []

    def __missing__(self, value: Any) -> int:
        number = self[value] = len(self) - 1
        return number

    def take(self, values: Iterable[Any], codes: Codes) -> None:
        """Note the value of each of the next vehicles: `values[code]`."""
        numbers = np.fromiter(map(self.__getitem__, values), dtype=np.int32)
        self._by_vehicle.append(numbers[codes])

    def distinct(self) -> list[Any]:
        """Return the values by number."""
        return list(islice(self, 1, None))

    def numbers(self) -> Codes:
        """Return the number of each vehicle's value."""
        return _united(self._by_vehicle, np.int32)


class StockBuilder:
    """Collects vehicles in the order in which they come."""

    def __init__(self, payloads: PayloadCollector) -> None:
        self._payloads = payloads
        self._terms = {field.name: _Numbered() for field in TERM_FIELDS}
        self._numbers = {field.name: _Numbered() for field in NUMBER_FIELDS}
        self._updated = _Numbered()
        self._currencies = _Numbered()
        self._prose = ProseBuilder()
        self._hashes: dict[str, list[NDArray[np.int64]]] = {kind: [] for kind in IDENTIFIERS}
        self._vehicle_ids: list[str] = []
        self._stock_numbers: list[str] = []

    def take(self, block: Block) -> None:
        """Take in the next vehicles; those that are not in stock stay out."""
        block = block.in_stock()
        for name, numbered in self._terms.items():
            column, special = block.column(name), SPECIAL_TERMS.get(name)
            numbered.take(map(special, column.values) if special else column.values, column.codes)
        for name, numbered in (*self._numbers.items(), ("updated_at", self._updated)):
            numbered.take(block.column(name).values, block.column(name).codes)
        left_out = (tuple(sorted(currencies)) if currencies else () for currencies in block.left_out.values)
        self._currencies.take(left_out, block.left_out.codes)
        self._take_identifiers(block)
        self._prose.add(block)
        self._payloads.add(block.vehicles)

    def _take_identifiers(self, block: Block) -> None:
        for kind, hashes in self._hashes.items():
            column = block.column(kind)
            hashes.append(identifier_hashes(value or "" for value in column.values)[column.codes])
        self._vehicle_ids += _spread(block.column("vehicle_id"), instead_of_none=AFTER_EVERY_ID)
        self._stock_numbers += _spread(block.column("stock"), instead_of_none="")

    def finish(self) -> Stock:
        """Return the stock in default order."""
        updated, instants = _ranked(self._updated, _instant)
        positions = _default_order(updated, self._vehicle_ids)
        row_of_position = _inverse(positions)
        hashes = {kind: _united(found, np.int64)[positions] for kind, found in self._hashes.items()}
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


def _united(parts: list[NDArray[Any]], kind: type[np.generic]) -> NDArray[Any]:
    return np.concatenate([np.empty(0, dtype=kind), *parts])


def _spread(column: CodedColumn, *, instead_of_none: str) -> list[str]:
    """Return the text of every vehicle."""
    texts = [instead_of_none if value is None else value for value in column.values]
    return list(map(texts.__getitem__, column.codes.tolist()))


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
