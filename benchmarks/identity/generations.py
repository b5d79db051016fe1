"""Whether generations begin and end when an independent table says so.

`python -m benchmarks.identity.generations` prints a Markdown report; the table has fifteen model lines.
"""

import csv
import gzip
from collections.abc import Iterator

from benchmarks.identity.texts import data_folder
from forecourt.catalogue.core import core_catalogue
from forecourt.catalogue.entries import Generation
from forecourt.catalogue.names import key_of

SLACK_YEARS = 1


def report() -> Iterator[str]:
    """Yield the lines of the report."""
    rows = sorted(set(_rows()))
    found = [(row, _nearest(*row[:2], int(row[3]))) for row in rows]
    known = [(row, ours) for row, ours in found if ours is not None]
    apart = [(row, ours) for row, ours in known if not _agree(row, ours)]
    agree = len(known) - len(apart)
    yield f"{agree} of {len(known)} generations agree within {SLACK_YEARS} year at both ends."
    for (make, model, name, first, last), ours in apart:
        yield f"- {make} {model} {name}: {first}–{last}, ours {ours.years.first}–{ours.years.last or ''}"


def _rows() -> Iterator[tuple[str, str, str, str, str]]:
    path = data_folder() / "eu_generations_engines_sample.csv.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield row["make"], row["model"], row["generation"], row["gen_from"], row["gen_to"]


def _nearest(make: str, model: str, first: int) -> Generation | None:
    """Return our generation of a model that begins nearest to a year."""
    core = core_catalogue()
    own = [
        generation
        for make_id in core.names.makes.get(key_of(make), ())
        for entry in core.models_of(make_id)
        if key_of(entry.name) == key_of(model)
        for generation in core.generations_of(entry.id)
    ]
    return min(own, key=lambda one: abs((one.years.first or 0) - first), default=None)


def _agree(row: tuple[str, str, str, str, str], ours: Generation) -> bool:
    pairs = ((int(row[3]), ours.years.first), (int(row[4]) if row[4] else None, ours.years.last))
    return all(
        theirs == own or (theirs is not None and own is not None and abs(theirs - own) <= SLACK_YEARS)
        for theirs, own in pairs
    )


if __name__ == "__main__":
    for report_line in report():
        print(report_line)
