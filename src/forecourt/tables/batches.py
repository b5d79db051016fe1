"""What every reader yields: some rows of a table as columns of text, with each row's place in the file."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import IO, Any, Final, Self

BATCH_ROWS: Final = 16_384
"""Rows at a time: small enough for memory, large enough that work per column outweighs work per batch."""

SEVERAL: Final = "\x1f"
"""Separates the values of one cell that held a list (photos, equipment)."""

Column = Sequence[str]


@dataclass(frozen=True, slots=True)
class BrokenRow:
    """A row that cannot be laid out in columns; `cell_count` is how many cells it has."""

    line: int
    cell_count: int
    expected: int


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows as columns. `lines` tells where each row begins: a line of text, a sheet's row, else the record.

    Blank rows are only counted; broken rows are in no column.
    """

    names: tuple[str, ...]
    columns: Sequence[Column]
    lines: Sequence[int]
    blank: int = 0
    broken: tuple[BrokenRow, ...] = ()

    def __len__(self) -> int:
        return len(self.lines)


@dataclass(frozen=True, slots=True)
class Detected:
    """What was found out about a file, to be shown to whoever imports it."""

    format: str
    charset: str | None = None
    delimiter: str | None = None
    header_line: int | None = None
    notes: tuple[str, ...] = ()
    stated_total: int | None = None
    """How many vehicles the file itself says there are, when it is a page of many."""


@dataclass(frozen=True, slots=True)
class Table:
    """A file opened as a table: what it is, and its rows, batch by batch. Close it, or use it in a `with`."""

    detected: Detected
    batches: Iterator[Batch] = field(repr=False)
    files: tuple[IO[Any], ...] = field(default=(), repr=False)

    def owning(self, *files: IO[Any]) -> "Table":
        """Return the table that also closes these files."""
        return replace(self, files=(*self.files, *files))

    def close(self) -> None:
        """Let go of the files."""
        for file in self.files:
            file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def batch_of_records(records: Sequence[dict[str, str]], lines: Sequence[int]) -> Batch:
    """Return the columns of records that need not have the same keys; a key that is missing is empty text."""
    names = tuple(dict.fromkeys(name for record in records for name in record))
    columns = [[record.get(name, "") for record in records] for name in names]
    return Batch(names, columns, lines)


def batch_of_rows(names: tuple[str, ...], rows: Sequence[Sequence[str]], lines: Sequence[int]) -> Batch:
    """Return the columns of rows of cells.

    Cells missing at the end are empty; surplus cells are dropped if they are empty, else the row is broken.
    """
    width = len(names)
    if set(map(len, rows)) == {width} and all(map(any, rows)):
        return Batch(names, list(zip(*rows, strict=True)), lines)
    return _batch_of_ragged_rows(names, rows, lines)


def _batch_of_ragged_rows(
    names: tuple[str, ...], rows: Sequence[Sequence[str]], lines: Sequence[int]
) -> Batch:
    width = len(names)
    kept: list[list[str]] = []
    places: list[int] = []
    broken: list[BrokenRow] = []
    for row, line in zip(rows, lines, strict=True):
        if not any(cell.strip() for cell in row):
            continue
        if any(cell.strip() for cell in row[width:]):
            broken.append(BrokenRow(line, len(row), width))
            continue
        kept.append([*row[:width], *[""] * (width - len(row))])
        places.append(line)
    blank = len(rows) - len(kept) - len(broken)
    columns: list[Column] = list(zip(*kept, strict=True)) if kept else [()] * width
    return Batch(names, columns, places, blank, tuple(broken))
