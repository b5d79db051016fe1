"""Texts whose make and model are known, split by a hash: a third was never looked at while building.

The files lie in the shared data folder (FORECOURT_SHARED, else beside the checkout); none is part of
Forecourt.
"""

import csv
import gzip
import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from forecourt.catalogue.catalogue import Catalogue
from forecourt.catalogue.names import cut, key_of


@dataclass(frozen=True, slots=True)
class LabelledText:
    """A text, what it is known to mean, and whether it was kept aside."""

    set_name: str
    text: str
    make: str
    model: str
    held_out: bool


def is_held_out(identity: str) -> bool:
    """Say whether a text or advert is in the third that is kept aside."""
    return hashlib.sha256(identity.encode()).digest()[0] % 3 == 0


def data_folder() -> Path:
    """Return the folder with the labelled files."""
    shared = os.environ.get("FORECOURT_SHARED", Path(__file__).resolve().parents[3] / "shared")
    return Path(shared) / "data"


def dealer_strings() -> Iterator[LabelledText]:
    """Yield what Nordic dealers type, often without a make."""
    with (data_folder() / "normalise_test_vectors_nordic.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["make"]:
                held = is_held_out(row["text"])
                yield LabelledText("dealer strings", row["text"], row["make"], row["model"], held)


def danish_titles() -> Iterator[LabelledText]:
    """Yield the titles of Danish adverts; their model label is the first word after the make."""
    for row in _packed("listings_dk_2022.csv.gz"):
        held = is_held_out(row["title"])
        yield LabelledText("Danish titles", row["title"], row["make"], row["model"], held)


def european_adverts(*, with_make: bool) -> Iterator[LabelledText]:
    """Yield model and version of adverts from several countries, after the make or without it."""
    name = "adverts with make" if with_make else "adverts without make"
    for file in ("listings_eu_as24_2023_2024.csv.gz", "listings_pt_2023_2024.train.csv.gz"):
        for row in _packed(file):
            if row["model"]:
                text = f"{row['make'] if with_make else ''} {row['model']} {row['version']}".strip()[:300]
                yield LabelledText(name, text, row["make"], row["model"], is_held_out(row["ad_id"]))


class Labels:
    """Finds the models that a label stands for: a name, an alias or a code of a model of that make.

    With `by_first_word`, a label that is only the beginning of a model's name stands for it too.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._known: dict[tuple[str, str, bool], tuple[frozenset[str], frozenset[str]]] = {}

    def of(self, label: LabelledText) -> tuple[frozenset[str], frozenset[str]]:
        """Return the ids of the makes and of the models that a label stands for."""
        by_first_word = label.set_name == "Danish titles"
        key = label.make, label.model, by_first_word
        if key not in self._known:
            self._known[key] = self._find(label.make, label.model, by_first_word=by_first_word)
        return self._known[key]

    def _find(self, make: str, model: str, *, by_first_word: bool) -> tuple[frozenset[str], frozenset[str]]:
        makes = frozenset(self._catalogue.names.makes.get(key_of(make), ()))
        found = {
            entry.id
            for make_id in makes
            for entry in self._catalogue.models_of(make_id)
            if _is_called(entry.name, entry.aliases, key_of(model), by_first_word=by_first_word)
        }
        words = cut(model)
        codes = {
            mention.alias.target
            for mention in self._catalogue.names.model_mentions(words)
            if mention.is_code and (mention.start, mention.end) == (0, len(words))
        }
        own = {model_id for model_id in codes if self._catalogue.names.make_of[model_id] in makes}
        return makes, frozenset(found | own)


def _is_called(name: str, aliases: tuple[str, ...], key: str, *, by_first_word: bool) -> bool:
    if by_first_word and key_of(name).startswith(key):
        return True
    return key in {key_of(alias.lstrip("?~=")) for alias in (name, *aliases)}


def _packed(name: str) -> Iterator[dict[str, str]]:
    with gzip.open(data_folder() / name, "rt", encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)
