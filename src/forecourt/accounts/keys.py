"""API keys: what a new one may be, and how one is recognised."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from ipaddress import IPv4Network, IPv6Network, ip_network

from forecourt.accounts.access import ALL_SCOPES, Mode
from forecourt.accounts.errors import WrongAccount
from forecourt.base.addresses import read_address
from forecourt.base.tokens import is_well_formed, new_token

Network = IPv4Network | IPv6Network


@dataclass(frozen=True, slots=True)
class NewKey:
    """What a key is to be. Without `networks` it works from anywhere, without `expires_at` for ever.

    `monthly_cap` is the most credits that it may spend in a calendar month (UTC).
    """

    name: str
    mode: Mode
    scopes: tuple[str, ...] = ALL_SCOPES
    networks: tuple[Network, ...] = ()
    expires_at: datetime | None = None
    monthly_cap: int | None = None


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key as it is kept and shown: without the secret."""

    id: str
    organization_id: str
    name: str
    mode: Mode
    prefix: str
    last4: str
    scopes: tuple[str, ...]
    networks: tuple[Network, ...]
    monthly_cap: int | None
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None

    @property
    def ends_at(self) -> datetime | None:
        """When the key works no longer, because it expires or is revoked."""
        ends = [moment for moment in (self.expires_at, self.revoked_at) if moment is not None]
        return min(ends, default=None)

    def works_at(self, now: datetime) -> bool:
        """Tell whether the key is neither expired nor revoked."""
        return self.ends_at is None or now < self.ends_at

    def works_from(self, address: str) -> bool:
        """Tell whether the key may be used from an address."""
        if not self.networks:
            return True
        parsed = read_address(address)
        return parsed is not None and any(parsed in network for network in self.networks)


def new_secret(key_prefix: str, mode: Mode) -> str:
    """Return the secret of a new key, for example `au_test_…`."""
    return new_token(mode_prefix(key_prefix, mode))


def mode_prefix(key_prefix: str, mode: Mode) -> str:
    """Return how every key of a mode begins."""
    return f"{key_prefix}{mode}_"


def is_api_key(bearer: str, key_prefix: str) -> bool:
    """Tell whether a bearer token is to be checked as an API key, and only as one."""
    return bearer.startswith(key_prefix)


def looks_genuine(bearer: str, key_prefix: str) -> bool:
    """Tell whether a key has the form and the checksum of one that was issued here."""
    modes: tuple[Mode, ...] = ("test", "live")
    return any(is_well_formed(bearer, mode_prefix(key_prefix, mode)) for mode in modes)


def scope_names(scopes: Iterable[str]) -> tuple[str, ...]:
    """Return scopes in the order of the table, all of them when none is named; raises `WrongAccount`."""
    wanted = set(scopes) or set(ALL_SCOPES)
    if unknown := sorted(wanted - set(ALL_SCOPES)):
        raise WrongAccount(f"No such scope: {', '.join(unknown)}.", details={"scopes": ALL_SCOPES})
    return tuple(scope for scope in ALL_SCOPES if scope in wanted)


def networks(texts: Iterable[str]) -> tuple[Network, ...]:
    """Return addresses and networks; raises `WrongAccount`."""
    try:
        return tuple(ip_network(text.strip()) for text in texts)
    except ValueError:
        raise WrongAccount("Give addresses or networks such as 192.0.2.7 or 192.0.2.0/24.") from None
