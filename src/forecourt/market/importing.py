"""Take listings into a market: read, clean, keep what was seen, and work out again what follows from it."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from forecourt.base.clock import SYSTEM_CLOCK, Clock, isoformat
from forecourt.catalogue.catalogue import Catalogue
from forecourt.catalogue.entries import Entry
from forecourt.catalogue.store import load_catalogue, save_entries
from forecourt.market.adverts import build_adverts, learn_from
from forecourt.market.countries import Country, country_of
from forecourt.market.errors import SimulatedMarketMixed
from forecourt.market.reading import Account, Listings, Reading, read_listings
from forecourt.market.sighting import SCHEMA, Sighting, table_of
from forecourt.market.store import Manifest, Warehouse
from forecourt.storage.database import Database
from forecourt.tables.mapping import NOTHING_DECLARED, MappingFile
from forecourt.tables.opening import open_table

Progress = Callable[[str, int], None]
"""Called with what is being done and how many rows are done."""


def _silent(_stage: str, _rows: int) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class Terms:
    """How listings are taken: `site` names where they stand when the rows do not; more in `Reading`."""

    mapping: MappingFile = NOTHING_DECLARED
    as_of: date | None = None
    site: str = "unnamed"
    simulated: bool = False


@dataclass(frozen=True, slots=True)
class Totals:
    """A market as it is now. `reposts` are adverts of a car beyond its first."""

    sightings: int
    adverts: int
    cars: int
    reposts: int
    price_changes: int
    with_model: int
    with_drivetrain: int
    first_day: date
    last_day: date
    set_aside: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did. `changed` is False when everything had been imported before."""

    country: Country
    source: str
    account: Account
    as_of: date
    as_of_reason: str
    conventions: tuple[str, ...]
    new_sightings: int
    changed: bool
    learned_drivetrains: int
    totals: Totals
    simulated: bool = False

    def as_json(self, *, drops: int | None = None) -> dict[str, Any]:
        """Return the whole account as plain data, with at most so many of the dropped rows."""
        account, totals = self.account, self.totals
        return {
            "country": self.country.code,
            "currency": self.country.currency,
            "tax_basis": self.country.tax_basis(),
            "simulated": self.simulated,
            "source": self.source,
            "as_of": self.as_of.isoformat(),
            "as_of_reason": self.as_of_reason,
            "conventions": list(self.conventions),
            "rows_in": account.rows_in,
            "kept": account.kept,
            "dropped": account.dropped.total(),
            "dropped_by_reason": dict(account.dropped.most_common()),
            "blank_rows": account.blank_rows,
            "new_sightings": self.new_sightings,
            "changed": self.changed,
            "learned_drivetrains": self.learned_drivetrains,
            "market": totals_json(totals),
            "drops": [drop.as_json() for drop in account.drops[:drops]],
        }


def totals_json(totals: Totals) -> dict[str, Any]:
    """Return totals as plain data."""
    days = {"first_day": totals.first_day.isoformat(), "last_day": totals.last_day.isoformat()}
    return {**asdict(totals), **days, "set_aside": dict(totals.set_aside)}


@dataclass(slots=True)
class Market:
    """A warehouse with the catalogue that its listings are matched to and teach."""

    database: Database
    warehouse: Warehouse
    clock: Clock = SYSTEM_CLOCK
    progress: Progress = field(default=_silent)

    def import_file(self, path: Path, country_code: str, *, terms: Terms) -> Imported:
        """Take a file of listings into the market of a country.

        Importing the same file again changes nothing. Raises `CountryInvalid`, `SimulatedMarketMixed`, a leaf
        of `tables.errors`, or `NoMarketListings`; then nothing was taken.
        """
        country = country_of(country_code)
        if terms.mapping.currency:
            country = Country(country.code, terms.mapping.currency, country.vat_percent)
        catalogue = self.database.read_sync(load_catalogue)
        reading = Reading(country, terms.mapping, self.clock.now().date(), terms.as_of, terms.site)
        with open_table(path, charset=terms.mapping.charset, delimiter=terms.mapping.delimiter) as table:
            listings = read_listings(path, table, reading=reading, catalogue=catalogue)
            sightings = self._collected(listings)
        day = listings.setting.day
        return self._take(
            sightings, country, catalogue,
            source=path.name, simulated=terms.simulated, account=listings.account,
            as_of=(day.day, day.reason), conventions=listings.setting.conventions.reasons,
        )  # fmt: skip

    def take_sightings(
        self, sightings: Iterable[Sighting], country_code: str, *, source: str, account: Account
    ) -> Imported:
        """Take sightings that do not come from a file; `account` says what became of the rows behind them."""
        catalogue = self.database.read_sync(load_catalogue)
        return self._take(
            table_of(sightings), country_of(country_code), catalogue,
            source=source, simulated=False, account=account,
            as_of=(self.clock.now().date(), "today"), conventions=(),
        )  # fmt: skip

    def rebuild(self, country_code: str) -> Totals:
        """Work out again what follows from a market's sightings, after the catalogue or the rules changed.

        Raises `MarketEmpty`.
        """
        country = country_of(country_code)
        catalogue = self.database.read_sync(load_catalogue)
        with self.warehouse.changing(country.code):
            manifest = self.warehouse.manifest(country.code)
            self._rebuild(manifest, catalogue, "worked out again", Account())
        return market_totals(self.warehouse, country.code)

    def _collected(self, listings: Listings) -> pa.Table:
        tables = [SCHEMA.empty_table()]
        for batch in listings.batches:
            tables.append(table_of(batch))
            self.progress("Reading", listings.account.rows_in)
        return pa.concat_tables(tables)

    def _take(
        self, sightings: pa.Table, country: Country, catalogue: Catalogue, *, source: str, simulated: bool,
        account: Account, as_of: tuple[date, str], conventions: tuple[str, ...],
    ) -> Imported:  # fmt: skip
        with self.warehouse.changing(country.code):
            former = self._manifest(country, simulated=simulated)
            manifest = self.warehouse.with_sightings(former, sightings)
            changed = manifest.sightings != former.sightings
            learned = self._rebuild(manifest, catalogue, source, account) if changed else 0
        new = sum(part.rows for part in manifest.sightings) - sum(part.rows for part in former.sightings)
        return Imported(
            country, source, account, *as_of, conventions,
            new_sightings=new, changed=changed, learned_drivetrains=learned,
            totals=market_totals(self.warehouse, country.code), simulated=simulated,
        )  # fmt: skip

    def _manifest(self, country: Country, *, simulated: bool) -> Manifest:
        former = self.warehouse.find_manifest(country.code)
        if former is None:
            return Manifest(country.code, country.currency, country.tax_basis(), simulated=simulated)
        if former.simulated != simulated:
            kinds = ("simulated", "real") if former.simulated else ("real", "simulated")
            raise SimulatedMarketMixed(
                f"The market of {country.code} is {kinds[0]}; {kinds[1]} listings do not go into it."
            )
        return former

    def _rebuild(self, manifest: Manifest, catalogue: Catalogue, source: str, account: Account) -> int:
        """Publish a manifest with the adverts that follow; return how many drivetrains were learned."""
        self.progress("Working out histories", account.kept)
        histories = self.warehouse.histories(manifest)
        learned = learn_from(histories, catalogue)
        known: Mapping[str, Any] = {**catalogue.generations, **catalogue.drivetrains}
        told: list[Entry] = [*learned.generations, *learned.drivetrains]
        entries = [one for one in told if known.get(one.id) != one]
        now = self.clock.now()
        if entries:
            self.database.write_sync(
                lambda connection: save_entries(connection, entries, source="listings", now=now)
            )
        self.progress("Matching", account.kept)
        adverts = build_adverts(histories, catalogue.with_more(entries) if entries else catalogue)
        published = self.warehouse.with_adverts(manifest, adverts)
        self.warehouse.publish(_next(published, source, account, now))
        return sum(one.id not in catalogue.drivetrains for one in learned.drivetrains)


def _next(manifest: Manifest, source: str, account: Account, now: datetime) -> Manifest:
    line = {
        "at": isoformat(now),
        "source": source,
        "rows_in": account.rows_in,
        "kept": account.kept,
        "dropped": dict(account.dropped),
    }
    return replace(
        manifest,
        version=manifest.version + 1,
        updated_at=isoformat(now),
        imports=(*manifest.imports, line),
    )


def market_totals(warehouse: Warehouse, country_code: str) -> Totals:
    """Return what a market holds; raises `MarketEmpty`."""
    manifest, adverts = warehouse.manifest(country_code), warehouse.adverts(country_code)
    cars = pc.count_distinct(adverts.column("car_id")).as_py()
    aside = Counter(reason for reason in adverts.column("set_aside").to_pylist() if reason)
    return Totals(
        sightings=sum(part.rows for part in manifest.sightings),
        adverts=adverts.num_rows,
        cars=cars,
        reposts=adverts.num_rows - cars,
        price_changes=pc.sum(adverts.column("price_changes")).as_py() or 0,
        with_model=adverts.num_rows - adverts.column("model_id").null_count,
        with_drivetrain=adverts.num_rows - adverts.column("drivetrain_id").null_count,
        first_day=pc.min(adverts.column("first_seen")).as_py(),
        last_day=pc.max(adverts.column("last_seen")).as_py(),
        set_aside=aside,
    )
