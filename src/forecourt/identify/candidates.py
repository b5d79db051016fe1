"""Cars that a number can mean, in the shape of the contract, and how sure the best of them is."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from forecourt.catalogue.catalogue import Line
from forecourt.catalogue.labels import label_of
from forecourt.identify.text import AHEAD, AMBIGUOUS, MATCHED

_OF_DRIVETRAINS: Final = ("fuel", "transmission", "power_kw", "displacement_cc")


class Candidate(NamedTuple):
    """A car as far down the catalogue as it is known; confidence 0 to 1."""

    line: Line
    confidence: float
    told: Mapping[str, Any] = MappingProxyType({})
    """Fuel, transmission, power and displacement that were said, for a car whose drivetrain is not known."""

    @property
    def level(self) -> str:
        """The deepest level that is known."""
        parts = (self.line.model, self.line.generation, self.line.drivetrain)
        return ("make", "model", "generation", "drivetrain")[sum(part is not None for part in parts)]

    def as_json(self) -> dict[str, Any]:
        """Return the shape of the contract (4.15)."""
        drivetrain = self.line.drivetrain
        parts = (drivetrain, self.line.generation, self.line.model)
        years = next((part.years for part in parts if part is not None), None)
        return {
            "catalogue": self.line.ids() or None,
            "label": label_of(self.line),
            "confidence": round(self.confidence, 3),
            **{name: getattr(drivetrain, name, self.told.get(name)) for name in _OF_DRIVETRAINS},
            "years": years and years.as_json(),
        }


def match_of(candidates: Sequence[Candidate], *, method: str, make_known: bool = False) -> dict[str, Any]:
    """Say how well candidates, the best first, identify a car; without any, perhaps the make is known."""
    best = candidates[0] if candidates else None
    if best is None or best.line.model is None or best.confidence < AMBIGUOUS:
        known = make_known or best is not None
        return {
            "status": "unmatched",
            "confidence": 0.0,
            "level": "make" if known else None,
            "method": method,
        }
    return {
        "status": "matched" if is_settled(candidates) else "ambiguous",
        "confidence": round(best.confidence, 3),
        "level": best.level,
        "method": method,
    }


def is_settled(candidates: Sequence[Candidate]) -> bool:
    """Say whether the best is sure enough and far enough ahead of the next."""
    top = candidates[0].confidence
    second = candidates[1].confidence if len(candidates) > 1 else 0.0
    return candidates[0].line.model is not None and top >= MATCHED and top - second >= AHEAD
