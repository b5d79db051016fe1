"""The words of the trade: makes and their other names, and classes of fuel, transmission, driveline and body.

The words themselves are data (`vocabulary.toml`): a class gathers what feeds write in English, German,
Swedish, Italian, French, Spanish and Portuguese. They are folded like every other text.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final, Protocol

from forecourt.base.text_folding import Folded, fold

LONGEST_WORDING: Final = 4
"""No wording has more words than this."""


class Vocabulary(Protocol):
    """How the wordings of one field fall into classes."""

    @property
    def decides(self) -> bool:
        """Say whether a class that is asked for overrules the words: `gas` does not match `Gas/Electric`."""

    def classes(self, text: Folded) -> frozenset[str]:
        """Return the classes of a listing's value, wider ones included; none when no wording is known."""

    def label(self, text: Folded) -> str | None:
        """Return what a facet calls a value, or None when its own spelling has to do."""

    def asked(self, text: Folded) -> frozenset[str]:
        """Return the classes that a filter value names when it is nothing but a wording; else none."""

    def wording(self, words: str) -> str | None:
        """Return the class of one exact wording, its words separated by single spaces."""


@dataclass(frozen=True, eq=False)
class Names:
    """Proper names with their aliases: a whole text is one of them or it is unknown."""

    canonical: Mapping[str, str]
    """Squeezed name or alias → the usual name."""
    decides: bool = False

    @classmethod
    def of(cls, names: Mapping[str, str]) -> "Names":
        """Build from the usual names with their comma-separated aliases."""
        called = ((alias, name) for name, aliases in names.items() for alias in (name, *_listed(aliases)))
        return cls({fold(alias).squeezed: name for alias, name in called})

    def classes(self, text: Folded) -> frozenset[str]:
        """Return the usual name of a whole text."""
        name = self.label(text)
        return frozenset() if name is None else frozenset([name])

    def label(self, text: Folded) -> str | None:
        """Return the usual name."""
        return self.canonical.get(text.squeezed)

    def asked(self, text: Folded) -> frozenset[str]:
        """Return the usual name of a whole text."""
        return self.classes(text)

    def wording(self, words: str) -> str | None:
        """Return the usual name of a whole text."""
        return self.canonical.get(words.replace(" ", ""))


@dataclass(frozen=True, eq=False)
class Classes:
    """Classes that are recognised by wordings inside a text, the longest wording first."""

    wordings: Mapping[str, str]
    """Folded wording → class."""
    parents: Mapping[str, str]
    """Class → the wider class that it is part of."""
    rules: tuple[tuple[frozenset[str], str], ...]
    """Classes found together → what they mean; the first rule that fits counts."""
    idle: frozenset[str]
    """Words that say nothing beside a wording: `transmission` in `automatic transmission`."""
    decides: bool = True

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "Classes":
        """Build from a table of `vocabulary.toml`."""
        listed = (
            (wording, name) for name, wordings in data["wordings"].items() for wording in _listed(wordings)
        )
        return cls(
            wordings={fold(wording).split.strip(): name for wording, name in listed},
            parents=data["parents"],
            rules=tuple((frozenset(rule["found"]), rule["meaning"]) for rule in data["rules"]),
            idle=frozenset(_listed(data["idle"])),
        )

    def classes(self, text: Folded) -> frozenset[str]:
        """Return the classes of a value and the wider ones they are part of."""
        return frozenset(name for narrow in self._found(text.split)[0] for name in self._line(narrow))

    def label(self, text: Folded) -> str | None:
        """Return the class when there is exactly one."""
        found, _ = self._found(text.split)
        return next(iter(found)) if len(found) == 1 else None

    def asked(self, text: Folded) -> frozenset[str]:
        """Return the classes named by a text that holds nothing but wordings and idle words."""
        found, unknown = self._found(text.split)
        return frozenset() if unknown else found

    def wording(self, words: str) -> str | None:
        """Return the class of one exact wording."""
        return self.wordings.get(words)

    def _found(self, text: str) -> tuple[frozenset[str], bool]:
        """Return the narrowest classes of a text, and whether any of its words is unknown."""
        words, found, unknown, position = text.split(), set(), False, 0
        while position < len(words):
            length, name = self._longest(words[position : position + LONGEST_WORDING])
            if name is not None:
                found.add(name)
            unknown |= name is None and words[position] not in self.idle
            position += length
        return self._resolved(frozenset(found)), unknown

    def _longest(self, words: list[str]) -> tuple[int, str | None]:
        for length in range(len(words), 0, -1):
            name = self.wordings.get(" ".join(words[:length]))
            if name is not None:
                return length, name
        return 1, None

    def _resolved(self, found: frozenset[str]) -> frozenset[str]:
        meanings = (meaning for needed, meaning in self.rules if needed <= found)
        meaning = next(meanings, None)
        return found if meaning is None else frozenset([meaning])

    def _line(self, name: str) -> Iterable[str]:
        widening: str | None = name
        while widening is not None:
            yield widening
            widening = self.parents.get(widening)


def _listed(wordings: str) -> list[str]:
    return [wording.strip() for wording in wordings.split(",") if wording.strip()]


WORDS: Final = tomllib.loads(files("forecourt.base").joinpath("vocabulary.toml").read_text(encoding="utf-8"))
MAKES: Final = Names.of(WORDS["make"]["names"])
FUELS: Final = Classes.of(WORDS["fuel"])
TRANSMISSIONS: Final = Classes.of(WORDS["transmission"])
DRIVELINES: Final = Classes.of(WORDS["driveline"])
BODIES: Final = Classes.of(WORDS["body"])
