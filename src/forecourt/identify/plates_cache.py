"""What registers said lately, in the memory of one process: vehicles for a day, misses for ten minutes."""

from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from forecourt.base.clock import Clock
from forecourt.identify.registers.register import RegisteredVehicle

_FOUND_S: Final = 24 * 3600
_MISSED_S: Final = 600


@dataclass(frozen=True, slots=True)
class Remembered:
    """The vehicles of a plate, none when the register has no such, and when it said so."""

    vehicles: tuple[RegisteredVehicle, ...]
    retrieved_at: datetime
    until: float


class PlateCache:
    """Remembers the plates that were asked for last; nothing of it is ever written anywhere."""

    def __init__(self, *, clock: Clock, most: int = 10_000) -> None:
        self._clock = clock
        self._most = most
        self._kept: OrderedDict[tuple[str, str], Remembered] = OrderedDict()

    def get(self, country: str, number: str) -> Remembered | None:
        """Return what was said of a plate, unless it is too old."""
        kept = self._kept.get((country, number))
        if kept is not None and self._clock.monotonic() >= kept.until:
            del self._kept[country, number]
            return None
        return kept

    def put(self, country: str, number: str, vehicles: tuple[RegisteredVehicle, ...]) -> Remembered:
        """Remember what a register said just now."""
        seconds = _FOUND_S if vehicles else _MISSED_S
        kept = Remembered(vehicles, self._clock.now(), self._clock.monotonic() + seconds)
        self._kept[country, number] = kept
        self._kept.move_to_end((country, number))
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return kept
