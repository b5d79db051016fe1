"""Where an outgoing request may go: the URL's own rules, before any name is looked up."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

import httpx2

from forecourt.base.errors import InvalidInput
from forecourt.fetch.addresses import is_loopback, read_address
from forecourt.fetch.errors import UrlRefused

MAX_URL_LENGTH = 2048
_DEFAULT_PORTS = {"https": 443, "http": 80}
_PATTERN = re.compile(
    r"(?:(?P<scheme>https?)://)?(?P<host>(?:\*\.)?[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::(?P<port>\d{1,5}|\*))?/?",
    re.ASCII | re.IGNORECASE,
)
_UNPRINTABLE = re.compile(r"[\x00-\x20\x7f\\]")
_HOST_NAME = re.compile(r"(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}\.?")
_NUMERIC_LABEL = re.compile(r"0x[0-9a-f]*|\d+")


class BadPattern(InvalidInput):
    """A pattern of allowed origins cannot be read."""

    code = "bad_fetch_pattern"


@dataclass(frozen=True, slots=True)
class Origin:
    """Scheme, host in lower case without brackets, and port of a URL."""

    scheme: str
    host: str
    port: int


@dataclass(frozen=True, slots=True)
class OriginPattern:
    """Origins that a setting allows beyond public https on port 443.

    Written `host`, `host:port` or `scheme://host[:port]`. Without a scheme http and https are meant, and
    without a port every port; behind a scheme the port is the scheme's own unless said, and `*` stands for
    every port. `*.example.com` stands for every name below.
    """

    scheme: str | None
    host: str
    port: int | None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a pattern; raises `BadPattern`."""
        match = _PATTERN.fullmatch(text.strip())
        if match is None:
            raise BadPattern(f"{text!r} is not [scheme://]host[:port].")
        scheme = match["scheme"] and match["scheme"].lower()
        port = match["port"] or (str(_DEFAULT_PORTS[scheme]) if scheme else "*")
        return cls(scheme, match["host"].lower().strip("[]"), None if port == "*" else int(port))

    def matches(self, origin: Origin) -> bool:
        """Tell whether the pattern covers `origin`."""
        return self.scheme in (None, origin.scheme) and self.covers(origin.host, origin.port)

    def covers(self, host: str, port: int) -> bool:
        """Tell whether the pattern covers the host and port, whatever the scheme."""
        if self.port not in (None, port):
            return False
        if self.host.startswith("*."):
            return host.endswith(self.host[1:])
        return host == self.host


@dataclass(frozen=True, slots=True)
class FetchPolicy:
    """Public https on port 443 is always allowed; everything else only by a pattern."""

    allowed: tuple[OriginPattern, ...] = ()

    @classmethod
    def allowing(cls, patterns: Iterable[str]) -> Self:
        """Build a policy from the patterns of a setting; raises `BadPattern`."""
        return cls(tuple(OriginPattern.parse(pattern) for pattern in patterns))

    def trusting(self, url: str) -> "FetchPolicy":
        """Return this policy opened for the origin of a URL that the operator typed.

        For this machine every spelling (`localhost`, `127.0.0.1`, `[::1]`) of the same port is meant.
        """
        origin = origin_of(read_url(url))
        hosts = {"localhost", "127.0.0.1", "::1", origin.host} if is_loopback(origin.host) else {origin.host}
        trusted = tuple(OriginPattern(origin.scheme, host, origin.port) for host in sorted(hosts))
        return FetchPolicy(self.allowed + trusted)

    def check(self, url: str) -> httpx2.URL:
        """Return the URL when a request may go there as far as the text tells; raises `UrlRefused`."""
        parsed = read_url(url)
        origin = origin_of(parsed)
        if any(pattern.matches(origin) for pattern in self.allowed):
            return parsed
        if origin.scheme != "https":
            raise UrlRefused("Only https URLs are fetched.")
        if origin.port != 443:
            raise UrlRefused("Only port 443 is fetched.")
        return parsed

    def opens(self, host: str, port: int) -> bool:
        """Tell whether a pattern opens private addresses for this host and port."""
        return any(pattern.covers(host, port) for pattern in self.allowed)


@lru_cache(maxsize=1024)
def read_url(url: str) -> httpx2.URL:
    """Parse an absolute http or https URL without credentials; raises `UrlRefused`.

    The fragment is dropped. A host whose last label is a number but which is not an address in canonical
    form (`2130706433`, `0x7f.1`, `127.1`) is refused: resolvers read those as addresses.
    """
    if len(url) > MAX_URL_LENGTH or _UNPRINTABLE.search(url):
        raise UrlRefused("The URL is too long or holds characters that no URL has.")
    try:
        parsed = httpx2.URL(url)
    except httpx2.InvalidURL:
        raise UrlRefused("The URL is malformed.") from None
    if parsed.scheme not in _DEFAULT_PORTS or not parsed.host:
        raise UrlRefused("The URL is not an absolute http or https URL.")
    if parsed.userinfo:
        raise UrlRefused("The URL carries credentials.")
    if parsed.port is not None and not 0 < parsed.port < 65536:
        raise UrlRefused("The URL's port does not exist.")
    _refuse_strange_host(parsed.raw_host.decode("ascii"))
    return parsed.copy_with(fragment=None)


def origin_of(url: httpx2.URL) -> Origin:
    """Return scheme, host and port; the port is always there."""
    return Origin(url.scheme, url.raw_host.decode("ascii"), url.port or _DEFAULT_PORTS[url.scheme])


def _refuse_strange_host(host: str) -> None:
    if read_address(host) is not None:
        return
    if not _HOST_NAME.fullmatch(host):
        raise UrlRefused("The URL's host is not a host name.")
    if _NUMERIC_LABEL.fullmatch(host.rstrip(".").rpartition(".")[2]):
        raise UrlRefused("The host is a number, but not an IP address in its usual form.")
