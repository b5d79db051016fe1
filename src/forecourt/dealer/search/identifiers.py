"""Find vehicles by VIN, stock number or vehicle id: sorted hashes, to be checked against the vehicle."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from forecourt.dealer.search.columns import Rows

NOTHING = 0
"""The hash of the empty text, which stands for a missing identifier."""


def identifier_hashes(identifiers: Iterable[str]) -> NDArray[np.int64]:
    """Return the hashes of identifiers without regard to case; the empty text is a missing one."""
    return np.fromiter(map(hash, map(str.lower, identifiers)), dtype=np.int64)


@dataclass(frozen=True)
class Identifiers:
    """One kind of identifier of every vehicle that has it."""

    hashes: NDArray[np.int64]
    rows: NDArray[np.int32]

    @classmethod
    def of(cls, hashes: NDArray[np.int64]) -> "Identifiers":
        """Build from the hashes by row."""
        rows = np.flatnonzero(hashes != NOTHING)
        order = np.argsort(hashes[rows], kind="stable")
        return cls(hashes[rows][order], rows[order].astype(np.int32))

    def candidates(self, identifier: str) -> Rows:
        """Return the rows whose identifier is this one but for case, or (hardly ever) has the same hash."""
        key = np.int64(hash(identifier.lower()))
        start = np.searchsorted(self.hashes, key, side="left")
        stop = np.searchsorted(self.hashes, key, side="right")
        return self.rows[start:stop].astype(np.intp)
