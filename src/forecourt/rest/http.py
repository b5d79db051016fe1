"""Requests and answers of REST on bare ASGI: what is read of a request, and how an answer is sent."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from starlette.types import Receive, Send

from forecourt.base.http_headers import JSON_RANGES, accepts
from forecourt.base.strict_json import BodyTooLarge, MalformedJson, encode_json, parse_json, read_body
from forecourt.contract.errors import (
    InvalidRequest,
    NotAcceptable,
    PayloadTooLarge,
    UnsupportedMediaType,
)
from forecourt.contract.problems import MEDIA_TYPE
from forecourt.contract.validation import error_at
from forecourt.operations.call import Outcome

MAX_BODY: Final = 64 * 1024

_JSON: Final = re.compile(r"\s*application/json\s*(;.*)?", re.IGNORECASE | re.DOTALL)
_ACCEPTABLE: Final = JSON_RANGES | {MEDIA_TYPE}

Headers = Mapping[str, str]


def check_accept(headers: Headers) -> None:
    """Raise `NotAcceptable` when the caller takes no JSON."""
    if not accepts(headers.get("accept", ""), _ACCEPTABLE):
        raise NotAcceptable("Answers are application/json.")


async def read_json_body(headers: Headers, receive: Receive) -> bytes:
    """Return the bytes of a body that is declared as JSON.

    Raises `UnsupportedMediaType`, `PayloadTooLarge`, and `ClientGone` when the caller hangs up.
    """
    if not _JSON.fullmatch(headers.get("content-type", "")):
        raise UnsupportedMediaType("Send the body as application/json.")
    if headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise UnsupportedMediaType("Send the body without content encoding.")
    try:
        return await read_body(receive, MAX_BODY)
    except BodyTooLarge:
        raise PayloadTooLarge(f"A body may have {MAX_BODY} bytes.") from None


def parse_body(body: bytes) -> Any:
    """Return the value of a body; raises `InvalidRequest` when it is not JSON that is accepted."""
    try:
        return parse_json(body)
    except MalformedJson as error:
        raise unreadable("", error.reason, error.message) from None


def unreadable(pointer: str, code: str, message: str) -> InvalidRequest:
    """Return the error for a part of the request that cannot be read."""
    errors = [error_at(pointer, code, message)]
    return InvalidRequest("The request cannot be read: see errors.", details={"errors": errors})


async def send_outcome(send: Send, outcome: Outcome, *, request_id: str) -> None:
    """Send what a call came to."""
    content = b"" if outcome.body is None else encode_json(outcome.body)
    headers = {"x-request-id": request_id, "cache-control": "no-store", **outcome.headers}
    if outcome.body is not None:
        headers["content-type"] = MEDIA_TYPE if outcome.is_problem else "application/json"
    await send_bytes(send, outcome.http_status, content, headers=headers.items())


async def send_bytes(send: Send, status: int, content: bytes, *, headers: Iterable[tuple[str, str]]) -> None:
    """Send a whole answer."""
    raw = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    raw.append((b"x-content-type-options", b"nosniff"))
    if status != 204:
        raw.append((b"content-length", b"%d" % len(content)))
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": content})
