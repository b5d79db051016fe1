"""IP addresses as sockets and proxies write them."""

import re
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

_WITH_PORT: Final = re.compile(r"\[([^\]]*)\](?::[0-9]+)?|([0-9.]+):[0-9]+")
"""`192.0.2.7:4711` and `[2001:db8::1]:4711`, as some proxies write `X-Forwarded-For`."""


def read_address(text: str) -> IPv4Address | IPv6Address | None:
    """Read an address, None when it is none; an IPv4 one that a socket shows as `::ffff:…` is IPv4 again."""
    with_port = _WITH_PORT.fullmatch(text)
    try:
        parsed = ip_address((with_port[1] or with_port[2]) if with_port else text)
    except ValueError:
        return None
    return getattr(parsed, "ipv4_mapped", None) or parsed
