"""What kind of vehicle a row is, whether it is new, whether it is for sale, and on which lot it stands."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from forecourt.dealer.chunk import Coded
from forecourt.dealer.feed.parsing import Read, ReadColumn, Reader, first_of_several
from forecourt.dealer.feed.rows import Rows
from forecourt.tables.batches import Column
from forecourt.tables.texts import clean_line
from forecourt.tables.words import fold, is_blank, meaning_of, yes_or_no

_OUT_OF_STOCK: Final = {"sold": "sold", "not_for_sale": "not_for_sale"}


@dataclass(slots=True)
class States:
    """Readers that remember between batches."""

    values: Mapping[str, Mapping[str, str]]
    condition: Reader = field(init=False)
    status: Reader = field(init=False)
    vehicle_type: Reader = field(init=False)

    def __post_init__(self) -> None:
        self.condition = Reader(lambda text: self._read("condition", text, "condition_unknown"))
        self.status = Reader(lambda text: self._read("status", text, "status_unknown"))
        self.vehicle_type = Reader(lambda text: self._read("vehicle_type", text, None))

    def _read(self, name: str, text: str, unknown: str | None) -> Read:
        """Read a word of a closed set; a word of nobody's is dropped and counted, never passed on."""
        if is_blank(text):
            return Read(None)
        text = first_of_several(text)
        meaning = self.values.get(name, {}).get(text) or meaning_of(name, text)
        return Read(meaning, None if meaning else unknown)


def refuse_out_of_stock(rows: Rows, states: States) -> Coded:
    """Leave out what is sold or not for sale; return the status of every row."""
    status = _status(rows, states)
    for meaning, rule in _OUT_OF_STOCK.items():
        found = status.read.rows_of(meaning)
        rows.refuse(found, status.name, status.texts, rule=rule)
    _refuse_flagged_sold(rows)
    values = [
        value if value not in _OUT_OF_STOCK and value is not None else "available"
        for value in status.read.values
    ]
    coded = Coded(values, status.read.codes)
    for role, meaning in (("in_transit", "intransit"), ("reserved", "pending")):
        coded = _flagged(rows, role, coded, meaning)
    return coded


@dataclass(frozen=True, slots=True)
class _Status:
    name: str
    texts: Column
    read: ReadColumn


def _status(rows: Rows, states: States) -> _Status:
    """Return the status column that says most; what any other says about being out of stock counts too."""
    found = [_Status(name, column, states.status.column(column)) for name, column in rows.columns("status")]
    if not found:
        return _Status("", [""] * len(rows.batch), states.status.column([""] * len(rows.batch)))
    for status in found[1:]:
        for meaning, rule in _OUT_OF_STOCK.items():
            out = status.read.rows_of(meaning)
            rows.refuse(out, status.name, status.texts, rule=rule)
    best = max(found, key=lambda status: sum(value is not None for value in status.read.values))
    if any(value is not None for value in best.read.values):
        rows.note_rules(best.name, best.read, best.texts)
    return best


def _refuse_flagged_sold(rows: Rows) -> None:
    """A flag that says yes, or a date of sale, means sold."""
    for name, column in rows.columns("sold"):
        sold = {text for text in dict.fromkeys(column) if not is_blank(text) and yes_or_no(text) is not False}
        if sold:
            rows.refuse([row for row, text in enumerate(column) if text in sold], name, column, rule="sold")


def _flagged(rows: Rows, role: str, status: Coded, meaning: str) -> Coded:
    found = rows.text(role)
    flagged = (
        {text for text in dict.fromkeys(found[1]) if not is_blank(text) and yes_or_no(text) is not False}
        if found
        else set()
    )
    if found is None or not flagged:
        return status
    codes = status.codes.copy()
    codes[np.array([text in flagged for text in found[1]], dtype=np.bool_)] = len(status.values)
    return Coded([*status.values, meaning], codes)


def read_conditions(rows: Rows, states: States) -> Coded | None:
    """Return new, used or cpo by row; None when the file does not say and nothing is declared."""
    condition = _condition_column(rows, states)
    certified = rows.text("certified")
    if condition is None and certified is None:
        declared = rows.setting.mapping.condition
        return (
            Coded([declared], np.zeros(len(rows.batch), dtype=np.int32))
            if declared
            else _from_titles(rows, states)
        )
    if condition is None:
        condition = Coded([rows.setting.mapping.condition], np.zeros(len(rows.batch), dtype=np.int32))
    return condition if certified is None else _certified(condition, certified[1])


def _condition_column(rows: Rows, states: States) -> Coded | None:
    columns = rows.columns("condition", "category")
    reads = [(name, column, states.condition.column(column)) for name, column in columns]
    telling = [
        (name, column, read)
        for name, column, read in reads
        if any(value is not None for value in read.values)
    ]
    if not telling:
        return None
    name, column, first = telling[0]
    rows.note_rules(name, first, column)
    values = first.coded()
    for _, _, other in telling[1:]:
        values = _filled(values, other.coded())
    declared = rows.setting.mapping.condition
    return values if declared is None else Coded([value or declared for value in values.values], values.codes)


def _filled(first: Coded, other: Coded) -> Coded:
    """Return the first column, and the other where the first has nothing."""
    missing = np.array([value is None for value in first.values], dtype=np.bool_)[first.codes]
    if not missing.any():
        return first
    codes = np.where(missing, other.codes + len(first.values), first.codes).astype(np.int32)
    return Coded([*first.values, *other.values], codes)


def _certified(condition: Coded, flags: Column) -> Coded:
    certified = {
        text for text in dict.fromkeys(flags) if yes_or_no(text) or meaning_of("condition", text) == "cpo"
    }
    if not certified:
        return condition
    used = np.array([value != "new" for value in condition.values], dtype=np.bool_)[condition.codes]
    chosen = np.array([text in certified for text in flags], dtype=np.bool_) & used
    return Coded(
        [*condition.values, "cpo"], np.where(chosen, len(condition.values), condition.codes).astype(np.int32)
    )


def _from_titles(rows: Rows, states: States) -> Coded | None:
    """Read "New 2027 Hino" where no column says it: only the first word of a title counts."""
    found = rows.text("title")
    if found is None:
        return None
    words = [text.split(" ", 1)[0] if text[:1].isalpha() else "" for text in found[1]]
    read = states.condition.column([word if fold(word) in _TITLE_WORDS else "" for word in words])
    return None if read.coded().is_empty else read.coded()


_TITLE_WORDS: Final = frozenset(
    fold(word) for word in ("New", "Used", "Pre-Owned", "Preowned", "Certified", "CPO", "Usato", "Nuovo")
)


def read_vehicle_types(rows: Rows, states: States) -> Coded:
    """Return the kind of vehicle by row and leave out kinds that no rooftop says it sells."""
    kinds = Coded(["car"], np.zeros(len(rows.batch), dtype=np.int32))
    for name, column in rows.columns("vehicle_type", "category", "body"):
        read = states.vehicle_type.column(column)
        other = [value if value not in {"car", None} else None for value in read.values]
        if any(other):
            kinds = _filled(Coded(other, read.codes), kinds)
            _refuse_kinds(rows, name, column, kinds)
            break
    return kinds


def _refuse_kinds(rows: Rows, name: str, column: Column, kinds: Coded) -> None:
    strange = [kind not in rows.setting.vehicle_types for kind in kinds.values]
    found = np.flatnonzero(np.array(strange, dtype=np.bool_)[kinds.codes]).tolist()
    rows.refuse(found, name, column, rule="vehicle_type")


def read_rooftops(rows: Rows) -> tuple[Coded | None, Coded | None]:
    """Return the rooftop by row, as the profile names it, and the feed's own words where they differ.

    A dealer with one rooftop needs no column. A name that the profile does not have is kept as the feed's
    word only: `Vehicle.rooftop` must be the name of a rooftop (AAP v1.3, dealer.information).
    """
    setting = rows.setting
    only = setting.mapping.rooftop or (setting.rooftops[0] if len(setting.rooftops) == 1 else None)
    found = rows.text("rooftop", "rooftop_code")
    if found is None:
        return (Coded([only], np.zeros(len(rows.batch), dtype=np.int32)) if only else None), None
    names = {fold(name): name for name in setting.rooftops} | {
        fold(key): name for key, name in setting.mapping.rooftops.items()
    }
    read = Reader(lambda text: _read_rooftop(text, names, only)).column(found[1])
    if setting.rooftops:
        rows.note_rules(found[0], read, found[1])
    words = [
        clean_line(text) if value is None and not is_blank(text) else None
        for text, value in zip(read.texts, read.values, strict=True)
    ]
    raw = Coded(words, read.codes)
    return (None if read.coded().is_empty else read.coded()), (None if raw.is_empty else raw)


def _read_rooftop(text: str, names: Mapping[str, str], only: str | None) -> Read:
    if is_blank(text):
        return Read(only)
    name = names.get(fold(first_of_several(text))) or only
    return Read(name, None if name else "rooftop_unknown")
