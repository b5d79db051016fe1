"""The British register: the DVLA's vehicle enquiry service, with the operator's key.

It says make, year, engine size, fuel and colour, and never the model.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

from forecourt.base.clock import SYSTEM_CLOCK, Clock
from forecourt.fetch.client import Fetch, Limits
from forecourt.identify.registers.calling import LIMITS, RegisterCalls
from forecourt.identify.registers.register import (
    RegisteredVehicle,
    RegisterEntry,
    Source,
    Status,
    known,
    stated,
)
from forecourt.identify.registers.values import iso_date, iso_month, whole
from forecourt.identify.text import Fact

ENQUIRY_SERVICE: Final = "https://driver-vehicle-licensing.api.gov.uk"
SOURCE: Final = Source("DVLA", None, "Vehicle data: DVLA Vehicle Enquiry Service.")
_PATH: Final = "/vehicle-enquiry/v1/vehicles"
_UNKNOWN_PLATE: Final = frozenset({400, 404})
"""It answers 400 to a plate whose form it does not know."""
_OFF_THE_ROAD: Final = "SORN"
_FUEL: Final[Mapping[str, str]] = {
    "PETROL": "petrol",
    "DIESEL": "diesel",
    "HEAVY OIL": "diesel",
    "ELECTRICITY": "electric",
    "ELECTRIC": "electric",
    "HYBRID ELECTRIC": "hybrid",
    "ELECTRIC DIESEL": "hybrid",
    "GAS": "lpg",
    "GAS BI-FUEL": "lpg",
    "FUEL CELLS": "hydrogen",
}


class DvlaRegister:
    """Plates of Great Britain and Northern Ireland."""

    source = SOURCE

    def __init__(
        self,
        fetch: Fetch,
        *,
        key: str,
        base_url: str = ENQUIRY_SERVICE,
        limits: Limits = LIMITS,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self._calls = RegisterCalls(
            fetch, name=SOURCE.name, nothing=_UNKNOWN_PLATE, limits=limits, clock=clock
        )
        self._headers = {"accept": "application/json", "content-type": "application/json", "x-api-key": key}
        self._url = base_url + _PATH

    async def find(self, number: str) -> tuple[RegisteredVehicle, ...]:
        """Return the vehicle of a plate; raises `UpstreamUnavailable`."""
        body = json.dumps({"registrationNumber": number}).encode()
        vehicle = await self._calls.post(self._url, self._headers, body)
        if vehicle is None:
            return ()
        if not isinstance(vehicle, dict):
            self._calls.malformed()
        return (RegisteredVehicle(_entry(vehicle), known(_facts(vehicle))),)


def _entry(vehicle: Mapping[str, Any]) -> RegisterEntry:
    first = _first_registration(vehicle)
    first_here = iso_month(vehicle.get("monthOfFirstDvlaRegistration"))
    return RegisterEntry(
        first_registration=first,
        first_registration_country="GB" if first is not None and first_here in (None, first) else None,
        status=_status(vehicle),
        type_approval=_text(vehicle, "typeApproval"),
        inspection_due=iso_date(vehicle.get("motExpiryDate")),
        colour=_lower(vehicle, "colour"),
    )


def _facts(vehicle: Mapping[str, Any]) -> Mapping[str, Fact | None]:
    fuel = _text(vehicle, "fuelType")
    return {
        "make": stated(_text(vehicle, "make"), vehicle.get("make")),
        "first_registration": stated(_first_registration(vehicle)),
        "year": stated(whole(vehicle.get("yearOfManufacture"))),
        "displacement_cc": stated(whole(vehicle.get("engineCapacity"))),
        "fuel": stated(fuel and _FUEL.get(fuel.upper(), "other"), fuel),
        "colour": stated(_lower(vehicle, "colour"), vehicle.get("colour")),
    }


def _first_registration(vehicle: Mapping[str, Any]) -> str | None:
    """Return the month of the first registration anywhere, else of the first one with the DVLA."""
    months = ("monthOfFirstRegistration", "monthOfFirstDvlaRegistration")
    return next(filter(None, (iso_month(vehicle.get(month)) for month in months)), None)


def _status(vehicle: Mapping[str, Any]) -> Status:
    if vehicle.get("markedForExport") is True:
        return "exported"
    return "suspended" if vehicle.get("taxStatus") == _OFF_THE_ROAD else "registered"


def _text(vehicle: Mapping[str, Any], name: str) -> str | None:
    value = vehicle.get(name)
    return value.strip() or None if isinstance(value, str) else None


def _lower(vehicle: Mapping[str, Any], name: str) -> str | None:
    text = _text(vehicle, name)
    return text and text.lower()
