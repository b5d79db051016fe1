"""What the operations need from the packages that know cars and limits."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from forecourt.accounts.access import Mode

Lookup = Callable[[Mapping[str, Any]], Awaitable[dict[str, Any]]]
"""From validated arguments to the body of the answer, in the shape of the contract."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Who knows cars: one function for each operation on vehicles and the catalogue.

    Each raises leaves of `contract.errors` such as `InvalidVin` or `VinNotFound`. `search_vehicles`
    also takes the filters of REST (`fuel`, `transmission`, `power_hp`), `catalogue_item` takes `id`, `type`.
    """

    normalize_vehicle: Lookup
    decode_vin: Lookup
    decode_hsn_tsn: Lookup
    lookup_plate: Lookup
    search_vehicles: Lookup
    catalogue_item: Lookup


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a rate limit says to one call: whether it may go on, and the figures of the RateLimit headers."""

    limit: int
    remaining: int
    reset_s: int
    wait_s: int


class Limits(Protocol):
    """How often a credential may call, and the figures of that for a mode."""

    async def take(self, key_id: str, *, mode: Mode, rate: str) -> Allowance:
        """Count one call; it may go on when `wait_s` is 0."""
        ...

    def figures(self, mode: Mode) -> Mapping[str, int]:
        """Return `requests_per_minute`, `valuations_per_minute` and `concurrent_valuations`."""
        ...
