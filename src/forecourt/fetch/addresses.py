"""Which IP addresses belong to the public internet.

`ipaddress.is_global` alone is not enough: its table differs between Python versions, and it calls the
addresses that embed an IPv4 address (NAT64, 6to4, Teredo) global whatever they embed.
Source of the ranges: the IANA special-purpose address registries, RFC 6890 and its successors.
"""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

IpAddress = IPv4Address | IPv6Address

_NOT_PUBLIC: Final = tuple(
    ip_network(text)
    for text in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # carrier-grade NAT, and a cloud's metadata service
        "127.0.0.0/8",  # loopback
        "169.254.0.0/16",  # link-local, and most clouds' metadata service
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
        "::/96",  # unspecified, loopback, IPv4-compatible
        "64:ff9b:1::/48",  # local NAT64
        "100::/64",  # discard
        "2001::/23",  # protocol assignments, Teredo, benchmarks
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4
        "3fff::/20",  # documentation
        "5f00::/16",  # segment routing
        "fc00::/7",  # unique local
        "fe80::/10",  # link-local
        "fec0::/10",  # site-local
        "ff00::/8",  # multicast
    )
)
_NEVER: Final = tuple(
    ip_network(text)
    for text in (
        "0.0.0.0/8",
        "100.100.100.200/32",
        "169.254.0.0/16",
        "224.0.0.0/4",
        "240.0.0.0/4",
        "::/128",
        "fd00:ec2::254/128",
        "fe80::/10",
        "ff00::/8",
    )
)
"""Metadata services, link-local and group addresses: no setting opens them."""

_NAT64: Final = IPv6Network("64:ff9b::/96")


def read_address(text: str) -> IpAddress | None:
    """Return the address that `text` writes in canonical form, else None (then it is a name).

    An address with a zone (`fe80::1%eth0`) is not read: a zone means a network of this machine.
    """
    try:
        return None if "%" in text else ip_address(text)
    except ValueError:
        return None


def is_public(address: IpAddress) -> bool:
    """Tell whether `address`, or the IPv4 address it embeds, is reachable on the public internet."""
    address = _embedded(address)
    return address.is_global and not any(address in network for network in _NOT_PUBLIC)


def is_forbidden(address: IpAddress) -> bool:
    """Tell whether `address` stays closed even to hosts that a setting allows."""
    address = _embedded(address)
    return any(address in network for network in _NEVER)


def is_loopback(text: str) -> bool:
    """Tell whether a URL's host is this machine, by its usual name or by address."""
    address = read_address(text)
    return text == "localhost" or (address is not None and _embedded(address).is_loopback)


def _embedded(address: IpAddress) -> IpAddress:
    """Return the IPv4 address inside an IPv4-mapped or NAT64 address, else the address itself."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return address.ipv4_mapped
        if address in _NAT64:
            return IPv4Address(int(address) & 0xFFFFFFFF)
    return address
