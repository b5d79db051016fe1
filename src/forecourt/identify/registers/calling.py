"""How a register is asked over HTTP: within five seconds, with one kind of failure, waiting when told to."""

import logging
import math
from collections.abc import Mapping
from typing import Any, Final, NoReturn

from forecourt.base.clock import SYSTEM_CLOCK, Clock
from forecourt.base.strict_json import MalformedJson, parse_json
from forecourt.contract.errors import UpstreamUnavailable
from forecourt.fetch.client import Answer, Fetch, Limits, Outgoing
from forecourt.fetch.errors import FetchFailed

LIMITS: Final = Limits(max_bytes=2_000_000, seconds=5.0)
_NOTHING: Final = frozenset({204, 404})
_THROTTLED: Final = frozenset({429, 503})
_SOON_S: Final = 5
_THROTTLED_S: Final = 30
_LONGEST_S: Final = 3600
_log = logging.getLogger(__name__)


class RegisterCalls:
    """Asks one register; `nothing` are the statuses of a plate that it does not have.

    After a 429 or 503 nobody asks again before the time that the register named.
    """

    def __init__(
        self,
        fetch: Fetch,
        *,
        name: str,
        nothing: frozenset[int] = _NOTHING,
        limits: Limits = LIMITS,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self._fetch = fetch
        self._name = name
        self._nothing = nothing
        self._limits = limits
        self._clock = clock
        self._quiet_until = float("-inf")

    async def get(self, url: str, headers: Mapping[str, str]) -> Any:
        """Return the JSON of an answer, None when there is nothing; raises `UpstreamUnavailable`."""
        return await self._ask(Outgoing("GET", url, self._limits, headers=headers))

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> Any:
        """Return the JSON of the answer to a body like `get`; raises `UpstreamUnavailable`."""
        return await self._ask(Outgoing("POST", url, self._limits, headers=headers, body=body))

    async def _ask(self, outgoing: Outgoing) -> Any:
        wait_s = self._quiet_until - self._clock.monotonic()
        if wait_s > 0:
            self._fail("it asked us to wait", retry_after_s=math.ceil(wait_s))
        try:
            answer = await self._fetch.send(outgoing)
        except FetchFailed as error:
            self._fail(error.code)
        return self._read(answer)

    def _read(self, answer: Answer) -> Any:
        if answer.status in self._nothing:
            return None
        if answer.status in _THROTTLED:
            wait_s = _named_wait(answer)
            self._quiet_until = self._clock.monotonic() + wait_s
            self._fail(f"status {answer.status}", retry_after_s=wait_s)
        if answer.status != 200:
            self._fail(f"status {answer.status}")
        try:
            return parse_json(answer.body)
        except MalformedJson:
            self.malformed()

    def malformed(self) -> NoReturn:
        """Say that an answer is not in the register's own shape; raises `UpstreamUnavailable`."""
        self._fail("the answer is malformed")

    def _fail(self, reason: str, *, retry_after_s: int = _SOON_S) -> NoReturn:
        _log.warning("register %s gives no answer: %s", self._name, reason)
        raise UpstreamUnavailable(
            f"{self._name} gives no answer at the moment.", details={"retry_after": retry_after_s}
        )


def _named_wait(answer: Answer) -> int:
    """Return the seconds that a register asks for; an HTTP date is not worth reading for so short a wait."""
    named = answer.headers.get("retry-after", "").strip()
    return min(max(int(named), 1), _LONGEST_S) if named.isascii() and named.isdigit() else _THROTTLED_S
