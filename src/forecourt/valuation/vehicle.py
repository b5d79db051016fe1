"""What may be kept and shown of the car that a caller sent: no whole VIN, no whole plate."""

import hashlib
import hmac
from collections.abc import Mapping
from typing import Any, Final

from forecourt.base.canonical_json import canonical_json
from forecourt.valuation.request import KW_TO_HP, ValuationRequest, rounded_half_up

IDENTITIES: Final = ("catalogue", "vin", "hsn_tsn", "plate")
"""In the order of precedence; without any of them make and model are text."""

_DEEPEST_FIRST: Final = ("drivetrain", "generation", "model")
_LEVELS: Final = {"vin": "model", "hsn_tsn": "drivetrain", "plate": "model", "text": "model"}
_STATED: Final = ("variant", "fuel", "transmission", "drive", "body_type", "condition")


def stated_vehicle(request: ValuationRequest) -> dict[str, Any]:
    """Return the car as the caller described it, in the shape of the envelope, identity numbers masked."""
    vehicle = request.vehicle
    power_kw, power_hp = _power(vehicle)
    return {
        **_names(vehicle),
        **{name: vehicle[name] for name in _STATED if name in vehicle},
        **_masked_identity(vehicle),
        "first_registration": request.registered.strftime("%Y-%m"),
        "mileage_km": request.mileage_km,
        "fuel": vehicle.get("fuel"),
        "transmission": vehicle.get("transmission"),
        "power_kw": power_kw,
        "power_hp": power_hp,
        "match": _match(vehicle),
    }


def identity_digest(request: ValuationRequest, secret: bytes) -> str:
    """Return a keyed digest that is equal for the same car, basis and mileage in the same country."""
    facts = [request.country, request.price_basis, request.mileage_km, dict(request.vehicle)]
    return hmac.new(secret, canonical_json(facts), hashlib.sha256).hexdigest()


def masked(number: str, *, shown: int) -> str:
    """Return a VIN or plate with only its last characters."""
    compact = "".join(character for character in number if character.isalnum()).upper()
    return "*" * max(len(compact) - shown, 0) + compact[-shown:]


def method_of(vehicle: Mapping[str, Any]) -> str:
    """Return which identity of a car counts."""
    return next((name for name in IDENTITIES if name in vehicle), "text")


def _names(vehicle: Mapping[str, Any]) -> dict[str, Any]:
    ids = vehicle.get("catalogue", {})
    return {
        "make": {"id": None, "name": vehicle["make"]} if "make" in vehicle else None,
        "model": _named(ids.get("model_id"), vehicle.get("model")),
        "generation": _named(ids.get("generation_id"), None),
        "drivetrain": {"id": ids["drivetrain_id"], "label": None} if "drivetrain_id" in ids else None,
    }


def _named(entry_id: str | None, name: str | None) -> dict[str, Any] | None:
    return {"id": entry_id, "name": name} if entry_id or name else None


def _masked_identity(vehicle: Mapping[str, Any]) -> dict[str, Any]:
    identity: dict[str, Any] = {}
    if "vin" in vehicle:
        identity["vin_masked"] = masked(vehicle["vin"], shown=4)
    if "plate" in vehicle:
        identity["plate_masked"] = masked(vehicle["plate"]["number"], shown=2)
    if "hsn_tsn" in vehicle:
        key = vehicle["hsn_tsn"]
        identity["hsn_tsn"] = f"{key['hsn']}/{key['tsn'][:3].upper()}"
    return identity


def _power(vehicle: Mapping[str, Any]) -> tuple[int | None, int | None]:
    if "power_kw" in vehicle:
        return int(vehicle["power_kw"]), rounded_half_up(vehicle["power_kw"] * KW_TO_HP)
    if "power_hp" in vehicle:
        return rounded_half_up(vehicle["power_hp"] / KW_TO_HP), int(vehicle["power_hp"])
    return None, None


def _match(vehicle: Mapping[str, Any]) -> dict[str, Any]:
    method = method_of(vehicle)
    ids = vehicle.get("catalogue", {})
    deepest = next((level for level in _DEEPEST_FIRST if f"{level}_id" in ids), None)
    level = deepest if method == "catalogue" else _LEVELS[method]
    return {"method": method, "confidence": 1.0, "level": level, "alternatives": 0}
