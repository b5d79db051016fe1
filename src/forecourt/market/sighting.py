"""A sighting: what one row of a file says about one advert on one day. The record of the market."""

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

import pyarrow as pa


class Sighting(NamedTuple):
    """One advert as it was seen on a day. Prices in whole units of the market's currency; None is unknown.

    `advert_id` is the site's own, else made from the row. `vin_key` is a digest of the VIN, which itself is
    not kept. Words of fuel, gearbox, drive and body are those of the vehicle-data contract.
    """

    site: str
    advert_id: str
    seen_on: date
    price: int
    make: str
    model: str
    year: int
    mileage_km: int
    listed_on: date | None = None
    model_id: str | None = None
    variant: str | None = None
    first_registration: str | None = None
    fuel: str | None = None
    transmission: str | None = None
    drive: str | None = None
    body_type: str | None = None
    power_kw: int | None = None
    displacement_cc: int | None = None
    battery_kwh: float | None = None
    doors: int | None = None
    colour: str | None = None
    condition: str | None = None
    seller_type: str | None = None
    region: str | None = None
    origin: str | None = None
    vin_key: str | None = None


_TEXT = pa.string()
SCHEMA = pa.schema(
    [
        ("site", _TEXT),
        ("advert_id", _TEXT),
        ("seen_on", pa.date32()),
        ("price", pa.int64()),
        ("make", _TEXT),
        ("model", _TEXT),
        ("year", pa.int16()),
        ("mileage_km", pa.int32()),
        ("listed_on", pa.date32()),
        ("model_id", _TEXT),
        ("variant", _TEXT),
        ("first_registration", _TEXT),
        ("fuel", _TEXT),
        ("transmission", _TEXT),
        ("drive", _TEXT),
        ("body_type", _TEXT),
        ("power_kw", pa.int16()),
        ("displacement_cc", pa.int32()),
        ("battery_kwh", pa.float64()),
        ("doors", pa.int16()),
        ("colour", _TEXT),
        ("condition", _TEXT),
        ("seller_type", _TEXT),
        ("region", _TEXT),
        ("origin", _TEXT),
        ("vin_key", _TEXT),
    ]
)


def table_of(sightings: Iterable[Sighting]) -> pa.Table:
    """Return sightings as columns."""
    columns = list(zip(*sightings, strict=True)) or [()] * len(SCHEMA)
    arrays = [pa.array(column, type=field.type) for column, field in zip(columns, SCHEMA, strict=True)]
    return pa.Table.from_arrays(arrays, schema=SCHEMA)
