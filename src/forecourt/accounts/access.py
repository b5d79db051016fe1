"""Who calls and what they may do: scopes, modes and the principal of one call."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal

from forecourt.accounts.errors import InsufficientScope

Mode = Literal["live", "test"]


class Scope(StrEnum):
    """What a credential may be used for; the grammar is `<things>:<read or write>`."""

    VALUATIONS_WRITE = "valuations:write"
    VALUATIONS_READ = "valuations:read"
    CATALOGUE_READ = "catalogue:read"
    ACCOUNT_READ = "account:read"
    VEHICLES_READ = "vehicles:read"


ALL_SCOPES = tuple(scope.value for scope in Scope)


class Role(StrEnum):
    """What a member may do in the organisation's console."""

    OWNER = "owner"
    DEVELOPER = "developer"
    BILLING = "billing"
    DEALER_STAFF = "dealer_staff"


@dataclass(frozen=True, slots=True)
class Credential:
    """The key or connection that a call came with, as `get_account` shows it."""

    id: str
    type: Literal["api_key", "oauth"]
    name: str
    prefix: str | None
    last4: str | None
    expires_at: datetime | None
    monthly_cap: int | None = None


@dataclass(frozen=True, slots=True)
class Principal:
    """On whose behalf a call is made, re-read from the database for this call."""

    organization_id: str
    organization_name: str
    countries: frozenset[str]
    mode: Mode
    scopes: frozenset[str]
    credential: Credential

    def require(self, scope: str) -> None:
        """Raise `InsufficientScope` unless the credential has `scope`."""
        if scope not in self.scopes:
            raise InsufficientScope(f"This call needs the scope {scope}.", details={"required_scope": scope})
