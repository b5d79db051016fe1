"""What a row is found by again: VIN, stock number, id, plate; and rows that are no vehicle at all."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from forecourt.dealer.chunk import Coded, coded
from forecourt.dealer.feed.rows import Rows
from forecourt.tables.batches import Column
from forecourt.tables.header_row import same_row_again
from forecourt.tables.texts import clean_line
from forecourt.tables.vins import clean_vin, looks_like_vin
from forecourt.tables.words import fold, is_blank

_CLEAN_VIN: Final = re.compile(r"(?!(.)\1{6})(?=[A-Z]*[0-9])[A-HJ-NPR-Z0-9]{13}[0-9]{4}")
_LONGEST_ID: Final = 100
_PLACEHOLDERS: Final = frozenset(
    {
        "test",
        "test car",
        "dummy",
        "sample",
        "placeholder",
        "platzhalter",
        "do not use",
        "various",
        "diverse",
        "example",
    }
)

_PLATES: Final = {
    "SE": re.compile(r"[A-Z]{3} ?\d\d[A-Z\d]"),
    "NO": re.compile(r"[A-Z]{2} ?\d{5}"),
    "DK": re.compile(r"[A-Z]{2} ?\d{5}"),
    "GB": re.compile(r"[A-Z]{2}\d\d ?[A-Z]{3}"), "ES": re.compile(r"\d{4} ?[B-DF-HJ-NP-TV-Z]{3}"),
    "FR": re.compile(r"[A-Z]{2}-?\d{3}-?[A-Z]{2}"),
    "IT": re.compile(r"[A-Z]{2} ?\d{3} ?[A-Z]{2}"),
    "FI": re.compile(r"[A-Z]{3}-?\d{1,3}"),
    "PT": re.compile(r"(?:[A-Z]{2}|\d\d)-(?:[A-Z]{2}|\d\d)-(?:[A-Z]{2}|\d\d)"),
}  # fmt: skip
"""The usual plates of countries where feeds call vehicles by their plate."""

Texts = list[str | None]


@dataclass(slots=True)
class Seen:
    """The vehicles of the rows that were taken so far, and further rooftops that later rows gave for them."""

    places: dict[str, int] = field(default_factory=dict)
    taken: int = 0
    rooftops: dict[int, list[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Identities:
    """The identifiers of every row of a batch; `ids` is what stands in `vehicle_id`."""

    vins: Texts
    stocks: Texts
    plates: Texts
    ids: list[str]

    def columns(self) -> dict[str, Coded]:
        """Return the identifiers as columns of listings."""
        found = {"vin": self.vins, "stock": self.stocks, "registration": self.plates}
        return {"vehicle_id": coded(self.ids)} | {
            name: coded(texts) for name, texts in found.items() if any(text is not None for text in texts)
        }


def read_identities(rows: Rows) -> Identities:
    """Read the identifiers of a batch and take rows out that are no vehicle or cannot be found again."""
    _refuse_what_is_no_vehicle(rows)
    size = len(rows.batch)
    own_ids = _distinct_ids(rows, "vehicle_id")
    vins = _vins(rows, own_ids)
    stocks = _stocks(rows, vins)
    plates = _plates(rows, own_ids)
    if not rows.columns("stock"):
        stocks = [
            None if own is None or own == vin or looks_like_vin(own) else own
            for own, vin in zip(own_ids, vins, strict=True)
        ]
    addresses = _ids(rows, "vdp_url") if _needs_addresses(vins, own_ids, stocks, plates) else [None] * size
    ids = [
        own or vin or stock or plate or (address and _digest(address)) or ""
        for own, vin, stock, plate, address in zip(own_ids, vins, stocks, plates, addresses, strict=True)
    ]
    if "" in ids:
        _settle_rows_without_id(rows, ids)
    return Identities(vins, stocks, plates, ids)


def refuse_repeated(rows: Rows, identities: Identities, rooftops: Texts, seen: Seen) -> None:
    """Keep the first row of each vehicle; a later one only adds its rooftop."""
    for row in np.flatnonzero(rows.taken).tolist():
        vin = identities.vins[row]
        key = vin or f"#{identities.ids[row]}"
        place = seen.places.setdefault(key, seen.taken)
        if place == seen.taken:
            seen.taken += 1
            continue
        column, rule = ("vin", "duplicate_vin") if vin else ("id", "duplicate_id")
        rows.refuse_row(row, column, key.removeprefix("#"), rule=rule)
        rooftop = rooftops[row]
        if rooftop is not None and rooftop not in seen.rooftops.setdefault(place, []):
            seen.rooftops[place].append(rooftop)


def _vins(rows: Rows, own_ids: Texts) -> Texts:
    found = rows.text("vin")
    if found is None:
        return [own.upper() if own is not None and looks_like_vin(own) else None for own in own_ids]
    name, column = found
    matches = _CLEAN_VIN.fullmatch
    return [
        text if matches(text) else _mended_vin(rows, row, name, column) for row, text in enumerate(column)
    ]


def _mended_vin(rows: Rows, row: int, name: str, column: Column) -> str | None:
    if is_blank(column[row]):
        return None
    cleaned = clean_vin(column[row])
    if cleaned.rule is not None:
        rows.note([row], name, column, rule=cleaned.rule)
    return cleaned.vin


def _stocks(rows: Rows, vins: Texts) -> Texts:
    stocks = _ids(rows, "stock")
    repeated = [
        row
        for row, (stock, vin) in enumerate(zip(stocks, vins, strict=True))
        if stock is not None and stock == vin
    ]
    if repeated:
        rows.note(
            repeated, "stock", ["" if stock is None else stock for stock in stocks], rule="stock_is_vin"
        )
        for row in repeated:
            stocks[row] = None
    return stocks


def _ids(rows: Rows, role: str) -> Texts:
    found = rows.text(role)
    return [None] * len(rows.batch) if found is None else list(map(_id, found[1]))


def _plates(rows: Rows, own_ids: Texts) -> Texts:
    """Return the plates; the ids are plates too when they have the country's shape."""
    pattern = _PLATES.get(rows.setting.conventions.country or "")
    filled = [text for text in own_ids if text is not None]
    if pattern is None or rows.columns("registration"):
        return _ids(rows, "registration")
    fitting = [text if text is not None and pattern.fullmatch(text.upper()) else None for text in own_ids]
    return (
        fitting
        if sum(text is not None for text in fitting) >= 0.8 * max(len(filled), 1)
        else [None] * len(own_ids)
    )


def _distinct_ids(rows: Rows, role: str) -> Texts:
    """Return the first column of the role whose values tell the rows apart."""
    for _, column in rows.columns(role):
        ids = list(map(_id, column))
        filled = [text for text in ids if text is not None]
        if len(set(filled)) > 0.6 * len(ids) or len(ids) <= 2:
            return ids
    return [None] * len(rows.batch)


def _id(text: str) -> str | None:
    """Return an id as the text it is, leading zeros and all."""
    text = text.strip()
    if text.isalnum() and len(text) < _LONGEST_ID and text != "0":
        return text if len(text) > 3 or not is_blank(text) else None
    return None if is_blank(text) or text == "0" else clean_line(text)[:_LONGEST_ID]


def _needs_addresses(*identifiers: Texts) -> bool:
    return any(not any(found) for found in zip(*identifiers, strict=True))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def _settle_rows_without_id(rows: Rows, ids: list[str]) -> None:
    """Refuse rows without any id, unless the whole file has none: then what a row says serves as its id."""
    missing = [row for row, text in enumerate(ids) if not text]
    if rows.setting.layout.roles() & {"vin", "stock", "vehicle_id", "registration", "vdp_url"}:
        rows.refuse(missing, "", [""] * len(ids), rule="no_identity")
        return
    told = [
        column
        for _, column in rows.columns(
            "make", "model", "trim", "year", "first_registration", "mileage", "exterior_color"
        )
    ]
    for row in missing:
        ids[row] = _digest("\x1f".join(column[row] for column in told))


def _refuse_what_is_no_vehicle(rows: Rows) -> None:
    told = rows.columns("make", "model", "title", "vin")
    if not told:
        return
    first, *others = (column for _, column in told)
    for row in _blank_rows(first, others):
        rows.refuse([row], told[0][0], first, rule="not_a_vehicle")
    for name, column in rows.columns("make", "model"):
        odd = {text for text in dict.fromkeys(column) if fold(text) in _PLACEHOLDERS}
        again = {text for text in dict.fromkeys(column) if fold(text) == fold(name) and text}
        if odd or again:
            _refuse_odd(rows, name, column, odd | again)


def _blank_rows(first: Column, others: list[Column]) -> Iterator[int]:
    blanks = {text for text in dict.fromkeys(first) if is_blank(text)}
    if blanks:
        for row, text in enumerate(first):
            if text in blanks and all(is_blank(column[row]) for column in others):
                yield row


def _refuse_odd(rows: Rows, name: str, column: Column, odd: set[str]) -> None:
    for row, text in enumerate(column):
        if text in odd:
            cells = [cells[row] for cells in rows.batch.columns]
            again = same_row_again(rows.batch.names, cells)
            if again or fold(text) in _PLACEHOLDERS:
                rows.refuse([row], name, column, rule="header_again" if again else "placeholder_row")
