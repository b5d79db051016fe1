"""The columns of a file of listings: those that every file of vehicles has, and those of the market alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

from forecourt.tables.batches import Batch, Column
from forecourt.tables.headers import compact
from forecourt.tables.layout import Conventions, Layout
from forecourt.tables.word_lists import listed

_OWN: Final[Mapping[str, frozenset[str]]] = {
    "seen_on": listed(
        """snapshot snapshotdate snapshotat scrapedate scrapedat scrapeddate scraped crawldate crawledat
        seen seenon seenat lastseen lastseenat observedat observed retrievedat exportdate"""
    ),
    "listed_on": listed(
        """listed listedon listedat listingdate datelisted firstseen firstseenat published publishedat
        publishdate onlinesince onlineseit inseratsdatum annonsdatum oprettet adcreated datecreated"""
    ),
    "seller_type": listed(
        """seller sellertype sellerkind vendortype advertisertype anbieter anbietertyp saelger saelgertype
        vendeur typevendeur venditore vendedor tipovendedor verkoper saljare selger sprzedawca"""
    ),
    "registration_month": listed("regmonth registrationmonth monthofregistration monthreg"),
    "region": listed("region state county postcode postalcode zip zipcode plz province provincia landkreis"),
    "origin": listed("origin origem imported herkunft countryoforigin"),
    "title_status": listed("titlestatus accidenthistory damage damaged schaden unfall"),
    "site": listed("portal marketplace sourcesite website"),
}  # fmt: skip
"""Names of columns that only listings of a market have, as `headers.compact` writes them."""

_SHARED: Final = (
    "make", "model", "title", "trim", "year", "first_registration", "vin", "vehicle_id", "stock", "vdp_url",
    "condition", "vehicle_type", "sold", "fuel", "transmission", "driveline", "body", "doors", "battery_kwh",
    "exterior_color", "description", "currency", "country",
)  # fmt: skip
PRICES: Final = ("price", "internet_price", "sale_price", "list_price")
_MEASURED: Final = ("mileage", "power", "displacement", "engine")


class Measured(NamedTuple):
    """A column of quantities and the unit that its name says."""

    texts: Column
    unit: str | None
    currency: str | None = None


@dataclass(frozen=True, slots=True)
class Cells:
    """The columns of one batch: by role the texts to try in turn, and quantities with their units."""

    texts: Mapping[str, Sequence[Column]]
    measured: Mapping[str, Sequence[Measured]]
    whole: Sequence[Column]
    lines: Sequence[int]

    def text(self, role: str, row: int) -> str:
        """Return the first text of a role that says something, else an empty one."""
        return next((text for column in self.texts.get(role, ()) if (text := column[row].strip())), "")

    def words(self, row: int) -> str:
        """Return what a row says in words of its car and its state."""
        told = (self.text(role, row) for role in ("title", "trim", "condition", "title_status", "model"))
        return " | ".join(filter(None, told))

    def row_text(self, row: int) -> str:
        """Return everything that stands in a row."""
        return "\x1f".join(column[row].strip() for column in self.whole)


def cells_of(batch: Batch, layout: Layout) -> Cells:
    """Return the columns of a batch by what they mean."""
    own = {role: _named(batch, names) for role, names in _OWN.items()}
    shared = {role: [column for _, _, column in layout.columns(batch, role)] for role in _SHARED}
    measured = {
        role: [
            Measured(column, meaning.unit, meaning.currency)
            for _, meaning, column in layout.columns(batch, *roles)
        ]
        for role, roles in (("price", PRICES), *((name, (name,)) for name in _MEASURED))
    }
    texts = {role: columns for role, columns in {**shared, **own}.items() if columns}
    return Cells(texts, measured, batch.columns, batch.lines)


def _named(batch: Batch, names: frozenset[str]) -> list[Column]:
    return [
        column
        for name, column in zip(batch.names, batch.columns, strict=True)
        if compact(name.rpartition(".")[2]) in names
    ]


@dataclass(frozen=True, slots=True)
class Day:
    """The day that a file counts for where its rows have no date of their own, and how it is known."""

    day: date
    reason: str


@dataclass(frozen=True, slots=True)
class Setting:
    """What holds for every row of a file."""

    layout: Layout
    conventions: Conventions
    country: str
    site: str
    day: Day
    today: date
