"""How many keys of the KBA's list lead to a car, and how long one takes.

`python -m benchmarks.identity.hsn_tsn` prints a Markdown report for `docs/accuracy.md`.
"""

import os
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from forecourt.catalogue.catalogue import Catalogue
from forecourt.catalogue.core import core_catalogue
from forecourt.catalogue.kba import makes_of, read_kba, with_models
from forecourt.catalogue.kba_store import TypeKey, save_keys
from forecourt.identify.hsn_tsn import read_type_key
from forecourt.identify.hsn_tsn_decoding import decode_hsn_tsn
from forecourt.storage.database import Database, open_database

SHARED = Path(os.environ.get("FORECOURT_SHARED", Path(__file__).resolve().parents[2].parent / "shared"))
LIST = "kba_fz6_2025_hsn_tsn.csv.gz"
TIMED = 2_000


def report(folder: Path) -> Iterator[str]:
    """Yield the lines of the report."""
    catalogue = core_catalogue()
    database = open_database(f"sqlite:///{folder / 'keys.db'}")
    database.upgrade()
    keys = imported(database, catalogue)
    ours = [key for key in keys if makes_of(catalogue, key.maker)]
    kinds = Counter(kind_of(key) for key in ours)
    found = Counter(kind_of(key) for key in ours if key.model_ids)
    yield f"{len(keys):,} keys; {len(ours):,} are of makers of cars that the catalogue has."
    yield ""
    yield "| trade name | keys | lead to a model | % |"
    yield "|---|---:|---:|---:|"
    for kind, count in kinds.most_common():
        yield f"| {kind} | {count:,} | {found[kind]:,} | {100 * found[kind] / count:.1f} |"
    total = found.total()
    yield f"| all | {len(ours):,} | {total:,} | {100 * total / len(ours):.1f} |"
    yield ""
    milliseconds = sorted(timed(database, catalogue, key) for key in random.Random(7).sample(keys, TIMED))
    yield f"One key takes {milliseconds[TIMED // 2]:.2f} ms (p99 {milliseconds[TIMED * 99 // 100]:.2f})."
    database.close()


def imported(database: Database, catalogue: Catalogue) -> list[TypeKey]:
    """Put the list into a database, as `forecourt catalogue import-kba` does."""
    listed = read_kba(SHARED / "data" / LIST)
    keys = list(with_models(catalogue, listed.keys))
    about: dict[str, Any] = {"notice": listed.notice(), "as_of": listed.as_of, "now": datetime.now(UTC)}
    database.write_sync(lambda connection: save_keys(connection, keys, **about))
    return keys


def kind_of(key: TypeKey) -> str:
    """Return how a trade name is written."""
    if key.name.startswith("UNBEKANNT"):
        return "UNBEKANNT"
    if "REIHE" in key.name:
        return "a line of models (…REIHE)"
    return "several names" if ";" in key.name else "one name"


def timed(database: Database, catalogue: Catalogue, key: TypeKey) -> float:
    """Return the milliseconds of one answer."""
    began = time.perf_counter()
    written = read_type_key({"hsn": key.hsn, "tsn": key.tsn})
    database.read_sync(lambda connection: decode_hsn_tsn(connection, catalogue, written))
    return (time.perf_counter() - began) * 1e3


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        print("\n".join(report(Path(name))))
