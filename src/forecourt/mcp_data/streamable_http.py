"""The service over Streamable HTTP, at `/mcp`."""

from collections.abc import Callable, Mapping
from typing import Final

from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Scope

from forecourt.mcp_data.answering import answer
from forecourt.mcp_data.callers import caller_of
from forecourt.mcp_data.server import build_server
from forecourt.mcp_edge.door import Door
from forecourt.mcp_edge.endpoint import McpEndpoint
from forecourt.mcp_edge.tool_calls import ToolAnswer, ToolCall
from forecourt.operations.call import CallContext
from forecourt.operations.services import Services

MAX_BODY_BYTES: Final = 65_536

ALLOWED_HEADERS: Final = (
    "Authorization",
    "Content-Type",
    "Accept",
    "MCP-Protocol-Version",
    "Mcp-Method",
    "Mcp-Name",
    "Mcp-Session-Id",
    "Last-Event-ID",
    "Idempotency-Key",
)
EXPOSED_HEADERS: Final = ("WWW-Authenticate", "MCP-Protocol-Version", "Retry-After", "X-Request-Id")


def create_data_app(
    services: Services, *, server_name: str, door: Door, address_of: Callable[[Scope], str]
) -> ASGIApp:
    """Return the endpoint as an ASGI application; `address_of` says from where a request comes.

    Web pages may call it: a browser adds no credential of its own accord, the page has to bring the key.
    """

    async def admit(scope: Scope, headers: Mapping[str, str]) -> CallContext:
        return await caller_of(services, headers, address=address_of(scope))

    async def call(context: CallContext, call: ToolCall) -> ToolAnswer:
        return await answer(context, call.tool, call.arguments)

    endpoint = McpEndpoint(
        build_server(server_name), admit=admit, call=call, door=door, max_body_bytes=MAX_BODY_BYTES
    )
    return CORSMiddleware(
        endpoint,
        allow_origins=["*"],
        allow_methods=["POST"],
        allow_headers=ALLOWED_HEADERS,
        expose_headers=EXPOSED_HEADERS,
        max_age=86_400,
    )
