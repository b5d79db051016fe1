"""Adverts: what follows from the sightings of a market. Which of them are one car, which drivetrain each has,
and which are set aside.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import median
from typing import Any, Final

import pyarrow as pa

from forecourt.catalogue.catalogue import Catalogue
from forecourt.catalogue.learning import Advert, Learned, learn_drivetrains
from forecourt.market.cleaning import ALIKE_LEAST, FARTHEST
from forecourt.market.matching import DrivetrainMatcher
from forecourt.market.reposts import Candidate, cars_of

_ENGINE: Final = (
    "model_id", "year", "body_type", "fuel", "transmission", "drive", "power_kw", "displacement_cc",
)  # fmt: skip
_COMPARED: Final = (
    "year", "fuel", "mileage_km", "price", "first_seen", "last_seen", "site", "transmission", "power_kw",
    "displacement_cc", "body_type", "doors", "colour", "variant", "region", "seller_type", "vin_key",
)  # fmt: skip


def learn_from(histories: pa.Table, catalogue: Catalogue) -> Learned:
    """Return the drivetrains that the adverts of a market show."""
    names = ("model_id", "year", "body_type", "fuel", "transmission", "drive", "power_kw", "displacement_cc")
    rows = _rows(histories, (*names, "battery_kwh"))
    return learn_drivetrains(catalogue, (Advert(**row) for row in rows if row["model_id"] is not None))


def build_adverts(histories: pa.Table, catalogue: Catalogue) -> pa.Table:
    """Return the adverts of a market: the histories and, for each, what follows.

    `car_id` is the same for all adverts of one car; `newest_of_car` marks the one whose price counts;
    `set_aside` has a reason of `cleaning.SET_ASIDE` or nothing.
    """
    cars = cars_of(list(_candidates(histories)))
    matcher = DrivetrainMatcher(catalogue)
    engines = _tuples(histories, _ENGINE)
    found = [matcher.match(*engine) for engine in engines]
    columns: dict[str, tuple[Sequence[Any], pa.DataType]] = {
        "generation_id": ([generation for generation, _ in found], pa.string()),
        "drivetrain_id": ([drivetrain for _, drivetrain in found], pa.string()),
        "car_id": (_car_ids(histories, cars), pa.string()),
        "newest_of_car": (_newest(histories, cars), pa.bool_()),
        "set_aside": (_set_aside(histories), pa.string()),
    }
    table = histories
    for name, (values, kind) in columns.items():
        table = table.append_column(name, pa.array(values, type=kind))
    return table


def _tuples(table: pa.Table, names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    return zip(*(table.column(name).to_pylist() for name in names), strict=True)


def _rows(table: pa.Table, names: Sequence[str]) -> Iterator[dict[str, Any]]:
    return (dict(zip(names, values, strict=True)) for values in _tuples(table, names))


def _models(table: pa.Table) -> list[str]:
    """Return by advert the catalogue's model, else the words that stand for it."""
    words = _tuples(table, ("model_id", "make", "model"))
    return [model_id or f"{make} {model}".lower() for model_id, make, model in words]


def _candidates(histories: pa.Table) -> Iterator[Candidate]:
    models, months = _models(histories), histories.column("first_registration").to_pylist()
    for number, row in enumerate(_rows(histories, _COMPARED)):
        yield Candidate(number=number, model=models[number], month=months[number], **row)


def _car_ids(histories: pa.Table, cars: Sequence[int]) -> list[str]:
    names = list(_tuples(histories, ("site", "advert_id")))
    ids = {number: _car_id(*names[number]) for number in set(cars)}
    return [ids[number] for number in cars]


def _car_id(site: str, advert_id: str) -> str:
    return "car_" + hashlib.blake2b(f"{site}\x1f{advert_id}".encode(), digest_size=10).hexdigest()


def _newest(histories: pa.Table, cars: Sequence[int]) -> list[bool]:
    """Return by advert whether it is the one of its car that was seen last."""
    seen = list(_tuples(histories, ("last_seen", "first_seen")))
    last: dict[int, int] = {}
    for number, car in enumerate(cars):
        if car not in last or seen[number] > seen[last[car]]:
            last[car] = number
    return [last[car] == number for number, car in enumerate(cars)]


def _set_aside(histories: pa.Table) -> list[str | None]:
    keys = list(zip(_models(histories), histories.column("year").to_pylist(), strict=True))
    prices: list[int] = histories.column("price").to_pylist()
    usual = _medians(keys, prices)
    return [
        "price_far_from_alike" if key in usual and not _near(price, usual[key]) else None
        for key, price in zip(keys, prices, strict=True)
    ]


def _near(price: int, usual: float) -> bool:
    return usual / FARTHEST <= price <= usual * FARTHEST


def _medians(keys: Iterable[tuple[str, int]], prices: Iterable[int]) -> Mapping[tuple[str, int], float]:
    groups: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    for key, price in zip(keys, prices, strict=True):
        groups[key].append(price)
    return {key: median(group) for key, group in groups.items() if len(group) >= ALIKE_LEAST}
