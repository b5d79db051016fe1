"""One HTTP exchange put to the SDK's low-level server: a request in, its result out, nothing kept."""

from collections.abc import Mapping
from typing import Any

import anyio
from mcp.server.connection import Connection
from mcp.server.lowlevel import Server
from mcp.server.runner import serve_one
from mcp.shared.dispatcher import CallOptions
from mcp.shared.exceptions import NoBackChannelError
from mcp.shared.inbound import MCP_PROTOCOL_VERSION_HEADER
from mcp.shared.transport_context import TransportContext

from forecourt.mcp_edge.messages import ASSUMED_VERSION, Request


async def served(server: Server[Any], request: Request, *, headers: Mapping[str, str]) -> dict[str, Any]:
    """Let the SDK's server answer a request, in the era that the request is of. Raises `MCPError`."""
    context = _SingleExchange(request.id)
    connection = _connection(request, headers)
    return await serve_one(
        server, context, request.method, request.params, connection=connection, lifespan_state={}
    )


def _connection(request: Request, headers: Mapping[str, str]) -> Connection:
    if (route := request.route) is None:
        return Connection.from_envelope(headers.get(MCP_PROTOCOL_VERSION_HEADER, ASSUMED_VERSION), None, None)
    return Connection.from_envelope(route.protocol_version, route.client_info, route.client_capabilities)


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
