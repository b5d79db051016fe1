"""Read the KBA's list of type keys (statistic FZ 6, as XLSX or CSV) and find the models that its names mean.

The list has maker and trade name of each key, no power, fuel or years. It is under the licence dl-de/by-2-0,
whose notice is kept with the data and shown with every answer made from them.
"""

import csv
import gzip
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from forecourt.base.text_folding import fold_letters
from forecourt.catalogue.catalogue import Catalogue
from forecourt.catalogue.entries import Make
from forecourt.catalogue.errors import KbaFileUnusable
from forecourt.catalogue.kba_store import TypeKey
from forecourt.catalogue.names import cut, key_of
from forecourt.catalogue.reading import Makes, Reading, read_models

_LICENCE: Final = "https://www.govdata.de/dl-de/by-2-0"
_COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "hsn": ("hsn", "hersteller-schlusselnummer", "herstellerschlusselnummer"),
    "tsn": ("tsn", "typ-schlusselnummer", "typschlusselnummer"),
    "maker": ("hersteller", "herstellerklartext", "hersteller-klartext"),
    "name": ("handelsname", "handelsbezeichnung"),
}
_STATE: Final = re.compile(r"(?:Stand|am)[: ]*(?:zum )?(\d{1,2})\.\s*(Januar|\d{1,2}\.)\s*(\d{4})")
_HSN: Final = re.compile(r"\d{1,4}")
_TSN: Final = re.compile(r"[A-Z0-9]{3}")
_UNKNOWN: Final = "UNBEKANNT"
_OTHER_VEHICLES: Final = frozenset(
    [
        "truck",
        "trucks",
        "trattori",
        "construction",
        "bus",
        "busse",
        "nutzfahrzeuge",
        "motocycl",
        "cfmoto",
        "motorrad",
    ]
)
"""Words in the names of makers of lorries, buses, tractors and motorcycles."""
_MOST_MODELS: Final = 10


@dataclass(frozen=True, slots=True)
class KbaList:
    """A list as read: keys without models yet, the day whose state it is, and how many rows were no keys."""

    keys: tuple[TypeKey, ...]
    as_of: date | None
    skipped: int

    def notice(self) -> str:
        """Return the attribution that the licence asks for."""
        state = f", Stand {self.as_of:%d.%m.%Y}" if self.as_of else ""
        return (
            f"© Kraftfahrt-Bundesamt, Flensburg, FZ 6{state}; Datenlizenz Deutschland – Namensnennung – "
            f"Version 2.0 ({_LICENCE}); changed: names were matched with models."
        )


def read_kba(path: Path) -> KbaList:
    """Read a list from XLSX or CSV, gzipped or not; raises `KbaFileUnusable` when it is no list of keys."""
    try:
        rows = list(_rows(path))
    except (OSError, ValueError, KeyError, csv.Error) as error:
        raise KbaFileUnusable(f"{path.name} cannot be read as XLSX or CSV.") from error
    columns, first = _header(rows)
    keys: dict[tuple[str, str], TypeKey] = {}
    for row in rows[first:]:
        key = _key(row, columns)
        if key is not None:
            keys.setdefault((key.hsn, key.tsn), key)
    if not keys:
        raise KbaFileUnusable(f"{path.name} has no row with an HSN and a TSN.")
    return KbaList(tuple(keys.values()), _as_of(rows), sum(map(any, rows[first:])) - len(keys))


def with_models(catalogue: Catalogue, keys: Iterable[TypeKey]) -> Iterator[TypeKey]:
    """Yield the keys with the models that their trade names mean."""
    for key in keys:
        models = models_of(catalogue, key.name, makes_of(catalogue, key.maker))
        yield TypeKey(key.hsn, key.tsn, key.maker, key.name, models)


@lru_cache(maxsize=8192)
def makes_of(catalogue: Catalogue, maker: str) -> tuple[Make, ...]:
    """Return the makes that a maker's name in the list can stand for, its namesake first.

    There are none for makers of other vehicles.
    """
    words = _maker_words(maker)
    if _OTHER_VEHICLES.intersection(words):
        return ()
    folded = " ".join(words)
    found = [
        make
        for make in catalogue.makes.values()
        if any(_begins(folded, beginning) for beginning in _beginnings(make.kba_makers))
    ]
    return tuple(sorted(found, key=lambda make: key_of(make.name) != words[0]))


def models_of(catalogue: Catalogue, name: str, makes: tuple[Make, ...]) -> tuple[str, ...]:
    """Return the ids of the models that a trade name means, several when it lists several cars."""
    if not makes or name.upper().startswith(_UNKNOWN):
        return ()
    parts = [part for part in re.split(r"[;,]", name) if part.strip()]
    found = (_model_of(catalogue, part, makes, is_first=not place) for place, part in enumerate(parts))
    return tuple(dict.fromkeys(model for model in found if model is not None))[:_MOST_MODELS]


@lru_cache(maxsize=65536)
def _model_of(catalogue: Catalogue, name: str, makes: tuple[Make, ...], *, is_first: bool) -> str | None:
    """Return the model of one name; what follows a comma may be a trim, so it must say more than one.

    A make that the name itself says goes first: the G70 of `GENESIS G70` is no Hyundai Genesis.
    """
    words = cut(name)
    spans = catalogue.names.make_mentions(words)
    said = tuple(make for make in makes if any(span[0] == make.id for span in spans))
    for among in filter(None, (said, makes)):
        readings = [_best_of(catalogue, words, make, is_first=is_first) for make in among]
        found = [one for one in readings if one is not None]
        if found:
            return max(found, key=lambda one: one.score).model.id
    return None


def _best_of(catalogue: Catalogue, words: list[str], make: Make, *, is_first: bool) -> Reading | None:
    spans = tuple(span for span in catalogue.names.make_mentions(words) if span[0] == make.id)
    readings = read_models(catalogue, words, makes=Makes(spans, make.id if is_first else None))
    return next((one for one in readings if one.model.make_id == make.id), None)


def _begins(maker: str, beginning: str) -> bool:
    return maker == beginning or maker.startswith(beginning + " ")


@lru_cache(maxsize=512)
def _beginnings(makers: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(" ".join(_maker_words(maker)) for maker in makers)


def _maker_words(maker: str) -> list[str]:
    return re.findall(r"[^\W_]+", fold_letters(maker))


def _rows(path: Path) -> Iterator[list[str]]:
    content = path.read_bytes()
    if content.startswith(b"\x1f\x8b"):
        content = gzip.decompress(content)
    if content.startswith(b"PK\x03\x04"):
        yield from _sheet_rows(content)
        return
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252")
    delimiter = ";" if text.partition("\n")[0].count(";") > text.partition("\n")[0].count(",") else ","
    yield from csv.reader(io.StringIO(text), delimiter=delimiter)


def _sheet_rows(content: bytes) -> Iterator[list[str]]:
    from openpyxl import load_workbook

    workbook = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    for sheet in workbook.worksheets:
        for row in sheet.iter_rows(values_only=True):
            yield ["" if value is None else _text(value) for value in row]


def _text(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value).strip()


def _header(rows: list[list[str]]) -> tuple[dict[str, int], int]:
    """Return the columns that count and the row after the header; raises `KbaFileUnusable` without one."""
    for number, row in enumerate(rows):
        names = [re.sub(r"\s+", "", fold_letters(cell)) for cell in row]
        columns = {
            column: next((names.index(name) for name in spellings if name in names), -1)
            for column, spellings in _COLUMNS.items()
        }
        if min(columns.values()) >= 0:
            return columns, number + 1
    raise KbaFileUnusable("The file has no columns HSN, TSN, Hersteller and Handelsname.")


def _key(row: list[str], columns: Mapping[str, int]) -> TypeKey | None:
    if len(row) <= max(columns.values()):
        return None
    hsn, tsn, maker, name = (row[columns[column]].strip() for column in ("hsn", "tsn", "maker", "name"))
    tsn = tsn.upper().zfill(3)
    if not _HSN.fullmatch(hsn) or not _TSN.fullmatch(tsn):
        return None
    return TypeKey(hsn.zfill(4), tsn, maker, name)


def _as_of(rows: list[list[str]]) -> date | None:
    for row in rows[:40]:
        for cell in row:
            match = _STATE.search(cell)
            if match:
                month = 1 if match[2] == "Januar" else int(match[2].rstrip("."))
                return date(int(match[3]), month, int(match[1]))
    return None
