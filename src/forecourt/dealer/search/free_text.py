"""What `query` finds: every part of it must stand somewhere in the vehicle (decision 0021)."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from forecourt.base.text_folding import Folded, fold
from forecourt.base.vocabulary import LONGEST_WORDING
from forecourt.dealer.search.columns import Flags
from forecourt.dealer.search.fields import TERM_FIELDS
from forecourt.dealer.search.stock import Stock

CLASSED: Final = tuple((field.name, field.vocabulary) for field in TERM_FIELDS if field.vocabulary)
SEARCHED_IDENTIFIERS: Final = ("vin", "stock")


class Part(NamedTuple):
    """A part of a query that has to be found: a wording of the vocabulary, or what stands between spaces."""

    text: Folded
    identifier: str | None
    classes: tuple[tuple[str, str], ...]
    """Field and class, where the part is a wording of one: (`fuel`, `gas`) for `petrol`."""


def parts_of(query: str) -> Iterator[Part]:
    """Cut a query into parts, the longest wordings first: `plug-in hybrid` is one part."""
    chunks = [chunk for chunk in query.split() if fold(chunk).squeezed]
    start = 0
    while start < len(chunks):
        part, length = _longest_part(chunks[start : start + LONGEST_WORDING])
        yield part
        start += length


def _longest_part(chunks: list[str]) -> tuple[Part, int]:
    for length in range(len(chunks), 1, -1):
        text = fold(" ".join(chunks[:length]))
        if classes := _classes(text):
            return Part(text, None, classes), length
    text = fold(chunks[0])
    return Part(text, chunks[0], _classes(text)), 1


def _classes(text: Folded) -> tuple[tuple[str, str], ...]:
    found = ((name, vocabulary.wording(text.split.strip())) for name, vocabulary in CLASSED)
    return tuple((name, wording) for name, wording in found if wording is not None)


def holders_of(query: str, stock: Stock) -> Flags:
    """Return by row whether the vehicle holds every part of a query; nothing holds a query without words."""
    parts = list(parts_of(query))
    holders = np.full(stock.size, bool(parts))
    for part in parts:
        holders &= _holders_of_part(part, stock)
    return holders


def _holders_of_part(part: Part, stock: Stock) -> Flags:
    holders = _holders_of_words(part.text.split.split(), stock)
    if part.text.joined != part.text.split:
        holders |= _holders_of_words(part.text.joined.split(), stock)
    for field, name in part.classes:
        for code in stock.terms[field].terms.classed(name):
            stock.terms[field].column.mark(code, holders)
    if part.identifier is not None:
        for kind in SEARCHED_IDENTIFIERS:
            holders[stock.identifiers[kind].candidates(part.identifier)] = True
    return holders


def _holders_of_words(words: list[str], stock: Stock) -> Flags:
    holders = np.ones(stock.size, dtype=np.bool_)
    for word in words:
        holders &= _holders_of_word(word, stock)
    return holders


def _holders_of_word(word: str, stock: Stock) -> Flags:
    holders = np.zeros(stock.size, dtype=np.bool_)
    stock.term_words.mark(word, holders)
    stock.prose.mark(word, holders)
    if word.isascii() and word.isdigit():
        years = stock.numbers["year"]
        for code in years.codes_of(int(word)):
            years.column.mark(code, holders)
    return holders
