"""MCP over Streamable HTTP: stateless, one JSON answer per POST, both eras of the protocol.

Everything but `tools/call` goes through the SDK's server. A tool call is answered directly: its answer is
JSON text already, so nothing is encoded twice and every number keeps its form.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Generic, TypeVar

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import find_duplicated_routing_header
from pydantic import ValidationError
from starlette.types import Receive, Scope, Send

from forecourt.base.errors import Broken
from forecourt.base.http_headers import accepts, joined_headers
from forecourt.base.strict_json import BodyTooLarge, ClientGone, MalformedJson, parse_json, read_body
from forecourt.mcp_edge.corrections import internal_error
from forecourt.mcp_edge.door import Door
from forecourt.mcp_edge.exchange import served
from forecourt.mcp_edge.messages import (
    Rejected,
    Request,
    error_body,
    error_status,
    read_message,
    refusal,
    request_id_in,
    result_body,
)
from forecourt.mcp_edge.tool_calls import ToolAnswer, ToolCall, call_body

_JSON_HEADERS: Final = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]

CallerT = TypeVar("CallerT")

Admit = Callable[[Scope, Mapping[str, str]], Awaitable[CallerT]]
"""Finds out what a request may speak to, from its scope and headers by lower-case name; raises `Rejected`."""

Call = Callable[[CallerT, ToolCall], Awaitable[ToolAnswer]]
"""Answers a tool call; raises `unknown_tool()`."""


@dataclass(frozen=True, slots=True)
class _Reply:
    status: int
    body: bytes = b""
    headers: tuple[tuple[bytes, bytes], ...] = ()


class McpEndpoint(Generic[CallerT]):
    """One MCP endpoint as an ASGI application, on whatever path it is mounted.

    Nothing is kept between requests. What `admit` returns is handed to `call`; without a `call` the SDK's
    server answers tool calls too.
    """

    def __init__(
        self,
        server: Server[Any],
        *,
        admit: Admit[CallerT],
        call: Call[CallerT] | None,
        door: Door,
        max_body_bytes: int,
    ) -> None:
        self._server = server
        self._admit = admit
        self._call = call
        self._door = door
        self._max_body_bytes = max_body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request."""
        if scope["type"] != "http":
            return
        try:
            reply = await self._reply(scope, receive)
        except ClientGone:
            return
        headers = [(b"content-length", b"%d" % len(reply.body)), *reply.headers]
        headers += _JSON_HEADERS if reply.body else []
        await send({"type": "http.response.start", "status": reply.status, "headers": headers})
        await send({"type": "http.response.body", "body": reply.body})

    async def _reply(self, scope: Scope, receive: Receive) -> _Reply:
        """Return the answer to whatever came; only `ClientGone` leaves."""
        try:
            headers = _headers(scope)
            self._refuse_at_the_door(scope, headers)
            body = await read_body(receive, self._max_body_bytes)
            caller = await self._admitted(scope, headers, body=body)
            request = read_message(parse_json(body), headers)
        except (Rejected, MalformedJson, BodyTooLarge) as error:
            return _rejection(error)
        if request is None or request.id is None:
            return _Reply(202)
        return await self._answer(request, body, headers=headers, caller=caller)

    def _refuse_at_the_door(self, scope: Scope, headers: Mapping[str, str]) -> None:
        """Refuse what needs no body to be refused: no stream is offered, so GET and DELETE are 405."""
        if scope["method"] != "POST":
            raise refusal(405, "Only POST is answered here.", headers=((b"allow", b"POST"),))
        if not self._door.admits(headers):
            raise refusal(403, "This host or origin may not call here.")
        if not accepts(headers.get("accept", "")):
            raise refusal(406, "Answers are application/json.")
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise refusal(415, "The content type is not application/json.")

    async def _admitted(self, scope: Scope, headers: Mapping[str, str], *, body: bytes) -> CallerT:
        try:
            return await self._admit(scope, headers)
        except Rejected as rejected:
            rejected.request_id = request_id_in(body)
            raise
        except Exception as error:  # noqa: BLE001  the last place before the wire
            failure = internal_error(error).error
            status = 503 if isinstance(error, Broken) else 500  # what is broken may be whole again soon
            raise Rejected(failure, request_id=request_id_in(body), status=status) from None

    async def _answer(
        self, request: Request, body: bytes, *, headers: Mapping[str, str], caller: CallerT
    ) -> _Reply:
        assert request.id is not None  # noqa: S101  notifications are answered before
        try:
            if request.method == "tools/call" and self._call is not None:
                answer = await self._call(caller, ToolCall.of(request, body))
                return _Reply(200, call_body(request, answer, identity=self._identity))
            return _Reply(200, result_body(await served(self._server, request, headers=headers), request.id))
        except MCPError as error:
            failure = error.error
        except ValidationError:
            failure = types.ErrorData(code=types.INVALID_PARAMS, message="Invalid request parameters")
        except Exception as error:  # noqa: BLE001  the last place before the wire
            failure = internal_error(error).error
        status = error_status(failure, modern=request.is_modern)
        return _Reply(status, error_body(failure, request.id))

    @cached_property
    def _identity(self) -> dict[str, Any]:
        return self._server.server_info_stamp


def _headers(scope: Scope) -> dict[str, str]:
    """Return the headers by lower-case name; those that route a request may not come twice."""
    named = [(name.decode("latin-1"), "") for name, _ in scope["headers"]]
    if duplicated := find_duplicated_routing_header(named):
        error = types.ErrorData(
            code=types.HEADER_MISMATCH, message=f"{duplicated} header appears more than once"
        )
        raise Rejected(error)
    return joined_headers(scope["headers"])


def _rejection(error: Rejected | MalformedJson | BodyTooLarge) -> _Reply:
    match error:
        case Rejected():
            rejected = error
        case BodyTooLarge():
            rejected = refusal(413, error.message)
        case _:
            rejected = Rejected(types.ErrorData(code=types.PARSE_ERROR, message="Parse error"))
    return _Reply(rejected.status, error_body(rejected.error, rejected.request_id), rejected.headers)
