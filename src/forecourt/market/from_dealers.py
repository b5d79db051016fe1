"""The stock of the dealers hosted here as listings of the market, seen when their feed confirmed them."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, Final

from sqlalchemy import Connection

from forecourt.catalogue.catalogue import Catalogue
from forecourt.catalogue.store import load_catalogue
from forecourt.dealer import store
from forecourt.dealer.chunk import decoded_chunk
from forecourt.dealer.listing import KM_PER_MILE, Listing
from forecourt.market.cleaning import reason_in_age, reason_in_price, reason_in_words
from forecourt.market.countries import country_of
from forecourt.market.importing import Imported, Market
from forecourt.market.matching import ModelMatcher
from forecourt.market.quantities import body_of, drive_of, fuel_of, transmission_of
from forecourt.market.reading import Account
from forecourt.market.sighting import Sighting
from forecourt.tables.dates import read_date

_FOR_SALE: Final = frozenset({"available", "intransit", "pending"})
Offered = tuple[str, date, Listing]
"""The dealer's slug, the day the feed confirmed it, and the listing."""


def import_from_dealers(market: Market, country_code: str) -> Imported:
    """Take the live stock of every dealer of a country into its market.

    Importing it again after the next feed extends the histories; the same stock changes nothing.
    """
    country = country_of(country_code)
    offered = market.database.read_sync(lambda connection: list(_stock(connection, country.code)))
    catalogue = market.database.read_sync(load_catalogue)
    account, taken = Account(), []
    matcher = _Matcher(catalogue, country.code, country.currency)
    for number, (slug, day, listing) in enumerate(offered, start=1):
        account.rows_in += 1
        found = matcher.sighting(slug, day, listing)
        if isinstance(found, Sighting):
            taken.append(found)
        else:
            account.drop(number, listing.get("model", ""), found)
    account.kept = len(taken)
    return market.take_sightings(taken, country.code, source="dealers hosted here", account=account)


def _stock(connection: Connection, country_code: str) -> Iterator[Offered]:
    for dealer in store.list_dealers(connection):
        slug = dealer.profile.slug
        version = store.live_version(connection, slug) if dealer.profile.country == country_code else None
        if version is None:
            continue
        for content in store.read_chunks(connection, version.id):
            for listing in decoded_chunk(content).listings():
                if listing["status"] in _FOR_SALE:
                    yield slug, version.confirmed_at.date(), listing


class _Matcher:
    def __init__(self, catalogue: Catalogue, country: str, currency: str) -> None:
        self._models = ModelMatcher(catalogue, country)
        self._currency = currency

    def sighting(self, slug: str, day: date, listing: Listing) -> Sighting | str:
        """Return what a listing says, or the reason why it is no evidence."""
        missing = _missing(listing, self._currency)
        if missing is not None:
            return missing
        price, mileage, year = (listing["price"].cents + 50) // 100, _kilometres(listing), listing["year"]
        words = " | ".join(filter(None, (listing.get("trim"), listing.get("condition"))))
        unfit = reason_in_price(price, self._currency, words=words) or reason_in_age(year, mileage, day)
        unfit = reason_in_words(words) or unfit
        if unfit is not None:
            return unfit
        match = self._models.match(listing["make"], listing["model"], "")
        return Sighting(
            f"dealer:{slug}", listing["vehicle_id"], day, price, match.make, match.model, year, mileage,
            model_id=match.model_id, seller_type="dealer", **_attributes(listing, day),
        )  # fmt: skip


def _missing(listing: Listing, currency: str) -> str | None:
    if listing["vehicle_type"] != "car":
        return "not_a_car"
    price = listing.get("price")
    if price is not None and price.currency != currency:
        return "other_currency"
    needed = {"make": "no_make_or_model", "model": "no_make_or_model", "price": "no_price", "year": "no_year"}
    return next(
        (reason for name, reason in (*needed.items(), ("mileage", "no_mileage")) if name not in listing), None
    )


def _kilometres(listing: Listing) -> int:
    mileage = listing["mileage"]
    return mileage.value if mileage.unit == "km" else int(mileage.value * KM_PER_MILE + 0.5)


def _attributes(listing: Listing, day: date) -> Mapping[str, Any]:
    since = read_date(listing.get("inventory_date", ""))
    return {
        "listed_on": since if since is not None and since <= day else None,
        "variant": listing.get("trim"),
        "fuel": fuel_of(listing.get("fuel", "")),
        "transmission": transmission_of(listing.get("transmission", "")),
        "drive": drive_of(listing.get("driveline", "")),
        "body_type": body_of(listing.get("body", "")),
        "displacement_cc": listing.get("displacement_cc"),
        "battery_kwh": listing.get("battery_kwh"),
        "doors": listing.get("doors"),
        "colour": listing.get("exterior_color", "").lower() or None,
        "condition": listing.get("condition"),
    }
