"""`decode_hsn_tsn` in the shape of the contract (4.15): every car that a German type key can mean.

Two sources know keys: drivetrains of the catalogue that carry one, and the list of the KBA, which has maker
and trade name only. A drivetrain says more than a name, so the list speaks where no drivetrain does.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from sqlalchemy import Connection

from forecourt.catalogue.catalogue import Catalogue
from forecourt.catalogue.entries import Drivetrain, Model
from forecourt.catalogue.kba import makes_of
from forecourt.catalogue.kba_store import TypeKey, find_key, licence_notice
from forecourt.contract.errors import HsnTsnNotFound
from forecourt.identify.candidates import Candidate, is_settled, match_of
from forecourt.identify.hsn_tsn import WrittenKey
from forecourt.identify.text import identify

_BY_DRIVETRAIN: Final = 0.97
_BY_NAME: Final = 0.95
_BY_LINE_OF_MODELS: Final = 0.9
_UNKNOWN_NAME: Final = "UNBEKANNT"
_LINE_OF_MODELS: Final = re.compile(r"\bREIHE\b|REIHE$")
_CATALOGUE_ONLY: Final = "Type keys: catalogue of this service."


def decode_hsn_tsn(connection: Connection, catalogue: Catalogue, key: WrittenKey) -> dict[str, Any]:
    """Return what is known of a key; raises `HsnTsnNotFound`, with a `suggestion` for one misread."""
    listed = find_key(connection, key.hsn, key.tsn)
    drivetrains = _by_drivetrain(catalogue, key)
    notice = licence_notice(connection)
    if listed is None and not drivetrains:
        raise _not_found(connection, catalogue, key, has_list=notice is not None)
    candidates = drivetrains or (_by_name(catalogue, listed) if listed is not None else ())
    make_known = listed is not None and bool(makes_of(catalogue, listed.maker))
    return {
        "object": "decoded_hsn_tsn",
        "hsn": key.hsn,
        "tsn": key.tsn,
        "code": key.code,
        "manufacturer": listed.maker if listed is not None else candidates[0].line.make.name,
        "trade_name": listed.name if listed is not None else None,
        "candidates": [candidate.as_json() for candidate in candidates],
        "match": match_of(candidates, method="hsn_tsn", make_known=make_known),
        "warnings": _warnings(key, listed, candidates),
        "hints": _hints(candidates),
        "attribution_text": notice if listed is not None and notice else _CATALOGUE_ONLY,
    }


def _by_drivetrain(catalogue: Catalogue, key: WrittenKey) -> tuple[Candidate, ...]:
    """Return the drivetrains that carry the key, each one: manual and automatic are two."""
    found = _keyed(catalogue).get(key.code, [])
    ranked = sorted(found, key=lambda one: (-one.adverts, one.id))
    return tuple(Candidate(catalogue.line_to(one), _BY_DRIVETRAIN / len(ranked)) for one in ranked)


@lru_cache(maxsize=4)
def _keyed(catalogue: Catalogue) -> Mapping[str, list[Drivetrain]]:
    keyed: defaultdict[str, list[Drivetrain]] = defaultdict(list)
    for drivetrain in catalogue.drivetrains.values():
        for code in drivetrain.hsn_tsn:
            keyed[code].append(drivetrain)
    return dict(keyed)


def _by_name(catalogue: Catalogue, listed: TypeKey) -> tuple[Candidate, ...]:
    """Return the models that the trade name means, in its order; a name can list several."""
    models = [catalogue.models[one] for one in listed.model_ids if one in catalogue.models]
    sure = _BY_LINE_OF_MODELS if _LINE_OF_MODELS.search(listed.name) else _BY_NAME
    if len(models) == 1:
        return (_with_what_the_name_says(catalogue, listed.name, models[0], sure),)
    return tuple(Candidate(catalogue.line_to(model), sure / len(models)) for model in models)


def _with_what_the_name_says(catalogue: Catalogue, name: str, model: Model, sure: float) -> Candidate:
    """Return a model with what its trade name says beside: the fuel of 320D, the generation of GOLF VII."""
    line = catalogue.line_to(model)
    read = identify(catalogue, name, vehicle={"make": line.make.name})
    if read.line is not None and read.line.model == model:
        line = read.line
    return Candidate(line, sure, {name: fact.value for name, fact in read.facts.items()})


def _not_found(
    connection: Connection, catalogue: Catalogue, key: WrittenKey, *, has_list: bool
) -> HsnTsnNotFound:
    for meant in key.misread():
        if find_key(connection, meant.hsn, meant.tsn) or _by_drivetrain(catalogue, meant):
            return HsnTsnNotFound("This key is not in the list.", details={"suggestion": meant.code})
    if not has_list:
        return HsnTsnNotFound("No list of type keys was imported.", details={"reason": "no_list"})
    return HsnTsnNotFound("This key is not in the list.")


def _warnings(
    key: WrittenKey, listed: TypeKey | None, candidates: Sequence[Candidate]
) -> list[dict[str, str]]:
    found = []
    if key.cut:
        found.append(_remark("tsn_truncated", "Only the first 3 characters of the TSN count."))
    if listed is not None and listed.name.upper().startswith(_UNKNOWN_NAME):
        found.append(_remark("trade_name_unknown", "The list does not say what this vehicle is called."))
    elif not candidates:
        found.append(_remark("model_not_in_catalogue", "The catalogue has no model of this trade name."))
    return found


def _hints(candidates: Sequence[Candidate]) -> list[dict[str, str]]:
    if not candidates:
        return []
    if not is_settled(candidates):
        return [_remark("confirm_candidate", "Choose one of the candidates.")]
    if candidates[0].line.drivetrain is None:
        return [
            _remark("add_drivetrain", "Choose a drivetrain with search_vehicles: the key's list has none.")
        ]
    return []


def _remark(code: str, message: str) -> dict[str, str]:
    return {"code": code, "message": message}
