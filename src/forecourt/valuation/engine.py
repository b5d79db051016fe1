"""What values a car, seen from outside: a request goes in, a verdict comes out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Protocol

from forecourt.valuation.request import ValuationRequest


@dataclass(frozen=True, slots=True)
class Remark:
    """A warning, hint or note: a stable code, a text for people, and what belongs to it.

    `members` may hold `pointer`, `expected_grade` and `valuation_id`.
    """

    code: str
    message: str
    members: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return the remark as it stands in an envelope."""
        return {"code": self.code, "message": self.message, **self.members}


@dataclass(frozen=True, slots=True)
class Remarks:
    """What an answer says beside its figures."""

    warnings: tuple[Remark, ...] = ()
    hints: tuple[Remark, ...] = ()
    notes: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A price: whole units of the country's currency on the asked basis, with an 80 % prediction interval.

    `vehicle`, `market`, `comparables` and `adjustments` have the shape of the envelope's members.
    """

    price: int
    low: int
    high: int
    grade: str
    data_as_of: date
    model_version: str
    vehicle: Mapping[str, Any] | None
    market: Mapping[str, Any] | None = None
    comparables: tuple[Mapping[str, Any], ...] = ()
    adjustments: tuple[Mapping[str, Any], ...] = ()
    remarks: Remarks = Remarks()


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A decision not to price this car; the same request is refused again. `code` is a refusal code."""

    code: str
    detail: str
    vehicle: Mapping[str, Any] | None = None
    candidates: tuple[Mapping[str, Any], ...] = ()
    remarks: Remarks = Remarks()


@dataclass(frozen=True, slots=True)
class Failure:
    """The engine could not do its work. `code` is a failure code."""

    code: str
    detail: str


Verdict = Estimate | Refusal | Failure


class Valuer(Protocol):
    """Values cars of one mode."""

    def price_bases(self, country: str) -> tuple[str, ...]:
        """Return the bases that can be priced in a country; none means that it has no model."""
        ...

    def attribution(self, country: str, data_as_of: date | None) -> str:
        """Return the text that has to be shown with every answer about a country."""
        ...

    async def value(self, request: ValuationRequest) -> Verdict:
        """Return a verdict.

        Raises leaves of `contract.errors` such as `EngineBusy` when nothing should be created: the caller is
        told to come back and nothing is charged.
        """
        ...
