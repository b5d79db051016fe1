"""The adapter as a local process: one dealer, JSON lines on standard input and output."""

from typing import Any

from mcp.server.stdio import stdio_server

from forecourt.aap.client import DealerClient
from forecourt.aap.skills import Skill
from forecourt.mcp_aap.forwarding import forward
from forecourt.mcp_aap.server import build_server
from forecourt.mcp_aap.tools import SchemaForm
from forecourt.mcp_edge.tool_calls import ToolAnswer


async def serve_stdio(dealer: DealerClient, *, form: SchemaForm = "inline", validate: bool = True) -> None:
    """Serve until standard input ends, in the era of the protocol that the client opens with."""

    async def call(skill: Skill, arguments: dict[str, Any], text: str) -> ToolAnswer:
        return await forward(dealer, skill, arguments=arguments, text=text, validate=validate)

    server = build_server(form, call=call)
    async with stdio_server() as (read_stream, write_stream):
        await server.run(read_stream, write_stream, server.create_initialization_options())
