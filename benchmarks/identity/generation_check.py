"""Sixty generations of the core, drawn by a fixed seed and checked against two public sources each.

`python -m benchmarks.identity.generation_check` prints a Markdown report, `… draw` the rows that the seed
draws from the core as it is now. `generation_check.tsv` keeps the check: the row as it was drawn, what each
source says of its years, the verdict, and what was corrected. `says` is `2008–2015`; an end that a source
does not speak of is left out, and an empty cell means that no such source was found.
"""

import csv
import hashlib
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from forecourt.catalogue.core import core_catalogue
from forecourt.catalogue.entries import Generation

CHECKED: Final = Path(__file__).parent / "generation_check.tsv"
SEED: Final = 6
DRAWN: Final = 60
_SAYS: Final = re.compile(r"(\d{4})?–(\d{4})?")


def draw() -> list[Generation]:
    """Return the rows that the seed draws; a row that is added later moves at most one other out."""

    def place(generation: Generation) -> str:
        return hashlib.sha256(f"{SEED}:{generation.id}".encode()).hexdigest()

    core = core_catalogue()
    return sorted((core.generations[own] for own in core.generations), key=place)[:DRAWN]


def report() -> Iterator[str]:
    """Yield the lines of the report."""
    rows = checked()
    core = core_catalogue()
    kept = sum(row["id"] in {generation.id for generation in draw()} for row in rows)
    yield f"{len(rows)} rows were drawn by seed {SEED}; {kept} of these are drawn from the core as it is."
    for verdict, count in Counter(row["verdict"] for row in rows).most_common():
        yield f"- {verdict}: {count}"
    yield from _confirmed(rows)
    for row in rows:
        ours = _shown(core.generations[row["id"]])
        if ours != row["years"]:
            yield f"- {row['make']} {row['model']} {row['generation']}: {row['years']}, now {ours}"


def checked() -> list[dict[str, str]]:
    """Return the rows of the check."""
    with CHECKED.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def _confirmed(rows: list[dict[str, str]]) -> Iterator[str]:
    """Yield how many sources speak of each end that our rows state."""
    for place, name in enumerate(("first", "last")):
        speak = Counter(_speaking(row, place) for row in rows if _ends(row["years"])[place])
        yield (
            f"The {name} year of {speak.total()} rows: {speak[2]} by two sources, {speak[1]} by one, "
            f"{speak[0]} by none."
        )


def _speaking(row: dict[str, str], place: int) -> int:
    return sum(bool(_ends(row[says])[place]) for says in ("says_1", "says_2"))


def _ends(says: str) -> tuple[str | None, str | None]:
    match = _SAYS.fullmatch(says or "–")
    if match is None:
        raise ValueError(f"no years: {says}")
    return match[1], match[2]


def _shown(generation: Generation) -> str:
    return f"{generation.years.first or ''}–{generation.years.last or ''}"


def _drawn() -> Iterator[str]:
    core = core_catalogue()
    for generation in draw():
        line = core.line_to(generation)
        names = (line.make.name, line.model.name if line.model else "", generation.name)
        yield "\t".join((generation.id, *names, _shown(generation)))


if __name__ == "__main__":
    for report_line in _drawn() if sys.argv[1:] == ["draw"] else report():
        print(report_line)
