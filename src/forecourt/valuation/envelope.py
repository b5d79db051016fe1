"""The answer to a valuation, the same for every status; members that do not apply are null."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from forecourt.base.clock import isoformat
from forecourt.contract.markets import MARKETS
from forecourt.contract.problems import PROBLEMS
from forecourt.valuation.engine import Estimate, Failure, Refusal, Remark, Remarks, Verdict
from forecourt.valuation.request import ValuationRequest, rounded_half_up
from forecourt.valuation.vehicle import stated_vehicle

Envelope = dict[str, Any]

VALID_FOR: Final = timedelta(days=7)
"""After that a car should be valued again."""

_MAX_COMPARABLES: Final = 10
_RATINGS: Final = ((-12.0, "super"), (-5.0, "good"))
_FAIR_BELOW_PERCENT: Final = 5.0
_PRICEY_BELOW_PERCENT: Final = 12.0

NOT_KNOWN_YET: Final = Failure("engine_timeout", "The valuation did not come to an end.")
"""What an accepted valuation comes to when its process dies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """What an envelope says of the call itself. `credits_charged` is what the valuation cost."""

    request_id: str
    public_url: str
    attribution: str
    created_at: datetime
    completed_at: datetime
    credits_charged: int
    credits_remaining: int


def envelope(request: ValuationRequest, verdict: Verdict, occasion: Occasion) -> Envelope:
    """Return the envelope of a verdict."""
    blank = _blank(request, occasion)
    match verdict:
        case Estimate():
            return blank | _completed(request, verdict, occasion)
        case Refusal():
            return blank | _refused(verdict, occasion)
        case Failure():
            return blank | {"status": "failed", "error": _error(verdict, occasion, retry_with="new_key")}


def replayed(body: Mapping[str, Any]) -> Envelope:
    """Return a stored envelope as the answer to a later call with its key."""
    return {**body, "replayed": True}


def with_balance(body: Mapping[str, Any], credits_remaining: int) -> Envelope:
    """Return an envelope with what the organisation has left now."""
    return {**body, "billing": {**body["billing"], "credits_remaining": credits_remaining}}


def without_vehicle(body: Mapping[str, Any]) -> Envelope:
    """Return an envelope from which the car cannot be recognised any more."""
    return {**body, "vehicle": None, "candidates": None, "external_reference": None}


def http_status(body: Mapping[str, Any]) -> int:
    """Return the status with which REST answers a POST."""
    return {"completed": 201, "refused": 422, "failed": 500}[body["status"]]


def _blank(request: ValuationRequest, occasion: Occasion) -> Envelope:
    return {
        "object": "valuation",
        "id": request.valuation_id,
        "mode": request.mode,
        "status": "failed",
        "replayed": False,
        "created_at": isoformat(occasion.created_at),
        "completed_at": isoformat(occasion.completed_at),
        "data_as_of": None,
        "valid_until": None,
        "external_reference": request.external_reference,
        "country": request.country,
        "currency": MARKETS[request.country].currency,
        "price_basis": request.price_basis,
        "price": None,
        "interval": None,
        "grade": None,
        "price_includes_vat": None,
        "vat": None,
        "deal": None,
        "market": None,
        "comparables": None,
        "adjustments": None,
        "vehicle": stated_vehicle(request),
        "candidates": None,
        "warnings": [],
        "hints": [],
        "notes": [],
        "attribution_text": occasion.attribution,
        "model_version": None,
        "billing": {
            "credits_charged": occasion.credits_charged,
            "credits_remaining": occasion.credits_remaining,
            "unit": "valuation",
        },
        "error": None,
    }


def _completed(request: ValuationRequest, estimate: Estimate, occasion: Occasion) -> Envelope:
    return {
        "status": "completed",
        "data_as_of": estimate.data_as_of.isoformat(),
        "valid_until": (occasion.created_at + VALID_FOR).date().isoformat(),
        "price": estimate.price,
        "interval": {"level": 0.8, "low": estimate.low, "high": estimate.high},
        "grade": estimate.grade,
        "price_includes_vat": request.price_basis in {"retail_asking", "private_asking"},
        "vat": _vat(request, estimate.price),
        "deal": _deal(request, estimate),
        "market": estimate.market,
        "comparables": list(estimate.comparables[:_MAX_COMPARABLES]) if request.wants_comparables else None,
        "adjustments": list(estimate.adjustments) if request.wants_adjustments else None,
        **_vehicle(estimate.vehicle),
        **_remarks(estimate.remarks, request),
        "model_version": estimate.model_version,
    }


def _refused(refusal: Refusal, occasion: Occasion) -> Envelope:
    return {
        "status": "refused",
        "error": _error(refusal, occasion),
        "candidates": list(refusal.candidates) or None,
        **_vehicle(refusal.vehicle),
        **_remarks(refusal.remarks),
    }


def _vehicle(understood: Mapping[str, Any] | None) -> Envelope:
    """Lay the engine's idea of the car over the caller's, when it has one."""
    return {} if understood is None else {"vehicle": dict(understood)}


def _error(answer: Refusal | Failure, occasion: Occasion, *, retry_with: str | None = None) -> dict[str, Any]:
    kind = PROBLEMS[answer.code]
    problem = {
        "type": f"{occasion.public_url}/problems/{kind.code}",
        "title": kind.title,
        "status": kind.status,
        "detail": answer.detail,
        "instance": f"urn:request:{occasion.request_id}",
        "code": kind.code,
        "request_id": occasion.request_id,
        "retryable": kind.retryable,
    }
    return problem if retry_with is None else {**problem, "retry_with": retry_with}


def _vat(request: ValuationRequest, price: int) -> dict[str, Any]:
    rate = MARKETS[request.country].vat_percent
    qualifies = request.vehicle.get("vat_qualifying")
    scheme = {True: "qualifying", False: "margin", None: "unknown"}[qualifies]
    net = rounded_half_up(price / (1 + rate / 100)) if qualifies else None
    return {"scheme": scheme, "rate_percent": rate, "price_excluding_vat": net}


def _deal(request: ValuationRequest, estimate: Estimate) -> dict[str, Any] | None:
    if request.asking_price is None:
        return None
    difference = request.asking_price - estimate.price
    percent = 100 * difference / estimate.price
    return {
        "asking_price": request.asking_price,
        "difference": difference,
        "difference_percent": round(percent, 1),
        "rating": _rating(percent),
    }


def _rating(percent: float) -> str:
    for most, rating in _RATINGS:
        if percent <= most:
            return rating
    if percent < _FAIR_BELOW_PERCENT:
        return "fair"
    return "pricey" if percent < _PRICEY_BELOW_PERCENT else "expensive"


def _remarks(remarks: Remarks, request: ValuationRequest | None = None) -> Envelope:
    warnings = remarks.warnings
    if request is not None and request.year_only:
        warnings = (*warnings, _MONTH_ASSUMED)
    return {
        "warnings": [remark.as_json() for remark in warnings],
        "hints": [remark.as_json() for remark in remarks.hints],
        "notes": [remark.as_json() for remark in remarks.notes],
    }


_MONTH_ASSUMED = Remark(
    "registration_month_assumed",
    "July was assumed as the month of first registration.",
    {"pointer": "/vehicle/year"},
)
