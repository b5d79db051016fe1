"""How many leads one person and one agent may bring in an hour, so that a CRM is not flooded.

Counted in the memory of each worker, like the other limits of AAP calls; retries and duplicates do not count.
"""

import threading
from collections import OrderedDict, deque
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from forecourt.aap.errors import RateLimited
from forecourt.base.clock import SYSTEM_CLOCK, Clock
from forecourt.leads.store import contact_key

HOUR = timedelta(hours=1).total_seconds()
REMEMBERED = 10_000


class ContactLimit:
    """A sliding hour of accepted leads for each contact and each source agent; safe to use from any thread.

    0 means no limit. At most `REMEMBERED` contacts and agents are remembered, the longest unseen go first.
    """

    def __init__(self, *, per_contact: int, per_agent: int, clock: Clock = SYSTEM_CLOCK) -> None:
        self._limits = {"contact": per_contact, "agent": per_agent}
        self._clock = clock
        self._seen: OrderedDict[tuple[str, str], deque[float]] = OrderedDict()
        self._lock = threading.Lock()

    def refuse_too_many(self, request: Mapping[str, Any]) -> None:
        """Count a lead about to be kept; raises `RateLimited` with the time to wait and counts nothing."""
        now = self._clock.monotonic()
        with self._lock:
            callers = [caller for caller in _callers(request) if self._limits[caller[0]]]
            if wait_s := max((self._wait_s(caller, now) for caller in callers), default=0.0):
                raise RateLimited(
                    "Too many leads in one hour from this contact or agent.",
                    details={"retry_after_ms": int(wait_s * 1000) + 1},
                )
            for caller in callers:
                self._count(caller, now)

    def _wait_s(self, caller: tuple[str, str], now: float) -> float:
        times = self._seen.get(caller, ())
        recent = [time for time in times if time > now - HOUR]
        limit = self._limits[caller[0]]
        return recent[-limit] + HOUR - now if len(recent) >= limit else 0.0

    def _count(self, caller: tuple[str, str], now: float) -> None:
        times = self._seen.setdefault(caller, deque(maxlen=self._limits[caller[0]]))
        times.append(now)
        self._seen.move_to_end(caller)
        if len(self._seen) > REMEMBERED:
            self._seen.popitem(last=False)


def _callers(request: Mapping[str, Any]) -> list[tuple[str, str]]:
    customer, agent = request["customer"], request["source_agent"]["name"]
    addresses = {contact_key(customer.get(name)) for name in ("email", "phone")}
    return [("agent", agent), *(("contact", address) for address in addresses if address)]
