"""What a caller wants valued."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from forecourt.accounts.access import Mode
from forecourt.contract.validation import invalid_member
from forecourt.valuation.magic import is_magic

KM_PER_MILE: Final = 1.609344
KW_TO_HP: Final = 1.359622
"""Metric horsepower in a kilowatt."""
MAX_MILEAGE_KM: Final = 500_000
ASSUMED_MONTH: Final = 7
"""July stands for a year without a month."""
DEFAULTS: Final[Mapping[str, Any]] = {"price_basis": "retail_asking", "include": [], "language": "en"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ValuationRequest:
    """A valid request with its units and dates brought into one form.

    `vehicle` is what the caller sent of the car, unchanged. `year_only` says that the month was not given.
    """

    valuation_id: str
    organization_id: str
    mode: Mode
    idempotency_key: str
    country: str
    price_basis: str
    vehicle: Mapping[str, Any]
    mileage_km: int
    registered: date
    year_only: bool
    asking_price: int | None
    wants_comparables: bool
    wants_adjustments: bool
    external_reference: str | None


def read_request(
    arguments: Mapping[str, Any], *, valuation_id: str, organization_id: str, mode: Mode
) -> ValuationRequest:
    """Return the request of validated arguments.

    Raises `ValidationFailed` for a day that no month has and for a mileage above `MAX_MILEAGE_KM`, unless it
    is one that test mode gives a meaning.
    """
    vehicle = arguments["vehicle"]
    mileage_km = _mileage_km(vehicle)
    if mileage_km > MAX_MILEAGE_KM and not (mode == "test" and is_magic(mileage_km)):
        raise invalid_member("vehicle/mileage_km", f"Must be at most {MAX_MILEAGE_KM}.", code="out_of_range")
    include = arguments.get("include", [])
    return ValuationRequest(
        valuation_id=valuation_id,
        organization_id=organization_id,
        mode=mode,
        idempotency_key=arguments["idempotency_key"],
        country=arguments["country"],
        price_basis=arguments.get("price_basis", DEFAULTS["price_basis"]),
        vehicle=vehicle,
        mileage_km=mileage_km,
        registered=_registered(vehicle),
        year_only="year" in vehicle,
        asking_price=int(arguments["asking_price"]) if "asking_price" in arguments else None,
        wants_comparables="comparables" in include,
        wants_adjustments="adjustments" in include,
        external_reference=arguments.get("external_reference"),
    )


def with_defaults(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return validated arguments with what they leave out, and without the key: what a fingerprint is of."""
    return {**DEFAULTS, **{name: value for name, value in arguments.items() if name != "idempotency_key"}}


def rounded_half_up(value: float) -> int:
    """Round a number that is not negative, halves up."""
    return int(value + 0.5)


def _mileage_km(vehicle: Mapping[str, Any]) -> int:
    if "mileage_km" in vehicle:
        return int(vehicle["mileage_km"])
    return rounded_half_up(vehicle["mileage_miles"] * KM_PER_MILE)


def _registered(vehicle: Mapping[str, Any]) -> date:
    if "year" in vehicle:
        return date(int(vehicle["year"]), ASSUMED_MONTH, 1)
    text: str = vehicle["first_registration"]
    try:
        return date.fromisoformat(text if len(text) > len("YYYY-MM") else f"{text}-01")
    except ValueError:
        raise invalid_member("vehicle/first_registration", "That month has no such day.") from None
