"""How often VINs are read right, beside other decoders, and how long it takes.

`python -m benchmarks.identity.vins [--last-third] [--failures]` prints a Markdown report (`docs/vin.md`).
The last third of the European list, chosen by the hash of each VIN, is scored with `--last-third` only.
"""

import csv
import hashlib
import importlib
import os
import re
import statistics
import sys
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from forecourt.base.errors import ForecourtError
from forecourt.base.vin_form import years_of_code
from forecourt.identify.vin_decoding import NAMED, DecodedVin, decode

HERE = Path(__file__).parent
SHARED = Path(os.environ.get("FORECOURT_SHARED", HERE.parents[2] / "shared"))
THIS_YEAR = 2026
CONFIDENT = 0.85
ROUNDS = 15
_PLAIN = re.compile(r"[^a-z0-9+]")
_DIVISION_OF = {"volkswagencommercialvehicles": "volkswagen"}
"""Divisions that are one make to everybody else."""


class Expected(NamedTuple):
    """A VIN and what it is known to be; "" where that is not known, several right models parted by |."""

    vin: str
    make: str
    model: str
    year: str


class Answer(NamedTuple):
    """What a decoder says; every model that it calls the car counts (`C-Class`, `C300`)."""

    make: str = ""
    models: tuple[str, ...] = ()
    year: int | None = None
    year_confidence: float = 1.0


Decoder = Callable[[str], Answer]


def european(name: str = "european_vins.csv") -> list[Expected]:
    """Return a list of European VINs, each with its public source in the file.

    `european_vins_later.csv` was collected after the tables; where an advert hides position 9, it is 0.
    """
    with (HERE / name).open(encoding="utf-8") as file:
        return [Expected(row["vin"], row["make"], row["model"], row["year"]) for row in csv.DictReader(file)]


def kept_aside(vin: str) -> bool:
    """Tell whether a VIN belongs to the third that is scored at the end."""
    return int(hashlib.sha256(vin.encode()).hexdigest(), 16) % 3 == 0


def vectors(kind: str) -> list[Expected]:
    """Return the test VINs of other projects whose kind begins so."""
    with (SHARED / "data" / "vin_test_vectors.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["kind"].startswith(kind)]
    return [Expected(row["vin"], row["make"], row["model"], row["year"]) for row in rows]


def plain(name: str) -> str:
    """Return a name without case, accents and signs."""
    folded = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    bare = _PLAIN.sub("", folded)
    return _DIVISION_OF.get(bare, bare)


def ours(vin: str) -> Answer:
    """Ask our own decoder."""
    try:
        decoded = decode(vin, this_year=THIS_YEAR)
    except ForecourtError:
        return Answer()
    return told(decoded)


def told(decoded: DecodedVin) -> Answer:
    """Return what a decoded VIN says."""
    values = {name: str(fact.value) for name, fact in decoded.facts.items()}
    models = tuple(values[name] for name in ("model", "variant") if name in values)
    return Answer(values.get("make", ""), models, decoded.year.value, decoded.year.confidence)


def peers() -> dict[str, Decoder]:
    """Return the other decoders that are installed here."""
    known = {"ultravin": _ultravin, "vin": _vin, "vininfo": _vininfo}
    return {name: decoder for name, decoder in known.items() if find_spec(name)}


def _ultravin(vin: str) -> Answer:
    decoded = importlib.import_module("ultravin").decode(vin)
    said = decoded["attributes"]
    models = tuple(filter(None, (said.get("Model"), said.get("Trim"))))
    return Answer(said.get("Make") or "", models, decoded["model_year"])


def _vin(vin: str) -> Answer:
    try:
        decoded = importlib.import_module("vin").VIN(vin, fix_check_digit=True)
        return Answer(decoded.make or "", tuple(filter(None, [decoded.model])), decoded.model_year)
    except Exception:  # noqa: BLE001 - a peer that raises has not answered
        return Answer()


def _vininfo(vin: str) -> Answer:
    try:
        decoded = importlib.import_module("vininfo").Vin(vin)
        model = str(getattr(decoded.details, "model", None) or "")
        return Answer(
            str(decoded.manufacturer or ""), tuple(filter(None, [model])), (decoded.years or [None])[-1]
        )
    except Exception:  # noqa: BLE001 - a peer that raises has not answered
        return Answer()


def contains(answered: str, expected: str) -> bool:
    """Tell whether one of two names contains the other, as other projects compare them."""
    one, other = plain(answered), plain(expected)
    return bool(one and other) and (one in other or other in one)


def north_american(decoder: Decoder, cars: Sequence[Expected]) -> dict[str, float]:
    """Return shares in per cent of right makes, model years and models; no answer is a wrong one."""
    right: Counter[str] = Counter()
    for car in cars:
        answer = decoder(car.vin)
        right["make"] += contains(answer.make, car.make)
        right["year"] += answer.year == int(car.year)
        right["model"] += any(contains(model, car.model) for model in answer.models)
    return {what: 100 * right[what] / len(cars) for what in ("make", "year", "model")}


class EuropeanScore(NamedTuple):
    """Counts over European VINs; models are compared exactly."""

    cars: int
    makes: int
    right: int
    wrong: int
    confident_years: int
    wrong_confident_years: int
    failures: tuple[str, ...]


def score_european(decoder: Decoder, cars: Sequence[Expected]) -> EuropeanScore:
    """Count right makes, right and wrong models, and confident years more than one year off."""
    counted: Counter[str] = Counter()
    failures = []
    for car in cars:
        answer = decoder(car.vin)
        counted["make"] += contains(answer.make, car.make)
        verdict = _model_verdict(answer, car)
        counted[verdict] += 1
        off = _confident_year_off(answer, car)
        counted["confident"] += off is not None
        counted["off"] += off is not None and off > 1
        if verdict != "right" or (off or 0) > 1:
            failures.append(f"{car.vin} is {car.make} {car.model} {car.year}: {verdict}, {answer}")
    names = ("make", "right", "wrong", "confident", "off")
    return EuropeanScore(len(cars), *(counted[name] for name in names), tuple(failures))


def _model_verdict(answer: Answer, car: Expected) -> str:
    if not answer.models:
        return "none"
    return "right" if plain(answer.models[0]) in {plain(model) for model in car.model.split("|")} else "wrong"


def _confident_year_off(answer: Answer, car: Expected) -> int | None:
    if not car.year or answer.year is None or answer.year_confidence < CONFIDENT:
        return None
    return abs(answer.year - int(car.year))


def year_codes_right(cars: Sequence[Expected]) -> int:
    """Count codes of the second cycle, 2010 to 2039, that are read right; "" stands for no code."""
    return sum(
        [year for year in years_of_code(car.vin[9]) if year >= 2010] == ([int(car.year)] if car.year else [])
        for car in cars
    )


def report(*, last_third: bool, failures: bool) -> Iterator[str]:
    """Yield the lines of the report."""
    decoders = {"Forecourt": ours, **peers()}
    yield from _north_american_lines(decoders)
    yield from _manufacturer_lines(decoders, failures=failures)
    part = "last third" if last_third else "first two thirds"
    cars = [car for car in european() if kept_aside(car.vin) == last_third]
    yield from _european_lines(decoders, cars, part, failures=failures)
    later = european("european_vins_later.csv")
    yield from _european_lines(decoders, later, "collected after the tables", failures=failures)
    yield from _speed_lines()


def _north_american_lines(decoders: Mapping[str, Decoder]) -> Iterator[str]:
    cars = vectors("us_market")
    yield f"| {len(cars)} US and Canadian VINs | make % | year % | model % |"
    yield "|---|---|---|---|"
    for name, decoder in decoders.items():
        shares = north_american(decoder, cars)
        yield f"| {name} | " + " | ".join(f"{share:.1f}" for share in shares.values()) + " |"
    codes = vectors("year_code")
    yield f"\nCodes of model years: {year_codes_right(codes)} of {len(codes)} right.\n"


def _manufacturer_lines(decoders: Mapping[str, Decoder], *, failures: bool) -> Iterator[str]:
    cars = vectors("wmi_to_make")
    yield f"| {len(cars)} manufacturer codes | make % |"
    yield "|---|---|"
    for name, decoder in decoders.items():
        answers = [(car, decoder(car.vin)) for car in cars]
        wrong = [(car, answer) for car, answer in answers if not contains(answer.make, car.make)]
        yield f"| {name} | {100 * (1 - len(wrong) / len(cars)):.1f} |"
        if failures and name == "Forecourt":
            yield from (
                f"{car.vin[:3]} is {car.make}, read {answer.make or 'nothing'}" for car, answer in wrong
            )
    yield ""


def _european_lines(
    decoders: Mapping[str, Decoder], cars: Sequence[Expected], part: str, *, failures: bool
) -> Iterator[str]:
    head = f"{len(cars)} European VINs of {len({car.make for car in cars})} makes, {part}"
    yield f"| {head} | make % | model % | wrong model % | wrong sure years |"
    yield "|---|---|---|---|---|"
    for name, decoder in decoders.items():
        score = score_european(decoder, cars)
        shares = (100 * count / score.cars for count in (score.makes, score.right, score.wrong))
        figures = " | ".join(f"{share:.1f}" for share in shares)
        yield f"| {name} | {figures} | {score.wrong_confident_years} of {score.confident_years} |"
        if failures and name == "Forecourt":
            yield from score.failures
    yield f"\nA model is named from a confidence of {NAMED} on; a year is sure from {CONFIDENT} on.\n"


def _speed_lines() -> Iterator[str]:
    american = [car.vin for car in vectors("us_market")]
    foreign = [car.vin for car in european()]
    if not find_spec("ultravin"):
        return
    ultravin = importlib.import_module("ultravin")
    own, theirs = _per_vin(lambda vin: decode(vin, this_year=THIS_YEAR), ultravin.decode, american)
    europe, _ = _per_vin(lambda vin: decode(vin, this_year=THIS_YEAR), ultravin.decode, foreign)
    yield "| CPU for one VIN | µs | against ultravin |"
    yield "|---|---|---|"
    yield f"| ultravin, US and Canada | {theirs * 1e6:.0f} | 1 |"
    yield f"| Forecourt, US and Canada | {own * 1e6:.0f} | {own / theirs:.2f} |"
    yield f"| Forecourt, Europe | {europe * 1e6:.0f} | {europe / theirs:.2f} |"


def _per_vin(
    own: Callable[[str], object], theirs: Callable[[str], object], vins: Sequence[str]
) -> tuple[float, float]:
    """Return CPU seconds of both, each the median of rounds that take turns."""
    rounds = [(_timed(own, vins), _timed(theirs, vins)) for _ in range(ROUNDS)]
    return statistics.median(own for own, _ in rounds), statistics.median(theirs for _, theirs in rounds)


def _timed(function: Callable[[str], object], vins: Sequence[str]) -> float:
    started = time.process_time()
    for vin in vins:
        function(vin)
    return (time.process_time() - started) / len(vins)


if __name__ == "__main__":
    for line in report(last_third="--last-third" in sys.argv, failures="--failures" in sys.argv):
        print(line)
