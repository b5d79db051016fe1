"""AAP vehicles made listing by listing: the plain way, by which the way in columns is judged."""

from datetime import datetime
from typing import Any, NamedTuple

from forecourt.base.clock import isoformat
from forecourt.dealer.listing import ANSWER_CURRENCY, CONVERTERS, PRICE_FIELDS, Listing, other_attributes


class AapVehicle(NamedTuple):
    """The AAP Vehicle of an answer, and the currencies whose prices it had to leave out."""

    vehicle: dict[str, Any]
    left_out_currencies: frozenset[str]


def aap_vehicle(listing: Listing, confirmed_at: datetime) -> AapVehicle:
    """Return the AAP v1.3 Vehicle of a listing and the currencies left out of it.

    `price` is never derived from another amount. `confirmed_at` is the time of the import that last saw the
    row; it stands in `updated_at` when the feed gives no time of its own.
    """
    vehicle: dict[str, Any] = {}
    for field, value in listing.items():
        convert = CONVERTERS.get(field)
        if convert is not None and (converted := convert(value)) is not None:
            vehicle[field] = converted
    attributes = other_attributes(listing)
    if attributes:
        vehicle["other_attributes"] = attributes
    vehicle.setdefault("updated_at", isoformat(confirmed_at))
    return AapVehicle(vehicle, left_out_currencies(listing))


def left_out_currencies(listing: Listing) -> frozenset[str]:
    """Return the currencies of prices that an answer in US dollars cannot show."""
    prices = [listing[field] for field in PRICE_FIELDS if field in listing]
    return frozenset(price[1] for price in prices if price[1] != ANSWER_CURRENCY)
