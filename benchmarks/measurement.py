"""What a benchmark returns, and how single runs become figures."""

import statistics
from collections.abc import Callable, Iterable, Mapping
from typing import NotRequired, TypedDict

Row = Mapping[str, str | float]
"""One contender: its `name`, then figures by a label that ends in the unit (`p99 ms`)."""


Run = Mapping[str, float]
"""The figures of one run, by label."""


class Target(TypedDict):
    """What is to be reached (`≥ 0.5 ×`) and what this run reached; `met` where the two can be compared."""

    name: str
    reach: str
    reached: float | str
    met: NotRequired[bool]


class Measurement(TypedDict):
    """The result of one benchmark: its question, the figures of every contender, and the targets."""

    title: str
    question: str
    rows: list[Row]
    targets: list[Target]


def medians(name: str, runs: Iterable[Run]) -> dict[str, str | float]:
    """Return the row of a contender: for every figure the median of its runs."""
    collected = list(runs)
    figures = {label: statistics.median(run[label] for run in collected) for label in collected[0]}
    return {"name": name} | {label: significant(value) for label, value in figures.items()}


def median_ratio(numerators: Iterable[float], denominators: Iterable[float]) -> float:
    """Return the median of the ratios, each within one round, so that a loaded moment hits both sides."""
    return significant(statistics.median(a / b for a, b in zip(numerators, denominators, strict=True)))


def rounds(contenders: Mapping[str, Callable[[], Run]], *, count: int) -> dict[str, list[Run]]:
    """Run every contender once per round, one after the other; return their runs in order."""
    runs: dict[str, list[Run]] = {contender: [] for contender in contenders}
    for _ in range(count):
        for contender, run in contenders.items():
            runs[contender].append(run())
    return runs


def at_least(name: str, *, ratio: float, of: float) -> Target:
    """Return a target that is met from a ratio upwards."""
    return Target(name=name, reach=f"≥ {of:g} ×", reached=ratio, met=ratio >= of)


def at_most(name: str, *, value: float, limit: float, unit: str) -> Target:
    """Return a target that is met up to a limit."""
    return Target(
        name=f"{name}, {unit}", reach=f"≤ {limit:g}", reached=significant(value), met=value <= limit
    )


def significant(value: float) -> float:
    """Round to three significant digits: no run is more exact than that."""
    return float(f"{value:.3g}")
