"""Read a file as stock: batch by batch into chunks of listings, with an account of every row."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain
from typing import Any

import numpy as np

from forecourt.dealer.chunk import Chunk, Coded
from forecourt.dealer.errors import NoListings
from forecourt.dealer.feed.details import (
    Field,
    detail_fields,
    features_of,
    fee_lists,
    read_details,
    read_texts,
    stock_dates,
)
from forecourt.dealer.feed.identity import Seen, read_identities, refuse_repeated
from forecourt.dealer.feed.naming import Naming, check_against_vin, read_names
from forecourt.dealer.feed.odometer import Odometer, miles_by_row, read_odometer
from forecourt.dealer.feed.parsing import Reader
from forecourt.dealer.feed.prices import Prices, read_prices
from forecourt.dealer.feed.prose import note_disagreements
from forecourt.dealer.feed.rows import Rows, Setting
from forecourt.dealer.feed.states import (
    States,
    read_conditions,
    read_rooftops,
    read_vehicle_types,
    refuse_out_of_stock,
)
from forecourt.dealer.profile import DealerProfile
from forecourt.tables.batches import Batch, Detected, Table
from forecourt.tables.layout import Conventions, Layout, find_conventions, find_layout
from forecourt.tables.mapping import MappingFile
from forecourt.tables.report import Report

_TYPES_BY_CAPABILITY = {
    "motorcycle_sales": {"motorcycle"},
    "powersports": {"motorcycle", "other"},
    "rv_sales": {"rv"},
    "trailer_sales": {"trailer"},
}
_YEARS_AHEAD = 2


@dataclass(slots=True)
class Reading:
    """A file being read. Iterate over `chunks` to the end; then the report and `seen` are complete."""

    detected: Detected
    layout: Layout
    conventions: Conventions
    report: Report
    seen: Seen
    chunks: Iterator[Chunk] = field(repr=False)

    def amendments(self) -> dict[str, Any]:
        """Return what later rows said about listings of chunks already written: further rooftops by place."""
        return {"also_at": {str(place): names for place, names in self.seen.rooftops.items() if names}}


def read_stock(
    table: Table, profile: DealerProfile, *, mapping: MappingFile, now: datetime, keep_findings: int = 1_000
) -> Reading:
    """Begin to read a table as the stock of a dealer.

    Raises `NoVehicleTable` when the columns make no list of vehicles and `NoListings` when there is no row.
    """
    batches = iter(table.batches)
    first = next((batch for batch in batches if len(batch)), None)
    if first is None:
        raise NoListings("The file has no row below its header.")
    layout = find_layout(first, mapping)
    conventions = find_conventions(layout, first, home_country=profile.country)
    report = Report(keep_per_rule=keep_findings, file_notes=[*table.detected.notes])
    types = mapping.vehicle_types or vehicle_types_of(profile)
    setting = Setting(layout, conventions, mapping, profile.rooftops, types, now, report)
    interpreter = Interpreter(setting)
    chunks = (interpreter.chunk(batch) for batch in chain([first], batches))
    return Reading(table.detected, layout, conventions, report, interpreter.seen, chunks)


def vehicle_types_of(profile: DealerProfile) -> frozenset[str]:
    """Return the kinds of vehicle that the rooftops say they sell (AAP v1.3, capabilities); always cars."""
    sold = (_TYPES_BY_CAPABILITY.get(tag, set()) for tag in profile.capabilities)
    return frozenset({"car"}.union(*sold))


class Interpreter:
    """Turns batches of one file into chunks; what it learns from one batch serves the next."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._naming = Naming.until(setting.now.year + _YEARS_AHEAD)
        self._states = States(setting.mapping.values)
        self._prices = Prices({}, [])
        self._odometer = Odometer({})
        self._fields: list[Field] = detail_fields(
            setting.mapping,
            month_first=setting.conventions.month_first,
            number_style=setting.conventions.number_style,
        )
        self._features = Reader(features_of)
        self.seen = Seen()

    def chunk(self, batch: Batch) -> Chunk:
        """Return the listings of a batch and account for its rows."""
        rows = Rows(batch, self._setting)
        columns = self._columns(rows)
        rows.write_notes()
        accepted = int(rows.taken.sum())
        self._count(batch, accepted)
        if accepted < len(batch):
            columns = {name: column.kept(rows.taken) for name, column in columns.items()}
        return Chunk(accepted, {name: column for name, column in columns.items() if not column.is_empty})

    def _columns(self, rows: Rows) -> dict[str, Coded]:
        identities = read_identities(rows)
        status = refuse_out_of_stock(rows, self._states)
        columns = {"status": status, "vehicle_type": read_vehicle_types(rows, self._states)}
        condition = read_conditions(rows, self._states)
        prices = read_prices(rows, self._prices)
        mileage = read_odometer(rows, self._odometer, condition)
        rooftop, rooftop_words = read_rooftops(rows)
        places = _rooftop_texts(rooftop, rooftop_words, len(rows.batch))
        refuse_repeated(rows, identities, places, self.seen)
        names = read_names(rows, identities, self._naming)
        check_against_vin(rows, identities, names)
        texts = read_texts(rows, self._features)
        note_disagreements(
            rows, texts.get("description"), prices.get("price"), miles_by_row(mileage, len(rows.batch))
        )
        found: dict[str, Coded | None] = {
            "condition": condition,
            "mileage": mileage,
            "rooftop": rooftop,
            "raw.rooftop": rooftop_words,
            "inventory_date": stock_dates(rows),
            "fees": fee_lists(rows),
        }
        columns |= identities.columns() | names | prices | texts
        columns |= {name: column for name, column in found.items() if column is not None}
        return _with_drive_of_model(columns, read_details(rows, self._fields))

    def _count(self, batch: Batch, accepted: int) -> None:
        report = self._setting.report
        report.rows_in += len(batch) + len(batch.broken)
        report.blank_rows += batch.blank
        report.accepted += accepted


def _rooftop_texts(rooftop: Coded | None, words: Coded | None, size: int) -> list[str | None]:
    """Return by row the rooftop, by whatever name is known."""
    known = rooftop or words
    return [None] * size if known is None else known.expanded()


def _with_drive_of_model(columns: dict[str, Coded], details: dict[str, Coded]) -> dict[str, Coded]:
    """Let a drive that stood in the model's name fill only the gaps of the drive column."""
    in_model = columns.get("driveline")
    merged = columns | details
    if in_model is not None and "driveline" in details:
        own = details["driveline"]
        missing = np.array([value is None for value in own.values], dtype=np.bool_)[own.codes]
        codes = np.where(missing, in_model.codes + len(own.values), own.codes).astype(np.int32)
        merged["driveline"] = Coded([*own.values, *in_model.values], codes)
    return _with_bodies_of_their_kind(merged)


def _with_bodies_of_their_kind(columns: dict[str, Coded]) -> dict[str, Coded]:
    """Keep the feed's own words for the bodies of motorcycles and others: a touring is no wagon there."""
    kinds, bodies, words = columns["vehicle_type"], columns.get("body"), columns.get("raw.body")
    if bodies is None or words is None or all(kind == "car" for kind in kinds.values):
        return columns
    cars = np.array([kind == "car" for kind in kinds.values], dtype=np.bool_)[kinds.codes]
    own = [word or body for word, body in zip(words.values, bodies.values, strict=True)]
    codes = np.where(cars, bodies.codes, bodies.codes + len(bodies.values)).astype(np.int32)
    return columns | {"body": Coded([*bodies.values, *own], codes)}
