"""Spreadsheets (XLSX): the sheet that lists vehicles, its cells as the text that a person sees."""

import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time
from itertools import islice
from typing import Any, BinaryIO, Final

from openpyxl import load_workbook

from forecourt.tables.batches import BATCH_ROWS, Batch, Detected, Table, batch_of_rows
from forecourt.tables.errors import EmptyFile, UnreadableFile
from forecourt.tables.flattening import scalar_text
from forecourt.tables.header_row import ROWS_TO_SEARCH, find_header, vehicle_score

_LARGEST_UNPACKED: Final = 2 << 30
_LARGEST_STRINGS: Final = 256 << 20
"""The table of strings is held in memory as a whole, the sheets are not."""
_MOST_ROWS: Final = 1_048_576
"""Rows of a sheet by the format's own limit (ECMA-376)."""


def open_workbook(file: BinaryIO) -> Table:
    """Open the sheet of a workbook that speaks most of vehicles; raises `EmptyFile` or `UnreadableFile`."""
    _refuse_bomb(file)
    with _damage_told():
        workbook = load_workbook(file, read_only=True, data_only=True)
    sheets = [sheet for sheet in workbook.worksheets if hasattr(sheet, "iter_rows")]
    heads = {sheet.title: list(islice(_rows(sheet), ROWS_TO_SEARCH)) for sheet in sheets}
    filled = [sheet for sheet in sheets if any(any(row) for row in heads[sheet.title])]
    if not filled:
        raise EmptyFile("The workbook is empty.")
    best = max(filled, key=lambda sheet: max(map(vehicle_score, heads[sheet.title])))
    header = find_header(heads[best.title])
    found = Detected("workbook (XLSX)", header_line=header.row + 1, notes=(f"sheet {best.title!r}",))
    return Table(found, _batches(_rows(best), header.names, header.row + 1))


def _refuse_bomb(file: BinaryIO) -> None:
    with _damage_told():
        sizes = {entry.filename: entry.file_size for entry in zipfile.ZipFile(file).infolist()}
    if sum(sizes.values()) > _LARGEST_UNPACKED or sizes.get("xl/sharedStrings.xml", 0) > _LARGEST_STRINGS:
        raise UnreadableFile("The workbook is too large once unpacked.")
    file.seek(0)


@contextmanager
def _damage_told() -> Iterator[None]:
    """Raise `UnreadableFile` for whatever openpyxl, its parser or zipfile raise on a damaged workbook.

    That is a dozen kinds of exception, at the opening and at any later cell.
    """
    try:
        yield
    except Exception:  # noqa: BLE001 - too many kinds to name, see above
        raise UnreadableFile("The file is no workbook that can be read.") from None


def _rows(sheet: Any) -> Iterator[list[str]]:
    """Yield the sheet's rows as they are there, whatever size the sheet says it has."""
    sheet.reset_dimensions()
    with _damage_told():
        for number, cells in enumerate(sheet.iter_rows(), start=1):
            if number > _MOST_ROWS:
                break
            yield [_cell_text(cell) for cell in cells]
        else:
            return
    raise UnreadableFile("The sheet has more rows than a sheet can have.")


def _cell_text(cell: Any) -> str:
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, datetime):
        midnight = value.time() == time()
        return value.date().isoformat() if midnight else value.isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, int | float) and not isinstance(value, bool) and value == int(value):
        return str(int(value)).zfill(_shown_digits(cell.number_format))
    return scalar_text(value)


def _shown_digits(number_format: str | None) -> int:
    """Return how many digits a format such as `00000` shows: leading zeros are part of an id."""
    return len(number_format) if number_format and set(number_format) == {"0"} else 1


def _batches(rows: Iterable[Sequence[str]], names: tuple[str, ...], skipped: int) -> Iterator[Batch]:
    numbered = islice(enumerate(rows, start=1), skipped, None)
    while batch := list(islice(numbered, BATCH_ROWS)):
        yield batch_of_rows(names, [row for _, row in batch], [number for number, _ in batch])
