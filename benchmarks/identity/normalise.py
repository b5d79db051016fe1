"""How often free text is read right, how honest the confidence is, how long it takes.

`python -m benchmarks.identity.normalise [--failures]` prints a Markdown report for `docs/accuracy.md`.
"""

import random
import resource
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain

from benchmarks.identity.texts import (
    LabelledText,
    Labels,
    danish_titles,
    dealer_strings,
    european_adverts,
)
from forecourt.catalogue.core import core_catalogue
from forecourt.catalogue.entries import Model, id_of
from forecourt.identify.text import identify

ADVERTS_SAMPLED = 4_000
LARGE = 20_000
FIRST_BAND = 5
LEAST_IN_BAND = 100
Z_99 = 2.576


class Scores:
    """Counts of one set and part."""

    def __init__(self) -> None:
        self.texts = self.makes = self.models = self.unlabelled = 0

    def row(self, name: str, part: str) -> str:
        """Return a line of the table."""
        shares = (100 * count / self.texts for count in (self.makes, self.models))
        figures = " | ".join(f"{share:.1f}" for share in shares)
        return f"| {name} | {part} | {self.texts:,} | {figures} | {self.unlabelled} |"


def report(*, failures: bool) -> Iterator[str]:
    """Yield the lines of the report."""
    catalogue, scores, bands = core_catalogue(), defaultdict(Scores), defaultdict(Counter)
    labels, wrong = Labels(catalogue), []
    for one in texts():
        makes, models = labels.of(one)
        found = identify(catalogue, one.text)
        make_right = found.line is not None and found.line.make.id in makes
        model = found.line.model if found.line is not None else None
        right = make_right and model is not None and model.id in models
        part = "kept aside" if one.held_out else "seen"
        score = scores[one.set_name, part]
        score.texts += 1
        score.makes += make_right
        score.models += right
        score.unlabelled += not models
        confidence = found.facts["model"].confidence if "model" in found.facts else 0.0
        bands[min(int(confidence * 10), 9), part][right] += 1
        if not right:
            wrong.append((one, found.line, confidence))
    yield from _score_lines(scores)
    yield from _band_lines(bands)
    yield from _speed_lines()
    if failures:
        for one, line, confidence in wrong:
            if not one.held_out:
                named = line and (line.make.name, line.model and line.model.name)
                yield f"{one.set_name}: {one.text!r} is {one.make} {one.model}, read {named} at {confidence}"


def texts() -> Iterable[LabelledText]:
    """Yield every text; of the adverts a sample by a fixed seed."""
    chosen = random.Random(6)
    with_make = list(european_adverts(with_make=True))
    without = list(european_adverts(with_make=False))
    return chain(
        dealer_strings(),
        danish_titles(),
        chosen.sample(with_make, ADVERTS_SAMPLED),
        chosen.sample(without, ADVERTS_SAMPLED),
    )


def _score_lines(scores: dict[tuple[str, str], Scores]) -> Iterator[str]:
    yield "| texts | part | n | make right % | make and model right % | label not in the catalogue |"
    yield "|---|---|---|---|---|---|"
    for (name, part), score in scores.items():
        yield score.row(name, part)


def _band_lines(bands: dict[tuple[int, str], Counter[bool]]) -> Iterator[str]:
    yield "\n| confidence | part | n | right % | within the 99 % range of the band |"
    yield "|---|---|---|---|---|"
    for (band, part), counts in sorted(bands.items()):
        n, share = counts.total(), counts[True] / counts.total()
        verdict = _within(band, share, n) if band >= FIRST_BAND and n >= LEAST_IN_BAND else "–"
        yield f"| {band / 10:.1f}–{(band + 1) / 10:.1f} | {part} | {n:,} | {100 * share:.1f} | {verdict} |"


def _within(band: int, share: float, n: int) -> str:
    low, high = band / 10, (band + 1) / 10
    lowest = low - Z_99 * (low * (1 - low) / n) ** 0.5
    highest = high + Z_99 * (high * (1 - high) / n) ** 0.5
    return "yes" if lowest <= share <= highest else "no"


def _speed_lines() -> Iterator[str]:
    """Time texts against a catalogue of 20,000 models: the core and invented names."""
    core = core_catalogue()
    make = next(iter(core.makes))
    names = (
        f"{a}{b}{c}"
        for a in "BDFGKLMNPRSTVZ"
        for b in ("ara", "eno", "ilu", "oxa", "umi")
        for c in range(400)
    )
    invented = [Model(id_of("md", name), make, name) for name, _ in zip(names, range(LARGE), strict=False)]
    large = core.with_more(invented[: LARGE - len(core.models)])
    identify(large, "warm up")
    sample = [one.text for one in dealer_strings()]
    times = []
    for text in sample:
        start = time.perf_counter()
        identify(large, text)
        times.append(1000 * (time.perf_counter() - start))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    median, p99 = statistics.median(times), statistics.quantiles(times, n=100)[98]
    speed = f"median {median:.2f} ms a text, p99 {p99:.2f} ms"
    yield f"\n{len(large.models):,} models: {speed}; the whole process {memory:.0f} MB at its peak."


if __name__ == "__main__":
    for report_line in report(failures="--failures" in sys.argv):
        print(report_line)
