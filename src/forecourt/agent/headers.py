"""Reading request headers off an ASGI scope, and writing a whole answer to it."""

import re
from collections.abc import Iterable, Mapping
from urllib.parse import parse_qs

from starlette.types import Scope, Send

JSON = b"application/json"
_MEDIA_TYPE_JSON = re.compile(rb"\s*application/json\s*(?:;.*)?", re.IGNORECASE | re.DOTALL)

Headers = Mapping[bytes, bytes]
HeaderList = Iterable[tuple[bytes, bytes]]


def read_headers(scope: Scope) -> Headers:
    """Return the headers by lower-case name; repeated ones are joined by commas (RFC 9110, 5.2)."""
    headers: dict[bytes, bytes] = {}
    for name, value in scope["headers"]:
        headers[name] = headers[name] + b"," + value if name in headers else value
    return headers


def says_json(headers: Headers) -> bool:
    """Say whether the body is declared as JSON, whatever its parameters."""
    return _MEDIA_TYPE_JSON.fullmatch(headers.get(b"content-type", b"")) is not None


def declared_extensions(headers: Headers) -> list[str]:
    """Return the extension URIs of `A2A-Extensions`, or of the `X-` form that older clients send."""
    value = headers.get(b"a2a-extensions") or headers.get(b"x-a2a-extensions") or b""
    return [uri for part in value.decode("latin-1").split(",") if (uri := part.strip())]


def asked_version(headers: Headers, scope: Scope) -> str:
    """Return the A2A version of the header, else of the query (A2A 3.6.1), else an empty text."""
    version = headers.get(b"a2a-version", b"").decode("latin-1").strip()
    if version or not scope["query_string"]:
        return version
    query: dict[str, list[str]] = parse_qs(scope["query_string"].decode("latin-1"), max_num_fields=50)
    return query.get("A2A-Version", [""])[0].strip()


def asked_host(scope: Scope) -> str:
    """Return the host that a request names: lower case, without port, without the dot of the DNS root."""
    host = next((value for name, value in scope["headers"] if name == b"host"), b"").decode("latin-1")
    return re.sub(r":[0-9]*$", "", host.strip()).lower().removesuffix(".")


async def respond(send: Send, status: int, headers: HeaderList, *, body: bytes = b"") -> None:
    """Send a whole answer."""
    await send({"type": "http.response.start", "status": status, "headers": list(headers)})
    await send({"type": "http.response.body", "body": body})


async def refuse_method(send: Send, *, allow: bytes) -> None:
    """Answer 405 with the methods that there are."""
    await respond(send, 405, [(b"allow", allow), (b"content-length", b"0")])


def http_headers(content_type: bytes, length: int, **more: str) -> list[tuple[bytes, bytes]]:
    """Return the headers of an answer; underscores of `more` become hyphens."""
    headers: list[tuple[bytes, bytes]] = [
        (b"content-type", content_type),
        (b"content-length", b"%d" % length),
        (b"x-content-type-options", b"nosniff"),
    ]
    headers += [(name.replace("_", "-").encode(), value.encode()) for name, value in more.items()]
    return headers
