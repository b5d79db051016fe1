"""The adapter over Streamable HTTP: stateless, one JSON answer per POST, for one dealer or for thousands.

Everything but `tools/call` goes through the SDK's server. A tool call is answered here: the arguments leave
and the payload arrives as text, so nothing is encoded twice and every number keeps its form.
"""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import anyio
import mcp_types as types
from mcp.server.connection import Connection
from mcp.server.lowlevel import Server
from mcp.server.runner import serve_one
from mcp.shared.dispatcher import CallOptions
from mcp.shared.exceptions import MCPError, NoBackChannelError
from mcp.shared.inbound import MCP_PROTOCOL_VERSION_HEADER, find_duplicated_routing_header
from mcp.shared.transport_context import TransportContext
from pydantic import ValidationError
from starlette.types import ASGIApp, Receive, Scope, Send

from forecourt.aap.client import DealerClient
from forecourt.base.errors import NotFound
from forecourt.base.json_text import read_with_texts
from forecourt.base.strict_json import BodyTooLarge, ClientGone, MalformedJson, parse_json, read_body
from forecourt.mcp_aap.forwarding import forward
from forecourt.mcp_aap.http_messages import (
    ASSUMED_VERSION,
    Rejected,
    Request,
    error_body,
    error_status,
    read_message,
    result_body,
)
from forecourt.mcp_aap.server import build_server, internal_error, known_skill
from forecourt.mcp_aap.tool_answers import ToolAnswer
from forecourt.mcp_aap.tools import SchemaForm

MAX_BODY_BYTES: Final = 262_144
_ARGUMENTS: Final = ("params", "arguments")
_POST_ONLY: Final = [(b"allow", b"POST")]
_JSON_HEADERS: Final = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]

DealerFor = Callable[[Scope], Awaitable[DealerClient]]
"""Picks the dealer of a request; raises a leaf of `NotFound` for a 404."""


@dataclass(frozen=True, slots=True)
class Door:
    """Who may come in by a browser: against DNS rebinding, and pages that call servers of this machine.

    `hosts` are the only values that the `Host` header may have (None: any, a proxy decides). An `Origin` must
    be that of the host itself or one of `origins`.
    """

    hosts: frozenset[str] | None = None
    origins: frozenset[str] = frozenset()

    def admits(self, headers: Mapping[str, str]) -> bool:
        """Tell whether a request with these headers may come in."""
        host, origin = headers.get("host", ""), headers.get("origin")
        if self.hosts is not None and host not in self.hosts:
            return False
        return origin is None or origin in self.origins or origin.partition("://")[2] == host


def create_adapter_app(
    dealer_for: DealerFor, *, form: SchemaForm = "inline", validate: bool = True, door: Door | None = None
) -> ASGIApp:
    """Return an ASGI application that answers MCP on whatever path it is mounted.

    Nothing is kept between requests, so one application serves every dealer; `dealer_for` says whose tools a
    request means.
    """
    return AdapterEndpoint(dealer_for, build_server(form), validate=validate, door=door or Door())


@dataclass(frozen=True, slots=True)
class _Reply:
    status: int
    body: bytes = b""


class AdapterEndpoint:
    """One MCP endpoint as an ASGI application."""

    def __init__(self, dealer_for: DealerFor, server: Server[Any], *, validate: bool, door: Door) -> None:
        self._dealer_for = dealer_for
        self._server = server
        self._validate = validate
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request."""
        if scope["type"] != "http":
            return
        try:
            reply = await self._reply(scope, receive)
        except ClientGone:
            return
        headers = [(b"content-length", b"%d" % len(reply.body))]
        headers += _JSON_HEADERS if reply.body else []
        headers += _POST_ONLY if reply.status == 405 else []
        await send({"type": "http.response.start", "status": reply.status, "headers": headers})
        await send({"type": "http.response.body", "body": reply.body})

    async def _reply(self, scope: Scope, receive: Receive) -> _Reply:
        """Return the answer to whatever came; only `ClientGone` leaves."""
        try:
            headers = _headers(scope)
            self._admit(scope, headers)
            dealer = await self._dealer_for(scope)
            body = await read_body(receive, MAX_BODY_BYTES)
            request = read_message(parse_json(body), headers)
        except (Rejected, NotFound, MalformedJson, BodyTooLarge) as error:
            rejected = _rejected(error)
            return _Reply(rejected.status, error_body(rejected.error, rejected.request_id))
        if request is None or request.id is None:
            return _Reply(202)
        return await self._answer(request, body, headers=headers, dealer=dealer)

    def _admit(self, scope: Scope, headers: Mapping[str, str]) -> None:
        """Refuse what needs no body to be refused: no stream is offered, so GET and DELETE are 405."""
        if scope["method"] != "POST":
            raise _refusal(405, "Only POST is answered here.")
        if not self._door.admits(headers):
            raise _refusal(403, "This host or origin may not call here.")
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise _refusal(415, "The content type is not application/json.")

    async def _answer(
        self, request: Request, body: bytes, *, headers: Mapping[str, str], dealer: DealerClient
    ) -> _Reply:
        assert request.id is not None  # noqa: S101  notifications are answered before
        try:
            if request.method == "tools/call":
                return _Reply(200, await self._called(request, body, dealer))
            return _Reply(200, result_body(await self._served(request, headers), request.id))
        except MCPError as error:
            failure = error.error
        except ValidationError:
            failure = types.ErrorData(code=types.INVALID_PARAMS, message="Invalid request parameters")
        except Exception as error:  # noqa: BLE001  the last place before the wire
            failure = internal_error(error).error
        status = error_status(failure, modern=request.is_modern)
        return _Reply(status, error_body(failure, request.id))

    async def _called(self, request: Request, body: bytes, dealer: DealerClient) -> bytes:
        """Answer a tool call; raises `MCPError` when it is not one."""
        params = request.params or {}
        skill = known_skill(params.get("name"))
        arguments = params.get("arguments")
        if not isinstance(arguments, dict | None):
            raise MCPError(code=types.INVALID_PARAMS, message="The arguments are not an object.")
        _, texts = read_with_texts(body, _ARGUMENTS)
        text = texts[_ARGUMENTS] if arguments is not None else "{}"
        answer = await forward(dealer, skill, arguments=arguments or {}, text=text, validate=self._validate)
        return self._call_body(request, answer)

    def _call_body(self, request: Request, answer: ToolAnswer) -> bytes:
        """Write the result of a call around the payload's own text."""
        meta = dict(answer.meta or {})
        if request.is_modern:
            meta[types.SERVER_INFO_META_KEY] = self._identity
        members = [
            f'"content":[{{"type":"text","text":{json.dumps(answer.text, ensure_ascii=False)}}}]',
            f'"structuredContent":{answer.text}',
            f'"isError":{"true" if answer.is_error else "false"}',
            *(['"resultType":"complete"'] if request.is_modern else []),
            *([f'"_meta":{json.dumps(meta)}'] if meta else []),
        ]
        return f'{{"jsonrpc":"2.0","id":{json.dumps(request.id)},"result":{{{",".join(members)}}}}}'.encode()

    @cached_property
    def _identity(self) -> dict[str, Any]:
        return self._server.server_info_stamp

    async def _served(self, request: Request, headers: Mapping[str, str]) -> dict[str, Any]:
        """Let the SDK's server answer a request that needs no dealer."""
        if (route := request.route) is not None:
            connection = Connection.from_envelope(
                route.protocol_version, route.client_info, route.client_capabilities
            )
        else:
            version = headers.get(MCP_PROTOCOL_VERSION_HEADER, ASSUMED_VERSION)
            connection = Connection.from_envelope(version, None, None)
        context = _SingleExchange(request.id)
        return await serve_one(
            self._server, context, request.method, request.params, connection=connection, lifespan_state={}
        )


class _SingleExchange:
    """The SDK's view of one HTTP exchange: nothing can be sent to the client but the answer."""

    can_send_request = False
    message_metadata = None
    transport = TransportContext(kind="streamable-http", can_send_request=False)

    def __init__(self, request_id: str | int | None) -> None:
        self.request_id = request_id
        self.cancel_requested = anyio.Event()

    async def send_raw_request(
        self, method: str, _params: Mapping[str, Any] | None, _opts: CallOptions | None = None
    ) -> dict[str, Any]:
        raise NoBackChannelError(method)

    async def notify(
        self, _method: str, _params: Mapping[str, Any] | None, _opts: CallOptions | None = None
    ) -> None:
        """Drop it: there is no stream."""

    async def progress(
        self, _progress: float, _total: float | None = None, _message: str | None = None
    ) -> None:
        """Drop it: there is no stream."""


def _headers(scope: Scope) -> dict[str, str]:
    """Return the headers by lower-case name, without white space around; no routing header may come twice."""
    pairs = [
        (name.decode("latin-1"), value.decode("latin-1").strip(" \t")) for name, value in scope["headers"]
    ]
    if duplicated := find_duplicated_routing_header(pairs):
        error = types.ErrorData(
            code=types.HEADER_MISMATCH, message=f"{duplicated} header appears more than once"
        )
        raise Rejected(error)
    return dict(pairs)


def _rejected(error: Rejected | NotFound | MalformedJson | BodyTooLarge) -> Rejected:
    match error:
        case Rejected():
            return error
        case NotFound():
            return _refusal(404, "There is no such dealer.")
        case BodyTooLarge():
            return _refusal(413, error.message)
        case _:
            return Rejected(types.ErrorData(code=types.PARSE_ERROR, message="Parse error"))


def _refusal(status: int, message: str) -> Rejected:
    return Rejected(types.ErrorData(code=types.INVALID_REQUEST, message=message), status=status)
