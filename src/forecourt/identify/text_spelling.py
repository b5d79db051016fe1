"""Names that are misspelled: the nearest name of a model by edit distance (rapidfuzz, extra `data`)."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from forecourt.catalogue.catalogue import Catalogue
from forecourt.catalogue.names import NameIndex, Strength
from forecourt.catalogue.reading import CONFIDENCE, Evidence, Makes, Reading

_SHORTEST: Final = 4
_ALIKE: Final = 83.0
_NEARLY_ALIKE: Final = 72.0
_ALIKE_WITHOUT_MAKE: Final = 87.0
_SHORTEST_OF_LOOSE: Final = 6
_SHORTEST_WITHOUT_MAKE: Final = 5
_LONGEST_RUN: Final = 2


@dataclass(frozen=True, slots=True)
class _Near:
    similarity: float
    key: str
    start: int
    end: int


def read_misspelled(catalogue: Catalogue, words: list[str], *, makes: Makes) -> list[Reading]:
    """Return the models whose names are nearest to words of a text, the nearest first.

    Words that mean something else are blank in `words`. Where no make is named, a name must be closer and
    begin with the same letter. Without rapidfuzz there are none.
    """
    near = [one for run in _runs(words) if (one := _nearest(catalogue.names, run, makes)) is not None]
    near.sort(key=lambda one: (-one.similarity, one.start))
    return [
        _reading(catalogue, one, target, makes=makes)
        for one in near[:3]
        for target in _targets(catalogue.names, one, makes)
    ]


def _runs(words: list[str]) -> list[tuple[str, int, int]]:
    runs = [
        ("".join(words[start:end]), start, end)
        for start in range(len(words))
        for end in range(start + 1, min(start + _LONGEST_RUN, len(words)) + 1)
        if all(words[start:end])
    ]
    return [run for run in runs if len(run[0]) >= _SHORTEST and not run[0][0].isdigit()]


def _nearest(names: NameIndex, run: tuple[str, int, int], makes: Makes) -> _Near | None:
    try:
        from rapidfuzz import fuzz, process
    except ImportError:
        return None
    written, start, end = run
    choices = _choices(names, makes.ids())
    found = process.extractOne(written, choices, scorer=fuzz.ratio, score_cutoff=_NEARLY_ALIKE)
    if found is None:
        return None
    key, similarity, _ = found
    if not makes.ids():
        good = (
            similarity >= _ALIKE_WITHOUT_MAKE and len(key) >= _SHORTEST_WITHOUT_MAKE and key[0] == written[0]
        )
    else:
        good = similarity >= _ALIKE or len(key) >= _SHORTEST_OF_LOOSE
    return _Near(similarity, key, start, end) if good else None


@lru_cache(maxsize=256)
def _choices(names: NameIndex, makes: frozenset[str]) -> list[str]:
    return [key for key in names.exact if len(key) >= _SHORTEST and _targets_of(names, key, makes)]


def _targets(names: NameIndex, near: _Near, makes: Makes) -> list[str]:
    return _targets_of(names, near.key, makes.ids())


def _targets_of(names: NameIndex, key: str, makes: frozenset[str]) -> list[str]:
    return [
        alias.target
        for alias in names.exact[key]
        if alias.strength is Strength.WORD and (not makes or names.make_of[alias.target] in makes)
    ]


def _reading(catalogue: Catalogue, near: _Near, target: str, *, makes: Makes) -> Reading:
    sure = near.similarity >= _ALIKE and bool(makes.ids())
    evidence = Evidence.SPELLING if sure else Evidence.LOOSE_SPELLING
    model = catalogue.models[target]
    return Reading(model, evidence, CONFIDENCE[evidence], near.similarity, near.start, near.end)
