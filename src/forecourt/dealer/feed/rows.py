"""The rows of one batch on their way to becoming listings: what is known of the file, and what became of each
row.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np

from forecourt.dealer.chunk import Flags
from forecourt.dealer.feed.parsing import ReadColumn, first_filled
from forecourt.tables.batches import Batch, Column
from forecourt.tables.layout import Conventions, Layout
from forecourt.tables.mapping import MappingFile
from forecourt.tables.report import Report


@dataclass(frozen=True, slots=True)
class Setting:
    """What stands for the whole file: its layout and conventions, and what the dealer's profile says."""

    layout: Layout
    conventions: Conventions
    mapping: MappingFile
    rooftops: tuple[str, ...]
    vehicle_types: frozenset[str]
    now: datetime
    report: Report


@dataclass(slots=True)
class Rows:
    """One batch. `taken` tells by row whether it is still a listing."""

    batch: Batch
    setting: Setting
    taken: Flags = field(init=False)
    _notes: list[tuple[str, Sequence[int], Sequence[str], str]] = field(default_factory=list)
    _texts: list[tuple[int, str, str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.taken = np.ones(len(self.batch), dtype=np.bool_)
        for broken in self.batch.broken:
            text = f"{broken.cell_count} cells instead of {broken.expected}"
            self.setting.report.reject(broken.line, "", text, rule="cells")

    def columns(self, *roles: str) -> list[tuple[str, Column]]:
        """Return the columns of those roles with their names, the preferred first."""
        return [(name, column) for name, _, column in self.setting.layout.columns(self.batch, *roles)]

    def text(self, *roles: str) -> tuple[str, Column] | None:
        """Return by row the first text in columns of those roles; None when there is no such column."""
        found = self.columns(*roles)
        if not found:
            return None
        return found[0][0], first_filled([column for _, column in found])

    def refuse_row(self, row: int, column: str, text: str, *, rule: str) -> None:
        """Take one row out, unless it is out already."""
        if self.taken[row]:
            self.taken[row] = False
            self.setting.report.reject(self.batch.lines[row], column, text, rule=rule)

    def refuse(self, rows: Iterable[int], column: str, texts: Sequence[str], *, rule: str) -> None:
        """Take rows out, unless they are out already; `texts` is the column by row."""
        for row in rows:
            self.refuse_row(row, column, texts[row], rule=rule)

    def note(self, rows: Sequence[int], column: str, texts: Sequence[str], *, rule: str) -> None:
        """Remember something about rows; it is reported of those that are taken in the end."""
        if len(rows):
            self._notes.append((column, rows, texts, rule))

    def note_text(self, row: int, column: str, text: str, *, rule: str) -> None:
        """Remember something about one row, told by a text that is no cell."""
        self._texts.append((row, column, text, rule))

    def note_rules(self, column: str, read: ReadColumn, texts: Sequence[str]) -> None:
        """Remember everything that the rules say about a column."""
        for rule, rows in read.rows_by_rule():
            self.note(rows, column, texts, rule=rule)

    def write_notes(self) -> None:
        """Report what was noted about the rows that are taken."""
        for row, column, text, rule in self._texts:
            if self.taken[row]:
                self.setting.report.note(self.batch.lines[row], column, text, rule=rule)
        for column, rows, texts, rule in self._notes:
            numbers = np.array(rows)
            taken = numbers[self.taken[numbers]].tolist()
            shown = taken[: self.setting.report.keep_per_rule]
            for row in shown:
                self.setting.report.note(self.batch.lines[row], column, texts[row], rule=rule)
            self.setting.report.notes[rule] += len(taken) - len(shown)
