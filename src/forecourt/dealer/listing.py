"""A stored listing: what a feed said about one vehicle, and the AAP Vehicle that an answer makes of it.

The record keeps every price with its currency and the mileage with its unit. AAP v1.3 knows only whole US
dollars and miles, so an answer rounds cents, converts kilometres, and leaves other currencies out by name.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypedDict

KM_PER_MILE: Final = 1.609344
ANSWER_CURRENCY: Final = "USD"


class Money(NamedTuple):
    """An amount in hundredths of the currency (an ISO 4217 code), as the feed gave it."""

    cents: int
    currency: str


class Distance(NamedTuple):
    """An odometer reading; the unit is `mi` or `km`."""

    value: int
    unit: str


class Fee(TypedDict):
    """A mandatory dealer charge that a price already includes."""

    name: str
    amount: Money


class Listing(TypedDict, total=False):
    """One vehicle in a dealer's stock. An absent key means that the feed does not say.

    `vehicle_id`, `vehicle_type` and `status` are always there. `also_at` names further rooftops that hold the
    same vehicle by the feed's account, `raw` the feed's own words where they differ from what is kept.
    """

    vehicle_id: str
    vehicle_type: str
    status: str
    vin: str
    stock: str
    registration: str
    year: int
    make: str
    model: str
    trim: str
    condition: str
    rooftop: str
    also_at: list[str]
    price: Money
    list_price: Money
    msrp: Money
    fees: list[Fee]
    mileage: Distance
    body: str
    transmission: str
    driveline: str
    engine: str
    displacement_cc: int
    fuel: str
    city_mpg: int
    highway_mpg: int
    electric_range_mi: float
    battery_kwh: float
    motor_power_hp: float
    dc_fast_charge: bool
    charge_port: str
    doors: int
    exterior_color: str
    interior_color: str
    features: list[str]
    photos: list[str]
    vdp_url: str
    description: str
    notes: str
    other_attributes: dict[str, Any]
    inventory_date: str
    updated_at: str
    raw: dict[str, str]


FIELDS: Final = tuple(Listing.__annotations__)
PRICE_FIELDS: Final = ("price", "list_price", "msrp")


def dollars(money: Money) -> int | None:
    """Return whole US dollars, cents rounded half up; None for another currency or nothing."""
    if money.currency != ANSWER_CURRENCY:
        return None
    return (money.cents + 50) // 100 or None


def miles(distance: Distance) -> int:
    """Return an odometer reading in whole miles, rounded half up."""
    if distance.unit == "mi":
        return distance.value
    return int(distance.value / KM_PER_MILE + 0.5)


def aap_fees(fees: list[Fee]) -> list[dict[str, Any]] | None:
    """Return AAP fees in whole dollars, or None when one of them is in another currency.

    A list must be complete or absent (AAP v1.3, pricing): a missing line would make it a false statement.
    """
    amounts = [(fee["name"], dollars(Money(*fee["amount"])) or 0, fee["amount"][1]) for fee in fees]
    if any(currency != ANSWER_CURRENCY for _, _, currency in amounts):
        return None
    return [{"name": name, "amount": amount} for name, amount, _ in amounts]


def _same(value: Any) -> Any:
    return value


CONVERTERS: Final[Mapping[str, Callable[[Any], Any]]] = {
    **{field: _same for field in FIELDS if field not in {"also_at", "registration", "doors", "raw"}},
    **dict.fromkeys(PRICE_FIELDS, dollars),
    "mileage": miles,
    "fees": aap_fees,
}
"""How the value of a listing's field becomes that of the AAP field of the same name; None leaves it out."""

ATTRIBUTES: Final = {"also_at": "rooftops", "registration": "registration", "doors": "doors"}
"""Fields that AAP has no name for, and what they are called in `other_attributes`."""


def other_attributes(listing: Listing) -> dict[str, Any]:
    """Return what AAP carries in its free-form map; `rooftops` are all that hold it, its own first."""
    named: dict[str, Any] = {name: listing[field] for field, name in ATTRIBUTES.items() if field in listing}  # type: ignore[literal-required]
    if "also_at" in listing:
        named["rooftops"] = [*filter(None, [listing.get("rooftop")]), *listing["also_at"]]
    return listing.get("other_attributes", {}) | named
