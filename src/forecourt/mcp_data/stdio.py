"""The service as a local process: one key, JSON lines on standard input and output."""

from typing import Any

from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from forecourt.mcp_data.answering import answer
from forecourt.mcp_data.callers import caller_of
from forecourt.mcp_data.server import build_server
from forecourt.mcp_edge.messages import Rejected
from forecourt.mcp_edge.tool_calls import ToolAnswer
from forecourt.operations.services import Services

LOCAL_ADDRESS = "127.0.0.1"


async def serve_stdio(services: Services, *, server_name: str, key: str) -> None:
    """Serve until standard input ends; the key is looked at again for every call, as over HTTP."""

    async def call(tool: str, arguments: dict[str, Any]) -> ToolAnswer:
        try:
            context = await caller_of(services, {"authorization": f"Bearer {key}"}, address=LOCAL_ADDRESS)
        except Rejected as rejected:
            raise MCPError.from_error_data(rejected.error) from None
        return await answer(context, tool, arguments)

    server = build_server(server_name, call=call)
    async with stdio_server() as (read_stream, write_stream):
        await server.run(read_stream, write_stream, server.create_initialization_options())
