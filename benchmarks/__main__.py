"""Run benchmarks and write what they measured: `python -m benchmarks [NAME …]`."""

import importlib
import json
import pkgutil
import sys
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import benchmarks
from benchmarks.machine import machine_note
from benchmarks.measurement import Measurement
from benchmarks.page import page

RESULTS = Path(__file__).parent / "results"


def available() -> dict[str, Callable[[], Measurement]]:
    """Return every benchmark by name: the modules and packages here that have a `measure`."""
    names = sorted(
        module.name for module in pkgutil.iter_modules(benchmarks.__path__) if module.name[0] != "_"
    )
    modules = {name: importlib.import_module(f"benchmarks.{name}") for name in names}
    return {name: module.measure for name, module in modules.items() if hasattr(module, "measure")}


def main(wanted: list[str]) -> int:
    """Run the wanted benchmarks, or all; print the targets and where the report lies."""
    known = available()
    unknown = sorted(set(wanted) - set(known))
    if unknown:
        print(f"No benchmark named {', '.join(unknown)}; there are: {', '.join(known)}.", file=sys.stderr)
        return 2
    machine = machine_note()
    measurements = {name: _measured(name, known[name]) for name in wanted or known}
    print(f"Report: {_write(machine, measurements)}")
    return 0


def _measured(name: str, measure: Callable[[], Measurement]) -> Measurement:
    print(f"{name} …", flush=True)
    measurement = measure()
    for line in _lines(measurement):
        print(f"  {line}", flush=True)
    return measurement


def _lines(measurement: Measurement) -> Iterable[str]:
    for row in measurement["rows"]:
        figures = (f"{label} {value}" for label, value in row.items() if label != "name")
        yield f"{row['name']}: {', '.join(figures)}"
    for target in measurement["targets"]:
        verdict = "" if "met" not in target else " (met)" if target["met"] else " (MISSED)"
        yield f"→ {target['name']}: reach {target['reach']}, reached {target['reached']}{verdict}"


def _write(machine: dict[str, Any], measurements: dict[str, Measurement]) -> Path:
    """Write the report of the day; what was measured earlier that day and not now stays in it."""
    date = datetime.now(UTC).strftime("%Y-%m-%d")
    RESULTS.mkdir(exist_ok=True)
    record = RESULTS / f"{date}.json"
    earlier = json.loads(record.read_text())["measurements"] if record.exists() else {}
    together = earlier | measurements
    content = {"date": date, "machine": machine, "measurements": together}
    record.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n")
    report = record.with_suffix(".html")
    report.write_text(page(date, machine=machine, measurements=together))
    return report


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
