"""Who built a car and where: world manufacturer identifiers and countries (SAE/ISO 3780)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, Literal, NamedTuple

Kind = Literal["car", "heavy", "motorcycle", "trailer", "tractor"]
_KINDS: Final[Mapping[str, Kind]] = {
    "": "car",
    "heavy": "heavy",
    "motorcycle": "motorcycle",
    "trailer": "trailer",
    "tractor": "tractor",
}
_ORDER: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890"
_NORTH_AMERICA: Final = "north_america"


@dataclass(frozen=True, slots=True)
class Maker:
    """A manufacturer: its name and the makes sold under its code, the likeliest first, maybe none."""

    code: str
    name: str
    makes: tuple[str, ...]
    kind: Kind


class Origin(NamedTuple):
    """The country (ISO 3166-1 alpha-2) and region of the world that a code was given to; None if to none."""

    country: str | None
    region: str | None


def maker_of(vin: str) -> Maker | None:
    """Return who has the world manufacturer identifier of a VIN, or of its first three characters."""
    return _makers().get(vin[:3])


def makes_of(vin: str) -> tuple[str, ...]:
    """Return the makes sold under the identifier of a VIN, the likeliest first; none when it is unknown."""
    maker = maker_of(vin)
    return maker.makes if maker is not None else ()


def origin_of(vin: str) -> Origin:
    """Return where the manufacturer of a VIN is registered."""
    return _origins().get(vin[:2], Origin(None, None))


def is_north_american(vin: str) -> bool:
    """Tell whether the rules of 49 CFR 565 bind the maker: check digit, model year in position 10."""
    return vin[:2] in _north_american()


@cache
def make_named(name: str) -> str:
    """Return how we write a make that another source writes in its own way: `MERCEDES-BENZ`, `SKODA`."""
    return _spellings().get(name.casefold(), name.title() if name.isupper() and len(name) > 3 else name)


def rows_of(table: str) -> Iterator[list[str]]:
    """Yield the cells of a table of this package, line by line, comments and empty lines left out."""
    text = files("forecourt.identify.data").joinpath(table).read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            yield line.split(",")


@cache
def _makers() -> Mapping[str, Maker]:
    makers: dict[str, Maker] = {}
    for codes, name, makes, *kind in rows_of("vin_makers.csv"):
        for code in codes.split():
            makers[code] = Maker(code, name, tuple(filter(None, makes.split("|"))), _KINDS["".join(kind)])
    return makers


@cache
def _origins() -> Mapping[str, Origin]:
    return {
        first + second: Origin(country, region)
        for region, first, span, country in rows_of("vin_countries.csv")
        for second in _ORDER[_ORDER.index(span[0]) : _ORDER.index(span[-1]) + 1]
    }


@cache
def _north_american() -> frozenset[str]:
    return frozenset(code for code, origin in _origins().items() if origin.region == _NORTH_AMERICA)


@cache
def _spellings() -> Mapping[str, str]:
    known = {make.casefold(): make for maker in _makers().values() for make in maker.makes}
    return known | {"skoda": "Škoda", "citroen": "Citroën", "am general": "Hummer", "ds automobiles": "DS"}
