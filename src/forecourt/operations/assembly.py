"""Puts together what answers calls, for the server, for stdio and for tests alike."""

import asyncio
from dataclasses import dataclass

from forecourt.base.clock import SYSTEM_CLOCK, Clock
from forecourt.guard.call_limits import CallLimits, Quotas
from forecourt.operations.identity import Identity
from forecourt.operations.magic_inputs import with_magic_inputs
from forecourt.operations.services import Services
from forecourt.operations.uses import KeyUses
from forecourt.operations.without_catalogue import WITHOUT_CATALOGUE
from forecourt.storage.database import Database
from forecourt.valuation.engine import Valuer
from forecourt.valuation.test_mode import Pause, SimulatedValuer


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment:
    """What the operator decides; see `Services` for the meaning."""

    secret: bytes
    key_prefix: str
    public_url: str
    service_name: str
    plate_lookup_cost: int = 0


def assemble(
    database: Database,
    deployment: Deployment,
    *,
    identity: Identity = WITHOUT_CATALOGUE,
    live: Valuer | None = None,
    quotas: Quotas | None = None,
    clock: Clock = SYSTEM_CLOCK,
    pause: Pause = asyncio.sleep,
) -> Services:
    """Return the services on a database.

    Without `live` nothing is valued in live mode; without `identity` no car is known. `pause` is how test
    mode takes its time.
    """
    return Services(
        database=database,
        clock=clock,
        secret=deployment.secret,
        key_prefix=deployment.key_prefix,
        public_url=deployment.public_url,
        service_name=deployment.service_name,
        plate_lookup_cost=deployment.plate_lookup_cost,
        identity=identity,
        test_identity=with_magic_inputs(identity),
        live=live,
        simulated=SimulatedValuer(database, pause=pause),
        limits=CallLimits(quotas or Quotas(), clock=clock),
        uses=KeyUses(clock),
    )
