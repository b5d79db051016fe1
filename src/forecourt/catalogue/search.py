"""The walk through the catalogue: text → makes and models → generations → drivetrains (contract 4.12).

Case, accents and punctuation never count. Ties are ordered by name and id, so that pages are stable.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeVar

from forecourt.catalogue.catalogue import Catalogue
from forecourt.catalogue.entries import Drivetrain, Generation, Make, Model
from forecourt.catalogue.items import drivetrain_item, entry_item, generation_item, search_item
from forecourt.catalogue.names import cut, key_of, shown_aliases
from forecourt.contract.cursors import not_ours, read_cursor, write_cursor
from forecourt.contract.errors import CatalogueIdNotFound

DEFAULT_LIMIT: Final = 20
_HP_SLACK: Final = 3
_LONGEST_OFFSET: Final = 9
_EXACT: Final = 1.0
_ALIAS: Final = 0.95
_MENTIONED: Final = 0.8
_BEGINS: Final = 0.7
_OF_MAKE: Final = 0.5
_NEXT_STEPS: Final = {
    "search": "Call level generations with the model_id of a model and the year of first registration.",
    "generations": "Call level drivetrains with the generation_id of a generation.",
    "drivetrains": "Send the id as vehicle.catalogue.drivetrain_id to valuate_car.",
}


def search_vehicles(catalogue: Catalogue, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Answer one level of the walk; `arguments` are valid as the contract has them.

    `fuel`, `transmission` and `power_hp` (3 more or less) filter drivetrains; a drivetrain that does not say
    a value does not have it. Raises `CatalogueIdNotFound`, `CatalogueIdReplaced`, and
    `ValidationFailed` for a cursor that was not given out.
    """
    items = _LEVELS[arguments["level"]](catalogue, arguments)
    return _page(items, arguments)


def catalogue_item(catalogue: Catalogue, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return one entry by `id` with its parents; raises `CatalogueIdNotFound` or `CatalogueIdReplaced`.

    An id of another kind than `type`, when that is given, is not found.
    """
    item = entry_item(catalogue, catalogue.find(arguments["id"]))
    if arguments.get("type", item["object"]) != item["object"]:
        raise CatalogueIdNotFound("No entry of this kind has this id.", details={"id": arguments["id"]})
    return item


def _search(catalogue: Catalogue, arguments: Mapping[str, Any]) -> list[dict[str, Any]]:
    found = _scored(catalogue, cut(arguments["query"]))
    british = arguments.get("country") == "GB"

    def place(scored: tuple[Make | Model, float]) -> tuple[float, bool, str, str]:
        entry, score = scored
        make = entry if isinstance(entry, Make) else catalogue.make_of(entry)
        return -round(score, 3), (make.name == "Vauxhall") != british, entry.name.casefold(), entry.id

    return [search_item(catalogue, entry, score) for entry, score in sorted(found, key=place)]


def _scored(catalogue: Catalogue, words: list[str]) -> list[tuple[Make | Model, float]]:
    """Return the makes and models that a query fits, each with its best score."""
    index = _index(catalogue)
    scores: dict[str, float] = {}

    def take(entry_id: str, score: float) -> None:
        scores[entry_id] = max(score, scores.get(entry_id, 0.0))

    for entry_id, score in index.beginning_with("".join(words)):
        take(entry_id, score)
    for make_id, start, end in catalogue.names.make_mentions(words):
        rest = "".join(words[:start] + words[end:])
        if not rest:
            take(make_id, _EXACT)
        for model in catalogue.models_of(make_id):
            score = index.fit(model.id, rest) if rest else _OF_MAKE
            if score:
                take(model.id, score)
    for mention in catalogue.names.model_mentions(words):
        if mention.length >= len("".join(words)) / 2:
            take(mention.alias.target, _MENTIONED)
    entries: Mapping[str, Make | Model] = {**catalogue.makes, **catalogue.models}
    return [(entries[entry_id], score) for entry_id, score in scores.items()]


@dataclass(frozen=True, eq=False)
class _SearchIndex:
    """Names written together, sorted, each with its entry and whether it is the usual name."""

    names: Sequence[tuple[str, str, bool]]
    by_entry: Mapping[str, Sequence[tuple[str, bool]]]

    def beginning_with(self, key: str) -> Iterable[tuple[str, float]]:
        """Yield entries with a name that begins with a key, and how well they fit."""
        if not key:
            return
        for place in range(bisect_left(self.names, (key,)), len(self.names)):
            name, entry_id, usual = self.names[place]
            if not name.startswith(key):
                return
            yield entry_id, _fit(name, key, usual=usual)

    def fit(self, entry_id: str, key: str) -> float:
        """Return how well the best name of an entry fits a key; 0 when none begins with it."""
        fits = (
            _fit(name, key, usual=usual) for name, usual in self.by_entry[entry_id] if name.startswith(key)
        )
        return max(fits, default=0.0)


def _fit(name: str, key: str, *, usual: bool) -> float:
    if name == key:
        return _EXACT if usual else _ALIAS
    return _BEGINS + 0.2 * len(key) / len(name)


@lru_cache(maxsize=4)
def _index(catalogue: Catalogue) -> _SearchIndex:
    by_entry: dict[str, list[tuple[str, bool]]] = {}
    entries: list[Make | Model] = [*catalogue.makes.values(), *catalogue.models.values()]
    for entry in entries:
        names = [(key_of(entry.name), True)]
        names += [(key_of(alias), False) for alias in shown_aliases(entry.aliases)]
        by_entry[entry.id] = [(name, usual) for name, usual in names if name]
    sorted_names = sorted(
        (name, entry_id, usual) for entry_id, own in by_entry.items() for name, usual in own
    )
    return _SearchIndex(sorted_names, by_entry)


def _generations(catalogue: Catalogue, arguments: Mapping[str, Any]) -> list[dict[str, Any]]:
    model = _expect(catalogue, arguments["model_id"], Model)
    year = arguments.get("year")
    found = catalogue.generations_of(model.id)
    if year is not None:
        near = [one for one in found if one.years.near(year)]
        found = tuple(sorted(near, key=lambda one: not one.years.holds(year)))
    return [generation_item(catalogue, one) for one in found]


def _drivetrains(catalogue: Catalogue, arguments: Mapping[str, Any]) -> list[dict[str, Any]]:
    generation = _expect(catalogue, arguments["generation_id"], Generation)
    found = [one for one in catalogue.drivetrains_of(generation.id) if _passes(one, arguments)]
    year = arguments.get("year")
    if year is not None:
        near = [one for one in found if one.years.near(year)]
        found = sorted(near, key=lambda one: not one.years.holds(year))
    return [drivetrain_item(catalogue, one) for one in found]


def _passes(drivetrain: Drivetrain, arguments: Mapping[str, Any]) -> bool:
    exact = (name for name in ("fuel", "transmission") if name in arguments)
    if any(getattr(drivetrain, name) != arguments[name] for name in exact):
        return False
    asked, power = arguments.get("power_hp"), drivetrain.power_hp
    return asked is None or (power is not None and abs(power - asked) <= _HP_SLACK)


E = TypeVar("E", Model, Generation)


def _expect(catalogue: Catalogue, entry_id: str, kind: type[E]) -> E:
    entry = catalogue.find(entry_id)
    if not isinstance(entry, kind):
        raise CatalogueIdNotFound("No entry of this kind has this id.", details={"id": entry_id})
    return entry


def _page(items: list[dict[str, Any]], arguments: Mapping[str, Any]) -> dict[str, Any]:
    start = _offset(arguments.get("cursor"))
    end = start + arguments.get("limit", DEFAULT_LIMIT)
    more = end < len(items)
    level = arguments["level"]
    return {
        "object": "list",
        "level": level,
        "items": items[start:end],
        "total": len(items),
        "truncated": more,
        "next_cursor": write_cursor(str(end)) if more else None,
        "next_step": _NEXT_STEPS[level] if items else None,
    }


def _offset(cursor: str | None) -> int:
    position = read_cursor(cursor)
    if position is None:
        return 0
    if not position.isdigit() or len(position) > _LONGEST_OFFSET:
        raise not_ours()
    return int(position)


_LEVELS: Final[Mapping[str, Callable[[Catalogue, Mapping[str, Any]], list[dict[str, Any]]]]] = {
    "search": _search,
    "generations": _generations,
    "drivetrains": _drivetrains,
}
