"""Everything that answers calls, put together once for each process."""

from dataclasses import dataclass

from forecourt.accounts.access import Mode
from forecourt.base.clock import Clock
from forecourt.guard.call_limits import CallLimits
from forecourt.operations.identity import Identity
from forecourt.operations.uses import KeyUses
from forecourt.storage.database import Database
from forecourt.valuation.engine import Valuer


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """What operations work with.

    `live` is None until a model exists; `service_name` stands in attribution texts; `secret` keys the digests
    of tokens and of vehicle identities. `plate_lookup_cost` is in credits for each car that a register finds.
    """

    database: Database
    clock: Clock
    secret: bytes
    key_prefix: str
    public_url: str
    service_name: str
    plate_lookup_cost: int
    identity: Identity
    test_identity: Identity
    live: Valuer | None
    simulated: Valuer
    limits: CallLimits
    uses: KeyUses

    def identity_for(self, mode: Mode) -> Identity:
        """Return who knows cars in a mode; in test mode magic inputs are recognised first."""
        return self.identity if mode == "live" else self.test_identity
