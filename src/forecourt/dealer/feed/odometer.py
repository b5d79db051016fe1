"""The mileage of a row with its unit, and where it does not fit the condition."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from forecourt.dealer.chunk import Coded
from forecourt.dealer.feed.parsing import Read, Reader, first_filled, first_of_several
from forecourt.dealer.feed.rows import Rows
from forecourt.dealer.listing import Distance, miles
from forecourt.tables.amounts import KM_PER_MIL, Reading, Unreadable, read_mileage, unit_of_distance

_NEW_UNTIL_MILES: Final = 1_000
_USED_FROM_MILES: Final = 100
_MISSING: Final = -1


@dataclass(slots=True)
class Odometer:
    """Readers by the unit that a column's name gives, which remember between batches."""

    readers: dict[str | None, Reader]


def read_odometer(rows: Rows, odometer: Odometer, condition: Coded | None) -> Coded | None:
    """Return the mileage by row; take rows out whose odometer is junk. A used vehicle's 0 is unknown."""
    found = rows.setting.layout.columns(rows.batch, "mileage")
    if not found:
        return None
    name, unit = found[0][0], found[0][1].unit
    texts = first_filled([column for _, meaning, column in found if meaning.unit == unit])
    reader = odometer.readers.setdefault(unit, _reader(rows, unit if unit in {"km", "mi", "mil"} else None))
    read = reader.column(texts)
    for rule, speaking in read.rows_by_rule():
        if isinstance(read.values[read.codes[speaking[0]]], Unreadable):
            rows.refuse(speaking, name, texts, rule=rule)
        else:
            rows.note(speaking, name, texts, rule=rule)
    values = [value if isinstance(value, Reading) else None for value in read.values]
    distances = np.array([_MISSING if value is None else value.value for value in values], dtype=np.int64)[
        read.codes
    ]
    in_miles = np.array([value is not None and value.unit == "mi" for value in values], dtype=np.bool_)[
        read.codes
    ]
    has_unit = np.array([value is not None and value.unit is not None for value in values], dtype=np.bool_)[
        read.codes
    ]
    distances, in_miles = _with_unit_column(rows, distances, in_miles, has_unit, unit)
    distances = _without_blanks(rows, name, texts, distances, in_miles, condition)
    keys, codes = np.unique(distances * 2 + in_miles, return_inverse=True)
    return Coded([_distance(key) for key in keys.tolist()], codes.astype(np.int32))


def _distance(key: int) -> Distance | None:
    value, in_miles = divmod(key, 2)
    return None if value < 0 else Distance(value, "mi" if in_miles else "km")


def _reader(rows: Rows, unit: str | None) -> Reader:
    style = rows.setting.conventions.number_style

    def parse(text: str) -> Read:
        found = read_mileage(first_of_several(text), style, unit=unit)
        if isinstance(found, Reading):
            return Read(found)
        return Read(found, None if found.rule == "blank" else found.rule)

    return Reader(parse)


def _with_unit_column(
    rows: Rows, distances: Any, in_miles: Any, has_unit: Any, header_unit: str | None
) -> tuple[Any, Any]:
    """Settle the unit of bare numbers: the row's unit column, else that of the file."""
    del header_unit
    unit = rows.setting.conventions.mileage_unit
    found = rows.text("mileage_unit")
    texts = found[1] if found is not None else [""] * len(rows.batch)
    read = Reader(lambda text: Read(unit_of_distance(first_of_several(text)) or unit)).column(texts)
    row_miles = read.flags(lambda value: value == "mi")
    row_mil = read.flags(lambda value: value == "mil")
    distances = np.where(~has_unit & row_mil & (distances > 0), distances * KM_PER_MIL, distances)
    return distances, np.where(has_unit, in_miles, row_miles)


def _without_blanks(
    rows: Rows, name: str, texts: Any, distances: Any, in_miles: Any, condition: Coded | None
) -> Any:
    """Drop zeros of vehicles that are not new, and note conditions that the odometer contradicts."""
    values = condition.values if condition is not None else [None]
    codes = condition.codes if condition is not None else np.zeros(len(rows.batch), dtype=np.int32)
    new = np.array([value == "new" for value in values], dtype=np.bool_)[codes]
    used = np.array([value in {"used", "cpo"} for value in values], dtype=np.bool_)[codes]
    blank = (distances == 0) & ~new
    rows.note(np.flatnonzero(blank).tolist(), name, texts, rule="zero_mileage")
    driven = np.where(in_miles, distances, distances / 1.609344)
    doubtful = (new & (driven > _NEW_UNTIL_MILES)) | (used & (driven > 0) & (driven < _USED_FROM_MILES))
    rows.note(np.flatnonzero(doubtful).tolist(), name, texts, rule="condition_doubtful")
    return np.where(blank, _MISSING, distances)


def miles_by_row(mileage: Coded | None, size: int) -> list[int | None]:
    """Return the mileage in miles by row."""
    if mileage is None:
        return [None] * size
    in_miles = [None if value is None else miles(value) for value in mileage.values]
    return [in_miles[code] for code in mileage.codes.tolist()]
