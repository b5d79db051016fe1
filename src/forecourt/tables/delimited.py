"""Text tables: comma, semicolon, tab or bar between the cells, in any charset."""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, BinaryIO, Final, TextIO

from forecourt.tables.batches import BATCH_ROWS, Batch, Detected, Table, batch_of_rows
from forecourt.tables.charset import Charset, detect_charset
from forecourt.tables.errors import EmptyFile, TruncatedFile, UnreadableFile
from forecourt.tables.header_row import ROWS_TO_SEARCH, find_header

if TYPE_CHECKING:
    from _csv import Reader as CsvReader

DELIMITERS: Final = (",", ";", "\t", "|")
_SAMPLE: Final = 256 * 1024
_LONGEST_CELL: Final = 4 * 1024 * 1024
_NAMES: Final = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}


def open_delimited(file: BinaryIO, *, charset: str | None = None, delimiter: str | None = None) -> Table:
    """Open delimited text; what is not declared is detected.

    Raises `EmptyFile`, `UnreadableFile`; `TruncatedFile` while reading, when the last row is incomplete.
    """
    csv.field_size_limit(_LONGEST_CELL)
    chosen = Charset(charset, "strict", "declared") if charset else detect_charset(file)
    text = _decoded(file, chosen)
    sample = text.read(_SAMPLE)
    if not sample.strip('\ufeff \r\n\t,;"'):
        raise EmptyFile("The file is empty.")
    hint, sample = _separator_hint(sample)
    delimiter = delimiter or hint or sniff_delimiter(sample)
    rows = list(islice(csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter), ROWS_TO_SEARCH))
    header = find_header(rows)
    text.seek(0)
    reader = csv.reader(text, delimiter=delimiter)
    skipped = header.row + 1 + (1 if hint else 0)
    for _ in islice(reader, skipped):
        pass
    found = Detected(
        "delimited text",
        charset=f"{chosen.name} ({chosen.reason})".replace(chosen.name, _charset_name(chosen.name)),
        delimiter=_NAMES.get(delimiter, repr(delimiter)),
        header_line=header.row + 1 if header.row >= 0 else None,
    )
    return Table(found, _batches(reader, header.names, complete=_ends_with_newline(file)), files=(text,))


def _charset_name(codec: str) -> str:
    return {"cp1252": "Windows-1252", "iso8859-15": "ISO-8859-15", "utf-8-sig": "UTF-8 with mark"}.get(
        codec, codec.upper()
    )


def _decoded(file: BinaryIO, charset: Charset) -> TextIO:
    file.seek(0)
    try:
        return io.TextIOWrapper(file, encoding=charset.name, errors=charset.errors, newline="")
    except LookupError:
        raise UnreadableFile(f"The charset {charset.name} is not known.") from None


def _separator_hint(sample: str) -> tuple[str | None, str]:
    """Read the first line `sep=;` that spreadsheets understand."""
    first, _, rest = sample.partition("\n")
    if first[:4].lower() == "sep=" and len(first.rstrip("\r")) == 5:
        return first[4], rest
    return None, sample


def sniff_delimiter(sample: str) -> str:
    """Return the delimiter that gives most rows the same, greatest number of cells."""
    return max(DELIMITERS, key=lambda delimiter: _evenness(sample, delimiter))


def _evenness(sample: str, delimiter: str) -> tuple[float, int]:
    """Return how well a delimiter divides a sample: cells in agreement, then how often it occurs at all."""
    try:
        rows = list(islice(csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter), 60))
    except csv.Error:
        return (0.0, 0)
    widths = Counter(len(row) for row in rows if row)
    if not widths:
        return (0.0, 0)
    width, agreeing = max(widths.items(), key=lambda item: (item[1] * min(item[0], 12), item[0]))
    share = agreeing / widths.total()
    return (0.0 if width < 2 else share * min(width, 12), width)


def _ends_with_newline(file: BinaryIO) -> bool:
    position = file.tell()
    file.seek(-1, io.SEEK_END)
    last = file.read(1)
    file.seek(position)
    return last in {b"\n", b"\r", b"\x00", b"\x1a"}


def _batches(reader: "CsvReader", names: tuple[str, ...], *, complete: bool) -> Iterator[Batch]:
    while True:
        before = reader.line_num
        try:
            rows = list(islice(reader, BATCH_ROWS))
        except csv.Error:
            raise UnreadableFile(f"Line {reader.line_num + 1} cannot be read as a row of cells.") from None
        except UnicodeDecodeError:
            raise UnreadableFile("The file is not in the charset that was declared for it.") from None
        if not rows:
            return
        if len(rows) < BATCH_ROWS:
            _refuse_if_cut(rows[-1], len(names), reader.line_num, complete=complete)
        yield batch_of_rows(names, rows, _line_numbers(rows, before, reader.line_num))


def _refuse_if_cut(last: Sequence[str], width: int, line: int, *, complete: bool) -> None:
    """Refuse a file whose last row misses cells and has no line end, or swallows lines in open quotes."""
    swallowed = any(cell.count("\n") > 2 for cell in last[-1:])
    if 0 < len(last) < width and (not complete or swallowed) and any(last):
        raise TruncatedFile(f"The file stops in the middle of the row that ends on line {line}.")


def _line_numbers(rows: Sequence[Sequence[str]], before: int, after: int) -> Sequence[int]:
    if after - before == len(rows):
        return range(before + 1, after + 1)
    numbers: list[int] = []
    line = before + 1
    for row in rows:
        numbers.append(line)
        line += 1 + sum(cell.count("\n") + cell.count("\r") - cell.count("\r\n") for cell in row)
    return numbers
