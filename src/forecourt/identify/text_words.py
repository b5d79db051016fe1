"""The words of adverts (`text_vocabulary.toml`): what each says about fuel, gearbox, drive, body or trim."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final

from forecourt.catalogue.names import cut

LONGEST_WORDING: Final = 4
FIELDS: Final = ("fuel", "transmission", "drive", "body_type")


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a wording says; `detail` is the kind of automatic gearbox."""

    field: str
    value: str
    detail: str | None = None


NOISE: Final = Meaning("", "")
"""What a wording says that is understood and has no field."""


@dataclass(frozen=True, slots=True)
class FoundWord:
    """A wording found in a text: words `start` to `end`, the last one excluded."""

    meaning: Meaning
    start: int
    end: int


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """Wordings, each written as its words with single spaces between."""

    meanings: Mapping[str, Meaning]
    trims: frozenset[str]
    noise: frozenset[str]
    registration: tuple[str, ...]
    months: Mapping[str, int]

    def find(self, words: list[str]) -> Iterator[FoundWord]:
        """Yield the wordings in a text from left to right, the longest at each place."""
        position = 0
        while position < len(words):
            found = self._longest(words, position)
            if found is not None:
                yield found
            position = found.end if found is not None else position + 1

    def _longest(self, words: list[str], start: int) -> FoundWord | None:
        for end in range(min(start + LONGEST_WORDING, len(words)), start, -1):
            wording = " ".join(words[start:end])
            meaning = self.meanings.get(wording)
            if meaning is not None:
                return FoundWord(meaning, start, end)
            if wording in self.trims:
                return FoundWord(Meaning("variant", wording), start, end)
            if wording in self.noise:
                return FoundWord(NOISE, start, end)
        return None


@lru_cache(maxsize=1)
def advert_words() -> Words:
    """Return the vocabulary, read once for each process."""
    text = files("forecourt.identify").joinpath("text_vocabulary.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    meanings = {
        wording: _meaning(field, value)
        for field in reversed(FIELDS)
        for value, listed in data[field].items()
        for wording in _wordings(listed)
    }
    registration = tuple(_wordings(data["registration"]["first"]))
    return Words(
        meanings=meanings,
        trims=frozenset(_wordings(data["variant"]["trims"])),
        noise=frozenset((*_wordings(data["noise"]["words"]), *registration)),
        registration=registration,
        months={word: int(number) for number, names in data["months"].items() for word in _wordings(names)},
    )


def _meaning(field: str, value: str) -> Meaning:
    plain, _, detail = value.partition("+")
    return Meaning(field, plain, detail or None)


def _wordings(listed: str) -> Iterator[str]:
    for wording in listed.split(","):
        folded = " ".join(cut(wording))
        if folded:
            yield folded
