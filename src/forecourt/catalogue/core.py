"""The catalogue that ships with the package: three tables of general facts, written by hand.

An entry keeps its id when its names change; a new row gets its id from `entries.id_of` once.
"""

from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files

from forecourt.catalogue.catalogue import Catalogue
from forecourt.catalogue.entries import Entry, Generation, Make, Model, Years


@lru_cache(maxsize=1)
def core_catalogue() -> Catalogue:
    """Return the core, read once for each process."""
    makes = [_make(row) for row in _rows("makes.tsv")]
    make_ids = {make.name: make.id for make in makes}
    models: dict[tuple[str, str], Model] = {}
    for row in _rows("models.tsv"):
        models[row["make"], row["name"]] = _model(row, make_ids[row["make"]])
    generations = [_generation(row, models[row["make"], row["model"]].id) for row in _rows("generations.tsv")]
    entries: list[Entry] = [*makes, *models.values(), *generations]
    return Catalogue.of(entries)


def _rows(name: str) -> Iterator[dict[str, str]]:
    lines = files("forecourt.catalogue.data").joinpath(name).read_text(encoding="utf-8").splitlines()
    head = lines[0].split("\t")
    for line in lines[1:]:
        yield dict(zip(head, line.split("\t"), strict=True))


def _make(row: dict[str, str]) -> Make:
    return Make(row["id"], row["name"], _listed(row["aliases"]), _listed(row["kba_makers"]))


def _model(row: dict[str, str], make_id: str) -> Model:
    return Model(row["id"], make_id, row["name"], _years(row), _listed(row["aliases"]))


def _generation(row: dict[str, str], model_id: str) -> Generation:
    return Generation(
        id=row["id"],
        model_id=model_id,
        name=row["name"],
        code=row["code"] or None,
        years=_years(row),
        body_types=tuple(row["bodies"].split()),
        facelift_of=row["facelift_of"] or None,
        source=row["source"],
    )


def _years(row: dict[str, str]) -> Years:
    return Years(int(row["from"]) if row["from"] else None, int(row["to"]) if row["to"] else None)


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())
