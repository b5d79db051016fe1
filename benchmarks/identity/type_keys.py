"""How many German type keys of car makers lead to a model, and how many of the checked ones still do.

`python -m benchmarks.identity.type_keys` prints a Markdown report. `kba_keys_checked.tsv` holds 200 keys
drawn by a fixed seed from those that lead to a model, with what was read, and the verdict after reading maker
and trade name of the list beside it.
"""

import csv
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.identity.texts import data_folder
from forecourt.catalogue.core import core_catalogue
from forecourt.catalogue.kba import makes_of, read_kba, with_models
from forecourt.catalogue.kba_store import TypeKey

CHECKED = Path(__file__).parent / "kba_keys_checked.tsv"


def report() -> Iterator[str]:
    """Yield the lines of the report."""
    catalogue, start = core_catalogue(), time.process_time()
    listed = read_kba(data_folder() / "kba_fz6_2025_hsn_tsn.csv.gz")
    keys = list(with_models(catalogue, listed.keys))
    seconds = time.process_time() - start
    of_cars = [key for key in keys if makes_of(catalogue, key.maker)]
    resolved = sum(bool(key.model_ids) for key in of_cars)
    took = f"{seconds:.1f} s of CPU"
    yield f"{len(keys):,} keys read and matched in {took}; {len(of_cars):,} of makers of cars."
    yield f"{resolved:,} of these lead to a model ({100 * resolved / len(of_cars):.1f} %)."
    by_key = {(key.hsn, key.tsn): key for key in keys}
    with CHECKED.open(encoding="utf-8", newline="") as file:
        checked = list(csv.DictReader(file, delimiter="\t"))
    right = [row for row in checked if row["verdict"] == "right"]
    same = sum(_models(by_key[row["hsn"], row["tsn"]]) == row["models"] for row in right)
    yield f"{len(right)} of {len(checked)} checked keys were right; {same} of these are read as they were."


def _models(key: TypeKey) -> str:
    models = [core_catalogue().models[model_id] for model_id in key.model_ids]
    return "; ".join(f"{core_catalogue().make_of(model).name} {model.name}" for model in models)


if __name__ == "__main__":
    for report_line in report():
        print(report_line)
