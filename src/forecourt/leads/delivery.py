"""Bring every parcel of the outbox to its destination, at least once, and make noise when that fails.

Each worker of the server runs `deliver_forever`; leases keep two from sending the same parcel at once. A
failed parcel comes again on the schedule that Standard Webhooks suggests, with jitter, or when the
destination said; after the last try it is dead and stays so until a person sends it again.
"""

import asyncio
import logging
import random
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from forecourt.base.clock import SYSTEM_CLOCK, Clock
from forecourt.base.crash_points import crash_point
from forecourt.base.errors import ForecourtError
from forecourt.credits.ledger_store import find_warning_hook
from forecourt.credits.warning import DESTINATION as CREDITS
from forecourt.dealer.store import find_dealer
from forecourt.leads.destinations import Destination, Webhook, parse_destinations
from forecourt.leads.outcome import NotSent, Sent
from forecourt.leads.sending import Sender
from forecourt.storage.database import Database
from forecourt.storage.outbox import (
    Parcel,
    alarms,
    claim,
    close_destination,
    next_due,
    settle_delivered,
    settle_failed,
)

RETRIES = tuple(
    timedelta(seconds=seconds) for seconds in (5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400)
)
"""Waits after the first, second … failure: ten attempts in about 75 hours."""

JITTER = 0.1
LEASE = timedelta(minutes=5)
LONGEST_ATTEMPT_S = 120.0
"""Shorter than a lease: a worker gives up before another may begin."""

AT_ONCE = 16
POLL_S = 1.0
LINGER_S = 0.05
FAREWELL_S = 5.0

Claimed = tuple[Parcel, Destination | None]
"""A parcel under lease, and its destination unless the profile has lost it."""

_ORGANIZATION = "org_"
_log = logging.getLogger(__name__)


class Courier:
    """Claims due parcels and carries them. `random_share` gives numbers from 0 to 1 for the jitter."""

    def __init__(
        self,
        database: Database,
        sender: Sender,
        *,
        clock: Clock = SYSTEM_CLOCK,
        random_share: Callable[[], float] = random.random,
    ) -> None:
        self._database = database
        self._sender = sender
        self._clock = clock
        self._random_share = random_share

    async def deliver_due(self, *, limit: int = AT_ONCE) -> int:
        """Carry up to `limit` parcels that are due, all at once, and return how many there were."""
        claimed = await self.claim_due(limit)
        await asyncio.gather(*(self.carry(*one) for one in claimed))
        return len(claimed)

    async def claim_due(self, limit: int) -> list[Claimed]:
        """Take due parcels under a lease, each with its destination as the profile has it now.

        Asks in a read first, because most of the time there are none.
        """
        now = self._clock.now()
        due_at = await self._database.read(next_due)
        if due_at is None or due_at > now:
            return []
        parcels = await self._database.write(
            lambda connection: claim(connection, now=now, lasting=LEASE, limit=limit)
        )
        crash_point("after_claim")
        owners = {parcel.owner for parcel in parcels}
        known = await self._database.read(lambda connection: destinations_of(connection, owners))
        return [(parcel, known.get((parcel.owner, parcel.destination))) for parcel in parcels]

    async def carry(self, parcel: Parcel, destination: Destination | None) -> None:
        """Make one attempt with a claimed parcel and record what came of it."""
        result = await self._attempt(parcel, destination)
        crash_point("after_send")
        recorded = await self._database.write(lambda connection: self._record(connection, parcel, result))
        if not recorded:
            _log.warning("parcel %s was taken over by another worker meanwhile", parcel.id)
        crash_point("after_settle")

    async def _attempt(self, parcel: Parcel, destination: Destination | None) -> Sent | NotSent:
        if destination is None:
            return NotSent("destination_unknown")
        try:
            async with asyncio.timeout(LONGEST_ATTEMPT_S):
                return await self._sender.send(parcel, destination)
        except TimeoutError:
            return NotSent("timed_out")
        except Exception as error:  # noqa: BLE001 - whatever it is, the parcel must come again
            _log.error("parcel %s met %s", parcel.id, type(error).__name__)
            return NotSent("internal_error")

    def _record(self, connection: Connection, parcel: Parcel, result: Sent | NotSent) -> bool:
        now = self._clock.now()
        if isinstance(result, Sent):
            return settle_delivered(connection, parcel, now=now, outcome=result.outcome)
        if result.gone:
            return self._close(connection, parcel, result, now)
        again_at = self._again_at(parcel, result, now)
        if settled := settle_failed(connection, parcel, now=now, outcome=result.outcome, again_at=again_at):
            _tell(parcel, result, again_at)
        return settled

    def _close(self, connection: Connection, parcel: Parcel, result: NotSent, now: datetime) -> bool:
        _log.error(
            "destination %s of dealer %s wants no more leads (%s): they are held until it is opened again",
            parcel.destination,
            parcel.owner,
            result.outcome,
        )
        close_destination(connection, parcel, now=now, outcome=result.outcome)
        return True

    def _again_at(self, parcel: Parcel, result: NotSent, now: datetime) -> datetime | None:
        if parcel.attempts > len(RETRIES):
            return None
        wait = RETRIES[parcel.attempts - 1] * (1 + JITTER * self._random_share())
        return now + max(wait, result.wait or timedelta())


def _tell(parcel: Parcel, result: NotSent, again_at: datetime | None) -> None:
    level = logging.WARNING if again_at else logging.ERROR
    _log.log(
        level,
        "lead %s did not reach %s of dealer %s: %s, attempt %d, %s",
        parcel.subject,
        parcel.destination,
        parcel.owner,
        result.outcome,
        parcel.attempts,
        "will try again" if again_at else "given up: send it again with `forecourt leads resend`",
    )


def destinations_of(connection: Connection, owners: Iterable[str]) -> dict[tuple[str, str], Destination]:
    """Return the destinations of dealers and organisations by owner and name.

    A profile that cannot be used has none.
    """
    found: dict[tuple[str, str], Destination] = {}
    for owner in owners:
        try:
            destinations = _destinations(connection, owner)
        except ForecourtError as error:
            _log.error("destinations of %s: %s", owner, error.code)
            continue
        found |= {(owner, one.name): one for one in destinations}
    return found


def _destinations(connection: Connection, owner: str) -> tuple[Destination, ...]:
    """An organisation, told from a dealer by its id, has the webhook of its credits."""
    if not owner.startswith(_ORGANIZATION):
        return parse_destinations(find_dealer(connection, owner).profile)
    hook = find_warning_hook(connection, owner)
    return (Webhook(CREDITS, hook.url, hook.secret_env),) if hook else ()


async def deliver_forever(courier: Courier, *, wake: asyncio.Event, poll_s: float = POLL_S) -> None:
    """Deliver until cancelled: at once when `wake` is set, else by looking every `poll_s` seconds.

    On cancellation the attempts under way get a few seconds to end; what is not settled then comes again when
    its lease ends.
    """
    running: set[asyncio.Task[None]] = set()
    try:
        while True:
            wake.clear()
            running |= await _start_due(courier, AT_ONCE - len(running))
            await _wait(running, wake, poll_s)
            running = {task for task in running if not task.done()}
    finally:
        if running:
            await asyncio.wait(running, timeout=FAREWELL_S)
            for task in running:
                task.cancel()


async def _start_due(courier: Courier, free: int) -> set[asyncio.Task[None]]:
    try:
        claimed = await courier.claim_due(free) if free else []
    except Exception as error:  # noqa: BLE001 - whatever it is, deliveries must go on: look again later
        _log.error("the outbox cannot be read: %s", type(error).__name__)
        claimed = []
    return {asyncio.create_task(_carry_safely(courier, *one)) for one in claimed}


async def _carry_safely(courier: Courier, parcel: Parcel, destination: Destination | None) -> None:
    try:
        await courier.carry(parcel, destination)
    except Exception as error:  # noqa: BLE001 - the lease will end and the parcel come again
        _log.error("parcel %s could not be settled: %s", parcel.id, type(error).__name__)


async def _wait(running: set[asyncio.Task[None]], wake: asyncio.Event, poll_s: float) -> None:
    """Wait for a new lead, a free hand or the next look; then a moment more, to claim many at once."""
    woken = asyncio.create_task(wake.wait())
    try:
        await asyncio.wait({woken, *running}, timeout=poll_s, return_when=asyncio.FIRST_COMPLETED)
    finally:
        woken.cancel()
    if running:
        await asyncio.wait(running, timeout=LINGER_S)


def delivery_health(connection: Connection) -> Mapping[str, Any]:
    """Return what `/readyz` says about deliveries: how many are dead or held, so that somebody looks."""
    counted = alarms(connection)
    return {"status": "attention" if counted else "ok", **counted}
