"""What the feed tests share: a dealer, a file with a few rows, and what an import makes of it."""

import csv
import io
import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from forecourt.dealer import store
from forecourt.dealer.feed.reading import Reading, read_stock
from forecourt.dealer.listing import Listing
from forecourt.dealer.profile import DealerProfile, build_profile
from forecourt.storage.database import Database
from forecourt.tables.mapping import NOTHING_DECLARED, MappingFile
from forecourt.tables.opening import open_table

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
SLUG = "larkfield"
VIN = "1FADP3K25EL000017"

CAR = {
    "Type": "Used",
    "Stock": "A100",
    "VIN": VIN,
    "Year": "2014",
    "Make": "Ford",
    "Model": "Focus",
    "Miles": "55000",
    "SellingPrice": "12500",
}
"""One ordinary row under HomeNet's names."""


def dealer_profile(*rooftops: str, country: str = "US", capabilities: Iterable[str] = ()) -> DealerProfile:
    places = [
        {"name": name, "address": {"country": country}, "capabilities": list(capabilities)}
        for name in rooftops or ("Larkfield Motors",)
    ]
    return build_profile(SLUG, {"name": "Larkfield", "rooftops": places})


def add_dealer(database: Database, profile: DealerProfile | None = None) -> None:
    new = profile or dealer_profile()
    database.write_sync(lambda connection: store.add_dealer(connection, new, now=NOW))


def csv_text(rows: Iterable[Mapping[str, Any]], *, delimiter: str = ",") -> str:
    listed = list(rows)
    names = list(dict.fromkeys(name for row in listed for name in row))
    sheet = io.StringIO()
    writer = csv.DictWriter(sheet, fieldnames=names, delimiter=delimiter, lineterminator="\r\n", restval="")
    writer.writeheader()
    writer.writerows(listed)
    return sheet.getvalue()


def cars(count: int, **changes: Any) -> list[dict[str, Any]]:
    """Return so many rows that differ in stock number and VIN."""
    return [
        CAR | {"Stock": f"A{number}", "VIN": f"1FADP3K25EL{number:06d}"} | changes for number in range(count)
    ]


class Outcome:
    """What became of a file: the listings, and the account of its rows."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.listings: list[Listing] = [listing for chunk in reading.chunks for listing in chunk.listings()]
        self.report = reading.report

    @property
    def listing(self) -> Listing:
        """The only listing."""
        (listing,) = self.listings
        return listing

    @property
    def rules(self) -> set[str]:
        """The rules that had something to say."""
        return {*self.report.rejected, *self.report.notes}


def read_file(
    path: Path, *, profile: DealerProfile | None = None, mapping: MappingFile = NOTHING_DECLARED
) -> Outcome:
    with open_table(path, charset=mapping.charset, delimiter=mapping.delimiter) as table:
        outcome = Outcome(read_stock(table, profile or dealer_profile(), mapping=mapping, now=NOW))
    assert outcome.report.rows_in == outcome.report.accepted + outcome.report.rejected_rows
    assert outcome.report.accepted == len(outcome.listings)
    return outcome


def read_rows(
    folder: Path,
    *rows: Mapping[str, Any],
    profile: DealerProfile | None = None,
    mapping: MappingFile = NOTHING_DECLARED,
) -> Outcome:
    path = folder / "feed.csv"
    path.write_text(csv_text(rows), encoding="utf-8", newline="")
    return read_file(path, profile=profile, mapping=mapping)


def read_text(folder: Path, text: str, *, profile: DealerProfile | None = None) -> Outcome:
    path = folder / "feed.txt"
    path.write_text(text, encoding="utf-8", newline="")
    return read_file(path, profile=profile)


def read_json(folder: Path, document: Any, *, profile: DealerProfile | None = None) -> Outcome:
    path = folder / "feed.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return read_file(path, profile=profile)
