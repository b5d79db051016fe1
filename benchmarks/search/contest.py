"""Run every engine in a process of its own and compare what they answer."""

import ctypes
import gc
import importlib
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.measurement import Measurement, Target, at_most, significant
from benchmarks.search.engines import Engine
from benchmarks.search.questions import QUESTIONS, questions
from benchmarks.search.vehicles import VEHICLES, vehicles

ENGINES = {
    "Forecourt": "benchmarks.search.ours:Forecourt",
    "DuckDB": "benchmarks.search.on_duckdb:DuckDB",
    "SQLite + FTS5": "benchmarks.search.on_sqlite:SQLite",
    "Tantivy": "benchmarks.search.on_tantivy:Tantivy",
}
OURS = "Forecourt"
WARM_UP = 10


def measure() -> Measurement:
    """Run the engines one after the other; raises RuntimeError when one of them answers differently."""
    runs = {name: _run_apart(name) for name in ENGINES}
    for name, run in runs.items():
        _check(name, run["compared"], runs[OURS]["compared"])
    figures = {name: _figures(run) for name, run in runs.items()}
    return Measurement(
        title=f"Search with all facets in process, {VEHICLES:,} vehicles, {QUESTIONS} mixed questions",
        question="How long does one question take, page and all 21 facets together?",
        rows=[{"name": name, **found} for name, found in figures.items()],
        targets=_targets(figures),
    )


def _targets(figures: dict[str, dict[str, float]]) -> list[Target]:
    ours = figures[OURS]
    peers = [name for name in figures if name != OURS]
    return [
        at_most("p50", value=ours["p50 ms"], limit=2, unit="ms"),
        at_most("p99", value=ours["p99 ms"], limit=10, unit="ms"),
        at_most("memory without payloads", value=ours["memory MB"], limit=100, unit="MB"),
        *(
            at_most(f"p50 beside {peer}", value=ours["p50 ms"] / figures[peer]["p50 ms"], limit=1, unit="×")
            for peer in peers
        ),
        *(
            at_most(f"p99 beside {peer}", value=ours["p99 ms"] / figures[peer]["p99 ms"], limit=1, unit="×")
            for peer in peers
        ),
    ]


def _figures(run: dict[str, Any]) -> dict[str, float]:
    waited, worked = (sorted(times) for times in zip(*run["milliseconds"], strict=True))
    return {
        "p50 ms": significant(waited[len(waited) // 2]),
        "p99 ms": significant(waited[int(len(waited) * 0.99)]),
        "CPU p50 ms": significant(worked[len(worked) // 2]),
        "build s": significant(run["build_seconds"]),
        "memory MB": significant(run["memory_mb"]),
    }


def _check(name: str, found: list[Any], ours: list[Any]) -> None:
    for number, (theirs, mine) in enumerate(zip(found, ours, strict=True)):
        same_page = not theirs[1] or theirs[1] == mine[1]
        if theirs[0] != mine[0] or theirs[2] != mine[2] or not same_page:
            raise RuntimeError(f"{name} answers question {number} differently: {theirs[::2]} and {mine[::2]}")


def _run_apart(name: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.search", name]
    finished = subprocess.run(command, capture_output=True, text=True, check=True, timeout=900)
    run: dict[str, Any] = json.loads(finished.stdout)
    return run


def run_engine(name: str) -> dict[str, Any]:
    """Build one engine and ask it everything once; a few questions of another kind come first, untimed."""
    module, engine_class = ENGINES[name].split(":")
    make_engine: type[Engine] = getattr(importlib.import_module(module), engine_class)
    asked = questions(sorted({(car["make"], car["model"]) for car in vehicles(3_000)}))
    before = _memory_mb()
    started = time.perf_counter()
    engine = make_engine(vehicles())
    build_seconds = time.perf_counter() - started - _generation_seconds()
    for request in asked[:WARM_UP]:
        engine.answer({**request, "filters": {"make": ["Kia"]}})
    gc.collect()
    memory = _memory_mb() - before
    times, compared = _ask_all(engine, asked)
    return {"build_seconds": build_seconds, "memory_mb": memory, "milliseconds": times, "compared": compared}


def _ask_all(engine: Engine, asked: list[dict[str, Any]]) -> tuple[list[list[float]], list[Any]]:
    times, results = [], []
    for request in asked:
        started = time.perf_counter(), time.process_time()
        result = engine.answer(request)
        ended = time.perf_counter(), time.process_time()
        times.append([(end - start) * 1_000 for start, end in zip(started, ended, strict=True)])
        results.append(result)
    return times, [engine.compared(result) for result in results]


def _generation_seconds() -> float:
    started = time.perf_counter()
    for _ in vehicles():
        pass
    return time.perf_counter() - started


def _memory_mb() -> float:
    """Return the memory that the process holds; pages of a mapped file, which workers share, do not count."""
    ctypes.CDLL(None).malloc_trim(0)
    status = Path("/proc/self/status").read_text()
    [line] = [line for line in status.splitlines() if line.startswith("RssAnon")]
    return int(line.split()[1]) / 1024
