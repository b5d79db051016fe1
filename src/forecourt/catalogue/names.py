"""Find makes and models by their names in a text: longest names first, spaces and hyphens never count.

A text is cut into words (`cut`); every run of up to five words, written together, is looked up, so that
`CR-V`, `CR V` and `crv` are one name. An alias in the data may carry marks:

    ~x      counts only right after its make: `~3` in `Mazda 3`
    =x      counts everywhere although it is short or an everyday word: `=up`
    ?x      counts only when no other model is named: `?cooper`; may stand before another mark
    x+y     counts when both stand anywhere in the text: `q8+e-tron`
    x ##*   # is a digit, and letters may follow: `c ###*` is C 220 and C220d
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from importlib.resources import files
from typing import Final, TypeVar

from forecourt.base.text_folding import fold_letters, words_of
from forecourt.base.vocabulary import BODIES, DRIVELINES, FUELS
from forecourt.catalogue.entries import Make, Model

K = TypeVar("K")
V = TypeVar("V")
LONGEST_RUN: Final = 5
_LONGEST_KEY: Final = 28
_LONGEST_SUFFIX: Final = 5
_OWN_SUFFIXES: Final = frozenset(
    ["d", "i", "e", "h", "t", "da", "ia", "ea", "xd", "xi", "is", "ti", "ci", "td", "cd", "cdi", "dxd"]
)  # fmt: skip
"""What may follow a code as a word of its own: `320 d`."""
_DECIMAL_COMMA: Final = re.compile(r"(?<=\d),(?=\d)")
_LETTER_DIGITS: Final = re.compile(r"[a-z]{1,2}\d{1,3}[a-z]?")
_CODE: Final = re.compile(r"([a-z]*)(\d+)([a-z]*)")
_TOGETHER: Final = re.compile(r"\w\+\w")
_PLUS: Final = re.compile(r"(?<=\w)\+")
_EVERYDAY: Final = frozenset(
    files("forecourt.catalogue.data").joinpath("everyday_names.txt").read_text(encoding="utf-8").split()
)
"""Names that are words of their own: they count only where the make is named too."""


class Strength(IntEnum):
    """How much a name says by itself."""

    AFTER_MAKE = 1
    """Counts only right after the make."""
    WITH_MAKE = 2
    """Counts only beside its make."""
    SHORT = 3
    """A short code, such as A4, which could be part of another name."""
    WORD = 4
    """A name that stands for itself."""


_MARKS: Final[Mapping[str, Strength]] = {"~": Strength.AFTER_MAKE, "=": Strength.WORD}


@dataclass(frozen=True, slots=True)
class Alias:
    """A name of a model, written together; of a code (`c ###*`) what stands before its free digits."""

    target: str
    key: str
    strength: Strength
    fallback: bool = False
    other: str = ""
    """Second part of a name in two parts."""
    digits: int = 0
    """How many digits a code has; 0 for a name."""
    suffix: str = ""
    """What follows the digits of a code: `*` for any letters, else these."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A name found in a text: words `start` to `end`, the last one excluded."""

    alias: Alias
    start: int
    end: int
    length: int
    is_code: bool = False


@dataclass(frozen=True, eq=False)
class NameIndex:
    """Every name of the catalogue."""

    makes: Mapping[str, tuple[str, ...]]
    """Name of a make → ids."""
    exact: Mapping[str, tuple[Alias, ...]]
    codes: Mapping[tuple[str, int], tuple[Alias, ...]]
    """Letters before the digits and how many digits → aliases."""
    together: Mapping[str, tuple[Alias, ...]]
    """First part of a name in two parts → aliases."""
    make_of: Mapping[str, str]
    """Model → make."""
    rank: Mapping[str, int]
    """Make → place in the catalogue."""

    @classmethod
    def of(cls, makes: Iterable[Make], models: Iterable[Model]) -> "NameIndex":
        """Build from all makes and models."""
        makes, models = list(makes), list(models)
        called = [(key_of(name), make.id) for make in makes for name in (make.name, *make.aliases)]
        aliases = [alias for model in models for alias in _aliases_of(model)]
        return cls(
            makes=_grouped(called),
            exact=_grouped((alias.key, alias) for alias in aliases if not alias.digits and not alias.other),
            codes=_grouped(((alias.key, alias.digits), alias) for alias in aliases if alias.digits),
            together=_grouped((alias.key, alias) for alias in aliases if alias.other),
            make_of={model.id: model.make_id for model in models},
            rank={make.id: place for place, make in enumerate(makes)},
        )

    def make_mentions(self, words: list[str]) -> list[tuple[str, int, int]]:
        """Return the makes named in a text as (id, first word, word after the last); longer names win."""
        found = [
            (make_id, start, end) for key, start, end in _runs(words) for make_id in self.makes.get(key, ())
        ]
        return [one for one in found if not any(_covers(other, one) for other in found if other[0] != one[0])]

    def model_mentions(self, words: list[str]) -> list[Mention]:
        """Return every name of a model in a text, overlapping ones too."""
        runs = list(_runs(words))
        present = {key for key, _, _ in runs}
        return [mention for key, start, end in runs for mention in self._at(key, start, end, present, words)]

    def _at(self, key: str, start: int, end: int, present: set[str], words: list[str]) -> Iterator[Mention]:
        for alias in self.exact.get(key, ()):
            yield Mention(alias, start, end, len(key))
        for alias in self.together.get(key, ()):
            if alias.other in present:
                yield Mention(alias, start, end, len(key) + len(alias.other))
        if sum(not word.isalpha() for word in words[start:end]) == 1:
            yield from self._codes_at(key, start, end, may_hang_on=_ends_as_code(words[start:end]))

    def _codes_at(self, key: str, start: int, end: int, *, may_hang_on: bool) -> Iterator[Mention]:
        code = _CODE.fullmatch(key)
        if code is None:
            return
        letters, digits, suffix = code.groups()
        known = self.codes.get((letters, len(digits)), ())
        known += self.codes.get((letters + digits[0], len(digits) - 1), ())
        for alias in known:
            hangs_on = alias.suffix == "*" and may_hang_on and len(suffix) <= _LONGEST_SUFFIX
            if hangs_on or suffix == alias.suffix:
                strength = alias.strength if letters or suffix else Strength.AFTER_MAKE
                told = replace(alias, strength=strength)
                yield Mention(told, start, end, len(letters) + len(digits), is_code=True)


def _ends_as_code(words: list[str]) -> bool:
    """Say whether words end with the digits of a code, or with one suffix after them."""
    return not words[-1].isalpha() or (words[-1] in _OWN_SUFFIXES and not words[-2].isalpha())


def cut(text: str) -> list[str]:
    """Return the words of a text, folded: case, accents and the kind of decimal mark do not count.

    A plus sign that hangs on a word is the word `plus`.
    """
    return words_of(fold_letters(_PLUS.sub(" plus", _DECIMAL_COMMA.sub(".", text))))


def key_of(name: str) -> str:
    """Return a name written together."""
    return "".join(cut(name))


def shown_aliases(aliases: Iterable[str]) -> tuple[str, ...]:
    """Return aliases as people may see them: without marks, and without codes and names in two parts."""
    plain = (alias for alias in aliases if "##" not in alias and not _TOGETHER.search(alias))
    return tuple(alias.lstrip("?~=") for alias in plain)


def _runs(words: list[str]) -> Iterator[tuple[str, int, int]]:
    for start in range(len(words)):
        key = ""
        for end in range(start + 1, min(start + LONGEST_RUN, len(words)) + 1):
            key += words[end - 1]
            if not words[end - 1] or len(key) > _LONGEST_KEY:
                break
            yield key, start, end


def _aliases_of(model: Model) -> Iterator["Alias"]:
    """Yield the names of a model; a mark on an alias counts for the bare name too."""
    marked = [_alias(name, model.id) for name in model.aliases]
    plain = _alias(model.name, model.id)
    if not any((alias.key, alias.other, alias.digits) == (plain.key, "", 0) for alias in marked):
        yield plain
    yield from marked


def _alias(name: str, target: str) -> "Alias":
    fallback, name = name.startswith("?"), name.removeprefix("?")
    mark, bare = (name[0], name[1:]) if name[0] in _MARKS else ("", name)
    if "##" in bare:
        return _code_alias(bare, target)
    first, _, other = bare.partition("+") if _TOGETHER.search(bare) else (bare, "", "")
    key = key_of(first)
    strength = _MARKS.get(mark) or (Strength.WORD if other else _strength(key))
    return Alias(target, key, strength, fallback=fallback, other=key_of(other))


def _code_alias(pattern: str, target: str) -> Alias:
    folded = pattern.replace(" ", "").lower()
    digits = folded.count("#")
    letters, _, rest = folded.partition("#" * digits)
    return Alias(target, letters, Strength.SHORT, digits=digits, suffix=rest)


def _strength(key: str) -> Strength:
    if key.isdigit():
        return Strength.AFTER_MAKE if len(key) < 3 else Strength.SHORT
    if len(key) <= 2 and not _LETTER_DIGITS.fullmatch(key):
        return Strength.AFTER_MAKE if len(key) == 1 else Strength.WITH_MAKE
    if key in _EVERYDAY or _is_wording(key):
        return Strength.WITH_MAKE
    return Strength.SHORT if len(key) <= 3 or _LETTER_DIGITS.fullmatch(key) else Strength.WORD


def _is_wording(key: str) -> bool:
    return key.isalpha() and any(words.wording(key) is not None for words in (BODIES, FUELS, DRIVELINES))


def _covers(longer: tuple[str, int, int], shorter: tuple[str, int, int]) -> bool:
    inside = longer[1] <= shorter[1] and shorter[2] <= longer[2]
    return inside and longer[2] - longer[1] > shorter[2] - shorter[1]


def _grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, tuple[V, ...]]:
    groups: defaultdict[K, dict[V, None]] = defaultdict(dict)
    for key, value in pairs:
        groups[key][value] = None
    return {key: tuple(values) for key, values in groups.items()}
