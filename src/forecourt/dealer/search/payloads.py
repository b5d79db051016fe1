"""The vehicles as JSON, encoded once: in memory, or when large in a file that every worker maps.

Each vehicle is two JSON objects side by side: what a search list shows, and the rest of it.
"""

import mmap
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray
from pydantic_core import from_json, to_json

PHOTOS_IN_LISTS: Final = 3
NOTHING_MORE: Final = b"{}"
MAGIC: Final = b"forecourt vehicles 1\n"
"""Begins a payload file; a new number makes older files be written again."""
COUNT_BYTES: Final = 8
LARGEST_IN_MEMORY: Final = 4 * 2**20
"""Bytes up to which payloads stay in memory: a mapped file holds a file descriptor, and thousands of small
dealers would use them up."""


def compact_vehicle(vehicle: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a search list shows of a vehicle: no description, at most three photos."""
    compact = dict(vehicle)
    compact.pop("description", None)
    if len(compact.get("photos", ())) > PHOTOS_IN_LISTS:
        compact["photos"] = compact["photos"][:PHOTOS_IN_LISTS]
    return compact


def encoded_vehicle(vehicle: Mapping[str, Any]) -> tuple[bytes, bytes]:
    """Return the JSON of what a search list shows, and of what it leaves out."""
    photos = vehicle.get("photos", ())
    if "description" not in vehicle and len(photos) <= PHOTOS_IN_LISTS:
        return to_json(vehicle), NOTHING_MORE
    rest = {field: vehicle[field] for field in ("description", "photos") if field in vehicle}
    return to_json(compact_vehicle(vehicle)), to_json(rest)


class Blob(Protocol):
    """Bytes that can be cut into slices: `bytes` or a memory map."""

    def __getitem__(self, part: slice, /) -> bytes:
        """Return a slice as bytes."""


@dataclass(frozen=True)
class Payloads:
    """The encoded vehicles by the position at which they came."""

    blob: Blob
    bounds: NDArray[np.uint64]
    """Two per vehicle and one at the end: where the compact object begins, and where the rest does."""

    def compact(self, position: int) -> bytes:
        """Return the JSON of a vehicle as a search list shows it."""
        start, end = self.bounds[2 * position : 2 * position + 2].tolist()
        return self.blob[start:end]

    def whole(self, position: int) -> dict[str, Any]:
        """Return a vehicle with everything."""
        start, middle, end = self.bounds[2 * position : 2 * position + 3].tolist()
        vehicle: dict[str, Any] = from_json(self.blob[start:middle])
        vehicle.update(from_json(self.blob[middle:end]))
        return vehicle


class PayloadCollector:
    """Collects payloads: in memory while they are small or have no path, then in a file.

    Workers share the pages of the file. It appears under its name only when it is complete, and a complete
    file of that name is used as it is: the name must say which version of the stock it holds.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._existing = None if path is None else open_payload_file(path)
        self._parts: list[bytes] = []
        self._bounds = [np.array([len(MAGIC)], dtype=np.uint64)]
        self._unfinished: Path | None = None

    def add(self, vehicles: Sequence[Mapping[str, Any]]) -> None:
        """Encode the next vehicles, unless the file is there."""
        if self._existing is not None:
            self._bounds.append(np.zeros(2 * len(vehicles), dtype=np.uint64))
            return
        parts = list(chain.from_iterable(map(encoded_vehicle, vehicles)))
        self._bounds.append(_ends(parts, after=int(self._bounds[-1][-1])))
        self._parts += parts
        if self._path is not None and int(self._bounds[-1][-1]) > LARGEST_IN_MEMORY:
            self._move_to_file(self._path)

    def finish(self) -> Payloads:
        """Return what was collected; raises ValueError when the file that was there is another stock's."""
        bounds = np.concatenate(self._bounds)
        if self._path is None or (self._existing is None and self._unfinished is None):
            return Payloads(b"".join([MAGIC, *self._parts]), bounds)
        payloads = self._existing or self._published(self._path, bounds)
        if payloads is None or len(payloads.bounds) != len(bounds):
            raise ValueError("the payload file holds another number of vehicles than this stock")
        return payloads

    def abandon(self) -> None:
        """Remove what was written so far."""
        if self._unfinished is not None:
            self._unfinished.unlink(missing_ok=True)

    def _move_to_file(self, path: Path) -> None:
        """Append the parts in memory to the unfinished file."""
        if self._unfinished is None:
            descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
            os.close(descriptor)
            self._unfinished = Path(name)
            self._parts.insert(0, MAGIC)
        with self._unfinished.open("ab") as file:
            file.writelines(self._parts)
        self._parts.clear()

    def _published(self, path: Path, bounds: NDArray[np.uint64]) -> Payloads | None:
        self._parts += [bounds.tobytes(), len(bounds).to_bytes(COUNT_BYTES, "little")]
        self._move_to_file(path)
        if self._unfinished is not None:
            self._unfinished.replace(path)
        return open_payload_file(path)


def _ends(parts: Sequence[bytes], *, after: int) -> NDArray[np.uint64]:
    """Return where each part ends when the first begins at `after`."""
    return np.cumsum(np.fromiter(map(len, parts), dtype=np.uint64)) + np.uint64(after)


def open_payload_file(path: Path) -> Payloads | None:
    """Map a payload file into memory; None when there is none, or none that is whole and of this format."""
    if not path.exists() or path.stat().st_size < len(MAGIC) + 2 * COUNT_BYTES:
        return None
    with path.open("rb") as file:
        blob = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    count = int.from_bytes(blob[-COUNT_BYTES:], "little")
    end = len(blob) - COUNT_BYTES - 8 * count
    if blob[: len(MAGIC)] != MAGIC or count < 1 or end < len(MAGIC):
        return None
    bounds = np.frombuffer(blob, dtype=np.uint64, count=count, offset=end)
    return Payloads(blob, bounds) if bounds[0] == len(MAGIC) and bounds[-1] == end else None
