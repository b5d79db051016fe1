"""Start-up: how soon the command line and the server are there, and what the server holds while idle."""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.measurement import Measurement, at_most, significant
from benchmarks.processes import free_port, resident_mb, running
from forecourt.demo.processes import forecourt_command
from forecourt.demo.workspace import Workspace, write_inputs

ROUNDS = 7


def measure() -> Measurement:
    """Measure `forecourt --help` beside `python -c pass`, and `forecourt serve` until it is ready."""
    bare, command_line = _paired([sys.executable, "-c", "pass"], forecourt_command("--help"))
    ready, idle = zip(*(_served() for _ in range(3)), strict=True)
    more = statistics.median(b - a for a, b in zip(bare, command_line, strict=True))
    return Measurement(
        title="Start-up and idle memory",
        question="How soon is the command line there, how soon the server, and what does it hold while idle?",
        rows=[
            {"name": "python -c pass", "seconds": significant(statistics.median(bare))},
            {"name": "forecourt --help", "seconds": significant(statistics.median(command_line))},
            {
                "name": "forecourt serve to /readyz",
                "seconds": significant(statistics.median(ready)),
                "idle MB": significant(statistics.median(idle)),
            },
        ],
        targets=[
            at_most("forecourt --help more than python -c pass", value=more, limit=0.25, unit="s"),
            at_most("forecourt serve to /readyz", value=statistics.median(ready), limit=4, unit="s"),
            at_most("idle memory", value=statistics.median(idle), limit=120, unit="MB"),
        ],
    )


def _paired(*commands: Sequence[str]) -> list[list[float]]:
    """Return the seconds of each command, the commands taking turns; the first turn warms the disk."""
    turns = [[_seconds(command) for command in commands] for _ in range(ROUNDS + 1)]
    return [list(column) for column in zip(*turns[1:], strict=True)]


def _seconds(command: Sequence[str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    return time.perf_counter() - started


def _served() -> tuple[float, float]:
    """Return the seconds from the command to the first ready answer, and the MB held then."""
    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace(Path(folder), free_port())
        write_inputs(workspace)
        started = time.perf_counter()
        with running(
            forecourt_command("serve"),
            url=f"{workspace.base_url}/readyz",
            environment=workspace.environment(),
        ) as server:
            return time.perf_counter() - started, resident_mb(server.pid)
