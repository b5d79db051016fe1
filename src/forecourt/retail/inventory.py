"""The three inventory skills: search, facets, and one vehicle with everything (AAP 1.3, skill pages)."""

from collections.abc import Mapping
from typing import Any

from forecourt.aap.errors import VehicleNotFound, VehicleUnavailable
from forecourt.dealer.search.fields import IDENTIFIERS
from forecourt.retail.dealership import Dealership
from forecourt.retail.payloads import encode_response, refuse_invalid, wrap_response

_NAMES = {"vin": "VIN", "stock": "stock number", "vehicle_id": "vehicle id"}
_SUGGESTION = {"suggestion": "Search with inventory.search for vehicles that are in stock now."}


async def search_inventory(dealership: Dealership, request: dict[str, Any]) -> bytes:
    """Answer one page of the vehicles that meet the filters, in short form.

    Facets are left to `inventory.facets`: they would double the size of most pages for a reader that seldom
    needs them.
    """
    refuse_invalid("inventory-search-request", request)
    answer = dealership.stock.search(_with_whole_page(request), with_facets=False)
    return wrap_response("inventory.search.response", answer.encoded(), message=answer.message)


async def count_facets(dealership: Dealership, request: dict[str, Any]) -> bytes:
    """Answer which values the matching vehicles have, each with its count, and the spans of their numbers."""
    refuse_invalid("inventory-facets-request", request)
    answer = dealership.stock.facets(request.get("filters", {}))
    return wrap_response("inventory.facets.response", answer.encoded(), message=answer.message)


async def show_vehicle(dealership: Dealership, request: dict[str, Any]) -> bytes:
    """Answer one vehicle with everything that the dealer says about it.

    Raises `VehicleUnavailable` for one that was listed lately, `VehicleNotFound` for any other.
    """
    refuse_invalid("vehicle-detail-request", request)
    identifiers: dict[str, str] = {kind: request[kind] for kind in IDENTIFIERS if kind in request}
    found = dealership.stock.find(identifiers)
    if found is None:
        raise _absent(dealership, identifiers)
    return encode_response("inventory.vehicle.response", found.vehicle, message=found.message)


def _absent(dealership: Dealership, identifiers: Mapping[str, str]) -> VehicleUnavailable | VehicleNotFound:
    names = " or ".join(_NAMES[kind] for kind in identifiers)
    if any(pair in dealership.former_identifiers for pair in identifiers.items()):
        return VehicleUnavailable(
            f"The vehicle with that {names} was listed here and is no longer available.", details=_SUGGESTION
        )
    return VehicleNotFound(f"No vehicle here has that {names}.", details=_SUGGESTION)


def _with_whole_page(request: dict[str, Any]) -> dict[str, Any]:
    """Return the request with skip and limit as integers: clients built on protobuf write 20.0."""
    if "pagination" not in request:
        return request
    page = {name: int(value) for name, value in request["pagination"].items()}
    return {**request, "pagination": page}
