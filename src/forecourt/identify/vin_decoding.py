"""What a VIN tells: checks, maker, model year, model, generation; every fact with its confidence and source.

vPIC answers for cars of the North American market, our own tables for all others. A model is only named when
it is likelier than not; otherwise the models that fit are candidates.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from forecourt.base.vin_form import bare, check_digit, check_digit_fits, is_vin, repaired
from forecourt.contract.errors import InvalidVin, VinNotFound
from forecourt.identify import vin_years
from forecourt.identify.vin_makers import Maker, is_north_american, maker_of
from forecourt.identify.vin_types import CarType, fitting, types_of
from forecourt.identify.vin_vpic import VpicReading, read_vpic, read_vpic_batch
from forecourt.identify.vin_years import ModelYear, Reason, model_year

Source = Literal["vin", "inferred"]
WarningCode = Literal[
    "check_digit_mismatch",
    "filler_characters",
    "year_not_encoded",
    "year_code_invalid",
    "year_ambiguous",
    "year_outside_production",
    "several_makes",
    "not_a_passenger_car",
]
NAMED: Final = 0.55
"""A model is named from this confidence on."""
_OLDER: Final = 0.3
"""Of two cycles of thirty years, how much likelier a car of the older one is: most of them are gone."""
_FILLER: Final = "ZZZ"
_BY_LAW: Final = 0.99
_EXCHANGED: Final = 0.6
"""vPIC guessed a character before it read the rest."""
_ONE_MAKE: Final = 0.97
"""No table is surer than this."""
_OF_SEVERAL: Final = 0.8


class CheckDigit(NamedTuple):
    """Position 9: only makers of North America must use it (49 CFR 565.15); elsewhere it decides nothing."""

    expected: str
    actual: str
    applies: bool

    @property
    def passed(self) -> bool | None:
        """Whether it fits; None where it does not apply."""
        return self.expected == self.actual if self.applies else None

    def as_json(self) -> dict[str, str | bool | None]:
        """Return it in the shape of the contract."""
        return {
            "expected": self.expected,
            "actual": self.actual,
            "applies": self.applies,
            "passed": self.passed,
        }


class Fact(NamedTuple):
    """A value, how sure it is, where it is from, and the characters that it was read from."""

    value: str | int
    confidence: float
    source: Source = "vin"
    raw: str | None = None


class Candidate(NamedTuple):
    """A model that fits, its generation ("" if not told), and how likely it is."""

    make: str
    model: str
    generation: str
    confidence: float


class DecodedVin(NamedTuple):
    """Everything that a VIN tells without a catalogue and without a register."""

    vin: str
    check: CheckDigit
    maker: Maker | None
    year: ModelYear
    facts: Mapping[str, Fact]
    candidates: tuple[Candidate, ...]
    warnings: tuple[WarningCode, ...]
    suggestion: str | None


def read_vin(text: object) -> str:
    """Return a VIN as it has to be written; raises `InvalidVin`, with what may be meant."""
    if isinstance(text, str) and is_vin(text):
        return text
    vin = bare(text) if isinstance(text, str) else ""
    if is_vin(vin):
        return vin
    meant = repaired(vin)
    details = {"suggestion": meant} if meant else {}
    raise InvalidVin("A VIN has 17 letters and digits, without I, O and Q.", details=details)


def check_digit_of(vin: str) -> CheckDigit:
    """Return what position 9 of a VIN says."""
    return CheckDigit(check_digit(vin), vin[8], is_north_american(vin))


def decode(text: str, *, this_year: int) -> DecodedVin:
    """Read a VIN. `this_year` bounds model years that can exist.

    Raises `InvalidVin` and `VinNotFound`; a wrong check digit and an odd year are warnings, never errors.
    """
    vin = read_vin(text)
    return _decoded(vin, read_vpic(vin) if _is_for_vpic(vin) else None, this_year)


def decode_many(texts: Iterable[str], *, this_year: int) -> Sequence[DecodedVin | InvalidVin | VinNotFound]:
    """Read many VINs; one that cannot be read leaves its error in its place and harms no other."""
    read = [_read_or_error(text) for text in texts]
    asked = [vin for vin in read if isinstance(vin, str) and _is_for_vpic(vin)]
    readings = dict(zip(asked, read_vpic_batch(asked), strict=True))
    return [
        _decoded_or_error(vin, readings.get(vin), this_year) if isinstance(vin, str) else vin for vin in read
    ]


def _is_for_vpic(vin: str) -> bool:
    """Tell whether vPIC may know a VIN: it is American, or has the check digit that American cars have."""
    return (
        is_north_american(vin) or maker_of(vin) is None or (check_digit_fits(vin) and _FILLER not in vin[3:9])
    )


def _read_or_error(text: str) -> str | InvalidVin:
    try:
        return read_vin(text)
    except InvalidVin as error:
        return error


def _decoded_or_error(vin: str, vpic: VpicReading | None, this_year: int) -> DecodedVin | VinNotFound:
    try:
        return _decoded(vin, vpic, this_year)
    except VinNotFound as error:
        return error


def _decoded(vin: str, vpic: VpicReading | None, this_year: int) -> DecodedVin:
    maker = maker_of(vin)
    if vpic is not None and vpic.model is not None and (vpic.whole or is_north_american(vin)):
        return _from_vpic(vin, maker, vpic, this_year)
    if maker is None and (vpic is None or vpic.make is None):
        raise VinNotFound("Nothing is known of this manufacturer.")
    return _from_tables(vin, maker, vpic, this_year)


def _from_vpic(vin: str, maker: Maker | None, vpic: VpicReading, this_year: int) -> DecodedVin:
    """Build what is known of a car of the North American market."""
    make, model = vpic.make or "", vpic.model or ""
    year = _year_by_vpic(vin, make, vpic, this_year)
    sure = _BY_LAW if vpic.as_is else _EXCHANGED
    types = [car for car in types_of(vin) if car.model.casefold() == model.casefold()]
    generation = _only_generation(fitting(types, year.possible)) if types else ""
    facts = {"make": Fact(make, sure, "vin", vin[:3]), "model": Fact(model, sure, "vin", vin[3:8])}
    for name, value in vpic.details():
        if value is not None:
            facts[name] = Fact(value, sure)
    candidates = (Candidate(make, model, generation, sure),)
    return _decoding(vin, maker, year, facts, candidates, suggestion=vpic.suggestion)


def _year_by_vpic(vin: str, make: str, vpic: VpicReading, this_year: int) -> ModelYear:
    """Return vPIC's year, which is certain for light vehicles only: position 7 says nothing of heavy ones."""
    if vpic.year is not None and not vpic.heavy:
        return ModelYear(vpic.year, _BY_LAW if vpic.as_is else _EXCHANGED, (), "stated")
    own = model_year(vin, (make,), this_year=this_year, heavy=vpic.heavy)
    others = tuple(year for year in own.possible if year != vpic.year)
    if vpic.year is None or not others:
        return own
    return ModelYear(vpic.year, _EXCHANGED, others, "cycle_unknown")


def _from_tables(vin: str, maker: Maker | None, vpic: VpicReading | None, this_year: int) -> DecodedVin:
    """Build what is known of a car of any other market."""
    known = types_of(vin)
    makes = _makes(known, maker, vpic)
    heavy = maker is not None and maker.kind == "heavy"
    within = _by_form(vin, makes, known)
    year = model_year(vin, makes, within, this_year=this_year, heavy=heavy)
    candidates = _candidates(fitting(within, year.possible), year)
    suggestion = vpic.suggestion if vpic is not None and is_north_american(vin) else None
    return _decoding(vin, maker, year, _facts(vin, makes, candidates), candidates, suggestion=suggestion)


def _decoding(
    vin: str,
    maker: Maker | None,
    year: ModelYear,
    facts: dict[str, Fact],
    candidates: tuple[Candidate, ...],
    *,
    suggestion: str | None,
) -> DecodedVin:
    """Put everything together, with the year, the generation and the warnings that follow from the rest."""
    if year.value is not None:
        facts["model_year"] = Fact(year.value, year.confidence, "vin", vin[9])
    top = candidates[0] if candidates else None
    model = facts.get("model")
    if top is not None and model is not None and top.generation and top.model == model.value:
        facts["generation"] = Fact(top.generation, model.confidence, "inferred")
    check = check_digit_of(vin)
    warnings = _warnings(vin, maker, check, year, facts)
    return DecodedVin(vin, check, maker, year, facts, candidates, warnings, suggestion)


_YEAR_WARNINGS: Final[Mapping[Reason, WarningCode]] = {
    "not_encoded": "year_not_encoded",
    "no_code": "year_code_invalid",
    "cycle_unknown": "year_ambiguous",
    "outside_production": "year_outside_production",
}


def _warnings(
    vin: str, maker: Maker | None, check: CheckDigit, year: ModelYear, facts: Mapping[str, Fact]
) -> tuple[WarningCode, ...]:
    found: list[WarningCode] = []
    if "make" in facts and facts["make"].confidence == _OF_SEVERAL:
        found.append("several_makes")
    if check.applies and check.expected != check.actual:
        found.append("check_digit_mismatch")
    if _FILLER in vin[3:9]:
        found.append("filler_characters")
    if maker is not None and maker.kind != "car":
        found.append("not_a_passenger_car")
    if year.reason in _YEAR_WARNINGS:
        found.append(_YEAR_WARNINGS[year.reason])
    return tuple(found)


def _makes(types: Sequence[CarType], maker: Maker | None, vpic: VpicReading | None) -> tuple[str, ...]:
    """Return the makes that a car can be of, the likeliest first."""
    told = dict.fromkeys(car.make for car in types)
    if told:
        return tuple(told)
    if maker is not None and maker.makes:
        return maker.makes
    return (vpic.make,) if vpic is not None and vpic.make else ()


def _by_form(vin: str, makes: Sequence[str], types: Sequence[CarType]) -> tuple[CarType, ...]:
    """Leave out types that were not built in the years from which such a VIN can be."""
    earliest, latest = vin_years.earliest(vin, makes), vin_years.latest(vin, makes)
    kept = tuple(
        car
        for car in types
        if (earliest is None or car.last is None or car.last >= earliest)
        and (latest is None or car.first <= latest)
    )
    return kept or tuple(types)


def _candidates(types: Sequence[CarType], year: ModelYear) -> tuple[Candidate, ...]:
    """Weigh the models that fit by how many cars with such a code are of each."""
    shares: dict[tuple[str, str], float] = {}
    for car in types:
        weight = car.share * (1.0 if year.value is None or car.built_in(year.value) else _OLDER)
        shares[car.make, car.model] = max(weight, shares.get((car.make, car.model), 0.0))
    whole = max(sum(shares.values()), 100.0)
    found = [
        Candidate(make, model, _only_generation(_of(types, make, model)), round(share / whole, 2))
        for (make, model), share in shares.items()
    ]
    return tuple(sorted(found, key=lambda candidate: -candidate.confidence))


def _of(types: Sequence[CarType], make: str, model: str) -> tuple[CarType, ...]:
    return tuple(car for car in types if (car.make, car.model) == (make, model))


def _only_generation(types: Sequence[CarType]) -> str:
    names = {car.generation for car in types}
    return names.pop() if len(names) == 1 else ""


def _facts(vin: str, makes: Sequence[str], candidates: Sequence[Candidate]) -> dict[str, Fact]:
    facts: dict[str, Fact] = {}
    if makes:
        facts["make"] = Fact(makes[0], _ONE_MAKE if len(makes) == 1 else _OF_SEVERAL, raw=vin[:3])
    models: dict[str, float] = {}
    for candidate in candidates:
        models[candidate.model] = models.get(candidate.model, 0.0) + candidate.confidence
    model, confidence = max(models.items(), key=lambda item: item[1], default=("", 0.0))
    if confidence >= NAMED:
        facts["model"] = Fact(model, round(min(confidence, _ONE_MAKE), 2), raw=vin[3:8])
    return facts
