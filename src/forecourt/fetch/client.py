"""The one way out of the process: bounded in time and size, redirects checked hop by hop, errors typed."""

import asyncio
import re
import ssl
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Final, Protocol, Self

import httpcore2
import httpx2

from forecourt.fetch.errors import (
    AnswerTooLarge,
    AnswerUndecodable,
    CertificateRefused,
    ConnectionFailed,
    ConnectionLost,
    FetchFailed,
    RedirectRefused,
    TimedOut,
    TooManyRedirects,
    UrlRefused,
)
from forecourt.fetch.policy import FetchPolicy, origin_of
from forecourt.fetch.transport import Resolver, SystemResolver, open_pool

MAX_REDIRECTS: Final = 3
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_SAME_METHOD: Final = frozenset({307, 308})
_PACKINGS: Final = frozenset({"gzip", "x-gzip", "deflate"})
_HANGING_UP: Final = re.compile("disconnected|closed")
"""The parser has one error for broken HTTP and for a connection that ends early; only its words differ."""

_OWN_HEADERS: Final = [(b"user-agent", b"forecourt"), (b"accept-encoding", b"gzip")]


@dataclass(frozen=True, slots=True)
class Limits:
    """What one exchange may cost: bytes of the answer after unpacking, seconds for everything together."""

    max_bytes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A request; header names in lower case. `host`, `content-length` and encodings are added.

    Without `follow_redirects` a redirect comes back as the answer: a webhook must not be moved elsewhere.
    """

    method: str
    url: str
    limits: Limits
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    follow_redirects: bool = True


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back, whatever its status; header names in lower case, the last of equal ones counts."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    url: str

    @property
    def media_type(self) -> str:
        """The content type in lower case without its parameters; empty when there is none."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


class Fetch(Protocol):
    """Sends requests: over the network, or into an application of this process."""

    async def send(self, outgoing: Outgoing) -> Answer:
        """Return the answer; raises a leaf of `fetch.errors`."""
        ...


class Fetcher:
    """Sends requests over the network, to public addresses and to those the policy opens.

    One fetcher keeps one pool of connections; close it with `aclose()` or use it as a context manager.
    """

    def __init__(
        self, policy: FetchPolicy, *, resolver: Resolver | None = None, tls: ssl.SSLContext | None = None
    ) -> None:
        self._policy = policy
        self._pool = open_pool(policy, resolver or SystemResolver(), tls)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close every kept connection."""
        await self._pool.aclose()

    async def send(self, outgoing: Outgoing) -> Answer:
        """Return the answer at the end of at most `MAX_REDIRECTS` redirects.

        GET follows redirects to any admitted URL, without `authorization` once the origin changes. Other
        methods follow 307 and 308 within their origin only. Raises a leaf of `fetch.errors`.
        """
        try:
            async with asyncio.timeout(outgoing.limits.seconds):
                return await self._follow(outgoing)
        except TimeoutError:
            raise TimedOut("No complete answer came in time.") from None

    async def _follow(self, outgoing: Outgoing) -> Answer:
        for _ in range(MAX_REDIRECTS + 1):
            url = self._policy.check(outgoing.url)
            answer = await self._exchange(outgoing, url)
            location = answer.headers.get("location")
            if answer.status not in _REDIRECTS or location is None or not outgoing.follow_redirects:
                return answer
            outgoing = redirected(outgoing, url, status=answer.status, location=location)
        raise TooManyRedirects("One redirect led to the next for too long.")

    async def _exchange(self, outgoing: Outgoing, url: httpx2.URL) -> Answer:
        try:
            response = await self._pool.handle_async_request(_request(outgoing, url))
            try:
                packed = await _read(response, outgoing.limits.max_bytes)
            finally:
                await response.aclose()
        except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.TimeoutException) as error:
            raise _translated(error) from None
        headers = {
            name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers
        }
        body = _unpack(packed, headers.get("content-encoding"), limit=outgoing.limits.max_bytes)
        return Answer(response.status, headers, body, str(url))


def redirected(outgoing: Outgoing, url: httpx2.URL, *, status: int, location: str) -> Outgoing:
    """Return the request that a redirect asks for; raises `RedirectRefused`."""
    try:
        target = url.join(location)
    except httpx2.InvalidURL:
        raise UrlRefused("The answer redirects to something that is not a URL.") from None
    moved = (target.scheme, target.host, target.port) != (url.scheme, url.host, url.port)
    if outgoing.method != "GET" and (moved or status not in _SAME_METHOD):
        raise RedirectRefused("The answer redirects a request that must not go elsewhere.")
    headers = {
        name: value for name, value in outgoing.headers.items() if not (moved and name == "authorization")
    }
    return replace(outgoing, url=str(target), headers=headers)


def _request(outgoing: Outgoing, url: httpx2.URL) -> httpcore2.Request:
    headers = [(b"host", url.netloc), *_OWN_HEADERS]
    headers += [(name.encode("ascii"), value.encode("latin-1")) for name, value in outgoing.headers.items()]
    if outgoing.method != "GET":
        headers.append((b"content-length", b"%d" % len(outgoing.body)))
    origin = origin_of(url)
    target = httpcore2.URL(scheme=origin.scheme, host=origin.host, port=origin.port, target=url.raw_path)
    return httpcore2.Request(outgoing.method, target, headers=headers, content=outgoing.body)


async def _read(response: httpcore2.Response, limit: int) -> bytes:
    chunks: list[bytes] = []
    size = 0
    async for chunk in response.aiter_stream():
        size += len(chunk)
        if size > limit:
            raise AnswerTooLarge("The answer is larger than is taken.")
        chunks.append(chunk)
    return b"".join(chunks)


def _unpack(packed: bytes, packing: str | None, *, limit: int) -> bytes:
    """Undo one content encoding, never holding more than `limit` bytes: a bomb stops there."""
    if packing is None or packing.lower() == "identity" or not packed:
        return packed
    if packing.lower() not in _PACKINGS:
        raise AnswerUndecodable("The answer has a content encoding that was not asked for.")
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 32)
    try:
        body = unpacker.decompress(packed, limit + 1)
    except zlib.error:
        raise AnswerUndecodable("The answer's content encoding is broken.") from None
    if len(body) > limit:
        raise AnswerTooLarge("The answer, unpacked, is larger than is taken.")
    if not unpacker.eof or unpacker.unused_data:
        raise AnswerUndecodable("The answer's content encoding is broken.")
    return body


def _translated(error: Exception) -> FetchFailed:
    if isinstance(error, httpcore2.TimeoutException):
        return ConnectionFailed("No connection came about in time.")
    if isinstance(error, httpcore2.ConnectError):
        if isinstance(error.__cause__ or error.__context__, ssl.SSLError):
            return CertificateRefused("TLS could not be agreed with the host.")
        return ConnectionFailed("No connection came about.")
    if isinstance(error, httpcore2.ProtocolError) and not _HANGING_UP.search(str(error)):
        return AnswerUndecodable("What came back is not HTTP.")
    return ConnectionLost("The connection broke off before the answer was complete.")
