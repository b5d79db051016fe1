"""Which models a VIN can be: the type codes that makers outside North America write into positions 4 to 9."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from forecourt.identify.vin_makers import rows_of

_USUAL_SHARE: Final = 95
_SLACK: Final = 1
"""Model years run ahead of production, and registrations behind it."""


@dataclass(frozen=True, slots=True)
class CarType:
    """A model, and its generation as the catalogue names it ("" if it is not told), with its years.

    `share` is how many of a hundred cars with this code are of this model.
    """

    make: str
    model: str
    generation: str
    first: int
    last: int | None
    share: int
    code: str

    def built_in(self, year: int) -> bool:
        """Tell whether a car of this model year can be of this type."""
        return self.first - _SLACK <= year and (self.last is None or year <= self.last + _SLACK)


class _Place(NamedTuple):
    """Where codes stand: from a position on, so many signs, maybe only where another position holds one."""

    start: int
    length: int
    only_if: tuple[int, str] | None


class _Line(NamedTuple):
    """A type under a code, maybe only where one more position holds a sign."""

    type: CarType
    also: tuple[int, str] | None


_Codes = Mapping[str, Sequence[_Line]]


def types_of(vin: str) -> tuple[CarType, ...]:
    """Return the types whose code stands in a VIN, as the table has them; none when no code is known.

    The longest code wins, and a line that asks for one more character wins over those that do not.
    """
    for places in _table().get(vin[:3], ()):
        found = _at(places, vin)
        if found:
            return found
    return ()


def fitting(types: Sequence[CarType], years: Iterable[int]) -> tuple[CarType, ...]:
    """Return the types that were built in one of some years; all of them when none was."""
    wanted = tuple(years)
    kept = tuple(car for car in types if any(car.built_in(year) for year in wanted))
    return kept or tuple(types)


def _at(places: Mapping[_Place, _Codes], vin: str) -> tuple[CarType, ...]:
    for (start, length, only_if), codes in places.items():
        if only_if is None or _holds(vin, only_if):
            lines = codes.get(vin[start - 1 : start - 1 + length])
            if lines and (types := _chosen(lines, vin)):
                return types
    return ()


def _chosen(lines: Sequence[_Line], vin: str) -> tuple[CarType, ...]:
    exact = tuple(line.type for line in lines if line.also is not None and _holds(vin, line.also))
    return exact or tuple(line.type for line in lines if line.also is None)


def _holds(vin: str, sign: tuple[int, str]) -> bool:
    position, character = sign
    return vin[position - 1] == character


@cache
def _table() -> Mapping[str, Sequence[Mapping[_Place, _Codes]]]:
    """Return by manufacturer code the blocks of the file in its order, the longest codes of each first."""
    blocks: defaultdict[str, dict[int, dict[_Place, defaultdict[str, list[_Line]]]]] = defaultdict(dict)
    for wmis, start, only_if, codes, line in _lines():
        for code in codes:
            place = _Place(start, len(code), only_if)
            for wmi in wmis:
                block = blocks[wmi].setdefault(start, {})
                block.setdefault(place, defaultdict(list))[code].append(line(code))
    return {wmi: [_longest_first(block) for block in starts.values()] for wmi, starts in blocks.items()}


def _longest_first(block: Mapping[_Place, _Codes]) -> Mapping[_Place, _Codes]:
    return dict(sorted(block.items(), key=lambda item: -item[0].length))


class _Header(NamedTuple):
    wmis: list[str]
    start: int
    make: str
    only_if: tuple[int, str] | None


class _LineOf(NamedTuple):
    """A line of the file that still lacks its code."""

    make: str
    cells: list[str]

    def __call__(self, code: str) -> _Line:
        _, model, generation, first, last, *more = self.cells
        share = next((int(cell[:-1]) for cell in more if cell.endswith("%")), _USUAL_SHARE)
        also = next((_sign(cell.removeprefix("also ")) for cell in more if cell.startswith("also ")), None)
        until = int(last) if last else None
        return _Line(CarType(self.make, model, generation, int(first), until, share, code), also)


def _lines() -> Iterator[tuple[list[str], int, tuple[int, str] | None, list[str], _LineOf]]:
    header = _Header([], 0, "", None)
    for cells in rows_of("vin_types.csv"):
        if cells[0].startswith("@"):
            header = _header(cells)
        else:
            yield header.wmis, header.start, header.only_if, cells[0].split(), _LineOf(header.make, cells)


def _header(cells: list[str]) -> _Header:
    wmis, start, make, *only_if = cells
    return _Header(wmis[1:].split(), int(start), make, _sign(only_if[0]) if only_if else None)


def _sign(text: str) -> tuple[int, str]:
    position, _, character = text.partition("=")
    return int(position), character
