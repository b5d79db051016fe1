"""What the operations need from the packages that know cars."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

Lookup = Callable[[Mapping[str, Any]], Awaitable[dict[str, Any]]]
"""From validated arguments to the body of the answer, in the shape of the contract."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Who knows cars: one function for each operation on vehicles and the catalogue.

    Each raises leaves of `contract.errors` such as `InvalidVin` or `VinNotFound`. `search_vehicles`
    also takes the filters of REST (`fuel`, `transmission`, `power_hp`), `catalogue_item` takes `id`, `type`.
    `plate_countries` are those whose plates can be looked up.
    """

    normalize_vehicle: Lookup
    decode_vin: Lookup
    decode_hsn_tsn: Lookup
    lookup_plate: Lookup
    search_vehicles: Lookup
    catalogue_item: Lookup
    plate_countries: tuple[str, ...]
