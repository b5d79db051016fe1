"""Learn drivetrains from listings: what is advertised often enough in one generation exists.

Adverts state power rounded and displacement roughly, so values that lie close are one drivetrain, named by
the pair that is stated most often. What is known already keeps its id, so that learning again never renames.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from forecourt.catalogue.catalogue import Catalogue
from forecourt.catalogue.entries import Drivetrain, Generation, Model, Years, id_of

LEAST_ADVERTS: Final = 3
"""Fewer adverts than this may be typing errors."""
_POWER_SLACK_KW: Final = 2
_DISPLACEMENT_SLACK_CC: Final = 60
_BATTERY_SLACK_KWH: Final = 3.0
_WHOLE_MODEL: Final = "all years"
_OUTER_SHARE: Final = 0.01
"""So many of the adverts at each end of the years do not widen the window."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advert:
    """What one listing says of its car, in the words of the contract; None for what it does not say."""

    model_id: str
    year: int | None = None
    generation_id: str | None = None
    body_type: str | None = None
    fuel: str | None = None
    transmission: str | None = None
    drive: str | None = None
    power_kw: int | None = None
    displacement_cc: int | None = None
    battery_kwh: float | None = None


@dataclass(frozen=True, slots=True)
class Learned:
    """What was learned. `generations` stand for whole models without any; `unplaced` adverts fit nowhere."""

    generations: tuple[Generation, ...]
    drivetrains: tuple[Drivetrain, ...]
    adverts: int
    unplaced: int


@dataclass(frozen=True, slots=True)
class _Engine:
    """What tells drivetrains of one generation apart."""

    fuel: str
    transmission: str | None
    drive: str | None
    power_kw: int | None
    displacement_cc: int | None
    battery_kwh: float | None

    def known(self) -> int:
        """Return how many values are stated."""
        values = (self.transmission, self.drive, self.power_kw, self.displacement_cc, self.battery_kwh)
        return sum(value is not None for value in values)

    def fits(self, other: "_Engine") -> bool:
        """Say whether another statement can be about this engine.

        What it leaves out contradicts nothing, but for the driven wheels, which adverts name when they
        are four.
        """
        numbers = (
            (self.power_kw, other.power_kw, _POWER_SLACK_KW),
            (self.displacement_cc, other.displacement_cc, _DISPLACEMENT_SLACK_CC),
            (self.battery_kwh, other.battery_kwh, _BATTERY_SLACK_KWH),
        )
        return (
            (self.fuel, self.drive) == (other.fuel, other.drive)
            and other.transmission in {None, self.transmission}
            and all(
                theirs is None or (own is not None and abs(own - theirs) <= slack)
                for own, theirs, slack in numbers
            )
        )


def learn_drivetrains(
    catalogue: Catalogue, adverts: Iterable[Advert], *, least_adverts: int = LEAST_ADVERTS
) -> Learned:
    """Return the drivetrains that are stated by at least `least_adverts` listings of a generation.

    A listing's generation is the one it names, else the one built in its year, the newer of two. It must say
    its fuel, and its power or displacement or battery. The order of the listings does not matter.
    """
    learner = _Learner(catalogue)
    for advert in adverts:
        learner.take(advert)
    return learner.learned(least_adverts)


class _Learner:
    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._stated: defaultdict[str, Counter[_Engine]] = defaultdict(Counter)
        self._years: defaultdict[tuple[str, _Engine], Counter[int]] = defaultdict(Counter)
        self._made: dict[str, Generation] = {}
        self._adverts = 0
        self._unplaced = 0

    def take(self, advert: Advert) -> None:
        """Count one listing."""
        self._adverts += 1
        engine = _engine_of(advert)
        generation = None if engine is None else self._generation_of(advert)
        if engine is None or generation is None:
            self._unplaced += 1
            return
        self._stated[generation.id][engine] += 1
        if advert.year is not None:
            self._years[generation.id, engine][advert.year] += 1

    def learned(self, least: int) -> Learned:
        """Return what was stated often enough."""
        drivetrains = tuple(
            drivetrain
            for generation_id, stated in self._stated.items()
            for drivetrain in self._of_generation(generation_id, stated)
            if drivetrain.adverts >= least
        )
        homes = {one.generation_id for one in drivetrains}
        made = tuple(generation for generation in self._made.values() if generation.id in homes)
        return Learned(made, drivetrains, self._adverts, self._unplaced)

    def _generation_of(self, advert: Advert) -> Generation | None:
        if advert.generation_id is not None:
            return self._catalogue.generations.get(advert.generation_id)
        model = self._catalogue.models.get(advert.model_id)
        if model is None:
            return None
        own = self._catalogue.generations_of(model.id)
        if not own:
            return self._made.setdefault(model.id, whole_model(model))
        return None if advert.year is None else _built_in(own, advert.year, advert.body_type)

    def _of_generation(self, generation_id: str, stated: Counter[_Engine]) -> Iterable[Drivetrain]:
        known = {_engine_of_known(one): one for one in self._catalogue.drivetrains_of(generation_id)}
        for centre, members in _clustered(stated, [engine for engine in known if engine is not None]).items():
            years: Counter[int] = Counter()
            for member in members:
                years.update(self._years[generation_id, member])
            count = sum(stated[member] for member in members)
            yield _drivetrain(generation_id, centre, known.get(centre), years=years, adverts=count)


def whole_model(model: Model) -> Generation:
    """Return the generation that stands for all years of a model that the catalogue does not divide."""
    return Generation(
        id=id_of("gn", model.id, _WHOLE_MODEL),
        model_id=model.id,
        name=_WHOLE_MODEL,
        years=model.years,
        source="learned from listings",
    )


def _engine_of(advert: Advert) -> _Engine | None:
    if advert.fuel is None or (advert.power_kw or advert.displacement_cc or advert.battery_kwh) is None:
        return None
    return _Engine(
        advert.fuel,
        advert.transmission,
        advert.drive,
        advert.power_kw,
        advert.displacement_cc,
        advert.battery_kwh,
    )


def _engine_of_known(drivetrain: Drivetrain) -> _Engine | None:
    if drivetrain.fuel is None:
        return None
    return _Engine(
        drivetrain.fuel,
        drivetrain.transmission,
        drivetrain.drive,
        drivetrain.power_kw,
        drivetrain.displacement_cc,
        drivetrain.battery_kwh,
    )


def _built_in(generations: Sequence[Generation], year: int, body_type: str | None) -> Generation | None:
    """Return the newest generation built in a year; one with the body in question goes first."""
    inside = [one for one in generations if one.years.holds(year)]
    near = inside or [one for one in generations if one.years.near(year)]
    shaped = [one for one in near if body_type in one.body_types]
    return max(shaped or near, key=lambda one: one.years.first or 0, default=None)


def _clustered(stated: Counter[_Engine], known: Iterable[_Engine]) -> Mapping[_Engine, list[_Engine]]:
    """Put statements to the engine that they fit: the known ones first, then the fullest, most frequent."""
    clusters: dict[_Engine, list[_Engine]] = {engine: [] for engine in known}
    order = sorted(stated, key=lambda engine: (-engine.known(), -stated[engine], repr(engine)))
    for engine in order:
        centre = max(
            (one for one in clusters if one.fits(engine)),
            key=lambda one: _weight(clusters[one], stated),
            default=None,
        )
        clusters.setdefault(engine if centre is None else centre, []).append(engine)
    return clusters


def _weight(members: Iterable[_Engine], stated: Counter[_Engine]) -> int:
    return sum(stated[member] for member in members)


def _drivetrain(
    generation_id: str, engine: _Engine, known: Drivetrain | None, *, years: Counter[int], adverts: int
) -> Drivetrain:
    window = _window(years)
    if known is not None:
        return replace(known, years=_wider(known.years, window), adverts=max(known.adverts, adverts))
    what = (engine.fuel, engine.transmission, engine.drive, engine.power_kw, engine.displacement_cc)
    return Drivetrain(
        id=id_of("dt", generation_id, *map(str, (*what, engine.battery_kwh))),
        generation_id=generation_id,
        fuel=engine.fuel,
        transmission=engine.transmission,
        drive=engine.drive,
        power_kw=engine.power_kw,
        displacement_cc=engine.displacement_cc,
        battery_kwh=engine.battery_kwh,
        years=window,
        adverts=adverts,
    )


def _window(years: Counter[int]) -> Years:
    total = sum(years.values())
    if not total:
        return Years()
    skipped = int(total * _OUTER_SHARE)
    spread = sorted(years.elements())
    return Years(spread[skipped], spread[total - 1 - skipped])


def _wider(one: Years, other: Years) -> Years:
    firsts = [year for year in (one.first, other.first) if year is not None]
    lasts = [year for year in (one.last, other.last) if year is not None]
    return Years(min(firsts, default=None), max(lasts, default=None))
