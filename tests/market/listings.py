"""Listings that tests write, and markets to put them into."""

import csv
import io
from collections.abc import Iterable, Mapping
from pathlib import Path

CAR: Mapping[str, str] = {
    "id": "A-1", "seen on": "2026-03-02", "make": "Volkswagen", "model": "Golf",
    "first registration": "05/2019", "mileage": "61234", "fuel": "Petrol",
    "gearbox": "Manual", "power kw": "110", "engine cc": "1498",
    "colour": "blue", "price": "15990",
}  # fmt: skip
"""A row that nothing is wrong with."""


def row(**changes: str) -> dict[str, str]:
    """Return the good row with some cells changed; an underscore in a name stands for a blank."""
    return {**CAR, **{name.replace("_", " "): value for name, value in changes.items()}}


def write_listings(path: Path, rows: Iterable[Mapping[str, str]]) -> Path:
    """Write rows as a CSV file."""
    listed = list(rows)
    names = list(dict.fromkeys(name for one in listed for name in one))
    text = io.StringIO()
    writer = csv.DictWriter(text, names, restval="")
    writer.writeheader()
    writer.writerows(listed)
    path.write_text(text.getvalue(), encoding="utf-8", newline="")
    return path
