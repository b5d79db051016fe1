"""The runs and what they are held against."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.feed_import.simulated_feed import write_feed
from benchmarks.measurement import Measurement, Run, at_most, median_ratio, medians, rounds

ROWS = int(os.environ.get("BENCHMARK_FEED_ROWS", "1000000"))
ROUNDS = 1
OURS, PEER = "Forecourt: import and index", "csv.DictReader"


def measure() -> Measurement:
    """Import the same file as the peer only reads, each run in a fresh process."""
    with tempfile.TemporaryDirectory() as folder:
        feed = Path(folder) / "feed.csv"
        write_feed(feed, rows=ROWS)
        runs = rounds({PEER: lambda: _run("read", feed), OURS: lambda: _run("import", feed)}, count=ROUNDS)
    ratio = median_ratio(
        [run["CPU seconds"] for run in runs[OURS]], [run["CPU seconds"] for run in runs[PEER]]
    )
    peak = max(run["peak MB"] for run in runs[OURS])
    return Measurement(
        title=f"feed import, {ROWS:,} rows CSV, to a searchable index",
        question="What does judging, storing and indexing every row cost beyond reading it?",
        rows=[medians(name, runs[name]) for name in (OURS, PEER)],
        targets=[
            at_most("CPU time of csv.DictReader over the same file", value=ratio, limit=5, unit="×"),
            at_most("peak memory", value=peak, limit=1500, unit="MB"),
        ],
    )


def _run(what: str, feed: Path) -> Run:
    command = [sys.executable, "-m", "benchmarks.feed_import.one_run", what, str(feed)]
    answer = subprocess.run(command, check=True, capture_output=True, text=True)
    figures: Run = json.loads(answer.stdout)
    return figures
