"""Forecourt's index; its vehicles lie in a mapped file, its answers are JSON bytes ready to send."""

import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from benchmarks.search.engines import Answer, Vehicle
from forecourt.dealer.search import SearchAnswer, SearchIndex


class Forecourt:
    """`SearchIndex`, and every answer encoded whole."""

    def __init__(self, vehicles: Iterable[Vehicle]) -> None:
        self._folder = tempfile.TemporaryDirectory()
        path = Path(self._folder.name) / "vehicles"
        self._index = SearchIndex.build(((vehicle, ()) for vehicle in vehicles), payload_path=path)

    def answer(self, request: Mapping[str, Any]) -> tuple[SearchAnswer, bytes]:
        """Answer as the dealer agent would, facets included."""
        answer = self._index.search(request)
        return answer, answer.encoded()

    def compared(self, result: tuple[SearchAnswer, bytes]) -> Answer:
        """Return what is compared between the engines."""
        data = result[0].data()
        terms = [values for values in data["facets"].values() if isinstance(values, list)]
        total = sum(entry["count"] for values in terms for entry in values)
        return Answer(data["total"], [vehicle["vehicle_id"] for vehicle in data["vehicles"]], total)
