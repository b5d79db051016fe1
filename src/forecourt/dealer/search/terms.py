"""The distinct texts of one field: which of them a filter value matches, and what a facet calls them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from forecourt.base.text_folding import Folded, fold
from forecourt.base.vocabulary import Vocabulary
from forecourt.dealer.search.columns import SILENT, Codes, Rows
from forecourt.dealer.search.words import WordLookup, WordPairs


class Spelling(NamedTuple):
    """One way in which a field's value is written, and how many vehicles write it so."""

    group: str
    """What is equal for all texts of one facet value."""
    text: Folded
    label: str | None
    """The facet value by the vocabulary, if it knows one."""
    raw: str
    vehicles: int


@dataclass(frozen=True)
class Terms:
    """Texts that differ by more than case, accents or spacing, in the order of their facet values.

    Codes of texts that share a facet value (`VW` and `Volkswagen`) stand side by side.
    """

    texts: tuple[Folded, ...]
    group_starts: Rows
    labels: tuple[str, ...]
    """The facet value of each group: the vocabulary's word, else the most frequent spelling."""
    vocabulary: Vocabulary | None
    by_class: dict[str, list[int]]
    unclassed: frozenset[int]
    words: WordLookup

    def matching(self, value: str) -> Rows:
        """Return the codes that a filter value matches (design: string filters)."""
        needle = fold(value)
        asked = self.vocabulary.asked(needle) if self.vocabulary else frozenset()
        by_words = self._holding(needle)
        if not asked or self.vocabulary is None:
            return _ascending(by_words)
        by_class = {code for name in asked for code in self.by_class.get(name, ())}
        return _ascending(by_class | (by_words & self.unclassed if self.vocabulary.decides else by_words))

    def groups_of(self, codes: Codes) -> Codes:
        """Return for each code the number of its group, which is its facet value's place in `labels`."""
        groups = np.searchsorted(self.group_starts, codes, side="right") - 1
        return groups.astype(np.int32)

    def classed(self, name: str) -> Sequence[int]:
        """Return the codes of a class of the vocabulary."""
        return self.by_class.get(name, ())

    def _holding(self, needle: Folded) -> set[int]:
        if not needle.squeezed:
            return set()
        keys = {max(reading.split(), key=len) for reading in (needle.split, needle.joined)} | {
            needle.squeezed
        }
        candidates = {int(code) for key in keys for code in self.words.codes_of(key)}
        return {code for code in candidates if needle.stands_in(self.texts[code])}


def _ascending(codes: Iterable[int]) -> Rows:
    return np.array(sorted(codes), dtype=np.intp)


def build_terms(
    raw: Sequence[str], *, counts: NDArray[np.intp], vocabulary: Vocabulary | None
) -> tuple[Terms, Codes]:
    """Return the terms of a field's raw spellings, and each spelling's code (`SILENT`: no word in it)."""
    spellings = [
        _spelling(text, count=int(count), vocabulary=vocabulary)
        for text, count in zip(raw, counts, strict=True)
    ]
    worded = sorted(spelling for spelling in spellings if spelling.group)
    texts = list(dict.fromkeys(spelling.text for spelling in worded))
    codes = {text: code for code, text in enumerate(texts)}
    groups = [list(group) for _, group in groupby(worded, key=lambda spelling: spelling.group)]
    classes = [vocabulary.classes(text) if vocabulary else frozenset[str]() for text in texts]
    terms = Terms(
        texts=tuple(texts),
        group_starts=np.array([codes[group[0].text] for group in groups], dtype=np.intp),
        labels=tuple(map(_label, groups)),
        vocabulary=vocabulary,
        by_class=_inverted(classes),
        unclassed=frozenset(code for code, names in enumerate(classes) if not names),
        words=_word_lookup(texts),
    )
    return terms, np.array([codes.get(spelling.text, SILENT) for spelling in spellings], dtype=np.int32)


def _spelling(raw: str, *, count: int, vocabulary: Vocabulary | None) -> Spelling:
    text = fold(raw)
    label = vocabulary.label(text) if vocabulary else None
    group = text.squeezed if label is None else fold(label).squeezed
    return Spelling(group, text, label, " ".join(raw.split()), count)


def _label(group: list[Spelling]) -> str:
    """Return the vocabulary's word, else the most frequent spelling (of equals the alphabet's first)."""
    if group[0].label is not None:
        return group[0].label
    frequent: dict[str, int] = {}
    for spelling in group:
        frequent[spelling.raw] = frequent.get(spelling.raw, 0) + spelling.vehicles
    return min(frequent, key=lambda raw: (-frequent[raw], raw))


def _inverted(classes: list[frozenset[str]]) -> dict[str, list[int]]:
    by_class: dict[str, list[int]] = {}
    for code, names in enumerate(classes):
        for name in names:
            by_class.setdefault(name, []).append(code)
    return by_class


def _word_lookup(texts: list[Folded]) -> WordLookup:
    pairs = WordPairs()
    for code, text in enumerate(texts):
        pairs.add({*text.words(), text.squeezed}, code)
    return pairs.lookup()
