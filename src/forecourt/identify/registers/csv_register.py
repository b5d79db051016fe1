"""A register of one's own in a CSV file: for demonstrations, private data, countries without open data."""

import csv
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, get_args

from forecourt.contract.errors import InvalidPlate, PlateRestricted
from forecourt.identify.plates import plate_countries, read_plate
from forecourt.identify.registers.errors import RegisterFileUnusable
from forecourt.identify.registers.register import (
    RegisteredVehicle,
    RegisterEntry,
    Source,
    Status,
    known,
    stated,
)
from forecourt.identify.registers.values import iso_date, iso_month, whole
from forecourt.identify.text import Fact

SOURCE: Final = Source("own register", None, "Vehicle data: register of the operator.")
RESTRICTED: Final = "restricted"
_NEEDED: Final = ("country", "plate")
_WORDS: Final = ("make", "model", "fuel", "transmission", "drive", "body_type", "colour")
_NUMBERS: Final = ("year", "power_kw", "displacement_cc", "doors", "seats")
_ENTRY: Final = (
    "first_registration", "first_registration_country", "status", "vin", "type_approval", "variant",
    "version", "inspection_due", "catalogue_price_new",
)  # fmt: skip
COLUMNS: Final = (*_NEEDED, *_WORDS, *_NUMBERS, *_ENTRY)

Row = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class CsvRegister:
    """The plates of one country in a file, in memory."""

    rows: Mapping[str, tuple[Row, ...]]
    source: Source = SOURCE

    async def find(self, number: str) -> tuple[RegisteredVehicle, ...]:
        """Return the vehicles of a plate; raises `PlateRestricted` for a row whose status says so."""
        rows = self.rows.get(number, ())
        if any(row.get("status") == RESTRICTED for row in rows):
            raise PlateRestricted("The register withholds this vehicle.")
        return tuple(RegisteredVehicle(_entry(row), known(_facts(row))) for row in rows)


def read_registers(path: Path, *, source: Source = SOURCE) -> dict[str, CsvRegister]:
    """Read a file with some of the columns `COLUMNS`, country and plate at least; return them by country.

    Raises `RegisterFileUnusable`, naming the line and never the plate.
    """
    found: defaultdict[str, defaultdict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for line, row in enumerate(_rows(path), start=2):
        number = _number(row, line)
        found[row["country"]][number].append(row)
    return {
        country: CsvRegister({number: tuple(rows) for number, rows in plates.items()}, source)
        for country, plates in found.items()
    }


def _rows(path: Path) -> list[Row]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            rows: list[Row] = [
                {name: (value or "").strip() for name, value in row.items() if name} for row in reader
            ]
    except (OSError, ValueError, csv.Error):
        raise RegisterFileUnusable(f"{path.name} cannot be read as CSV.") from None
    columns = set(reader.fieldnames or ())
    if not columns.issuperset(_NEEDED) or columns.difference(COLUMNS):
        raise RegisterFileUnusable(f"{path.name} must have columns among: {', '.join(COLUMNS)}.")
    return rows


def _number(row: Row, line: int) -> str:
    if row["country"] not in plate_countries():
        raise RegisterFileUnusable(f"Line {line}: plates of this country cannot be read.")
    if row.get("status") and row["status"] not in (*get_args(Status), RESTRICTED):
        raise RegisterFileUnusable(f"Line {line}: the status is not one of the contract's, nor {RESTRICTED}.")
    try:
        return read_plate(row["country"], row["plate"]).number
    except InvalidPlate:
        raise RegisterFileUnusable(f"Line {line}: that is no plate of its country.") from None


def _entry(row: Row) -> RegisterEntry:
    status: Any = row.get("status") or "registered"
    texts = ("first_registration_country", "vin", "type_approval", "variant", "version", "colour")
    return RegisterEntry(
        first_registration=_registered(row),
        status=status,
        inspection_due=iso_date(row.get("inspection_due")),
        catalogue_price_new=whole(row.get("catalogue_price_new")),
        **{name: row.get(name) or None for name in texts},
    )


def _facts(row: Row) -> Mapping[str, Fact | None]:
    words = {name: stated(row.get(name) or None, row.get(name)) for name in _WORDS}
    numbers = {name: stated(whole(row.get(name))) for name in _NUMBERS}
    return {**words, **numbers, "first_registration": stated(_registered(row))}


def _registered(row: Row) -> str | None:
    written = row.get("first_registration")
    return iso_month(written) or iso_date(written)
