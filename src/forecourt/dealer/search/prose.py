"""The words of features, engine, description and notes of every vehicle, for `query`."""

from array import array
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from forecourt.base.text_folding import distinct_words
from forecourt.dealer.search.blocks import Block, CodedColumn
from forecourt.dealer.search.columns import Flags, Rows
from forecourt.dealer.search.fields import PROSE_FIELDS
from forecourt.dealer.search.words import WordLookup, WordPairs

PIECES_REMEMBERED: Final = 200_000
"""How many pieces of text keep their code while building; one that comes again later gets a second code."""

ROW_BITS: Final = 32

CUTS: Final[Mapping[str, Callable[[Any], Iterable[str]]]] = {
    "features": iter,
    "engine": lambda text: (text,),
}
"""How a field is cut into pieces, where that is not at its spaces."""


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


class Segment(NamedTuple):
    """The pieces of some vehicles that came one after the other: how many each has, and their codes."""

    first: int
    lengths: NDArray[np.int32]
    codes: NDArray[np.int32]


class ProseBuilder:
    """Collects the prose of vehicles in the order in which they come."""

    def __init__(self) -> None:
        self._pieces = _Pieces()
        self._segments: list[Segment] = []
        self._vehicles = 0

    def add(self, block: Block) -> None:
        """Take in the next vehicles; a piece that stands twice in one is noted twice, which does no harm."""
        for field in PROSE_FIELDS:
            lengths, codes = self._cut(block.column(field), CUTS.get(field, str.split))
            self._segments.append(Segment(self._vehicles, lengths, codes))
        self._vehicles += len(block.vehicles)
        if len(self._pieces) > PIECES_REMEMBERED:
            self._pieces.clear()

    def _cut(
        self, column: CodedColumn, cut: Callable[[Any], Iterable[str]]
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Cut every value once; return by vehicle how many pieces it has, and all their codes."""
        pieces, ends, code_of = array("i"), array("i", [0]), self._pieces.__getitem__
        for value in column.values:
            if value:
                pieces.extend(map(code_of, cut(value)))
            ends.append(len(pieces))
        bounds = np.frombuffer(ends, dtype=np.int32)
        lengths = np.diff(bounds)[column.codes]
        before = np.cumsum(lengths) - lengths
        places = np.repeat(bounds[:-1][column.codes] - before, lengths) + np.arange(lengths.sum())
        return lengths, np.array(pieces, dtype=np.int32)[places]

    def finish(self, row_of_position: Rows) -> Prose:
        """Return the prose by row."""
        counts = np.zeros(self._pieces.count, dtype=np.intp)
        for segment in self._segments:
            counts += np.bincount(segment.codes, minlength=len(counts))
        starts = np.concatenate(([0], np.cumsum(counts)))
        holders = np.empty(int(starts[-1]), dtype=np.int32)
        free = starts[:-1].copy()
        for first, lengths, codes in self._segments:
            rows = np.repeat(row_of_position[first : first + len(lengths)], lengths)
            _deal_out(rows, codes, into=holders, free=free)
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
