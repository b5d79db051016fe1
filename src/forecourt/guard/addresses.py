"""Whose call is it: the client's address, seen through the proxies that we trust and no others."""

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network

from forecourt.base.addresses import read_address

Network = IPv4Network | IPv6Network

UNKNOWN = "unknown"
_IPV6_HOME_PREFIX = 64


class TrustedProxies:
    """The networks whose `X-Forwarded-For` is believed; without any, only the peer itself counts."""

    def __init__(self, networks: Iterable[Network] = ()) -> None:
        self._networks = tuple(networks)
        self._trusts = lru_cache(maxsize=1024)(self._is_in_a_network)

    def client_of(self, peer: str | None, forwarded_for: str | None) -> str:
        """Return the caller's key: an IPv4 address, an IPv6 /64, or `unknown`."""
        return caller_key(self.address_of(peer, forwarded_for))

    def address_of(self, peer: str | None, forwarded_for: str | None) -> str:
        """Return the caller's address as it was given, or `unknown`.

        Walks `forwarded_for` from the right, where our own proxies write, past every trusted address to the
        first that is not: whatever stands left of it is the client's own claim.
        """
        client = peer or UNKNOWN
        if forwarded_for and self._networks:
            for hop in reversed(forwarded_for.split(",")):
                if not self._trusts(client):
                    break
                client = hop.strip()
        return client

    def _is_in_a_network(self, address: str) -> bool:
        parsed = read_address(address)
        return parsed is not None and any(parsed in network for network in self._networks)


@lru_cache(maxsize=4096)
def caller_key(address: str) -> str:
    """Return what is counted as one caller: a household has a whole IPv6 /64 to call from."""
    parsed = read_address(address)
    if parsed is None:
        return UNKNOWN
    if isinstance(parsed, IPv6Address):
        return str(IPv6Network((parsed, _IPV6_HOME_PREFIX), strict=False))
    return str(parsed)
