"""The words of features, engine, description and notes of every vehicle, for `query`."""

from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from forecourt.base.text_folding import distinct_words
from forecourt.dealer.search.columns import Flags, Rows
from forecourt.dealer.search.words import WordLookup, WordPairs

PIECES_REMEMBERED: Final = 200_000
"""How many pieces of text keep their code while building; one that comes again later gets a second code."""

VEHICLES_PER_BLOCK: Final = 50_000
ROW_BITS: Final = 32


@dataclass(frozen=True)
class Prose:
    """Pieces of text (a feature, or what stands between two spaces of a description) and who has them."""

    words: WordLookup
    rows: NDArray[np.int32]
    starts: Rows
    """Vehicles with piece p are `rows[starts[p]:starts[p + 1]]`."""

    def mark(self, word: str, holders: Flags) -> None:
        """Mark by row the vehicles whose prose holds a word."""
        for piece in self.words.codes_of(word):
            holders[self.rows[self.starts[piece] : self.starts[piece + 1]]] = True


class _Pieces(dict[str, int]):
    """Gives every new piece of text a number and notes its words."""

    def __init__(self) -> None:
        super().__init__()
        self.words = WordPairs()
        self.count = 0

    def __missing__(self, piece: str) -> int:
        code = self.count
        self.count += 1
        self.words.add(distinct_words(piece), code)
        self[piece] = code
        return code


class ProseBuilder:
    """Collects the prose of vehicles in the order in which they come."""

    def __init__(self) -> None:
        self._pieces = _Pieces()
        self._codes = array("i")
        self._ends = array("q", [0])

    def add(self, vehicle: Mapping[str, Any]) -> None:
        """Take in the next vehicle; a piece that stands twice in it is noted twice, which does no harm."""
        code_of, get = self._pieces.__getitem__, vehicle.get
        if features := get("features"):
            self._codes.extend(map(code_of, features))
        if engine := get("engine"):
            self._codes.append(code_of(engine))
        for text in (get("description"), get("notes")):
            if text:
                self._codes.extend(map(code_of, text.split()))
        self._ends.append(len(self._codes))

    def forget(self) -> None:
        """Bound the memory of the pieces seen so far."""
        if len(self._pieces) > PIECES_REMEMBERED:
            self._pieces.clear()

    def finish(self, row_of_position: Rows) -> Prose:
        """Return the prose by row."""
        codes = np.frombuffer(self._codes, dtype=np.int32)
        ends = np.frombuffer(self._ends, dtype=np.int64)
        counts = np.bincount(codes, minlength=self._pieces.count)
        starts = np.concatenate(([0], np.cumsum(counts))).astype(np.intp)
        holders = np.empty(len(codes), dtype=np.int32)
        free = starts[:-1].copy()
        for first in range(0, len(ends) - 1, VEHICLES_PER_BLOCK):
            bounds = ends[first : first + VEHICLES_PER_BLOCK + 1]
            rows = np.repeat(row_of_position[first : first + VEHICLES_PER_BLOCK], np.diff(bounds))
            _deal_out(rows, codes[bounds[0] : bounds[-1]], into=holders, free=free)
        return Prose(self._pieces.words.lookup(), holders, starts)


def _deal_out(rows: Rows, codes: NDArray[np.int32], *, into: NDArray[np.int32], free: Rows) -> None:
    """Append each row to the list of its code; `free` says where the next of each code goes."""
    keys = (codes.astype(np.int64) << ROW_BITS) | rows
    keys.sort()
    sorted_codes = keys >> ROW_BITS
    first = np.flatnonzero(np.diff(sorted_codes, prepend=-1))
    counts = np.diff(np.append(first, len(keys)))
    distinct = sorted_codes[first]
    places = np.arange(len(keys)) + np.repeat(free[distinct] - first, counts)
    into[places] = keys & ((1 << ROW_BITS) - 1)
    free[distinct] += counts
