"""The same car under several ids: adverts that were taken down and put up again, or stand on several sites.

A VIN decides where both have one. Otherwise two adverts of one model, year and fuel are weighed: an odometer
that shows the same odd number is strong evidence, a round one weak; month of registration, price, version,
colour and place add to it; power, body, doors or month that differ rule it out. What an honest pair of alike
cars shares by chance stays below the threshold (docs/decisions/0141).
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple

THRESHOLD: Final = 6.0
"""Two adverts of this weight are one car."""
LONGEST_GAP: Final = timedelta(days=120)
"""A car that comes back later was sold in between: another history."""
_DRIVEN_MEANWHILE_KM: Final = 150
_DEARER: Final = 1.01
_ALMOST_NEW_KM: Final = 1_000
"""Below this, cars of one delivery cannot be told apart without a VIN."""
_PRICE_APART: Final = 0.25
_MOST_NEIGHBOURS: Final = 60
_POWER_SLACK_KW: Final = 2


class Candidate(NamedTuple):
    """What is compared of an advert."""

    number: int
    model: str
    year: int
    fuel: str | None
    mileage_km: int
    price: int
    first_seen: date
    last_seen: date
    site: str
    month: str | None = None
    transmission: str | None = None
    power_kw: int | None = None
    displacement_cc: int | None = None
    body_type: str | None = None
    doors: int | None = None
    colour: str | None = None
    variant: str | None = None
    region: str | None = None
    seller_type: str | None = None
    vin_key: str | None = None


def cars_of(candidates: Sequence[Candidate]) -> list[int]:
    """Return by candidate the number of the first one that is the same car; its own when there is none."""
    groups = _Groups(len(candidates))
    for one, other in _same_vin(candidates):
        groups.join(one.number, other.number)
    for one, other in _neighbours(candidates):
        if weight(one, other) >= THRESHOLD:
            groups.join(one.number, other.number)
    return [groups.first(number) for number in range(len(candidates))]


def weight(one: Candidate, other: Candidate) -> float:
    """Return how much speaks for two adverts being one car; minus infinity when something rules it out."""
    earlier, later = sorted((one, other), key=lambda candidate: (candidate.first_seen, candidate.number))
    if _ruled_out(earlier, later):
        return float("-inf")
    return (
        _odometers(earlier.mileage_km, later.mileage_km)
        + _prices(earlier.price, later.price)
        + sum(worth for name, worth in _SAME if _equal(earlier, later, name))
        - _OTHER_VERSION * _contrary(earlier, later, "variant")
        - _side_by_side(earlier, later)
    )


_SAME: Final = (("month", 2.0), ("variant", 1.0), ("colour", 1.0), ("region", 0.5), ("power_kw", 0.5))
_OTHER_VERSION: Final = 1.0
_DECISIVE: Final = ("month", "transmission", "body_type", "doors", "colour", "seller_type")


def _ruled_out(earlier: Candidate, later: Candidate) -> bool:
    if earlier.vin_key and later.vin_key:
        return earlier.vin_key != later.vin_key
    if later.first_seen - earlier.last_seen > LONGEST_GAP:
        return True
    if any(_contrary(earlier, later, name) for name in _DECISIVE):
        return True
    if earlier.mileage_km != later.mileage_km and _is_another_reading(earlier, later):
        return True
    apart = abs(earlier.price - later.price) / max(earlier.price, later.price)
    return apart > _PRICE_APART or _power_apart(earlier, later) or _displacement_apart(earlier, later)


def _is_another_reading(earlier: Candidate, later: Candidate) -> bool:
    """Tell whether different readings are of two cars.

    They are when both stand there at once, when the later one is dearer or names another version, and on two
    sites: a second site copies the reading.
    """
    at_once = later.first_seen < earlier.last_seen
    dearer = later.price > _DEARER * earlier.price
    return at_once or dearer or earlier.site != later.site or _contrary(earlier, later, "variant")


def _equal(one: Candidate, other: Candidate, name: str) -> bool:
    value = getattr(one, name)
    return value is not None and value == getattr(other, name)


def _contrary(one: Candidate, other: Candidate, name: str) -> bool:
    mine, theirs = getattr(one, name), getattr(other, name)
    return mine is not None and theirs is not None and mine != theirs


def _power_apart(one: Candidate, other: Candidate) -> bool:
    known = one.power_kw is not None and other.power_kw is not None
    return known and abs((one.power_kw or 0) - (other.power_kw or 0)) > _POWER_SLACK_KW


def _displacement_apart(one: Candidate, other: Candidate) -> bool:
    known = one.displacement_cc is not None and other.displacement_cc is not None
    return known and round((one.displacement_cc or 0) / 100) != round((other.displacement_cc or 0) / 100)


def _odometers(earlier_km: int, later_km: int) -> float:
    if earlier_km == later_km:
        return 2.0 if earlier_km % 5_000 == 0 else 3.0 if earlier_km % 1_000 == 0 else 5.0
    rounded = earlier_km % 1_000 == 0 or later_km % 1_000 == 0
    return 0.0 if rounded or later_km < earlier_km else 3.0


def _prices(earlier: int, later: int) -> float:
    if earlier == later:
        return 1.5
    return 1.0 if abs(earlier - later) <= 0.05 * earlier else 0.0


def _side_by_side(earlier: Candidate, later: Candidate) -> float:
    """Return what speaks against it when both stand on one site at the same time: few pay for that twice."""
    together = earlier.site == later.site and later.first_seen < earlier.last_seen - timedelta(days=3)
    return 2.0 if together or (earlier.first_seen == later.first_seen and earlier.site == later.site) else 0.0


def _same_vin(candidates: Iterable[Candidate]) -> Iterator[tuple[Candidate, Candidate]]:
    latest: dict[str, Candidate] = {}
    for candidate in sorted(candidates, key=lambda one: (one.first_seen, one.number)):
        if candidate.vin_key is None:
            continue
        former = latest.get(candidate.vin_key)
        if former is not None and candidate.first_seen - former.last_seen <= LONGEST_GAP:
            yield former, candidate
        latest[candidate.vin_key] = candidate


def _neighbours(candidates: Iterable[Candidate]) -> Iterator[tuple[Candidate, Candidate]]:
    """Yield the pairs of alike cars whose odometers are close, each once."""
    blocks: defaultdict[tuple[str, int, str | None], list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        if candidate.mileage_km >= _ALMOST_NEW_KM:
            blocks[candidate.model, candidate.year, candidate.fuel].append(candidate)
    for block in blocks.values():
        block.sort(key=lambda one: (one.mileage_km, one.number))
        for place, one in enumerate(block):
            for other in block[place + 1 : place + 1 + _MOST_NEIGHBOURS]:
                if other.mileage_km - one.mileage_km > _DRIVEN_MEANWHILE_KM:
                    break
                yield one, other


class _Groups:
    """Numbers that belong together; the lowest one stands for all."""

    def __init__(self, size: int) -> None:
        self._parents = list(range(size))

    def first(self, number: int) -> int:
        """Return the number that stands for a number."""
        while self._parents[number] != number:
            self._parents[number] = self._parents[self._parents[number]]
            number = self._parents[number]
        return number

    def join(self, one: int, other: int) -> None:
        """Put two numbers together."""
        low, high = sorted((self.first(one), self.first(other)))
        self._parents[high] = low
