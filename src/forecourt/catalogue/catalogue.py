"""The whole catalogue in memory: immutable, with everything that is looked up by id or by parent."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from forecourt.catalogue.entries import Drivetrain, Entry, Generation, Make, Model, kind_of
from forecourt.catalogue.names import NameIndex
from forecourt.contract.errors import CatalogueConflict, CatalogueIdNotFound, CatalogueIdReplaced

E = TypeVar("E", Make, Model, Generation, Drivetrain)


@dataclass(frozen=True, eq=False)
class Catalogue:
    """Entries by id, in the order in which they were given; `replaced` leads from merged ids to heirs."""

    makes: Mapping[str, Make]
    models: Mapping[str, Model]
    generations: Mapping[str, Generation]
    drivetrains: Mapping[str, Drivetrain]
    replaced: Mapping[str, str]

    @classmethod
    def of(cls, entries: Iterable[Entry], replaced: Mapping[str, str] | None = None) -> "Catalogue":
        """Build from entries of any kind; a later entry takes the place of an earlier one with the same id.

        An entry whose parent is missing is left out, and so is one that was replaced.
        """
        gone = dict(replaced or {})
        kept = [entry for entry in entries if entry.id not in gone]
        makes = _by_id(kept, Make)
        models = {i: e for i, e in _by_id(kept, Model).items() if e.make_id in makes}
        generations = {i: e for i, e in _by_id(kept, Generation).items() if e.model_id in models}
        drivetrains = {i: e for i, e in _by_id(kept, Drivetrain).items() if e.generation_id in generations}
        return cls(makes, models, generations, drivetrains, gone)

    def with_more(self, entries: Iterable[Entry], replaced: Mapping[str, str] | None = None) -> "Catalogue":
        """Return this catalogue with more entries."""
        tables: tuple[Mapping[str, Entry], ...] = (
            self.makes,
            self.models,
            self.generations,
            self.drivetrains,
        )
        own = (entry for entries_of_kind in tables for entry in entries_of_kind.values())
        return Catalogue.of([*own, *entries], {**self.replaced, **(replaced or {})})

    @cached_property
    def version(self) -> str:
        """A short digest of all entries: equal versions answer alike."""
        digest = hashlib.sha256()
        for entries in (self.makes, self.models, self.generations, self.drivetrains):
            for entry in entries.values():
                digest.update(repr(entry).encode())
        digest.update(repr(sorted(self.replaced.items())).encode())
        return digest.hexdigest()[:12]

    @cached_property
    def names(self) -> NameIndex:
        """The index that finds makes and models by their names in a text."""
        return NameIndex.of(self.makes.values(), self.models.values())

    @cached_property
    def _models_of(self) -> Mapping[str, tuple[Model, ...]]:
        return _grouped((model.make_id, model) for model in self.models.values())

    @cached_property
    def _generations_of(self) -> Mapping[str, tuple[Generation, ...]]:
        return _grouped((generation.model_id, generation) for generation in self.generations.values())

    @cached_property
    def _drivetrains_of(self) -> Mapping[str, tuple[Drivetrain, ...]]:
        return _grouped((drivetrain.generation_id, drivetrain) for drivetrain in self.drivetrains.values())

    def models_of(self, make_id: str) -> tuple[Model, ...]:
        """Return the models of a make."""
        return self._models_of.get(make_id, ())

    def generations_of(self, model_id: str) -> tuple[Generation, ...]:
        """Return the generations of a model, the oldest first as far as the data say so."""
        return self._generations_of.get(model_id, ())

    def drivetrains_of(self, generation_id: str) -> tuple[Drivetrain, ...]:
        """Return the drivetrains of a generation."""
        return self._drivetrains_of.get(generation_id, ())

    def make_of(self, model: Model) -> Make:
        """Return the make of a model."""
        return self.makes[model.make_id]

    def find(self, entry_id: str) -> Entry:
        """Return an entry; raises `CatalogueIdNotFound`, or `CatalogueIdReplaced` for a merged one."""
        if entry_id in self.replaced:
            heir = self.replaced[entry_id]
            raise CatalogueIdReplaced("This entry was merged into another.", details={"replaced_by": heir})
        tables: dict[str | None, Mapping[str, Entry]] = {
            "make": self.makes,
            "model": self.models,
            "generation": self.generations,
            "drivetrain": self.drivetrains,
        }
        entry = tables.get(kind_of(entry_id), {}).get(entry_id)
        if entry is None:
            raise CatalogueIdNotFound("No entry of the catalogue has this id.", details={"id": entry_id})
        return entry

    def line_of(self, ids: Mapping[str, str]) -> "Line":
        """Return the line of descent of `vehicle.catalogue`: the deepest id counts, its parents must agree.

        Raises `CatalogueConflict` when they do not, `CatalogueIdNotFound` or `CatalogueIdReplaced`.
        """
        deepest = next(ids[name] for name in ("drivetrain_id", "generation_id", "model_id") if name in ids)
        line = self.line_to(self.find(deepest))
        if any(line.ids().get(name) != given for name, given in ids.items()):
            for given in ids.values():
                self.find(given)
            raise CatalogueConflict("These ids do not belong to one car.", details={"ids": dict(ids)})
        return line

    def line_to(self, entry: Entry) -> "Line":
        """Return an entry with all that it is part of."""
        if isinstance(entry, Make):
            return Line(entry)
        if isinstance(entry, Model):
            return Line(self.makes[entry.make_id], entry)
        if isinstance(entry, Generation):
            above = self.line_to(self.models[entry.model_id])
            return Line(above.make, above.model, entry)
        above = self.line_to(self.generations[entry.generation_id])
        return Line(above.make, above.model, above.generation, entry)


@dataclass(frozen=True, slots=True)
class Line:
    """A car as far down the catalogue as it is known."""

    make: Make
    model: Model | None = None
    generation: Generation | None = None
    drivetrain: Drivetrain | None = None

    def ids(self) -> dict[str, str]:
        """Return the ids below the make, as `vehicle.catalogue` has them."""
        parts = {
            "model_id": self.model,
            "generation_id": self.generation,
            "drivetrain_id": self.drivetrain,
        }
        return {name: part.id for name, part in parts.items() if part is not None}


def _by_id(entries: Iterable[Entry], kind: type[E]) -> dict[str, E]:
    return {entry.id: entry for entry in entries if isinstance(entry, kind)}


def _grouped(pairs: Iterable[tuple[str, E]]) -> dict[str, tuple[E, ...]]:
    groups: defaultdict[str, list[E]] = defaultdict(list)
    for parent, child in pairs:
        groups[parent].append(child)
    return {parent: tuple(children) for parent, children in groups.items()}
