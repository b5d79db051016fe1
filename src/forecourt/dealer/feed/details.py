"""Everything else that a row tells: technical data, colours, equipment, photos, texts and dates."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final

from forecourt.base.clock import isoformat
from forecourt.dealer.chunk import Coded, coded
from forecourt.dealer.feed.parsing import Read, Reader, first_of_several
from forecourt.dealer.feed.rows import Rows
from forecourt.dealer.listing import KM_PER_MILE
from forecourt.tables.batches import SEVERAL, Column
from forecourt.tables.dates import read_date, read_moment
from forecourt.tables.mapping import MappingFile
from forecourt.tables.numbers import AmbiguousNumber, NumberStyle, read_number
from forecourt.tables.texts import clean_line, clean_text, color_name, feature_list, photo_list, web_address
from forecourt.tables.words import is_blank, meaning_of, transmission_text, yes_or_no

_NUMBER: Final = re.compile(r"[+-]?\d[\d.,]*")
_LARGEST_LITRES: Final = 20
_CC_PER_CUBIC_INCH: Final = 16.387064
_HP_PER_KW: Final = 1.34102
_OLDEST_STOCK_DAYS: Final = 36_500


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a listing: the roles whose first text it is read from, and how."""

    name: str
    roles: tuple[str, ...]
    reader: Reader
    keeps_raw: bool = False


def detail_fields(
    mapping: MappingFile, *, month_first: bool | None, number_style: NumberStyle | None
) -> list[Field]:
    """Return the readers of one file, which remember between batches."""
    number = _number_parser(number_style)
    moment = Reader(lambda text: _moment(text, month_first=month_first))
    day = Reader(lambda text: _day(text, month_first=month_first))
    return [
        *(_word_field(name, mapping) for name in ("body", "driveline", "fuel")),
        Field(
            "transmission",
            ("transmission",),
            Reader(lambda text: _transmission(text, mapping)),
            keeps_raw=True,
        ),
        Field("engine", ("engine",), Reader(_line)),
        Field("displacement_cc", ("displacement",), Reader(lambda text: _displacement(number(text)))),
        Field("city_mpg", ("city_mpg",), Reader(lambda text: _whole(number(text), most=200))),
        Field("highway_mpg", ("highway_mpg",), Reader(lambda text: _whole(number(text), most=200))),
        Field("electric_range_mi", ("electric_range",), Reader(lambda text: _range(text, number(text)))),
        Field("battery_kwh", ("battery_kwh",), Reader(lambda text: _decimal(number(text), most=1_000))),
        Field("motor_power_hp", ("motor_power",), Reader(lambda text: _decimal(number(text), most=3_000))),
        Field("dc_fast_charge", ("dc_fast_charge",), Reader(lambda text: Read(yes_or_no(text)))),
        Field("charge_port", ("charge_port",), Reader(_line)),
        Field("doors", ("doors",), Reader(lambda text: _whole(number(text), most=9))),
        Field("exterior_color", ("exterior_color", "exterior_color_generic"), Reader(_color)),
        Field("interior_color", ("interior_color",), Reader(_color)),
        Field("inventory_date", ("inventory_date",), day),
        Field("updated_at", ("updated_at",), moment),
    ]


def read_details(rows: Rows, fields: list[Field]) -> dict[str, Coded]:
    """Return the columns of the fields that the file has."""
    columns: dict[str, Coded] = {}
    for field in fields:
        found = rows.text(*field.roles)
        if found is None:
            continue
        read = field.reader.column(found[1])
        rows.note_rules(found[0], read, found[1])
        if not read.coded().is_empty:
            columns[field.name] = read.coded()
            raw = read.raw() if field.keeps_raw else None
            if raw is not None:
                columns[f"raw.{field.name}"] = raw
    return columns


def read_texts(rows: Rows, features_reader: Reader) -> dict[str, Coded]:
    """Return description, notes, page address, photos and equipment, most of which no two rows share."""
    columns: dict[str, Coded] = {}
    texts = rows.text("description"), rows.text("notes")
    if texts[0] is None:
        texts = texts[1], None
    for name, found in zip(("description", "notes"), texts, strict=True):
        if found is not None:
            columns[name] = _each(found[1], _text)
    address = rows.text("vdp_url")
    if address is not None:
        columns["vdp_url"] = _each(address[1], _address)
    photos = [column for _, column in rows.columns("photos", "photos_more")]
    if photos:
        columns["photos"] = _each(_joined(photos), _photos)
    features = [column for _, column in rows.columns("features")]
    if features:
        columns["features"] = features_reader.column(_joined(features)).coded()
    return {name: column for name, column in columns.items() if not column.is_empty}


def stock_dates(rows: Rows) -> Coded | None:
    """Return the date of arrival where the file gives only days in stock."""
    found = rows.text("days_in_stock")
    if found is None or rows.columns("inventory_date"):
        return None
    today = rows.setting.now.date()
    column = Reader(lambda text: Read(_days_ago(text, today))).column(found[1]).coded()
    return None if column.is_empty else column


def fee_lists(rows: Rows) -> Coded | None:
    """Return the fees of a nested feed in AAP's own form, `fees: [{name, amount}]`."""
    names = [name for name in rows.batch.names if name.startswith("fees.") and name.endswith(".amount")]
    if not names:
        return None
    columns = [rows.batch.columns[rows.batch.names.index(name)] for name in names]
    labels = [name.removeprefix("fees.").removesuffix(".amount") for name in names]
    currency = rows.setting.conventions.currency
    lists = [_fees(labels, cells, currency) for cells in zip(*columns, strict=True)]
    return _each(lists, lambda fees: fees)


def _fees(labels: list[str], cells: tuple[str, ...], currency: str) -> list[dict[str, Any]] | None:
    amounts = [
        (label, read_number(cell, NumberStyle.POINT))
        for label, cell in zip(labels, cells, strict=True)
        if cell
    ]
    fees = [
        {"name": label, "amount": (int(amount * 100), currency)}
        for label, amount in amounts
        if amount is not None
    ]
    return fees or None


def _each(column: Any, read: Callable[[Any], Any]) -> Coded:
    return coded(list(map(read, column)))


def _joined(columns: list[Column]) -> Column:
    if len(columns) == 1:
        return columns[0]
    return [SEVERAL.join(filter(None, cells)) for cells in zip(*columns, strict=True)]


def _text(text: str) -> str | None:
    return (
        None
        if not text or (is_blank(text[:40]) and len(text) <= 40)
        else clean_text(text.replace(SEVERAL, "\n")) or None
    )


def _address(text: str) -> str | None:
    return web_address(first_of_several(text)) if text else None


def _photos(text: str) -> list[str] | None:
    return (photo_list(text) or None) if text else None


def features_of(text: str) -> Read:
    """Read an equipment list."""
    return Read(None if not text or is_blank(text) else feature_list(text) or None)


def _line(text: str) -> Read:
    return Read(None if is_blank(text) else clean_line(first_of_several(text), longest=200) or None)


def _color(text: str) -> Read:
    return Read(None if is_blank(text) else color_name(first_of_several(text)) or None)


def _word_field(name: str, mapping: MappingFile) -> Field:
    """A field of free text: our word where we know the feed's, else the feed's own."""
    declared: Mapping[str, str] = mapping.values.get(name, {})

    def parse(text: str) -> Read:
        if is_blank(text):
            return Read(None)
        words = first_of_several(text)
        return Read(declared.get(words) or meaning_of(name, words) or clean_line(words, longest=120) or None)

    return Field(name, (name,), Reader(parse), keeps_raw=True)


def _transmission(text: str, mapping: MappingFile) -> Read:
    if is_blank(text) or text.isdecimal():
        return Read(None)
    words = first_of_several(text)
    declared = mapping.values.get("transmission", {}).get(words)
    return Read(declared or transmission_text(words) or clean_line(words, longest=120) or None)


def _number_parser(style: NumberStyle | None) -> Callable[[str], float | None]:
    def parse(text: str) -> float | None:
        found = _NUMBER.search(first_of_several(text)) if not is_blank(text) else None
        try:
            number = read_number(found[0].rstrip(".,"), style) if found else None
        except AmbiguousNumber:
            return None
        return None if number is None else float(number)

    return parse


def _whole(number: float | None, *, most: int) -> Read:
    return Read(int(number + 0.5) if number is not None and 0 < number <= most else None)


def _decimal(number: float | None, *, most: int) -> Read:
    if number is None or not 0 < number <= most:
        return Read(None)
    return Read(int(number) if number == int(number) else number)


def _displacement(number: float | None) -> Read:
    """Cubic centimetres; a number below 20 is litres."""
    if number is None or number <= 0:
        return Read(None)
    cubic = number * 1000 if number < _LARGEST_LITRES else number
    return Read(int(cubic + 0.5) if cubic <= 30_000 else None)


def _range(text: str, number: float | None) -> Read:
    if number is not None and "km" in text.lower():
        number = float(int(number / KM_PER_MILE + 0.5))
    return _decimal(number, most=2_000)


def _day(text: str, *, month_first: bool | None) -> Read:
    if is_blank(text):
        return Read(None)
    day = read_date(first_of_several(text), month_first=month_first)
    if day is None:
        return Read(None, "date_ambiguous" if read_date(text, month_first=True) else None)
    return Read(day.isoformat())


def _moment(text: str, *, month_first: bool | None) -> Read:
    moment = None if is_blank(text) else read_moment(first_of_several(text), month_first=month_first)
    return Read(None if moment is None else isoformat(moment))


def _days_ago(text: str, today: date) -> str | None:
    days = int(text) if text.strip().isdecimal() and len(text.strip()) <= 5 else None
    return None if days is None or days > _OLDEST_STOCK_DAYS else (today - timedelta(days=days)).isoformat()
