"""Which keys were used lately, in this process: so that not every call writes that it was made."""

from collections import OrderedDict
from typing import Final

from forecourt.accounts.store import USE_NOTED_EVERY
from forecourt.base.clock import Clock

MOST_KEYS: Final = 10_000


class KeyUses:
    """Remembers when the use of a key was last written, of so many keys as were seen last."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._noted: OrderedDict[str, float] = OrderedDict()

    def is_news(self, key_id: str) -> bool:
        """Tell whether a use should be written, and take it for written."""
        now = self._clock.monotonic()
        last = self._noted.get(key_id)
        if last is not None and now - last < USE_NOTED_EVERY.total_seconds():
            return False
        self._noted[key_id] = now
        self._noted.move_to_end(key_id)
        if len(self._noted) > MOST_KEYS:
            self._noted.popitem(last=False)
        return True
