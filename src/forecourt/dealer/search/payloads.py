"""The vehicles as JSON, encoded once: in memory, or in a file that every worker maps into its memory.

Each vehicle is two JSON objects side by side: what a search list shows, and the rest of it.
"""

import mmap
import tempfile
from collections.abc import Iterable, Mapping, Sequence
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


class MemoryPayloads:
    """Collects payloads in memory."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def add(self, vehicles: Iterable[Mapping[str, Any]]) -> None:
        """Encode the next vehicles."""
        self._parts.extend(chain.from_iterable(map(encoded_vehicle, vehicles)))

    def finish(self) -> Payloads:
        """Return what was collected."""
        return Payloads(b"".join(self._parts), _bounds(self._parts, start=0))

    def abandon(self) -> None:
        """Drop what was collected so far."""
        self._parts.clear()


def _bounds(parts: Sequence[bytes], *, start: int) -> NDArray[np.uint64]:
    """Return where each part begins and the last one ends, when the first begins at `start`."""
    bounds = np.full(len(parts) + 1, start, dtype=np.uint64)
    bounds[1:] += np.cumsum(np.fromiter(map(len, parts), dtype=np.uint64))
    return bounds


class FilePayloads:
    """Collects payloads in a file, which appears under its name only when it is complete.

    Workers share the pages of the file. A complete file of that name is used as it is: the name must say
    which version of the stock it holds.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._existing = open_payload_file(path)
        self._count = 0
        if self._existing is None:
            self._begin()

    def _begin(self) -> None:
        self._bounds = [np.array([len(MAGIC)], dtype=np.uint64)]
        folder, prefix = self._path.parent, self._path.name
        self._part = tempfile.NamedTemporaryFile(dir=folder, prefix=prefix, delete=False)  # noqa: SIM115
        self._part.write(MAGIC)

    def add(self, vehicles: Sequence[Mapping[str, Any]]) -> None:
        """Encode the next vehicles, unless the file is there."""
        self._count += len(vehicles)
        if self._existing is not None:
            return
        parts = list(chain.from_iterable(map(encoded_vehicle, vehicles)))
        self._part.writelines(parts)
        self._bounds.append(_bounds(parts, start=int(self._bounds[-1][-1]))[1:])

    def finish(self) -> Payloads:
        """Complete and map the file; raises ValueError when the file that was there is another stock's."""
        if self._existing is None:
            self._publish()
        payloads = self._existing or open_payload_file(self._path)
        if payloads is None or len(payloads.bounds) != 2 * self._count + 1:
            raise ValueError("the payload file holds another number of vehicles than this stock")
        return payloads

    def abandon(self) -> None:
        """Remove what was written so far."""
        if self._existing is None:
            self._part.close()
            Path(self._part.name).unlink(missing_ok=True)

    def _publish(self) -> None:
        bounds = np.concatenate(self._bounds)
        with self._part as part:
            part.write(bounds.tobytes())
            part.write(len(bounds).to_bytes(COUNT_BYTES, "little"))
        Path(part.name).replace(self._path)


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
