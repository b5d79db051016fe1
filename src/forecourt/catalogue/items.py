"""Entries in the shapes of the contract (4.12)."""

from typing import Any

from forecourt.catalogue.catalogue import Catalogue
from forecourt.catalogue.entries import Drivetrain, Entry, Generation, Make, Model, Years
from forecourt.catalogue.labels import drivetrain_label, generation_label, label_of
from forecourt.catalogue.names import shown_aliases


def search_item(catalogue: Catalogue, entry: Make | Model, score: float) -> dict[str, Any]:
    """Return a make or model that a query found; `score` is 0 to 1."""
    return {**_make_or_model(catalogue, entry), "score": round(score, 3)}


def generation_item(catalogue: Catalogue, generation: Generation) -> dict[str, Any]:
    """Return a generation."""
    return {
        "id": generation.id,
        "model_id": generation.model_id,
        "name": generation.name,
        "code": generation.code,
        "label": generation_label(catalogue.line_to(generation)),
        "body_types": list(generation.body_types),
        "years": generation.years.as_json(),
        "facelift_of": generation.facelift_of,
    }


def drivetrain_item(catalogue: Catalogue, drivetrain: Drivetrain) -> dict[str, Any]:
    """Return a drivetrain; its label is short, for its generation is known where it is listed."""
    del catalogue
    return {
        "id": drivetrain.id,
        "generation_id": drivetrain.generation_id,
        "label": drivetrain_label(drivetrain),
        "fuel": drivetrain.fuel,
        "transmission": drivetrain.transmission,
        "transmission_detail": drivetrain.transmission_detail,
        "drive": drivetrain.drive,
        "power_kw": drivetrain.power_kw,
        "power_hp": drivetrain.power_hp,
        "displacement_cc": drivetrain.displacement_cc,
        "battery_kwh": drivetrain.battery_kwh,
        "years": drivetrain.years.as_json(),
        "hsn_tsn": list(drivetrain.hsn_tsn),
    }


def entry_item(catalogue: Catalogue, entry: Entry) -> dict[str, Any]:
    """Return any entry with the names and ids of what it is part of."""
    line = catalogue.line_to(entry)
    parents: dict[str, Any] = {"make": _named(line.make)}
    if line.model is not None:
        parents["model"] = _named(line.model)
    if isinstance(entry, Drivetrain):
        parents["model_id"] = line.ids()["model_id"]
        item = drivetrain_item(catalogue, entry) | {"label": label_of(line)}
        return {"object": "drivetrain", **item, **parents}
    if isinstance(entry, Generation):
        return {"object": "generation", **generation_item(catalogue, entry), **parents}
    item = _make_or_model(catalogue, entry)
    return {"object": item.pop("type"), **item}


def _make_or_model(catalogue: Catalogue, entry: Make | Model) -> dict[str, Any]:
    line = catalogue.line_to(entry)
    is_model = isinstance(entry, Model)
    return {
        "type": "model" if is_model else "make",
        "id": entry.id,
        "make": _named(line.make),
        "model": _named(entry) if is_model else None,
        "label": label_of(line),
        "aliases": list(shown_aliases(entry.aliases)),
        "years": (entry.years if isinstance(entry, Model) else _window(catalogue, entry)).as_json(),
    }


def _window(catalogue: Catalogue, make: Make) -> Years:
    """Return the years in which a make built what the catalogue knows of it."""
    windows = [model.years for model in catalogue.models_of(make.id)]
    firsts = [window.first for window in windows if window.first is not None]
    lasts = [window.last for window in windows]
    last = None if None in lasts else max((year for year in lasts if year is not None), default=None)
    return Years(min(firsts, default=None), last)


def _named(entry: Make | Model) -> dict[str, str]:
    return {"id": entry.id, "name": entry.name}
