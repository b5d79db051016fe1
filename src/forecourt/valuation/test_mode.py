"""Simulated prices: the same request always has the same price, and nothing but the request decides it.

So that clients can be tested against fixed numbers without a market, a catalogue or a register. The formula
is published (docs/api/test-mode.md); a new one gets a new name.
"""

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any, Final

from forecourt.base.canonical_json import canonical_json
from forecourt.contract.markets import MARKETS, PRICE_BASES
from forecourt.storage.database import Database
from forecourt.valuation import magic, store
from forecourt.valuation.engine import Estimate, Failure, Refusal, Remark, Remarks, Verdict
from forecourt.valuation.request import ValuationRequest, rounded_half_up

FORMULA: Final = "sim1"
DATA_AS_OF: Final = date(2026, 1, 1)
STEP: Final = 50
LEAST_PRICE: Final = 500

_IDENTIFYING: Final = (
    "catalogue",
    "vin",
    "hsn_tsn",
    "plate",
    "make",
    "model",
    "variant",
    "fuel",
    "transmission",
    "body_type",
    "power_kw",
)
_PER_EURO: Final[Mapping[str, float]] = {
    "EUR": 1.0,
    "DKK": 7.5,
    "SEK": 11.0,
    "PLN": 4.3,
    "GBP": 0.85,
    "CHF": 0.95,
}
_OF_RETAIL: Final[Mapping[str, float]] = {
    "retail_asking": 1.0,
    "private_asking": 0.92,
    "trade": 0.82,
    "trade_in": 0.80,
}
_HALF_WIDTH: Final[Mapping[str, float]] = {"A": 0.04, "B": 0.07, "C": 0.11, "D": 0.18}
_COMPARABLES: Final[Mapping[str, int]] = {"A": 120, "B": 45, "C": 16, "D": 7}
_KEPT_PER_YEAR: Final = 0.86
_MILEAGE_OF_NO_WORTH_KM: Final = 500_000
_LEAST_OF_MILEAGE: Final = 0.35

_SIMULATED: Final = Remark("simulated", "Simulated in test mode: no market was asked.")
_REFUSAL_HINTS: Final[Mapping[str, Remark]] = {
    "insufficient_market_data": Remark("try_other_price_basis", "Another price basis may have more data."),
    "vehicle_ambiguous": Remark(
        "confirm_candidate", "Send the ids of one of the candidates.", {"pointer": "/vehicle/catalogue"}
    ),
    "vehicle_not_identified": Remark("use_vin", "A VIN says more.", {"pointer": "/vehicle/vin"}),
    "mileage_out_of_range": Remark(
        "check_mileage_unit", "Is it in km or in miles?", {"pointer": "/vehicle/mileage_km"}
    ),
    "interval_too_wide": Remark(
        "add_drivetrain", "The drivetrain narrows the price.", {"pointer": "/vehicle/catalogue/drivetrain_id"}
    ),
}

Pause = Callable[[float], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class SimulatedPrice:
    """What the formula says, in whole units of the country's currency. `digest` is the hash of the car."""

    price: int
    low: int
    high: int
    grade: str
    digest: str


class SimulatedValuer:
    """The valuer of test mode; `pause` waits some seconds."""

    def __init__(self, database: Database, *, pause: Pause) -> None:
        self._database = database
        self._pause = pause

    def price_bases(self, country: str) -> tuple[str, ...]:
        """Return every basis: all can be simulated."""
        del country
        return PRICE_BASES

    def attribution(self, country: str, data_as_of: date | None) -> str:
        """Return a text that nobody takes for a price."""
        del data_as_of
        return f"Simulated value for {MARKETS[country].name}, for testing only. Not a price and not an offer."

    async def value(self, request: ValuationRequest) -> Verdict:
        """Return what the mileage means, else the simulated price."""
        mileage = request.mileage_km
        if problem := magic.PROBLEMS.get(mileage):
            raise problem()
        if mileage in magic.FAILED:
            return Failure(magic.FAILED[mileage], "Simulated, because of the mileage that was sent.")
        if mileage in magic.REFUSED:
            return _refusal(magic.REFUSED[mileage])
        if mileage == magic.BUSY_TWICE:
            await self._refuse_twice(request)
        if mileage == magic.SLOW:
            await self._pause(magic.SLOW_S)
        return _estimate(request)

    async def _refuse_twice(self, request: ValuationRequest) -> None:
        count = partial(
            store.count_attempt, organization_id=request.organization_id, key=request.idempotency_key
        )
        if await self._database.write(count) <= 2:
            raise magic.busy()


def simulated_price(request: ValuationRequest) -> SimulatedPrice:
    """Return the price of the published formula."""
    digest = _digest(request)
    grade = "ABCD"[int(digest[8:10], 16) % 4]
    price = max(
        _stepped(_base(request, digest) * _age_factor(request) * _mileage_factor(request)), LEAST_PRICE
    )
    return _around(price, grade, digest)


def _around(price: int, grade: str, digest: str) -> SimulatedPrice:
    width = _HALF_WIDTH[grade]
    return SimulatedPrice(price, _stepped(price * (1 - width)), _stepped(price * (1 + width)), grade, digest)


def _digest(request: ValuationRequest) -> str:
    car = {name: request.vehicle[name] for name in _IDENTIFYING if name in request.vehicle}
    text = f"{FORMULA}|{request.country}|".encode() + canonical_json(car)
    return hashlib.sha256(text).hexdigest()


def _base(request: ValuationRequest, digest: str) -> float:
    """Return what the car would cost new and unused, on the asked basis."""
    share = int(digest[:8], 16) / 2**32
    currency = MARKETS[request.country].currency
    return (15_000 + 45_000 * share) * _PER_EURO[currency] * _OF_RETAIL[request.price_basis]


def _age_factor(request: ValuationRequest) -> float:
    months = (DATA_AS_OF.year - request.registered.year) * 12 + DATA_AS_OF.month - request.registered.month
    factor: float = _KEPT_PER_YEAR ** (max(months, 0) / 12)
    return factor


def _mileage_factor(request: ValuationRequest) -> float:
    return max(_LEAST_OF_MILEAGE, 1 - request.mileage_km / _MILEAGE_OF_NO_WORTH_KM)


def _stepped(value: float) -> int:
    return rounded_half_up(value / STEP) * STEP


def _estimate(request: ValuationRequest) -> Estimate:
    simulated = simulated_price(request)
    remarks = Remarks(notes=(_SIMULATED, *_basis_notes(request)))
    if request.mileage_km == magic.ALWAYS_20000:
        simulated = _around(20_000, "A", simulated.digest)
    if request.mileage_km == magic.GRADE_D:
        simulated = _around(simulated.price, "D", simulated.digest)
        remarks = Remarks(_DOUBTS, (_REFUSAL_HINTS["interval_too_wide"],), remarks.notes)
    return Estimate(
        price=simulated.price,
        low=simulated.low,
        high=simulated.high,
        grade=simulated.grade,
        data_as_of=DATA_AS_OF,
        model_version=FORMULA,
        vehicle=None,
        market=_market(request, simulated),
        comparables=_comparables(request, simulated),
        adjustments=_adjustments(request, simulated),
        remarks=remarks,
    )


_DOUBTS = (
    Remark("mileage_unusual", "Few such cars have this mileage.", {"pointer": "/vehicle/mileage_km"}),
    Remark("low_comparables", "There are few comparable adverts."),
)


def _basis_notes(request: ValuationRequest) -> tuple[Remark, ...]:
    if request.price_basis not in {"retail_asking", "private_asking"}:
        return ()
    return (Remark("asking_price_basis", "The price is what sellers ask, not what buyers pay."),)


def _refusal(code: str) -> Refusal:
    hint = _REFUSAL_HINTS.get(code)
    return Refusal(
        code=code,
        detail="Simulated, because of the mileage that was sent.",
        candidates=_CANDIDATES if code == "vehicle_ambiguous" else (),
        remarks=Remarks(hints=(hint,) if hint else (), notes=(_SIMULATED,)),
    )


_CANDIDATES = tuple(
    {
        "catalogue": {"drivetrain_id": f"dt_test000{number}"},
        "label": f"Simulated car {number}",
        "confidence": confidence,
    }
    for number, confidence in ((1, 0.5), (2, 0.3), (3, 0.2))
)


def _market(request: ValuationRequest, simulated: SimulatedPrice) -> dict[str, Any]:
    return {
        "comparables_count": _COMPARABLES[simulated.grade],
        "window_days": 90,
        "median_price": simulated.price,
        "median_mileage_km": request.mileage_km,
        "median_days_listed": 40,
    }


def _comparables(request: ValuationRequest, simulated: SimulatedPrice) -> tuple[dict[str, Any], ...]:
    prices = (simulated.price, simulated.low, simulated.high)
    return tuple(
        {
            "price": price,
            "currency": MARKETS[request.country].currency,
            "mileage_km": request.mileage_km,
            "first_registration": request.registered.strftime("%Y-%m"),
            "fuel": request.vehicle.get("fuel"),
            "transmission": request.vehicle.get("transmission"),
            "power_kw": None,
            "seller_type": "dealer",
            "days_listed": 40,
            "similarity": similarity,
        }
        for price, similarity in zip(prices, (1.0, 0.9, 0.8), strict=True)
    )


def _adjustments(request: ValuationRequest, simulated: SimulatedPrice) -> tuple[dict[str, Any], ...]:
    base = _base(request, simulated.digest)
    aged = base * _age_factor(request)
    driven = aged * _mileage_factor(request)
    new = f"A new car at {rounded_half_up(base)}."
    return (
        {"factor": "age", "amount": -rounded_half_up(base - aged), "basis": new},
        {
            "factor": "mileage",
            "amount": -rounded_half_up(aged - driven),
            "basis": "A car that was not driven.",
        },
    )
