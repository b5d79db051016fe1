"""Bring a file of makes, models, generations or drivetrains into the catalogue.

The file is a table with the columns `make, model, generation, code, from, to, bodies, aliases, fuel,
transmission, transmission_detail, drive, power_kw, displacement_cc, battery_kwh, hsn_tsn`; only `make` is
needed, and a row is the deepest entry that its columns name. Entries that are there already, by name or
alias, are used or completed; the others are new, with ids that follow from their names.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, NoReturn

from forecourt.catalogue.catalogue import Catalogue
from forecourt.catalogue.entries import Drivetrain, Entry, Generation, Make, Model, Years, id_of, kind_of
from forecourt.catalogue.errors import CatalogueFileUnusable
from forecourt.catalogue.names import key_of
from forecourt.tables.opening import open_table

_FIRST_YEAR: Final = 1885
_LAST_YEAR: Final = 2100
_BODIES: Final = frozenset(
    ["hatchback", "saloon", "estate", "suv", "coupe", "convertible", "mpv", "pickup", "van", "other"]
)
_FUELS: Final = frozenset(
    [
        *("petrol", "diesel", "electric", "hybrid", "plugin_hybrid", "mild_hybrid"),
        *("lpg", "cng", "hydrogen", "ethanol", "other"),
    ]
)
_WORDS: Final[Mapping[str, frozenset[str]]] = {
    "fuel": _FUELS,
    "transmission": frozenset(["manual", "automatic"]),
    "drive": frozenset(["fwd", "rwd", "awd"]),
}
_OF_ENGINE: Final = ("fuel", "transmission", "power_kw", "displacement_cc", "battery_kwh")

Row = Mapping[str, str]


@dataclass(slots=True)
class ImportedEntries:
    """What a file held: entries to save, and the rows that could not be taken, by reason."""

    entries: dict[str, Entry] = field(default_factory=dict)
    rows: int = 0
    refused: Counter[str] = field(default_factory=Counter)

    def counts(self) -> Counter[str]:
        """Return how many entries of each kind there are."""
        return Counter(str(kind_of(entry_id)) for entry_id in self.entries)


class _RowRefused(Exception):
    """A row that is no entry; the message is the reason."""


def read_entries(path: Path, catalogue: Catalogue) -> ImportedEntries:
    """Read a file of entries; raises `CatalogueFileUnusable` or a leaf of `tables.errors`."""
    read = ImportedEntries()
    builder = _Builder(catalogue, read.entries)
    for row in _rows(path):
        read.rows += 1
        try:
            builder.take(row)
        except _RowRefused as refusal:
            read.refused[str(refusal)] += 1
    if not read.entries and read.refused:
        raise CatalogueFileUnusable(
            "No row of the file could be taken.", details={"reasons": dict(read.refused)}
        )
    return read


def _rows(path: Path) -> Iterator[Row]:
    with open_table(path) as table:
        for batch in table.batches:
            names = [name.strip().lower() for name in batch.names]
            if "make" not in names:
                raise CatalogueFileUnusable("The file has no column named make.")
            for cells in zip(*batch.columns, strict=True):
                yield {name: cell.strip() for name, cell in zip(names, cells, strict=True) if cell.strip()}


class _Builder:
    """Finds or makes the entries that rows name; `entries` takes what is new or changed."""

    def __init__(self, catalogue: Catalogue, entries: dict[str, Entry]) -> None:
        self._catalogue = catalogue
        self._entries = entries
        self._makes = {
            key_of(name): make for make in catalogue.makes.values() for name in (make.name, *make.aliases)
        }
        self._models = {(model.make_id, key_of(model.name)): model for model in catalogue.models.values()}
        self._generations = {(one.model_id, key_of(one.name)): one for one in catalogue.generations.values()}

    def take(self, row: Row) -> None:
        """Take one row; raises `_RowRefused`."""
        make = self._make(row)
        if "model" not in row:
            return
        model = self._model(row, make)
        if "generation" in row:
            generation = self._generation(row, model)
            if any(name in row for name in _OF_ENGINE):
                drivetrain = _drivetrain(row, generation)
                self._entries[drivetrain.id] = drivetrain

    def _make(self, row: Row) -> Make:
        name = row.get("make") or _refuse("no make")
        aliases = () if "model" in row else _listed(row.get("aliases", ""))
        make = self._makes.get(key_of(name)) or Make(id_of("mk", key_of(name)), name)
        changed = replace(make, aliases=_merged(make.aliases, aliases))
        if changed.id not in self._catalogue.makes or changed != make:
            self._entries[changed.id] = changed
        self._makes[key_of(name)] = changed
        return changed

    def _model(self, row: Row, make: Make) -> Model:
        key = make.id, key_of(row["model"])
        model = self._models.get(key) or Model(id_of("md", *key), make.id, row["model"])
        changed = model
        if "generation" not in row:
            years = _years(row)
            changed = replace(
                model,
                years=model.years if years == Years() else years,
                aliases=_merged(model.aliases, _listed(row.get("aliases", ""))),
            )
        if changed.id not in self._catalogue.models or changed != model:
            self._entries[changed.id] = changed
        self._models[key] = changed
        return changed

    def _generation(self, row: Row, model: Model) -> Generation:
        key = model.id, key_of(row["generation"])
        bodies = tuple(row.get("bodies", "").lower().split())
        if not _BODIES.issuperset(bodies):
            _refuse("body that the contract does not know")
        known = self._generations.get(key)
        fresh = Generation(
            id=known.id if known else id_of("gn", *key),
            model_id=model.id,
            name=known.name if known else row["generation"],
            code=row.get("code") or (known.code if known else None),
            years=known.years if known and _is_engine(row) else _years(row),
            body_types=bodies or (known.body_types if known else ()),
            facelift_of=known.facelift_of if known else None,
            source=row.get("source") or (known.source if known else "imported"),
        )
        if fresh != known:
            self._entries[fresh.id] = fresh
        self._generations[key] = fresh
        return fresh


def _is_engine(row: Row) -> bool:
    return any(name in row for name in _OF_ENGINE)


def _drivetrain(row: Row, generation: Generation) -> Drivetrain:
    for name, words in _WORDS.items():
        if name in row and row[name].lower() not in words:
            _refuse(f"{name} that the contract does not know")
    said = {name: row[name].lower() for name in _WORDS if name in row}
    numbers = {name: _whole(row, name) for name in ("power_kw", "displacement_cc")}
    battery = _number(row, "battery_kwh")
    what = (*(said.get(name, "") for name in _WORDS), *map(str, numbers.values()), str(battery))
    return Drivetrain(
        id=id_of("dt", generation.id, *what),
        generation_id=generation.id,
        transmission_detail=row.get("transmission_detail"),
        battery_kwh=battery,
        years=_years(row),
        hsn_tsn=tuple(row.get("hsn_tsn", "").replace(",", " ").split()),
        fuel=said.get("fuel"),
        transmission=said.get("transmission"),
        drive=said.get("drive"),
        power_kw=numbers["power_kw"],
        displacement_cc=numbers["displacement_cc"],
    )


def _years(row: Row) -> Years:
    first, last = _whole(row, "from"), _whole(row, "to")
    for year in (first, last):
        if year is not None and not _FIRST_YEAR <= year <= _LAST_YEAR:
            _refuse("year out of range")
    if first is not None and last is not None and last < first:
        _refuse("window that ends before it begins")
    return Years(first, last)


def _whole(row: Row, name: str) -> int | None:
    number = _number(row, name)
    return None if number is None else round(number)


def _number(row: Row, name: str) -> float | None:
    if name not in row:
        return None
    try:
        number = float(row[name].replace(",", "."))
    except ValueError:
        return _refuse(f"{name} that is no number")
    return number if 0 < number < 100_000 else _refuse(f"{name} out of range")


def _refuse(reason: str) -> NoReturn:
    raise _RowRefused(reason)


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.replace("|", ",").split(",") if part.strip())


def _merged(one: Iterable[str], other: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*one, *other)))
