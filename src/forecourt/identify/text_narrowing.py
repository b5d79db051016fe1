"""From a model down: which of its generations and drivetrains fit what is known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from forecourt.catalogue.entries import Drivetrain, Generation
from forecourt.catalogue.names import key_of

_HP_SLACK_KW: Final = 2
_DISPLACEMENT_SLACK_CC: Final = 60
_ARABIC: Final = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10}


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What helps to tell generations and drivetrains apart; None for what was not said."""

    words: frozenset[str]
    after_model: str = ""
    """The word right after the model's name."""
    year: int | None = None
    fuel: str | None = None
    transmission: str | None = None
    drive: str | None = None
    power_kw: int | None = None
    displacement_cc: int | None = None
    body_type: str | None = None

    @classmethod
    def of(cls, values: Mapping[str, Any], words: Sequence[str], *, model_ends: int) -> "Known":
        """Take what counts from an answer's fields; `model_ends` is the place of the word after the model."""
        registered = values.get("first_registration")
        names = ("fuel", "transmission", "drive", "power_kw", "displacement_cc", "body_type")
        return cls(
            words=frozenset(words),
            after_model=words[model_ends] if model_ends < len(words) else "",
            year=int(registered[:4]) if registered else values.get("year"),
            **{name: values.get(name) for name in names},
        )

    def says_engine(self) -> bool:
        """Say whether enough is known to call one drivetrain the right one."""
        return self.power_kw is not None or self.displacement_cc is not None


def narrow_generations(generations: Sequence[Generation], known: Known) -> tuple[list[Generation], bool]:
    """Return the generations that fit, and whether a name or code in the text says so."""
    named = [one for one in generations if is_named(one, known)]
    if named:
        fitting = [one for one in named if known.year is None or one.years.near(known.year)]
        return fitting or named, True
    if known.year is None:
        return list(generations), False
    inside = [one for one in generations if one.years.holds(known.year)]
    near = inside or [one for one in generations if one.years.near(known.year)]
    shaped = [one for one in near if known.body_type in one.body_types]
    return shaped or near, False


def narrow_drivetrains(drivetrains: Sequence[Drivetrain], known: Known) -> list[Drivetrain]:
    """Return the drivetrains that contradict nothing that is known."""
    return [one for one in drivetrains if _fits(one, known)]


def is_named(generation: Generation, known: Known) -> bool:
    """Say whether a text names a generation: anywhere by a word, right after the model by `7` or `K` too."""
    name = key_of(generation.name)
    short = {name, str(_ARABIC.get(name, name)), key_of(generation.code or "")} - {""}
    return bool(naming_words(generation) & known.words) or known.after_model in short


def naming_words(generation: Generation) -> frozenset[str]:
    """Return the words that name a generation beside its model: `vii`, `mk7`, its code.

    A single letter or figure is too little to go by.
    """
    name, code = key_of(generation.name), key_of(generation.code or "")
    number = _ARABIC.get(name)
    numbered = () if number is None else (f"mk{number}", f"mk{name}")
    alone = [word for word in (name, code) if len(word) > 1 and not word.isdigit()]
    return frozenset((*alone, *numbered))


def _fits(drivetrain: Drivetrain, known: Known) -> bool:
    exact = ("fuel", "transmission", "drive")
    if any(_differ(getattr(drivetrain, name), getattr(known, name)) for name in exact):
        return False
    if known.year is not None and not drivetrain.years.near(known.year):
        return False
    return not (
        _apart(drivetrain.power_kw, known.power_kw, by=_HP_SLACK_KW)
        or _apart(drivetrain.displacement_cc, known.displacement_cc, by=_DISPLACEMENT_SLACK_CC)
    )


def _differ(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and one != other


def _apart(one: int | None, other: int | None, *, by: int) -> bool:
    return one is not None and other is not None and abs(one - other) > by
