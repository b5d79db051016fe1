"""Read a car out of free text and partial fields: make, model, generation, drivetrain and what else is said.

`normalize_vehicle` answers in the shape of the contract (4.13). The same input gives the same answer as long
as the catalogue is the same (`catalogue_version`).
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from forecourt.catalogue.catalogue import Catalogue, Line
from forecourt.catalogue.entries import Drivetrain, Generation, kilowatts
from forecourt.catalogue.labels import label_of
from forecourt.catalogue.names import cut
from forecourt.catalogue.reading import Makes, Reading, makes_named, read_models
from forecourt.identify.text_attributes import Attribute, read_attributes
from forecourt.identify.text_narrowing import (
    Known,
    is_named,
    naming_words,
    narrow_drivetrains,
    narrow_generations,
)
from forecourt.identify.text_spelling import read_misspelled
from forecourt.identify.text_words import FoundWord, advert_words

MATCHED: Final = 0.85
"""A reading is a match from this confidence on …"""
AHEAD: Final = 0.15
"""… when the next one is at least so far behind."""
AMBIGUOUS: Final = 0.2
MOST_CANDIDATES: Final = 5
_MARKS_AROUND: Final = " ,;:.()[]|"
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_BADGE: Final = re.compile(r"^([xse]drive)\d.*")
"""`xdrive30d`: driven wheels and engine in one word."""
_CHUNK: Final = re.compile(r"\S+")
_STATED: Final = 0.99
_CONVERTED: Final = 0.95
_WORDED: Final = 0.95
_CODED: Final = 0.9
_BY_NAME_OR_CODE: Final = 0.97
_BY_YEAR: Final = 0.93
_BY_DRIVETRAIN: Final = 0.93
_DIRECT: Final = (
    "variant", "first_registration", "year", "mileage_km", "mileage_miles", "fuel", "transmission", "drive",
    "body_type", "power_kw", "displacement_cc", "battery_kwh", "doors", "seats", "colour",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fact:
    """One field of the answer."""

    value: Any
    confidence: float
    source: str
    raw: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the shape of the contract."""
        return {"value": self.value, "confidence": self.confidence, "source": self.source, "raw": self.raw}


@dataclass(frozen=True, slots=True)
class Identification:
    """What was read: the likeliest car, the others that fit, the facts and the words that said nothing."""

    line: Line | None
    confidence: float
    candidates: tuple[tuple[Line, float], ...] = ()
    facts: Mapping[str, Fact] = field(default_factory=dict)
    unparsed: tuple[str, ...] = ()
    warnings: tuple[Mapping[str, str], ...] = ()

    @property
    def status(self) -> str:
        """`matched`, `ambiguous` or `unmatched`, as the contract defines them."""
        if self.line is None or self.line.model is None or self.confidence < AMBIGUOUS:
            return "unmatched"
        second = self.candidates[1][1] if len(self.candidates) > 1 else 0.0
        ahead = self.confidence - second >= AHEAD
        return "matched" if self.confidence >= MATCHED and ahead else "ambiguous"

    @property
    def level(self) -> str | None:
        """The deepest level that is known."""
        if self.line is None:
            return None
        parts = {
            "drivetrain": self.line.drivetrain,
            "generation": self.line.generation,
            "model": self.line.model,
        }
        return next((name for name, part in parts.items() if part is not None), "make")


def normalize_vehicle(catalogue: Catalogue, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Answer `normalize_vehicle`: `text` and/or `vehicle`, and the country whose habits count.

    Raises `CatalogueIdNotFound`, `CatalogueIdReplaced` or `CatalogueConflict` for ids in `vehicle.catalogue`.
    """
    vehicle, country = arguments.get("vehicle", {}), arguments.get("country")
    found = identify(catalogue, arguments.get("text", ""), vehicle=vehicle, country=country)
    by_id = "catalogue" in vehicle
    return {
        "object": "normalized_vehicle",
        "match": {
            "status": found.status,
            "confidence": found.confidence,
            "level": found.level,
            "method": "catalogue" if by_id else "text" if found.line is not None else None,
        },
        "catalogue": (found.line.ids() or None) if found.line else None,
        "fields": {name: fact.as_json() for name, fact in found.facts.items()},
        "candidates": [
            {"catalogue": line.ids(), "label": label_of(line), "confidence": confidence}
            for line, confidence in found.candidates
        ],
        "unparsed": list(found.unparsed),
        "warnings": list(found.warnings),
        "hints": _hints(found),
        "catalogue_version": catalogue.version,
    }


def identify(
    catalogue: Catalogue, text: str, *, vehicle: Mapping[str, Any] | None = None, country: str | None = None
) -> Identification:
    """Read a car from text and from fields that are known; fields count more than text."""
    known = dict(vehicle or {})
    written = " ".join([*(str(known[name]) for name in ("model", "variant") if name in known), text])
    page = _Page.read(written, country=country)
    makes = _makes(catalogue, page, known)
    if "catalogue" in known:
        return _settled(catalogue.line_of(known["catalogue"]), {**page.facts(), **_told(known)}, page)
    readings = read_models(catalogue, page.words, makes=makes, country=country)
    if not readings:
        readings = read_misspelled(catalogue, page.unknown_words(makes), makes=makes)
    return _identified(catalogue, readings, makes, known, page)


@dataclass(frozen=True, slots=True)
class _Page:
    """A text cut into chunks between blanks; each word knows its chunk, number words are blanked."""

    text: str
    chunks: tuple[tuple[int, int], ...]
    words: list[str]
    chunk_of: list[int]
    attributes: list[Attribute]
    found: list[FoundWord]

    @classmethod
    def read(cls, text: str, *, country: str | None) -> "_Page":
        attributes = read_attributes(text, country=country)
        chunks = tuple(match.span() for match in _CHUNK.finditer(text))
        words: list[str] = []
        plain: list[str] = []
        chunk_of: list[int] = []
        for place, (start, end) in enumerate(chunks):
            cut_chunk = cut(text[start:end])
            numeric = any(one.start < end and start < one.end for one in attributes if one.field != "year")
            words.extend("" if numeric and word[:1].isdigit() else word for word in cut_chunk)
            plain.extend(_letters(word) if numeric else _BADGE.sub(r"\1", word) for word in cut_chunk)
            chunk_of.extend([place] * len(cut_chunk))
        return cls(text, chunks, words, chunk_of, attributes, list(advert_words().find(plain)))

    def facts(self, name: tuple[int, int] | None = None) -> dict[str, Fact]:
        """Return the first value that the text gives for each field; `name` is where the model is named.

        A year that is the model's name, the 2008 of Peugeot, is none.
        """
        facts: dict[str, Fact] = {}
        for one in self.attributes:
            if one.field == "year" and (one.start, one.end) == name:
                continue
            source, confidence = ("inferred", _CONVERTED) if one.inferred else ("input", _STATED)
            fact = Fact(one.value, confidence, source, self.text[one.start : one.end].strip())
            if one.field != "gears":
                facts.setdefault(one.field, fact)
        for found in self.found:
            raw = self.raw(found.start, found.end)
            meaning = found.meaning
            if meaning.field not in {"variant", ""}:
                facts.setdefault(meaning.field, Fact(meaning.value, _WORDED, "input", raw))
            if meaning.detail is not None:
                facts.setdefault("transmission_detail", Fact(meaning.detail, _WORDED, "input", raw))
        trims = [self.raw(one.start, one.end) for one in self.found if one.meaning.field == "variant"]
        if trims:
            facts["variant"] = Fact(" ".join(dict.fromkeys(trims)), _WORDED, "input", " ".join(trims))
        return facts

    def unknown_words(self, makes: Makes) -> list[str]:
        """Return the words with those blank that are understood."""
        spans = [
            *((one.start, one.end) for one in self.found),
            *((start, end) for _, start, end in makes.spans),
        ]
        known = {place for start, end in spans for place in range(start, end)}
        return ["" if place in known else word for place, word in enumerate(self.words)]

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Return where the chunks of some words begin and end in the text."""
        return self.chunks[self.chunk_of[start]][0], self.chunks[self.chunk_of[end - 1]][1]

    def raw(self, start: int, end: int) -> str:
        """Return the text of some words, with whole chunks."""
        first, last = self.place(start, end)
        return self.text[first:last].strip(_MARKS_AROUND)

    def unparsed(self, spans: Iterable[tuple[int, int]]) -> tuple[str, ...]:
        """Return the chunks that nothing was read from; `spans` are the words of make and model."""
        used = {self.chunk_of[place] for start, end in spans for place in range(start, end)}
        used |= {self.chunk_of[place] for one in self.found for place in range(one.start, one.end)}
        left = [
            self.text[start:end]
            for place, (start, end) in enumerate(self.chunks)
            if place not in used and not any(one.start < end and start < one.end for one in self.attributes)
        ]
        return tuple(chunk for chunk in left if any(letter.isalnum() for letter in chunk))


def _letters(word: str) -> str:
    """Return the letters that hang on a number: `tsi` of `1.4tsi`."""
    return re.sub(r"^[\d.]+|[\d.]+$", "", word) or word


def _makes(catalogue: Catalogue, page: _Page, known: Mapping[str, Any]) -> Makes:
    given = None
    if "make" in known:
        told = catalogue.names.make_mentions(cut(known["make"]))
        given = told[0][0] if told else None
    return makes_named(catalogue, page.words, given=given)


def _told(known: Mapping[str, Any]) -> dict[str, Fact]:
    facts = {name: Fact(known[name], 1.0, "input", str(known[name])) for name in _DIRECT if name in known}
    if "power_hp" in known:
        raw = str(known["power_hp"])
        facts["power_kw"] = Fact(kilowatts(known["power_hp"]), _CONVERTED, "inferred", raw)
    return facts


def _settled(line: Line, facts: Mapping[str, Fact], page: _Page) -> Identification:
    named = {"make": Fact(line.make.name, 1.0, "catalogue")}
    if line.model is not None:
        named["model"] = Fact(line.model.name, 1.0, "catalogue")
    return Identification(line, 1.0, ((line, 1.0),), {**named, **facts}, page.unparsed([]))


def _identified(
    catalogue: Catalogue, readings: list[Reading], makes: Makes, known: Mapping[str, Any], page: _Page
) -> Identification:
    make_spans = [(start, end) for _, start, end in makes.spans]
    if not readings:
        facts = {**page.facts(), **_told(known)}
        return _make_only(catalogue, makes, facts, page.unparsed(make_spans))
    top = readings[0]
    facts = {**_code_fuel(page, top), **page.facts(page.place(top.start, top.end)), **_told(known)}
    named = _named(catalogue, top, makes, page)
    line, confidence, warnings = _narrowed(catalogue, top, facts, page)
    told = _generation_words(line, page, top)
    others = [(catalogue.line_to(one.model), one.confidence) for one in readings[1:MOST_CANDIDATES]]
    unparsed = page.unparsed([*make_spans, *told, (top.start, top.end)])
    candidates = ((line, confidence), *others)
    return Identification(line, confidence, candidates, {**named, **facts}, unparsed, tuple(warnings))


def _make_only(
    catalogue: Catalogue, makes: Makes, facts: dict[str, Fact], unparsed: tuple[str, ...]
) -> Identification:
    make_id = makes.given or (makes.spans[0][0] if makes.spans else None)
    if make_id is None:
        return Identification(None, 0.0, (), facts, unparsed)
    make = catalogue.makes[make_id]
    named = {"make": Fact(make.name, _STATED, "input")}
    return Identification(Line(make), 0.0, (), {**named, **facts}, unparsed)


_CODE_FUELS: Final = ((re.compile(r"\d{2,3}x?s?d"), "diesel"), (re.compile(r"\d{2,3}x?i"), "petrol"))


def _generation_words(line: Line, page: _Page, top: Reading) -> list[tuple[int, int]]:
    """Return the words that name the generation."""
    if line.generation is None:
        return []
    naming = naming_words(line.generation)
    places = [place for place, word in enumerate(page.words) if word in naming]
    known = Known.of({}, page.words, model_ends=top.end)
    if is_named(line.generation, known) and top.end < len(page.words):
        places.append(top.end)
    return [(place, place + 1) for place in places]


def _code_fuel(page: _Page, top: Reading) -> dict[str, Fact]:
    """Return the fuel that the last letter of a code says: 320d, C220d, 118i."""
    code = "".join(page.words[top.start : top.end]).lstrip(_LETTERS)
    fuel = next((fuel for pattern, fuel in _CODE_FUELS if pattern.fullmatch(code)), None)
    return {} if fuel is None else {"fuel": Fact(fuel, _CODED, "inferred", page.raw(top.start, top.end))}


def _named(catalogue: Catalogue, top: Reading, makes: Makes, page: _Page) -> dict[str, Fact]:
    make = catalogue.make_of(top.model)
    spans = [(start, end) for name, start, end in makes.spans if name == make.id]
    raw = page.raw(*spans[0]) if spans else None
    said = bool(spans) or makes.given == make.id
    confidence = _STATED if said else top.confidence
    return {
        "make": Fact(make.name, confidence, "input" if said else "inferred", raw),
        "model": Fact(top.model.name, top.confidence, "input", page.raw(top.start, top.end)),
    }


def _narrowed(
    catalogue: Catalogue, top: Reading, facts: Mapping[str, Fact], page: _Page
) -> tuple[Line, float, list[dict[str, str]]]:
    """Go from the model down to the generation and the drivetrain as far as one alone fits."""
    known = Known.of({name: fact.value for name, fact in facts.items()}, page.words, model_ends=top.end)
    line, confidence = catalogue.line_to(top.model), top.confidence
    generations, by_name = narrow_generations(catalogue.generations_of(top.model.id), known)
    drivetrains = [
        one for entry in generations for one in narrow_drivetrains(catalogue.drivetrains_of(entry.id), known)
    ]
    warnings = _outside_production(top, known)
    if len(generations) == 1:
        line = replace(line, generation=generations[0])
        confidence *= _BY_NAME_OR_CODE if by_name else _BY_YEAR
    if len(drivetrains) == 1 and known.says_engine():
        line, confidence = _with_drivetrain(catalogue, line, drivetrains[0]), confidence * _BY_DRIVETRAIN
    return line, round(confidence, 3), warnings


def _with_drivetrain(catalogue: Catalogue, line: Line, drivetrain: Drivetrain) -> Line:
    generation: Generation = catalogue.generations[drivetrain.generation_id]
    return replace(line, generation=generation, drivetrain=drivetrain)


def _outside_production(top: Reading, known: Known) -> list[dict[str, str]]:
    years = top.model.years
    if known.year is None or years.near(known.year):
        return []
    text = "The model was not built in the year of the first registration."
    return [{"code": "identity_mismatch", "message": text}]


def _hints(found: Identification) -> list[dict[str, str]]:
    """Say what would settle a car that is not settled."""
    if found.status == "ambiguous" and len(found.candidates) > 1:
        return [{"code": "confirm_candidate", "message": "Choose one of the candidates."}]
    if found.status == "matched" and found.level != "drivetrain":
        missing = [name for name in ("fuel", "transmission") if name not in found.facts]
        hints = [
            {"code": f"add_{name}", "message": f"Say the {name}.", "pointer": f"/vehicle/{name}"}
            for name in missing
        ]
        return [*hints, {"code": "add_drivetrain", "message": "Choose a drivetrain with search_vehicles."}]
    return []
