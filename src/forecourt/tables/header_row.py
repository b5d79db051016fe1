"""Where the header stands, how well a set of names describes vehicles, and files without a header."""

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from forecourt.tables.headers import IGNORED, compact, header_meaning
from forecourt.tables.names import is_make

ROWS_TO_SEARCH: Final = 25
"""Exports begin with titles, dates and blank lines, never with more than these."""

_MOBILE_DE_NAMES: Final = {
    0: "kundennummer", 1: "interne_nummer", 2: "kategorie", 3: "marke", 4: "modell", 5: "leistung_kw",
    8: "erstzulassung",
    9: "kilometerstand_km", 10: "preis", 14: "fin", 16: "farbe", 20: "jahreswagen", 21: "neufahrzeug",
    23: "haendlerpreis", 24: "reserviert", 25: "bemerkung", 28: "waehrung",
}  # fmt: skip
"""The first fields of mobile.de's CSV, which has no header row; the others carry equipment."""
_MOBILE_DE_WIDTH: Final = 27
_MONTH_YEAR: Final = re.compile(r"(?:0[1-9]|1[0-2])\.(?:19|20)\d\d")


class HeaderRow(NamedTuple):
    """The names of the columns and which row they stand in, counted from 0; -1 when the file has none."""

    names: tuple[str, ...]
    row: int


def vehicle_score(names: Iterable[str]) -> int:
    """Return how many different things about a vehicle a set of names speaks of."""
    return len(roles_of(names))


def roles_of(names: Iterable[str]) -> set[str]:
    """Return the roles that a set of names fills."""
    meanings = (header_meaning(name) for name in names if name and len(name) <= 120)
    return {meaning.role for meaning in meanings if meaning is not None and meaning.role != IGNORED}


def find_header(rows: Sequence[Sequence[str]]) -> HeaderRow:
    """Return the header among the first rows: what speaks most of vehicles, else mobile.de's fixed order.

    Falls back to the first row that is not blank.
    """
    scores = [vehicle_score(row) for row in rows[:ROWS_TO_SEARCH]]
    best = max(range(len(scores)), key=lambda number: scores[number], default=-1)
    if best < 0:
        return HeaderRow((), -1)
    if scores[best] < 3 and _is_mobile_de(rows[0]):
        return HeaderRow(_mobile_de_names(len(rows[0])), -1)
    if scores[best] < 2:
        best = next((number for number, row in enumerate(rows) if any(row)), 0)
    return HeaderRow(unique_names(rows[best]), best)


def unique_names(cells: Sequence[str]) -> tuple[str, ...]:
    """Return column names: trimmed, empty ones numbered, repeated ones told apart."""
    names: list[str] = []
    for number, cell in enumerate(cells, start=1):
        name = " ".join(cell.split()).strip("\ufeff\"'") or f"column {number}"
        names.append(name if name not in names else f"{name} [{number}]")
    return tuple(names)


def same_row_again(names: Sequence[str], cells: Sequence[str]) -> bool:
    """Tell whether a row repeats the header, as sheets that were glued together do."""
    pairs = [(compact(name), compact(cell)) for name, cell in zip(names, cells, strict=False) if cell]
    return len(pairs) > 1 and all(name == cell for name, cell in pairs)


def _is_mobile_de(cells: Sequence[str]) -> bool:
    if len(cells) < _MOBILE_DE_WIDTH:
        return False
    dated = not cells[8] or bool(_MONTH_YEAR.fullmatch(cells[8].strip()))
    return is_make(cells[3]) and dated and cells[9].strip().replace(".", "").isdecimal()


def _mobile_de_names(width: int) -> tuple[str, ...]:
    return tuple(_MOBILE_DE_NAMES.get(number, f"mobile.de {number}") for number in range(width))
