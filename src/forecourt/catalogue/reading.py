"""Which model a text names: every mention is weighed, the best one wins, the others are its rivals.

The confidence of a reading is the share of right answers among texts with the same evidence, measured on the
development part of the texts of `benchmarks/identity/` and smoothed (docs/decisions/0131).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from forecourt.catalogue.catalogue import Catalogue
from forecourt.catalogue.entries import Model
from forecourt.catalogue.names import Mention, Strength


class Evidence(StrEnum):
    """What a reading rests on."""

    MAKE_AND_NAME = "make_and_name"
    """The make is named, and a name of one of its models."""
    MAKE_AND_SHORT = "make_and_short"
    """The make is named, and a short code such as A4 or a word of everyday."""
    NAME = "name"
    """A name that only one make has."""
    SHORT = "short"
    """A short code that only one make has."""
    NUMBER = "number"
    """A number that only one make has for a name, and no make is named: `308`."""
    SHARED = "shared"
    """A name that several makes have, none of them named."""
    OTHER_MAKE = "other_make"
    """A make is named, but the name is another make's."""
    SPELLING = "spelling"
    """The make is named, and a word that is spelled almost like one of its models."""
    LOOSE_SPELLING = "loose_spelling"
    """The same with more letters apart, or without the make."""


CONFIDENCE: Final[Mapping[Evidence, float]] = {
    Evidence.MAKE_AND_NAME: 0.99,
    Evidence.MAKE_AND_SHORT: 0.97,
    Evidence.NAME: 0.98,
    Evidence.SHORT: 0.97,
    Evidence.NUMBER: 0.95,
    Evidence.SHARED: 0.84,
    Evidence.OTHER_MAKE: 0.6,
    Evidence.SPELLING: 0.8,
    Evidence.LOOSE_SPELLING: 0.4,
}
_BRITISH: Final = "Vauxhall"
_ADJACENT: Final = 3.0
_PER_STRENGTH: Final = 4.0
_PER_WORD_OF_DELAY: Final = 0.7
_LONGEST_COUNTED: Final = 14
_FALLBACK_LOSS: Final = 12.0
_OTHER_MAKE_LOSS: Final = 14.0
_CODE_LOSS: Final = 1.5
_NUMBER_LOSS: Final = 4.0


@dataclass(frozen=True, slots=True)
class Makes:
    """The makes that a text or a caller names: where each mention begins and ends, in the text's order."""

    spans: tuple[tuple[str, int, int], ...]
    given: str | None = None
    """Id of the make that was told in a field of its own."""

    def ids(self) -> frozenset[str]:
        """Return the ids of all that are named."""
        own = frozenset(make_id for make_id, _, _ in self.spans)
        return own if self.given is None else frozenset([self.given])

    def ends_at(self, position: int, make_id: str) -> bool:
        """Say whether a mention of the make ends where something begins."""
        if self.given == make_id and position == 0:
            return True
        return any(name == make_id and end == position for name, _, end in self.spans)


@dataclass(frozen=True, slots=True)
class Reading:
    """A model that a text may mean. `start` and `end` bound the words that name it."""

    model: Model
    evidence: Evidence
    confidence: float
    score: float
    start: int
    end: int


def makes_named(catalogue: Catalogue, words: list[str], *, given: str | None = None) -> Makes:
    """Find the makes in a text."""
    return Makes(tuple(catalogue.names.make_mentions(words)), given)


def read_models(
    catalogue: Catalogue, words: list[str], *, makes: Makes, country: str | None = None
) -> list[Reading]:
    """Return the models that a text names, the likeliest first; none when it names none."""
    mentions = [m for m in catalogue.names.model_mentions(words) if _counts(catalogue, m, makes)]
    best: dict[str, tuple[float, Mention]] = {}
    for mention in mentions:
        score = _score(catalogue, mention, makes)
        known = best.get(mention.alias.target)
        if known is None or (score, mention.end) > (known[0], known[1].end):
            best[mention.alias.target] = (score, mention)
    ranked = sorted(
        best.values(),
        key=lambda item: (-item[0], _rank(catalogue, item[1], country)),
    )
    return _readings(catalogue, ranked, makes)


def _counts(catalogue: Catalogue, mention: Mention, makes: Makes) -> bool:
    make_id = catalogue.names.make_of[mention.alias.target]
    if mention.alias.strength is Strength.AFTER_MAKE:
        return makes.ends_at(mention.start, make_id)
    if mention.alias.strength is Strength.WITH_MAKE:
        return make_id in makes.ids()
    return True


def _score(catalogue: Catalogue, mention: Mention, makes: Makes) -> float:
    make_id = catalogue.names.make_of[mention.alias.target]
    named = makes.ids()
    score = _PER_STRENGTH * mention.alias.strength + min(mention.length, _LONGEST_COUNTED)
    score -= _PER_WORD_OF_DELAY * mention.start
    score += _ADJACENT * makes.ends_at(mention.start, make_id)
    score -= _NUMBER_LOSS * (not named and mention.alias.key.isdigit() and not mention.is_code)
    score -= _OTHER_MAKE_LOSS * bool(named and make_id not in named)
    return score - _FALLBACK_LOSS * mention.alias.fallback - _CODE_LOSS * mention.is_code


def _rank(catalogue: Catalogue, mention: Mention, country: str | None) -> tuple[bool, int]:
    """Order makes that share a name: Vauxhall only in Britain, else as the catalogue lists them."""
    make_id = catalogue.names.make_of[mention.alias.target]
    british = catalogue.makes[make_id].name == _BRITISH
    return british != (country == "GB"), catalogue.names.rank[make_id]


def _readings(catalogue: Catalogue, ranked: Sequence[tuple[float, Mention]], makes: Makes) -> list[Reading]:
    readings = []
    for place, (score, mention) in enumerate(ranked):
        evidence = _evidence(catalogue, mention, ranked, makes)
        top = CONFIDENCE[evidence]
        confidence = top if place == 0 else _rest(top, score, ranked[0][0], evidence)
        model = catalogue.models[mention.alias.target]
        readings.append(Reading(model, evidence, round(confidence, 3), score, mention.start, mention.end))
    return readings


def _rest(top: float, score: float, best: float, evidence: Evidence) -> float:
    """Return the confidence of a rival: what the winner leaves, less the further behind it is."""
    left = 1 - top if evidence is not Evidence.SHARED else top * 0.5
    return left / (1 + max(0.0, best - score))


def _evidence(
    catalogue: Catalogue, mention: Mention, ranked: Sequence[tuple[float, Mention]], makes: Makes
) -> Evidence:
    make_id = catalogue.names.make_of[mention.alias.target]
    is_name = mention.alias.strength is Strength.WORD
    if make_id in makes.ids():
        return Evidence.MAKE_AND_NAME if is_name else Evidence.MAKE_AND_SHORT
    if makes.ids():
        return Evidence.OTHER_MAKE
    rivals = {
        catalogue.names.make_of[other.alias.target]
        for _, other in ranked
        if (other.start, other.end) == (mention.start, mention.end) and not other.is_code
    }
    if len(rivals | {make_id}) > 1:
        return Evidence.SHARED
    if is_name:
        return Evidence.NAME
    return Evidence.NUMBER if mention.alias.key.isdigit() else Evidence.SHORT
