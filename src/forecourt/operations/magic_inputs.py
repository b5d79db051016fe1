"""What test mode answers without any catalogue or register: inputs that say which outcome is wanted.

Everything else goes to whoever knows cars, except plates: no register is called in test mode, so every other
plate is a simulated car that its number decides.
"""

import hashlib
from collections.abc import Mapping
from functools import partial
from typing import Any, Final, Literal

from forecourt.base.errors import ForecourtError
from forecourt.contract.errors import (
    HsnTsnNotFound,
    PlateCountryNotSupported,
    PlateNotFound,
    PlateRestricted,
    RateLimited,
    UpstreamUnavailable,
    VinNotFound,
)
from forecourt.identify.hsn_tsn import WrittenKey, read_type_key
from forecourt.identify.plates import read_plate
from forecourt.identify.vin_decoding import check_digit_of, read_vin
from forecourt.operations.identity import Identity, Lookup

Arguments = Mapping[str, Any]
Outcome = Literal["one", "several"] | ForecourtError
Body = dict[str, Any]

SIMULATED: Final = "Simulated for testing: no register or list was asked."

_VIN_PREFIX: Final = "TESTVN00000000"
_MAGIC_HSN: Final = "9999"
_PLATES: Final[Mapping[str, tuple[str, ...]]] = {
    "NL": ("TE200T", "TE300T", "TE404T", "TE451T", "TE429T", "TE503T"),
    "GB": ("TE20AAA", "TE30MUL", "TE40NFD", "TE45RST", "TE42THR", "TE53MNT"),
    "NO": ("TE00200", "TE00300", "TE00404", "TE00451", "TE00429", "TE00503"),
    "DK": ("TE00200", "TE00300", "TE00404", "TE00451", "TE00429", "TE00503"),
    "SE": ("TES200", "TES300", "TES404", "TES451", "TES429", "TES503"),
    "FI": ("TES200", "TES300", "TES404", "TES451", "TES429", "TES503"),
}
"""For each country: found, ambiguous, not found, restricted, throttled, down."""
_PLATE_COUNTRIES: Final = tuple(_PLATES)

_MAKES: Final = (("Volkswagen", "Golf"), ("Skoda", "Octavia"), ("Toyota", "Corolla"), ("Volvo", "V60"))


def with_magic_inputs(known: Identity) -> Identity:
    """Return who knows cars in test mode: the magic inputs first, then `known`."""
    return Identity(
        normalize_vehicle=partial(_normalize_vehicle, known.normalize_vehicle),
        decode_vin=partial(_decode_vin, known.decode_vin),
        decode_hsn_tsn=partial(_decode_hsn_tsn, known.decode_hsn_tsn),
        lookup_plate=_lookup_plate,
        search_vehicles=partial(_search_vehicles, known.search_vehicles),
        catalogue_item=known.catalogue_item,
        plate_countries=_PLATE_COUNTRIES,
    )


async def _normalize_vehicle(known: Lookup, arguments: Arguments) -> Body:
    vehicle = arguments.get("vehicle", {})
    if vehicle.get("make", "").upper() != "TEST":
        return await known(arguments)
    match vehicle.get("model", "").upper():
        case "MATCHED":
            return _normalized("matched", 0.95, candidates=_candidates("one"))
        case "AMBIGUOUS":
            return _normalized("ambiguous", 0.5, candidates=_candidates("several"))
        case "UNMATCHED":
            return _normalized("unmatched", 0.0, candidates=[])
        case _:
            return await known(arguments)


async def _decode_vin(known: Lookup, arguments: Arguments) -> Body:
    vin = read_vin(arguments["vin"])
    if not vin.startswith(_VIN_PREFIX):
        return await known(arguments)
    outcome = _outcome(vin.removeprefix(_VIN_PREFIX), VinNotFound("The VIN is not known. " + SIMULATED))
    return await known(arguments) if outcome is None else _decoded_vin(vin, _or_raise(outcome))


async def _decode_hsn_tsn(known: Lookup, arguments: Arguments) -> Body:
    key = read_type_key(arguments)
    if key.hsn != _MAGIC_HSN:
        return await known(arguments)
    outcome = _outcome(key.tsn, HsnTsnNotFound("The key is not known. " + SIMULATED))
    if outcome is None:
        return await known(arguments)
    return _decoded_type_key(key, how_many=_or_raise(outcome))


async def _lookup_plate(arguments: Arguments) -> Body:
    country = arguments["country"]
    if country not in _PLATES:
        raise PlateCountryNotSupported(
            "There is no register for plates of this country.",
            details={"supported_plate_countries": list(_PLATE_COUNTRIES)},
        )
    plate = read_plate(country, arguments["number"]).number
    return _plate_lookup(country, plate, how_many=_or_raise(_plate_outcome(country, plate)))


async def _search_vehicles(known: Lookup, arguments: Arguments) -> Body:
    match arguments.get("query"):
        case "test:empty":
            return _no_vehicles()
        case "test:429":
            raise _throttled()
        case "test:503":
            raise _down()
        case _:
            return await known(arguments)


def _outcome(number: str, not_found: ForecourtError) -> Outcome | None:
    outcomes: Mapping[str, Outcome] = {
        "200": "one",
        "201": "several",
        "404": not_found,
        "429": _throttled(),
        "503": _down(),
    }
    return outcomes.get(number)


def _plate_outcome(country: str, plate: str) -> Outcome:
    outcomes: tuple[Outcome, ...] = (
        "one",
        "several",
        PlateNotFound("The plate is not known. " + SIMULATED),
        PlateRestricted("The register withholds the vehicle. " + SIMULATED),
        _throttled(),
        _down(),
    )
    return dict(zip(_PLATES[country], outcomes, strict=True)).get(plate, "one")


def _or_raise(outcome: Outcome) -> Literal["one", "several"]:
    if isinstance(outcome, ForecourtError):
        raise outcome
    return outcome


def _throttled() -> RateLimited:
    return RateLimited("Too many requests. " + SIMULATED, details={"retry_after": 2})


def _down() -> UpstreamUnavailable:
    return UpstreamUnavailable("The register cannot be reached. " + SIMULATED, details={"retry_after": 5})


def _candidates(how_many: Literal["one", "several"]) -> list[Body]:
    gearboxes = ("manual",) if how_many == "one" else ("manual", "automatic")
    return [
        {
            "catalogue": {"drivetrain_id": f"dt_test{gearbox}"},
            "label": f"Simulated car, {gearbox}",
            "confidence": 0.95 if how_many == "one" else 0.5,
            "fuel": "petrol",
            "transmission": gearbox,
            "power_kw": 110,
            "displacement_cc": 1498,
            "years": {"from": 2017, "to": 2020},
        }
        for gearbox in gearboxes
    ]


def _match(how_many: Literal["one", "several"], method: str) -> Body:
    status = "matched" if how_many == "one" else "ambiguous"
    confidence = 0.95 if how_many == "one" else 0.5
    return {"status": status, "confidence": confidence, "level": "drivetrain", "method": method}


def _ids(how_many: Literal["one", "several"]) -> Body | None:
    return {"drivetrain_id": "dt_testmanual"} if how_many == "one" else None


def _remark(code: str, message: str) -> Body:
    return {"code": code, "message": message}


def _hints(how_many: Literal["one", "several"]) -> list[Body]:
    return [] if how_many == "one" else [_remark("confirm_candidate", "Choose one of the candidates.")]


def _facts(make: str, model: str, source: str) -> Body:
    return {
        name: {"value": value, "confidence": 0.95, "source": source, "raw": None}
        for name, value in (("make", make), ("model", model))
    }


def _normalized(status: str, confidence: float, *, candidates: list[Body]) -> Body:
    known = bool(candidates)
    return {
        "object": "normalized_vehicle",
        "match": {
            "status": status,
            "confidence": confidence,
            "level": "drivetrain" if known else None,
            "method": "text" if known else None,
        },
        "catalogue": {"drivetrain_id": "dt_testmanual"} if status == "matched" else None,
        "fields": _facts("Simulated", "Car", "input") if known else {},
        "candidates": candidates,
        "unparsed": [],
        "warnings": [_remark("simulated", SIMULATED)],
        "hints": _hints("several") if status == "ambiguous" else [],
        "catalogue_version": None,
    }


def _decoded_vin(vin: str, how_many: Literal["one", "several"]) -> Body:
    return {
        "object": "decoded_vin",
        "vin": vin,
        "checks": {"length": True, "characters": True, "check_digit": check_digit_of(vin).as_json()},
        "wmi": {"code": vin[:3], "manufacturer": "Simulated", "country": None, "region": None},
        "vds": vin[3:9],
        "vis": vin[9:],
        "model_year": None,
        "fields": _facts("Simulated", "Car", "vin"),
        "match": _match(how_many, "vin"),
        "catalogue": _ids(how_many),
        "candidates": _candidates(how_many),
        "warnings": [_remark("simulated", SIMULATED)],
        "hints": _hints(how_many),
    }


def _decoded_type_key(key: WrittenKey, *, how_many: Literal["one", "several"]) -> Body:
    shortened = [_remark("tsn_truncated", "Only the first 3 characters of the TSN count.")] if key.cut else []
    return {
        "object": "decoded_hsn_tsn",
        "hsn": key.hsn,
        "tsn": key.tsn,
        "code": key.code,
        "manufacturer": "Simulated",
        "candidates": _candidates(how_many),
        "match": _match(how_many, "hsn_tsn"),
        "warnings": [_remark("simulated", SIMULATED), *shortened],
        "attribution_text": SIMULATED,
    }


def _plate_lookup(country: str, plate: str, *, how_many: Literal["one", "several"]) -> Body:
    digest = hashlib.sha256(f"sim1|{country}|{plate}".encode()).digest()
    make, model = _MAKES[digest[0] % len(_MAKES)]
    return {
        "object": "plate_lookup",
        "country": country,
        "plate": plate,
        "source": {"name": "Simulated register", "retrieved_at": "2026-01-01T00:00:00Z", "licence": None},
        "register": _register_entry(country, digest),
        "fields": _facts(make, model, "register"),
        "match": _match(how_many, "plate"),
        "catalogue": _ids(how_many),
        "candidates": _candidates(how_many),
        "warnings": [_remark("simulated", SIMULATED)],
        "hints": _hints(how_many),
        "attribution_text": SIMULATED,
    }


def _register_entry(country: str, digest: bytes) -> Body:
    return {
        "first_registration": f"{2010 + digest[1] % 15}-{1 + digest[2] % 12:02}",
        "first_registration_country": country,
        "status": "registered",
        "vin_masked": None,
        "type_approval": None,
        "variant": None,
        "version": None,
        "inspection_due": None,
        "colour": "grey",
        "catalogue_price_new": None,
    }


def _no_vehicles() -> Body:
    return {
        "object": "list",
        "level": "search",
        "items": [],
        "total": 0,
        "truncated": False,
        "next_cursor": None,
        "next_step": None,
    }
