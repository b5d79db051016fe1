"""From a word to the codes whose text holds it, in two flat arrays instead of a dictionary of strings."""

from array import array
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from forecourt.dealer.search.columns import Rows


class WordPairs:
    """Pairs of a word and a code while they are collected."""

    def __init__(self) -> None:
        self._hashes = array("q")
        self._codes = array("i")

    def add(self, words: Iterable[str], code: int) -> None:
        """Note that the text of a code holds these words, each given once."""
        for word in words:
            self._hashes.append(hash(word))
            self._codes.append(code)

    def lookup(self) -> "WordLookup":
        """Return the finished lookup."""
        hashes = np.frombuffer(self._hashes, dtype=np.int64)
        order = np.argsort(hashes, kind="stable")
        return WordLookup(hashes[order], np.frombuffer(self._codes, dtype=np.int32)[order])


@dataclass(frozen=True)
class WordLookup:
    """Words by their 64-bit hash.

    A hash is taken for the word: among a million distinct words two collide with a chance of 1 in 37 million.
    """

    hashes: NDArray[np.int64]
    codes: NDArray[np.int32]

    def codes_of(self, word: str) -> Rows:
        """Return the codes whose text holds the word, ascending."""
        key = np.int64(hash(word))
        start, stop = self.hashes.searchsorted(key, "left"), self.hashes.searchsorted(key, "right")
        return self.codes[start:stop].astype(np.intp)
