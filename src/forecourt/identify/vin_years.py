"""Which model year a VIN states, if it states one: every market and many makers have a rule of their own.

North America, by law: position 10, and position 7 tells the two cycles of thirty years apart for cars and
light trucks (49 CFR 565.15). Elsewhere the code repeats unmarked, and some makers write none at all. Two
years that both fit are both told; a year is only called certain when nothing else fits.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, Literal, NamedTuple

from forecourt.base.vin_form import years_of_code
from forecourt.identify.vin_makers import is_north_american, rows_of
from forecourt.identify.vin_types import CarType

Reason = Literal["stated", "not_encoded", "no_code", "cycle_unknown", "outside_production"]
"""Why there is a year or none: `not_encoded` is the maker's habit, `no_code` a sign that is no code,
`cycle_unknown` two years thirty years apart, `outside_production` years in which the model was not built."""
_Rule = Literal["coded", "not zero", "letter", "eleventh", "never"]
_RULES: Final[Mapping[str, _Rule]] = {
    "coded": "coded",
    "not zero": "not zero",
    "letter": "letter",
    "eleventh": "eleventh",
    "never": "never",
}
_AHEAD: Final = 1
"""A model year may begin in the year before."""
_LIKELIER: Final = 0.6
_LAW: Final = 0.98


class _Habit(NamedTuple):
    rule: _Rule
    confidence: float


_LAWFUL: Final = _Habit("coded", _LAW)
_UNKNOWN_MAKER: Final = _Habit("not zero", _LIKELIER)


class ModelYear(NamedTuple):
    """The model year of a VIN: the likeliest, how sure it is, the others that fit, and why it is so."""

    value: int | None
    confidence: float
    alternatives: tuple[int, ...]
    reason: Reason

    @property
    def possible(self) -> tuple[int, ...]:
        """Every year that fits, the likeliest first."""
        return (self.value, *self.alternatives) if self.value is not None else self.alternatives


NO_YEAR: Final = ModelYear(None, 0.0, (), "not_encoded")


def model_year(
    vin: str, makes: Sequence[str], types: Sequence[CarType] = (), *, this_year: int, heavy: bool = False
) -> ModelYear:
    """Read the model year of a VIN of one of some makes that is of one of some types.

    `heavy` says that the vehicle weighs more than 10,000 lb: position 7 then says nothing about the year.
    """
    habit = _habit(vin, makes)
    code = vin[10 if habit.rule == "eleventh" else 9]
    if habit.rule == "never" or (habit.rule == "not zero" and code == "0"):
        return NO_YEAR
    if habit.rule == "letter" and code.isdecimal():
        return NO_YEAR
    stated = tuple(year for year in years_of_code(code) if year <= this_year + _AHEAD)
    if not stated:
        return ModelYear(None, 0.0, (), "no_code")
    if is_north_american(vin) and not heavy:
        return _by_position_7(vin, stated)
    if habit.rule == "letter":
        stated = stated[-1:] if len(stated) == 2 else stated
    return _fitting(stated, types, habit.confidence)


def _by_position_7(vin: str, stated: tuple[int, ...]) -> ModelYear:
    early, late = stated[0], stated[-1]
    year, other = (early, late) if vin[6].isdecimal() else (late, early)
    if year == other and not vin[6].isdecimal():
        return ModelYear(year, _LIKELIER, (), "stated")
    return ModelYear(year, _LAW, (), "stated")


def _fitting(stated: tuple[int, ...], types: Sequence[CarType], confidence: float) -> ModelYear:
    """Keep the years in which one of the types was built."""
    built = tuple(year for year in stated if any(car.built_in(year) for car in types))
    if types and not built:
        return ModelYear(None, 0.0, stated[::-1], "outside_production")
    left = built or stated
    if len(left) == 1:
        return ModelYear(left[0], confidence, (), "stated")
    return ModelYear(left[-1], min(confidence, _LIKELIER), left[:-1], "cycle_unknown")


def earliest(vin: str, makes: Sequence[str]) -> int | None:
    """Return the year before which no car with a VIN of this form can be; None when the form tells nothing.

    Makers of the rule `letter` write letters since 2010.
    """
    habit = _habit(vin, makes)
    return 2010 if habit.rule == "letter" and vin[9].isalpha() else None


def latest(vin: str, makes: Sequence[str]) -> int | None:
    """Return the year after which no car with a VIN of this form can be; None when the form tells nothing."""
    habit = _habit(vin, makes)
    return 2010 if habit.rule == "letter" and vin[9].isdecimal() else None


def _habit(vin: str, makes: Sequence[str]) -> _Habit:
    own = _habits().get(vin[:3])
    if own is not None or is_north_american(vin):
        return own or _LAWFUL
    return next((_habits()[make] for make in makes if make in _habits()), _UNKNOWN_MAKER)


@cache
def _habits() -> Mapping[str, _Habit]:
    habits: dict[str, _Habit] = {}
    for who, rule, percent in rows_of("vin_years.csv"):
        for one in _keys(who):
            habits[one] = _Habit(_RULES[rule], int(percent) / 100)
    return habits


def _keys(who: str) -> Sequence[str]:
    """Return the manufacturer codes in a cell, or the make that it names."""
    codes = who.split()
    return codes if all(len(code) == 3 and code.isupper() for code in codes) and who not in _MAKES else [who]


_MAKES: Final = frozenset({"BMW", "BYD"})
