"""The connection itself: a name is looked up once, judged, and that very address is connected to.

The check sits where the socket is opened. Nothing resolves a name a second time (DNS rebinding), the pool
keeps connections by host name, so that TLS proves each host by its own name, and every redirect passes here.
"""

import asyncio
import socket
import ssl
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Protocol

import httpcore2

from forecourt.fetch.addresses import IpAddress, is_forbidden, is_public, read_address
from forecourt.fetch.errors import AddressRefused, NameServerFailed, NameUnknown
from forecourt.fetch.policy import FetchPolicy
from forecourt.fetch.sockets import connect

CONNECT_SECONDS = 5.0
"""For one address; a host with several addresses gets this for each."""

KEEP_ALIVE_SECONDS = 4.0
"""Below the five seconds after which common servers close an idle connection."""


class Resolver(Protocol):
    """Looks a host name up."""

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        """Return all addresses in the order to try; raises `NameUnknown` or `NameServerFailed`."""
        ...


class SystemResolver:
    """The operating system's name service."""

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        """Return all addresses in the order to try; raises `NameUnknown` or `NameServerFailed`."""
        try:
            found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except socket.gaierror as error:
            if error.errno in (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", None)):
                raise NameUnknown("The host name does not exist.") from None
            raise NameServerFailed("The host name could not be looked up.") from None
        except UnicodeError:
            raise NameUnknown("The host name does not exist.") from None
        return [str(address[0]) for *_, address in found]


class GuardedBackend(httpcore2.AsyncNetworkBackend):
    """Opens sockets to addresses that the policy admits, and to no other."""

    def __init__(self, policy: FetchPolicy, resolver: Resolver) -> None:
        self._policy = policy
        self._resolver = resolver

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Look `host` up once and connect to the first of its addresses that answers."""
        *others, last = await self._admitted_addresses(host, port)
        for address in others:
            with suppress(httpcore2.ConnectError, httpcore2.ConnectTimeout):
                return await connect(str(address), port, seconds=CONNECT_SECONDS)
        return await connect(str(last), port, seconds=CONNECT_SECONDS)

    async def _admitted_addresses(self, host: str, port: int) -> list[IpAddress]:
        """Return every address of `host`, all of them admitted; a single foreign one closes the host."""
        literal = read_address(host)
        texts = [host] if literal else await self._resolver.resolve(host, port)
        addresses = [address for text in texts if (address := read_address(text)) is not None]
        if not addresses or len(addresses) < len(texts):
            raise NameUnknown("The host name has no usable address.")
        admits = is_allowed if self._policy.opens(host, port) else is_public
        if not all(admits(address) for address in addresses):
            raise AddressRefused("The host is not on the public internet, and no setting allows it.")
        return addresses


def is_allowed(address: IpAddress) -> bool:
    """Tell whether a host that a setting names may have this address."""
    return not is_forbidden(address)


def open_pool(
    policy: FetchPolicy, resolver: Resolver, tls: ssl.SSLContext | None
) -> httpcore2.AsyncConnectionPool:
    """Return a pool of kept-alive connections; proxies of the environment are never used."""
    return httpcore2.AsyncConnectionPool(
        ssl_context=tls or httpcore2.default_ssl_context(),
        max_connections=100,
        max_keepalive_connections=20,
        keepalive_expiry=KEEP_ALIVE_SECONDS,
        network_backend=GuardedBackend(policy, resolver),
    )
