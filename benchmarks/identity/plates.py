"""How the grammar of plates agrees with test vectors of several projects, and how long a plate takes.

`python -m benchmarks.identity.plates [--differences]` prints a Markdown report for `docs/accuracy.md`. A
vector counts as accepted when it is a plate of a series with its separators where the country puts them.
"""

import csv
import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from forecourt.contract.errors import InvalidPlate
from forecourt.identify.plates import read_plate

OWN = "written for this project"
SHARED = Path(os.environ.get("FORECOURT_SHARED", Path(__file__).resolve().parents[2].parent / "shared"))


@dataclass(frozen=True, slots=True)
class Vector:
    """A plate with what a source says of it."""

    country: str
    text: str
    is_valid: bool
    source: str

    @property
    def agrees(self) -> bool:
        """Say whether our grammar is of the same opinion."""
        return is_usual(self.country, self.text) == self.is_valid


def is_usual(country: str, text: str) -> bool:
    """Say whether a text is a plate of a series as it is usually written."""
    try:
        plate = read_plate(country, text)
    except InvalidPlate:
        return False
    return plate.kind == "series" and plate.as_written


def vectors(folder: Path) -> list[Vector]:
    """Return the test vectors of a shared folder."""
    with (folder / "data" / "plate_test_vectors.csv").open(encoding="utf-8") as file:
        return [
            Vector(row["country"], row["plate"], row["valid"] == "1", row["source"])
            for row in csv.DictReader(file)
        ]


def report(*, differences: bool) -> Iterator[str]:
    """Yield the lines of the report."""
    known = vectors(SHARED)
    groups: dict[str, list[Vector]] = defaultdict(list)
    for one in known:
        groups[one.source.split(" from ")[0].split(" (")[0]].append(one)
    yield "| source of the vectors | vectors | agree |"
    yield "|---|---:|---:|"
    for source, ones in groups.items():
        yield f"| {source} | {len(ones)} | {sum(one.agrees for one in ones)} |"
    began = time.perf_counter()
    for one in known:
        is_usual(one.country, one.text)
    yield ""
    yield f"One plate takes {(time.perf_counter() - began) / len(known) * 1e6:.0f} µs."
    if differences:
        yield from (
            f"{one.country} {one.text!r}: they {'accept' if one.is_valid else 'refuse'} it, we do not agree"
            for one in known
            if not one.agrees
        )


if __name__ == "__main__":
    print("\n".join(report(differences="--differences" in sys.argv)))
