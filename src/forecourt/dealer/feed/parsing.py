"""Read a column of text once per different text, and keep track of the texts that a rule has something to say
about.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from forecourt.dealer.chunk import Coded, Codes, Flags
from forecourt.tables.batches import SEVERAL, Column
from forecourt.tables.words import is_blank

REMEMBERED: Final = 200_000
"""Texts that a reader keeps between batches; a column with more different ones is read anew."""


class Read(NamedTuple):
    """What a text means, and the rule that has something to say about it."""

    value: Any
    rule: str | None = None


Parser = Callable[[str], Read]


class Reader:
    """Applies a parser to columns, each different text once."""

    def __init__(self, parse: Parser) -> None:
        self._parse = parse
        self._known: dict[str, Read] = {}

    def read(self, text: str) -> Read:
        """Return what one text means."""
        known = self._known.get(text)
        if known is None:
            known = self._parse(text)
            if len(self._known) < REMEMBERED:
                self._known[text] = known
        return known

    def column(self, column: Column) -> "ReadColumn":
        """Return what every text of a column means."""
        numbers: _Numbered = _Numbered()
        codes = np.fromiter(map(numbers.__getitem__, column), dtype=np.int32, count=len(column))
        texts = list(numbers)
        reads = list(map(self.read, texts))
        return ReadColumn(texts, [read.value for read in reads], [read.rule for read in reads], codes)


class _Numbered(dict[str, int]):
    """Numbers keys in the order in which they are first asked for."""

    def __missing__(self, key: str) -> int:
        number = self[key] = len(self)
        return number


class ReadColumn(NamedTuple):
    """A column by its different texts: what each means, and its rule; `codes` says which one a row has."""

    texts: list[str]
    values: list[Any]
    rules: list[str | None]
    codes: Codes

    @property
    def present(self) -> Flags:
        """Tell by row whether there is a value."""
        return np.array([value is not None for value in self.values], dtype=np.bool_)[self.codes]

    def flags(self, test: Callable[[Any], bool]) -> Flags:
        """Tell by row whether its value passes a test."""
        return np.array([test(value) for value in self.values], dtype=np.bool_)[self.codes]

    def rows_of(self, meaning: object) -> list[int]:
        """Return the rows that have a certain value."""
        found: list[int] = np.flatnonzero(self.flags(lambda value: value == meaning)).tolist()
        return found

    def coded(self) -> Coded:
        """Return the values as a column of listings."""
        return Coded(self.values, self.codes)

    def raw(self) -> Coded | None:
        """Return the texts that say more than, or other than, their values; None when there are none."""
        words = [
            text if value is not None and isinstance(value, str) and text.strip() != value else None
            for text, value in zip(self.texts, self.values, strict=True)
        ]
        return None if all(word is None for word in words) else Coded(words, self.codes)

    def rows_by_rule(self) -> Iterable[tuple[str, list[int]]]:
        """Yield each rule that occurs with its rows."""
        for rule in dict.fromkeys(rule for rule in self.rules if rule is not None):
            speaking = np.array([found == rule for found in self.rules], dtype=np.bool_)
            yield rule, np.flatnonzero(speaking[self.codes]).tolist()


def first_filled(columns: Sequence[Column]) -> Column:
    """Return by row the text of the first column that says something."""
    if len(columns) == 1:
        return columns[0]
    first, *others = columns
    if not any(map(is_blank, dict.fromkeys(first))):
        return first
    rest = first_filled(others)
    return [other if is_blank(text) else text for text, other in zip(first, rest, strict=True)]


def first_of_several(text: str) -> str:
    """Return the first of the values that a cell of a nested file holds."""
    return text.partition(SEVERAL)[0] if SEVERAL in text else text
