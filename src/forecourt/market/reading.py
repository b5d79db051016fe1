"""Read a file as sightings: batch by batch, every row taken or dropped with a reason."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

from forecourt.catalogue.catalogue import Catalogue
from forecourt.market.cleaning import (
    DROPPED,
    reason_in_age,
    reason_in_price,
    reason_in_price_words,
    reason_in_words,
)
from forecourt.market.columns import Cells, Day, Setting, cells_of
from forecourt.market.countries import MIXED, Country
from forecourt.market.errors import NoMarketListings
from forecourt.market.matching import ModelMatcher
from forecourt.market.quantities import (
    battery_kwh,
    body_of,
    displacement_cc,
    doors_of,
    drive_of,
    fuel_of,
    kilometres,
    power_kw,
    registration_month,
    seller_type_of,
    transmission_of,
)
from forecourt.market.sighting import Sighting
from forecourt.tables.amounts import Amount, NoAmount, read_price
from forecourt.tables.batches import Batch, Detected, Table
from forecourt.tables.dates import read_date, read_year
from forecourt.tables.layout import currency_code, find_conventions, find_layout
from forecourt.tables.mapping import MappingFile
from forecourt.tables.opening import open_table
from forecourt.tables.vins import looks_like_vin
from forecourt.tables.words import is_blank, meaning_of

_KEEP_PER_REASON: Final = 1_000
_LONGEST_SHOWN: Final = 80
_NO_CAR: Final = frozenset({"motorcycle", "trailer", "rv", "other"})
_NEWEST_SHARE: Final = 0.001
"""A year that fewer rows have is taken for a typing error when the newest one is looked for."""


class Drop(NamedTuple):
    """A row that was not taken: where it stands, what spoke against it and why."""

    line: int
    value: str
    reason: str

    def as_json(self) -> dict[str, Any]:
        """Return plain data, with the meaning of the reason."""
        return {**self._asdict(), "meaning": DROPPED[self.reason]}


@dataclass(slots=True)
class Account:
    """What became of the rows: `rows_in` is always kept + dropped. `drops` has the first of each reason."""

    rows_in: int = 0
    blank_rows: int = 0
    kept: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    drops: list[Drop] = field(default_factory=list)

    def drop(self, line: int, value: str, reason: str) -> None:
        """Count a row that was not taken."""
        self.dropped[reason] += 1
        if self.dropped[reason] <= _KEEP_PER_REASON:
            self.drops.append(Drop(line, value[:_LONGEST_SHOWN], reason))


@dataclass(slots=True)
class Listings:
    """A file being read. Iterate over `batches` to the end; then the account is complete."""

    detected: Detected
    setting: Setting
    account: Account
    batches: Iterator[list[Sighting]] = field(repr=False)


class _Unfit(Exception):
    """The row is no evidence; for this module alone."""

    def __init__(self, reason: str, value: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.value = value


@dataclass(frozen=True, slots=True)
class Reading:
    """How a file is to be read. `as_of` counts where rows have no date; `site` where they name none."""

    country: Country
    mapping: MappingFile
    today: date
    as_of: date | None = None
    site: str = "unnamed"


def read_listings(path: Path, table: Table, *, reading: Reading, catalogue: Catalogue) -> Listings:
    """Begin to read a table of a file as listings of a market.

    Raises `NoVehicleTable` when the columns make no list of vehicles and `NoMarketListings` when there is no
    row.
    """
    batches = iter(table.batches)
    first = next((batch for batch in batches if len(batch)), None)
    if first is None:
        raise NoMarketListings("The file has no row below its header.")
    mapping = replace(reading.mapping, currency=reading.mapping.currency or reading.country.currency)
    layout = find_layout(first, mapping)
    home = None if reading.country.code == MIXED else reading.country.code
    conventions = find_conventions(layout, first, home_country=home or "DE")
    day = _day(path, first, reading, layout=layout)
    setting = Setting(layout, conventions, reading.country.code, reading.site, day, reading.today)
    account = Account()
    reader = _RowReader(setting, reading.country, ModelMatcher(catalogue, reading.country.code), account)
    return Listings(
        table.detected, setting, account, (reader.sightings(batch) for batch in chain([first], batches))
    )


def _day(path: Path, first: Batch, reading: Reading, *, layout: Any) -> Day:
    if reading.as_of is not None:
        return Day(reading.as_of, "given")
    cells = cells_of(first, layout)
    if "seen_on" in cells.texts:
        return Day(reading.today, "rows are dated; those without a date count as of today")
    years: Counter[int] = Counter()
    newest_listed: date | None = None
    with open_table(path) as table:
        for batch in table.batches:
            cells = cells_of(batch, layout)
            years.update(filter(None, (_year_of(cells, row, reading.today) for row in range(len(batch)))))
            listed = (read_date(text) for column in cells.texts.get("listed_on", ()) for text in column)
            newest_listed = max((day for day in (newest_listed, *listed) if day), default=None)
    if newest_listed is not None:
        return Day(min(newest_listed, reading.today), "the newest day on which a row was listed")
    return _middle_of_newest(years, reading.today)


def _middle_of_newest(years: Counter[int], today: date) -> Day:
    likely = [year for year, count in years.items() if count >= _NEWEST_SHARE * years.total()]
    middle = date(max(likely, default=today.year), 7, 1)
    return Day(min(middle, today), "assumed: the middle of the newest model year")


def _year_of(cells: Cells, row: int, today: date) -> int | None:
    text = cells.text("year", row) or cells.text("first_registration", row)
    return read_year(text, newest=today.year + 1) if text else None


class _RowReader:
    """Turns the rows of one file into sightings."""

    def __init__(self, setting: Setting, country: Country, matcher: ModelMatcher, account: Account) -> None:
        self._setting = setting
        self._country = country
        self._matcher = matcher
        self._account = account
        self._seen: set[tuple[str, str, date]] = set()

    def sightings(self, batch: Batch) -> list[Sighting]:
        """Return what the rows of a batch say, and account for each of them."""
        account, cells = self._account, cells_of(batch, self._setting.layout)
        account.rows_in += len(batch) + len(batch.broken)
        account.blank_rows += batch.blank
        for broken in batch.broken:
            account.drop(broken.line, f"{broken.cell_count} cells", "cells")
        kept = []
        for row in range(len(batch)):
            try:
                kept.append(self._sighting(cells, row))
            except _Unfit as unfit:
                account.drop(batch.lines[row], unfit.value, unfit.reason)
        account.kept += len(kept)
        return kept

    def _sighting(self, cells: Cells, row: int) -> Sighting:
        self._refuse_by_words(cells, row)
        match = self._model(cells, row)
        price = self._price(cells, row)
        seen_on = self._seen_on(cells, row)
        year, month = self._registered(cells, row)
        mileage = self._mileage(cells, row)
        reason = reason_in_age(year, mileage, seen_on)
        if reason is not None:
            raise _Unfit(reason, f"{year}, {mileage} km")
        site, advert_id = self._identity(cells, row)
        if (site, advert_id, seen_on) in self._seen:
            raise _Unfit("duplicate_row", advert_id)
        self._seen.add((site, advert_id, seen_on))
        return Sighting(
            site, advert_id, seen_on, price, match.make, match.model, year, mileage,
            model_id=match.model_id,
            listed_on=_listed_on(cells, row, seen_on),
            first_registration=month,
            **_attributes(cells, row, self._matcher),
            **_circumstances(cells, row),
        )  # fmt: skip

    def _refuse_by_words(self, cells: Cells, row: int) -> None:
        if cells.text("make", row).lower() == "make" and cells.text("model", row).lower() == "model":
            raise _Unfit("header_again")
        kind = cells.text("vehicle_type", row)
        if kind and meaning_of("vehicle_type", kind) in _NO_CAR:
            raise _Unfit("not_a_car", kind)
        words = cells.words(row)
        reason = reason_in_words(words)
        if reason is not None:
            raise _Unfit(reason, words)

    def _model(self, cells: Cells, row: int) -> Any:
        make, model, title = (cells.text(role, row) for role in ("make", "model", "title"))
        make, model = ("" if is_blank(make) else make), ("" if is_blank(model) else model)
        match = self._matcher.match(make, model, title if not (make and model) else "")
        if match.model_id is None and title and make and model:
            match = self._matcher.match(make, model, title)
        if match.model_id is None and not (make and model):
            raise _Unfit("no_make_or_model", make or title)
        return match

    def _price(self, cells: Cells, row: int) -> int:
        conventions = self._setting.conventions
        stated = currency_code(cells.text("currency", row)) if "currency" in cells.texts else None
        rule, shown = "no_price", ""
        for column in cells.measured["price"]:
            text = column.texts[row].strip()
            words = None if text.isdecimal() else reason_in_price_words(text)
            if words is not None:
                raise _Unfit(words, text)
            default = stated or column.currency or conventions.currency
            amount = read_price(text, conventions.number_style, currency=default)
            if isinstance(amount, Amount):
                return self._asked(amount, text, cells.words(row))
            if rule == "no_price":
                rule, shown = _price_reason(amount), text
        raise _Unfit(rule, shown)

    def _asked(self, amount: Amount, text: str, words: str) -> int:
        if amount.currency != self._country.currency and amount.currency is not None:
            raise _Unfit("other_currency", text)
        price = (amount.cents + 50) // 100
        reason = reason_in_price(price, self._country.currency, words=words)
        if reason is not None:
            raise _Unfit(reason, text)
        return price

    def _seen_on(self, cells: Cells, row: int) -> date:
        text = cells.text("seen_on", row)
        day = read_date(text, month_first=self._setting.conventions.month_first) if text else None
        day = day or self._setting.day.day
        if day > self._setting.today:
            raise _Unfit("date_in_future", text)
        return day

    def _registered(self, cells: Cells, row: int) -> tuple[int, str | None]:
        """Return the year and, where it is known, the month of first registration."""
        newest = self._setting.today.year + 1
        registered, year_text = cells.text("first_registration", row), cells.text("year", row)
        month = registration_month(registered) if registered else None
        year = int(month[:4]) if month else read_year(registered or year_text, newest=9999)
        if year is None:
            year = read_year(year_text, newest=9999)
        if year is None:
            raise _Unfit("no_year", registered or year_text)
        if year > newest:
            raise _Unfit("registered_in_future", registered or year_text)
        number = cells.text("registration_month", row).partition(".")[0]
        if month is None and number.isdecimal() and 1 <= int(number) <= 12:
            month = f"{year:04}-{int(number):02}"
        return year, month

    def _mileage(self, cells: Cells, row: int) -> int:
        conventions = self._setting.conventions
        for column in cells.measured["mileage"]:
            text = column.texts[row].strip()
            found = kilometres(text, conventions.number_style, column.unit or conventions.mileage_unit)
            if isinstance(found, int):
                return found
            if found != "no_mileage":
                raise _Unfit(found, text)
        raise _Unfit("no_mileage")

    def _identity(self, cells: Cells, row: int) -> tuple[str, str]:
        """Return the site and the advert's id there; a row without any is known by all that it says."""
        url = cells.text("vdp_url", row)
        host = (
            url.split("/", 3)[2].removeprefix("www.").lower() if url.count("/") >= 2 and "://" in url else ""
        )
        site = cells.text("site", row) or host or self._setting.site
        own = cells.text("vehicle_id", row) or cells.text("stock", row)
        if own:
            return site, own
        return site, f"url:{_digest(url)}" if url else f"row:{_digest(cells.row_text(row))}"


def _price_reason(amount: Any) -> str:
    if isinstance(amount, NoAmount):
        return "placeholder_price" if amount.rule == "placeholder_price" else "no_price"
    return "price_too_high" if amount.rule == "price_out_of_range" else "price_unreadable"


def _listed_on(cells: Cells, row: int, seen_on: date) -> date | None:
    text = cells.text("listed_on", row)
    day = read_date(text) if text else None
    return day if day is not None and day <= seen_on else None


def _attributes(cells: Cells, row: int, matcher: ModelMatcher) -> dict[str, Any]:
    """Return what is known of the car; the title or version fills what the columns leave open."""
    found: dict[str, Any] = {
        "fuel": fuel_of(cells.text("fuel", row)),
        "transmission": transmission_of(cells.text("transmission", row)),
        "drive": drive_of(cells.text("driveline", row)),
        "body_type": body_of(cells.text("body", row)),
        "power_kw": _first_quantity(cells.measured["power"], row, power_kw),
        "displacement_cc": _displacement(cells, row),
        "battery_kwh": battery_kwh(cells.text("battery_kwh", row)),
    }
    version, title = cells.text("trim", row), cells.text("title", row)
    text = version or title
    if text and (found["fuel"] is None or (found["power_kw"] or found["displacement_cc"]) is None):
        said = matcher.described(cells.text("make", row), cells.text("model", row), text).fields
        found = {name: said.get(name) if value is None else value for name, value in found.items()}
    return {**found, "variant": version or None}


def _displacement(cells: Cells, row: int) -> int | None:
    columns = [*cells.measured["displacement"], *(one for one in cells.measured["engine"] if one.unit)]
    return _first_quantity(columns, row, displacement_cc)


def _first_quantity(columns: Any, row: int, read: Any) -> int | None:
    values = (read(column.texts[row].strip(), column.unit) for column in columns)
    return next((value for value in values if value is not None), None)


def _circumstances(cells: Cells, row: int) -> dict[str, Any]:
    condition = cells.text("condition", row)
    vin = cells.text("vin", row).upper()
    return {
        "doors": doors_of(cells.text("doors", row)),
        "colour": _said(cells.text("exterior_color", row).lower()),
        "condition": meaning_of("condition", condition) if condition else None,
        "seller_type": seller_type_of(cells.text("seller_type", row)),
        "region": _said(cells.text("region", row)),
        "origin": _said(cells.text("origin", row) or cells.text("country", row)),
        "vin_key": _digest(vin) if looks_like_vin(vin) else None,
    }


def _said(text: str) -> str | None:
    return None if is_blank(text) else text


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=10).hexdigest()
