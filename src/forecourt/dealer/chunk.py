"""Listings as columns: how thousands of them are kept in one row of the database.

A column holds each different value once and a 16-bit code per listing. That is smaller than listing by
listing, is read and written at the speed of the JSON parser, and lets work on values (currencies, miles) be
done once per value instead of once per listing (docs/decisions/0040).
"""

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray
from pydantic_core import from_json, to_json

from forecourt.base.clock import isoformat
from forecourt.dealer.listing import (
    ANSWER_CURRENCY,
    ATTRIBUTES,
    CONVERTERS,
    FIELDS,
    PRICE_FIELDS,
    Distance,
    Listing,
    Money,
    other_attributes,
)
from forecourt.dealer.search.blocks import Block

Codes = NDArray[np.int32]
Flags = NDArray[np.bool_]

LARGEST_CHUNK: Final = 1 << 16
_RAW: Final = "raw."
_TUPLES: Final = {**dict.fromkeys(PRICE_FIELDS, Money._make), "mileage": Distance._make}


@dataclass(frozen=True, slots=True)
class Coded:
    """One field of many listings: `values[codes[i]]` is that of listing i; None says that it has none."""

    values: Sequence[Any]
    codes: Codes

    def __len__(self) -> int:
        return len(self.codes)

    def expanded(self) -> list[Any]:
        """Return the value of every listing."""
        return list(map(self.values.__getitem__, self.codes.tolist()))

    def kept(self, keep: Flags) -> "Coded":
        """Return the column of the listings that are flagged, without values that none of them has."""
        codes = self.codes[keep]
        used, renumbered = np.unique(codes, return_inverse=True)
        if len(used) == len(self.values):
            return Coded(self.values, codes)
        return Coded([self.values[code] for code in used.tolist()], renumbered.astype(np.int32))

    @property
    def is_empty(self) -> bool:
        """Tell whether no listing has a value."""
        return all(value is None for value in self.values)


def coded(values: Sequence[Any]) -> Coded:
    """Return values that are mostly different as a column, without looking for equal ones."""
    return Coded(values, np.arange(len(values), dtype=np.int32))


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some listings of a stock as columns; a field that none of them has is absent.

    A column `raw.FIELD` holds the feed's own words where they differ from what is kept in FIELD.
    """

    size: int
    columns: Mapping[str, Coded]

    def listings(self) -> Iterator[Listing]:
        """Yield the listings one by one."""
        names = [name for name in self.columns if name in FIELDS]
        raws = [name for name in self.columns if name.startswith(_RAW)]
        fields = zip(*(self.columns[name].expanded() for name in names), strict=True)
        words = list(zip(*(self.columns[name].expanded() for name in raws), strict=True))
        raw_names = [name.removeprefix(_RAW) for name in raws]
        for number, values in enumerate(fields):
            listing = {name: value for name, value in zip(names, values, strict=True) if value is not None}
            if words:
                own = {
                    name: text
                    for name, text in zip(raw_names, words[number], strict=True)
                    if text is not None
                }
                if own:
                    listing["raw"] = own
            yield cast("Listing", listing)

    def encoded(self) -> bytes:
        """Return the chunk as bytes for the database."""
        columns = {name: _encoded_column(column) for name, column in self.columns.items()}
        content = {"size": self.size, "columns": columns}
        return to_json(content)


def decoded_chunk(content: bytes) -> Chunk:
    """Return the chunk that `Chunk.encoded` wrote."""
    document = from_json(content)
    columns = {name: _decoded_column(name, column) for name, column in document["columns"].items()}
    return Chunk(document["size"], columns)


def aap_block(chunk: Chunk, confirmed_at: datetime) -> Block:
    """Return what `aap_vehicle` makes of each listing; dollars and miles are worked out once per value."""
    return Block(chunk.size, aap_columns(chunk, confirmed_at), left_out_column(chunk))


def aap_columns(chunk: Chunk, confirmed_at: datetime) -> dict[str, Coded]:
    """Return the AAP vehicles of a chunk as columns by AAP field, each different value once."""
    columns = {name: _converted(name, column) for name, column in chunk.columns.items() if name in CONVERTERS}
    attributes = _attribute_maps(chunk)
    if attributes is not None:
        columns["other_attributes"] = attributes
    columns["updated_at"] = _confirmed(columns.get("updated_at"), chunk.size, isoformat(confirmed_at))
    return columns


def _converted(name: str, column: Coded) -> Coded:
    convert = CONVERTERS[name]
    return Coded([None if value is None else convert(value) for value in column.values], column.codes)


def _confirmed(stated: Coded | None, size: int, confirmed_at: str) -> Coded:
    if stated is None:
        return Coded([confirmed_at], np.zeros(size, dtype=np.int32))
    return Coded([value or confirmed_at for value in stated.values], stated.codes)


def _attribute_maps(chunk: Chunk) -> Coded | None:
    parts = {name: chunk.columns[name] for name in (*ATTRIBUTES, "other_attributes") if name in chunk.columns}
    if not parts:
        return None
    rooftops = chunk.columns.get("rooftop")
    if len(parts) == 1 and "also_at" not in parts:
        name, column = parts.popitem()
        maps = [
            None if value is None else other_attributes(cast("Listing", {name: value}))
            for value in column.values
        ]
        return Coded(maps, column.codes)
    if rooftops is not None:
        parts["rooftop"] = rooftops
    cells = zip(*(column.expanded() for column in parts.values()), strict=True)
    listings = (
        {name: value for name, value in zip(parts, row, strict=True) if value is not None} for row in cells
    )
    return coded([other_attributes(cast("Listing", listing)) or None for listing in listings])


def left_out_column(chunk: Chunk) -> Coded:
    """Return per listing, in alphabetical order, the currencies of prices that an answer cannot show."""
    prices = [chunk.columns[name] for name in PRICE_FIELDS if name in chunk.columns]
    if all(value is None or value.currency == ANSWER_CURRENCY for price in prices for value in price.values):
        return Coded([()], np.zeros(chunk.size, dtype=np.int32))
    rows = zip(*(price.expanded() for price in prices), strict=True)
    found = [tuple(sorted({price.currency for price in row if price} - {ANSWER_CURRENCY})) for row in rows]
    places: dict[tuple[str, ...], int] = {}
    codes = [places.setdefault(currencies, len(places)) for currencies in found]
    return Coded(list(places), np.array(codes, dtype=np.int32))


def with_further_rooftops(chunk: Chunk, also_at: Mapping[str, list[str]], *, first: int) -> Chunk:
    """Return a chunk with the rooftops that later rows gave for its listings.

    `also_at` has them by the listing's place in the whole stock, `first` being that of its first.
    """
    named = [also_at.get(str(place)) for place in range(first, first + chunk.size)]
    if not any(named):
        return chunk
    own = chunk.columns["rooftop"].expanded() if "rooftop" in chunk.columns else [None] * chunk.size
    further = [
        [name for name in names if name != rooftop] or None if names else None
        for names, rooftop in zip(named, own, strict=True)
    ]
    return Chunk(chunk.size, {**chunk.columns, "also_at": coded(further)})


def chunk_of_listings(listings: Sequence[Listing]) -> Chunk:
    """Return listings, given one by one, as columns."""
    columns: dict[str, Coded] = {}
    for name in FIELDS:
        values = [listing.get(name) for listing in listings]
        if name != "raw" and any(value is not None for value in values):
            columns[name] = coded(values)
    words = dict.fromkeys(word for listing in listings for word in listing.get("raw", ()))
    for word in words:
        columns[_RAW + word] = coded([listing.get("raw", {}).get(word) for listing in listings])
    return Chunk(len(listings), columns)


def _encoded_column(column: Coded) -> dict[str, Any]:
    if len(column.values) == len(column.codes) and np.array_equal(column.codes, np.arange(len(column.codes))):
        return {"values": column.values}
    codes = base64.b64encode(column.codes.astype("<u2").tobytes()).decode("ascii")
    return {"values": column.values, "codes": codes}


def _decoded_column(name: str, column: Mapping[str, Any]) -> Coded:
    values = column["values"]
    make = _TUPLES.get(name)
    if make is not None:
        values = [None if value is None else make(value) for value in values]
    if "codes" not in column:
        return coded(values)
    return Coded(values, np.frombuffer(base64.b64decode(column["codes"]), dtype="<u2").astype(np.int32))
