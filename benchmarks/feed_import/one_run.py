"""One run in a process of its own: read the file with csv.DictReader, or import it and build the index."""

import csv
import json
import resource
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.feed_import.simulated_feed import ROOFTOPS
from forecourt.dealer import store
from forecourt.dealer.feed.importing import import_feed
from forecourt.dealer.profile import build_profile
from forecourt.dealer.stock import load_stock
from forecourt.storage.database import open_database

SLUG = "larkfield"


def read_rows(feed: Path) -> dict[str, float]:
    start, cpu = time.perf_counter(), time.process_time()
    with feed.open(encoding="utf-8", newline="") as file:
        count = sum(1 for _ in csv.DictReader(file))
    return {"rows": count, "seconds": time.perf_counter() - start, "CPU seconds": time.process_time() - cpu}


def import_rows(feed: Path) -> dict[str, float]:
    profile = build_profile(SLUG, {"name": "Larkfield", "rooftops": [{"name": name} for name in ROOFTOPS]})
    with tempfile.TemporaryDirectory(dir=feed.parent) as folder:
        database = open_database(f"sqlite:///{folder}/forecourt.db")
        database.upgrade()
        database.write_sync(lambda connection: store.add_dealer(connection, profile, now=datetime.now(UTC)))
        start, cpu = time.perf_counter(), time.process_time()
        accepted = import_feed(database, SLUG, feed).reading.report.accepted
        imported, imported_cpu = time.perf_counter() - start, time.process_time() - cpu
        index = load_stock(database, SLUG, Path(folder)).index
        figures = {
            "rows": accepted,
            "seconds": time.perf_counter() - start,
            "CPU seconds": time.process_time() - cpu,
            "import seconds": imported,
            "import CPU seconds": imported_cpu,
            "peak MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        }
        if len(index) != accepted:
            raise RuntimeError("the index does not hold every vehicle")
        database.close()
    return figures


if __name__ == "__main__":
    what = {"read": read_rows, "import": import_rows}[sys.argv[1]]
    print(json.dumps(what(Path(sys.argv[2]))))
