"""Which car of the catalogue a listing means: its model from its words, its drivetrain from its figures."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from forecourt.catalogue.catalogue import Catalogue
from forecourt.catalogue.entries import Drivetrain, Generation
from forecourt.identify.text import identify
from forecourt.identify.text_narrowing import Known, narrow_drivetrains, narrow_generations

_LEAST_CONFIDENCE: Final = 0.5
_REMEMBERED: Final = 200_000
_GAPS: Final = ("fuel", "transmission", "drive", "body_type", "power_kw", "displacement_cc", "battery_kwh")


class ModelMatch(NamedTuple):
    """The model that words mean, None when none; `make` and `model` are the names to show."""

    model_id: str | None
    make: str
    model: str


class Described(NamedTuple):
    """What the title or version of a listing says beside the model."""

    fields: Mapping[str, Any]


class ModelMatcher:
    """Matches words to models and remembers the answer: files repeat the same few thousand texts."""

    def __init__(self, catalogue: Catalogue, country: str) -> None:
        self._catalogue = catalogue
        self._country = country
        self.match = lru_cache(maxsize=_REMEMBERED)(self._match)
        self.described = lru_cache(maxsize=_REMEMBERED)(self._described)

    def _match(self, make: str, model: str, title: str) -> ModelMatch:
        """Return the model: make and model decide, the title helps where they do not."""
        for text, vehicle in ((title if not model else "", {"make": make, "model": model}), (title, {})):
            told = {name: value for name, value in vehicle.items() if value}
            if not told and not text:
                continue
            found = identify(self._catalogue, text, vehicle=told, country=self._country)
            line = found.line
            if line is not None and line.model is not None and found.confidence >= _LEAST_CONFIDENCE:
                return ModelMatch(line.model.id, line.make.name, line.model.name)
        return ModelMatch(None, make, model)

    def _described(self, make: str, model: str, text: str) -> Described:
        """Return the figures and words in a title, to fill what the columns leave open."""
        vehicle = {name: value for name, value in (("make", make), ("model", model)) if value}
        found = identify(self._catalogue, text, vehicle=vehicle, country=self._country)
        stated = {name: fact for name, fact in found.facts.items() if name in _GAPS}
        return Described(
            {name: fact.value for name, fact in stated.items() if fact.source in {"input", "inferred"}}
        )


class DrivetrainMatcher:
    """Finds the generation and drivetrain of adverts in a catalogue that has learned from them."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self.match = lru_cache(maxsize=_REMEMBERED)(self._match)

    def _match(
        self,
        model_id: str | None,
        year: int,
        body_type: str | None,
        fuel: str | None,
        transmission: str | None,
        drive: str | None,
        power_kw: int | None,
        displacement_cc: int | None,
    ) -> tuple[str | None, str | None]:
        """Return the ids of generation and drivetrain, each None when it cannot be told.

        Of generations that overlap the newer counts, of drivetrains that all fit the one advertised most.
        """
        if model_id is None:
            return None, None
        known = Known(
            words=frozenset(), year=year, fuel=fuel, transmission=transmission, drive=drive,
            power_kw=power_kw, displacement_cc=displacement_cc, body_type=body_type,
        )  # fmt: skip
        fitting, _ = narrow_generations(self._catalogue.generations_of(model_id), known)
        newest = max(fitting, key=_first_year, default=None)
        if newest is None:
            return None, None
        engines = narrow_drivetrains(self._catalogue.drivetrains_of(newest.id), known)
        stated = fuel is not None and (known.says_engine() or fuel == "electric")
        likeliest = max(engines, key=_adverts, default=None) if stated else None
        return newest.id, None if likeliest is None else likeliest.id


def _first_year(generation: Generation) -> int:
    return generation.years.first or 0


def _adverts(drivetrain: Drivetrain) -> int:
    return drivetrain.adverts
