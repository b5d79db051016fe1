"""Repeatable chance: the same seed gives the same demo on every Python and every machine."""

import random
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")


class Dice:
    """Draws made from `random.Random.random` alone, the one sequence that Python promises to keep."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311  a simulation, not a secret

    def chance(self, probability: float) -> bool:
        """Return True in `probability` of the throws."""
        return self._random.random() < probability

    def between(self, low: float, high: float) -> float:
        """Return a number of [low, high)."""
        return low + (high - low) * self._random.random()

    def whole(self, low: int, high: int) -> int:
        """Return an integer of [low, high], both ends included."""
        return low + int(self._random.random() * (high - low + 1))

    def pick(self, items: Sequence[Item]) -> Item:
        """Return one of `items`, each as likely as the other."""
        return items[self.whole(0, len(items) - 1)]

    def several(self, items: Sequence[Item], count: int) -> tuple[Item, ...]:
        """Return `count` different items in the order in which they stand in `items`."""
        left = list(range(len(items)))
        chosen = sorted(left.pop(self.whole(0, len(left) - 1)) for _ in range(count))
        return tuple(items[position] for position in chosen)
