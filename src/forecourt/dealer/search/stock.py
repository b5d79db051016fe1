"""The finished parts of an index: every column of one stock, by row."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from forecourt.dealer.search.columns import Column, Flags, NumberColumn, Rows
from forecourt.dealer.search.identifiers import Identifiers
from forecourt.dealer.search.matching import InColumn, Remembered
from forecourt.dealer.search.payloads import Payloads
from forecourt.dealer.search.prose import Prose
from forecourt.dealer.search.terms import Terms
from forecourt.dealer.search.words import WordLookup, WordPairs

MOST_REMEMBERED: Final = 64
"""Lists of filter values whose meaning is kept for the next question."""
REMEMBERED_BYTES: Final = 2 * 2**20
"""What their flags, one byte per vehicle each, may take together."""


@dataclass(frozen=True)
class TermColumn:
    """A text field by row, and its distinct texts."""

    column: Column
    terms: Terms


class Meaning(NamedTuple):
    """What the values of a filter come to in one stock."""

    holders: InColumn
    unknown: int
    """How many of the values match none of the stock's texts."""


def meaning_of(terms: Mapping[str, TermColumn], name: str, asked: tuple[str, ...]) -> Meaning:
    """Look up what values of a field mean; there must be at least one."""
    field = terms[name]
    matching = [field.terms.matching(value) for value in asked]
    unknown = sum(len(codes) == 0 for codes in matching)
    return Meaning(Remembered(field.column, np.unique(np.concatenate(matching))), unknown)


@dataclass(frozen=True)
class TermWords:
    """The words of all text fields that `query` searches; a field's codes begin at its offset."""

    words: WordLookup
    columns: tuple[Column, ...]
    offsets: Rows

    @classmethod
    def of(cls, found: Sequence[TermColumn]) -> "TermWords":
        """Build from the fields."""
        offsets = np.cumsum([0, *(len(field.terms.texts) for field in found)])
        pairs = WordPairs()
        for field, offset in zip(found, offsets.tolist(), strict=False):
            for code, text in enumerate(field.terms.texts):
                pairs.add({*text.words(), text.squeezed}, offset + code)
        return cls(pairs.lookup(), tuple(field.column for field in found), offsets)

    def mark(self, word: str, holders: Flags) -> None:
        """Mark by row the vehicles one of whose fields holds a word."""
        codes = self.words.codes_of(word)
        places = np.searchsorted(self.offsets, codes, side="right") - 1
        for place, code in zip(places.tolist(), (codes - self.offsets[places]).tolist(), strict=True):
            self.columns[place].mark(code, holders)


@dataclass(frozen=True)
class Stock:
    """All vehicles of one dealer in columns. Rows are in default order: freshest first, then by id."""

    size: int
    terms: Mapping[str, TermColumn]
    numbers: Mapping[str, NumberColumn]
    stock_order: Column
    updated_order: Column
    identifiers: Mapping[str, Identifiers]
    term_words: TermWords
    prose: Prose
    payloads: Payloads
    positions: NDArray[np.int32]
    """By row the position at which the vehicle came, which is that of its payload."""
    currencies: NDArray[np.uint16]
    currency_sets: tuple[tuple[str, ...], ...]
    """Which currencies' prices a vehicle's answer leaves out, by its entry in `currencies`."""

    @cached_property
    def meaning(self) -> Callable[[str, tuple[str, ...]], Meaning]:
        """Return the function that looks up what values of a field, given by name, mean in this stock.

        The latest lookups are remembered, as many as leave their flags small.
        """
        remembered = min(MOST_REMEMBERED, REMEMBERED_BYTES // max(self.size, 1))
        return lru_cache(maxsize=remembered)(partial(meaning_of, self.terms))

    def compacts(self, rows: Rows) -> list[bytes]:
        """Return the vehicles' JSON as search lists show them."""
        return self.payloads.compacts(self.positions[rows])

    def vehicle(self, row: int) -> dict[str, Any]:
        """Return a vehicle with everything."""
        return self.payloads.whole(int(self.positions[row]))

    def left_out(self, rows: Rows) -> list[str]:
        """Return the currencies whose prices the answers for these rows leave out, in alphabetical order."""
        if not self.left_out_anywhere:
            return []
        return _united(self.currency_sets[number] for number in set(self.currencies[rows].tolist()))

    @cached_property
    def left_out_anywhere(self) -> list[str]:
        """Return the currencies whose prices the answers for any vehicle leave out, in alphabetical order."""
        return _united(self.currency_sets)

    def identified(self, kind: str, identifier: str) -> list[int]:
        """Return the rows whose vin, stock or vehicle_id is exactly this."""
        candidates = self.identifiers[kind].candidates(identifier).tolist()
        return [row for row in candidates if self.vehicle(row).get(kind) == identifier]


def _united(sets: Iterable[tuple[str, ...]]) -> list[str]:
    return sorted({currency for currencies in sets for currency in currencies})
