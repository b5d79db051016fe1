"""What is said of cars while no catalogue and no register is there: forms are checked, nothing is known."""

from collections.abc import Mapping
from typing import Any

from forecourt.contract.cursors import read_cursor
from forecourt.contract.errors import (
    CatalogueIdNotFound,
    HsnTsnNotFound,
    PlateCountryNotSupported,
    VinNotFound,
)
from forecourt.identify.hsn_tsn import read_type_key
from forecourt.identify.vin_decoding import read_vin
from forecourt.operations.identity import Identity

Arguments = Mapping[str, Any]


async def _normalize_vehicle(arguments: Arguments) -> dict[str, Any]:
    return {
        "object": "normalized_vehicle",
        "match": {"status": "unmatched", "confidence": 0.0, "level": None, "method": None},
        "catalogue": None,
        "fields": {},
        "candidates": [],
        "unparsed": [arguments["text"]] if "text" in arguments else [],
        "warnings": [],
        "hints": [],
        "catalogue_version": None,
    }


async def _decode_vin(arguments: Arguments) -> dict[str, Any]:
    read_vin(arguments["vin"])
    raise VinNotFound("Nothing is known of this manufacturer.")


async def _decode_hsn_tsn(arguments: Arguments) -> dict[str, Any]:
    read_type_key(arguments)
    raise HsnTsnNotFound("This key is not in the list that is loaded.")


async def _lookup_plate(arguments: Arguments) -> dict[str, Any]:
    del arguments
    raise PlateCountryNotSupported(
        "No register is connected for plates of this country.", details={"supported_plate_countries": []}
    )


async def _search_vehicles(arguments: Arguments) -> dict[str, Any]:
    read_cursor(arguments.get("cursor"))
    if arguments["level"] != "search":
        raise CatalogueIdNotFound("The catalogue has no entry of this id.")
    return {
        "object": "list",
        "level": "search",
        "items": [],
        "total": 0,
        "truncated": False,
        "next_cursor": None,
        "next_step": None,
    }


async def _catalogue_item(arguments: Arguments) -> dict[str, Any]:
    del arguments
    raise CatalogueIdNotFound("The catalogue has no entry of this id.")


WITHOUT_CATALOGUE = Identity(
    normalize_vehicle=_normalize_vehicle,
    decode_vin=_decode_vin,
    decode_hsn_tsn=_decode_hsn_tsn,
    lookup_plate=_lookup_plate,
    search_vehicles=_search_vehicles,
    catalogue_item=_catalogue_item,
    plate_countries=(),
)
