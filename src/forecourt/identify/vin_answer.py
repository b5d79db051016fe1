"""`decode_vin` in the shape of the contract (4.14), with the ids of the catalogue where it has the car."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from forecourt.catalogue.catalogue import Catalogue, Line
from forecourt.catalogue.entries import Generation, Make, Model
from forecourt.catalogue.labels import label_of
from forecourt.catalogue.names import key_of
from forecourt.identify.vin_decoding import (
    NAMED,
    Candidate,
    DecodedVin,
    Fact,
    WarningCode,
    decode,
)
from forecourt.identify.vin_makers import origin_of

MATCHED: Final = 0.85
"""A car is matched from this confidence on …"""
AHEAD: Final = 0.15
"""… when the next one is at least so far behind."""
MOST_CANDIDATES: Final = 5
_BADGES: Final[Mapping[tuple[str, str], str]] = {("Opel", "GB"): "Vauxhall"}
"""What one maker's cars are called in a market."""
_DACIA: Final = frozenset({"Duster", "Logan", "Sandero"})
_DACIA_MARKETS: Final = frozenset(
    {"AT", "BE", "CH", "CZ", "DE", "DK", "ES", "FI", "FR", "GB", "IT", "NL", "NO", "PL", "PT", "RO", "SE"}
)
_MESSAGES: Final[Mapping[WarningCode, str]] = {
    "check_digit_mismatch": "Position 9 is not the check digit of the rest; one character may be wrong.",
    "filler_characters": "The maker fills positions with Z, as European makers do; they say nothing.",
    "year_not_encoded": "This maker does not write the model year into the VIN.",
    "year_code_invalid": "The position of the model year holds no code of a year.",
    "year_ambiguous": "The code of the model year repeats after thirty years, and both years fit.",
    "year_outside_production": "The model was not built in the years that the code can mean.",
    "several_makes": "Cars of several makes carry this manufacturer's code.",
    "not_a_passenger_car": "The manufacturer's code is one of trucks, buses, trailers or motorcycles.",
}


def decode_vin(catalogue: Catalogue, arguments: Mapping[str, Any], *, this_year: int) -> dict[str, Any]:
    """Answer `decode_vin` for `vin` and, if it is given, the market `country`.

    Raises `InvalidVin` with `details["suggestion"]` when misread letters explain it, and `VinNotFound`.
    """
    return answer(catalogue, decode(arguments["vin"], this_year=this_year), country=arguments.get("country"))


def answer(catalogue: Catalogue, decoded: DecodedVin, *, country: str | None = None) -> dict[str, Any]:
    """Write what was decoded in the shape of the contract."""
    cars = _cars(catalogue, decoded, country)
    best = cars[0] if cars else None
    make = _badge(decoded.facts["make"].value, "", country) if "make" in decoded.facts else None
    facts = dict(decoded.facts)
    if best is not None and "model" in facts:
        make = best[0].make
    if make is not None:
        facts["make"] = facts["make"]._replace(value=make)
    return {
        "object": "decoded_vin",
        "vin": decoded.vin,
        "checks": {"length": True, "characters": True, "check_digit": decoded.check.as_json()},
        "wmi": _manufacturer(decoded),
        "vds": decoded.vin[3:9],
        "vis": decoded.vin[9:],
        "model_year": _model_year(decoded),
        "fields": {name: _field(fact) for name, fact in facts.items() if name != "model_year"},
        "match": _match(decoded, cars),
        "catalogue": _certain_ids(decoded, best),
        "candidates": [
            {"catalogue": _ids(line), "label": _label(car, line), "confidence": car.confidence}
            for car, line in cars[:MOST_CANDIDATES]
        ],
        "warnings": [{"code": code, "message": _MESSAGES[code]} for code in decoded.warnings],
        "hints": _hints(decoded, cars),
    }


_Car = tuple[Candidate, Line | None]


def _cars(catalogue: Catalogue, decoded: DecodedVin, country: str | None) -> list[_Car]:
    """Return the candidates under their names in the market, with their places in the catalogue."""
    found: dict[tuple[str, str], _Car] = {}
    for told in decoded.candidates:
        car = told._replace(make=_badge(told.make, told.model, country))
        earlier = found.get((car.make, car.model))
        if earlier is not None:
            car = car._replace(confidence=round(car.confidence + earlier[0].confidence, 2))
        found[car.make, car.model] = (car, place_in(catalogue, car, decoded.year.value))
    return sorted(found.values(), key=lambda one: -one[0].confidence)


def _badge(make: str | int, model: str, country: str | None) -> str:
    if make == "Renault" and model in _DACIA and country in _DACIA_MARKETS:
        return "Dacia"
    return _BADGES.get((str(make), country or ""), str(make))


def place_in(catalogue: Catalogue, car: Candidate, year: int | None) -> Line | None:
    """Return where a car stands in the catalogue: its generation by name or type code, else by its only year.

    None when the catalogue does not know the make and the model.
    """
    place = _models(catalogue).get((key_of(car.make), key_of(car.model)))
    if place is None:
        return None
    make, model = place
    return Line(make, model, _generation(catalogue.generations_of(model.id), car.generation, year))


def _generation(generations: Sequence[Generation], named: str, year: int | None) -> Generation | None:
    by_name = [one for one in generations if named and named.casefold() in _names(one)]
    if len(by_name) == 1:
        return by_name[0]
    by_year = [one for one in by_name or generations if year is not None and one.years.holds(year)]
    return by_year[0] if len(by_year) == 1 else None


def _names(generation: Generation) -> tuple[str, ...]:
    return (generation.name.casefold(), (generation.code or "").casefold())


@lru_cache(maxsize=4)
def _models(catalogue: Catalogue) -> Mapping[tuple[str, str], tuple[Make, Model]]:
    return {
        (key_of(make.name), key_of(model.name)): (make, model)
        for make in catalogue.makes.values()
        for model in catalogue.models_of(make.id)
    }


def _manufacturer(decoded: DecodedVin) -> dict[str, Any]:
    origin = origin_of(decoded.vin)
    name = decoded.maker.name if decoded.maker is not None else None
    return {
        "code": decoded.vin[:3],
        "manufacturer": name,
        "country": origin.country,
        "region": origin.region,
    }


def _model_year(decoded: DecodedVin) -> dict[str, Any]:
    year = decoded.year
    return {
        "value": year.value,
        "confidence": year.confidence,
        "alternatives": list(year.alternatives),
    }


def _field(fact: Fact) -> dict[str, Any]:
    return {"value": fact.value, "confidence": fact.confidence, "source": fact.source, "raw": fact.raw}


def _match(decoded: DecodedVin, cars: Sequence[_Car]) -> dict[str, Any]:
    """Say how far down the car is known: only models of the catalogue count, as elsewhere in the service."""
    if not cars or all(line is None for _, line in cars):
        level = "make" if "make" in decoded.facts else None
        return {"status": "unmatched", "confidence": 0.0, "level": level, "method": "vin"}
    top, second = cars[0][0].confidence, cars[1][0].confidence if len(cars) > 1 else 0.0
    certain = top >= MATCHED and top - second >= AHEAD and cars[0][1] is not None
    line = cars[0][1]
    level = "make" if top < NAMED else "generation" if line and line.generation else "model"
    return {
        "status": "matched" if certain else "ambiguous",
        "confidence": top,
        "level": level,
        "method": "vin",
    }


def _certain_ids(decoded: DecodedVin, best: _Car | None) -> dict[str, str] | None:
    """Return the ids of the likeliest car, if it is likelier than not."""
    return _ids(best[1]) if best is not None and "model" in decoded.facts else None


def _ids(line: Line | None) -> dict[str, str] | None:
    return line.ids() if line is not None else None


def _label(car: Candidate, line: Line | None) -> str:
    return label_of(line) if line is not None else f"{car.make} {car.model}".strip()


def _hints(decoded: DecodedVin, cars: Sequence[_Car]) -> list[dict[str, str]]:
    hints = []
    if decoded.suggestion:
        text = "One character may be wrong; a VIN that fits is in `suggestion`."
        hints.append({"code": "check_vin", "message": text, "suggestion": decoded.suggestion})
    if decoded.year.value is None or decoded.year.alternatives:
        text = "Say the month of the first registration; the VIN does not settle the year."
        hints.append({"code": "add_first_registration_month", "message": text})
    if len(cars) > 1 and cars[0][0].confidence < MATCHED:
        text = "Several models carry this code; say which of the candidates it is."
        hints.append({"code": "confirm_candidate", "message": text})
    if not cars:
        text = "The VIN does not tell the model; the type key of the German registration may."
        hints.append({"code": "use_hsn_tsn", "message": text})
    return hints
