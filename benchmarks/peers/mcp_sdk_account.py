"""A bare tool on the MCP SDK's low-level server: it returns a prepared account, and asks nobody for a key."""

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from starlette.types import ASGIApp

ANSWER_FILE = "BENCHMARK_ANSWER_FILE"
NAME, SCHEMA = "get_account", {"type": "object", "properties": {}}


@cache
def _account() -> dict[str, Any]:
    return json.loads(Path(os.environ[ANSWER_FILE]).read_bytes())


async def list_tools(
    _context: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[types.Tool(name=NAME, input_schema=SCHEMA)])


async def call_tool(
    _context: ServerRequestContext[Any], _params: types.CallToolRequestParams
) -> types.CallToolResult:
    account = _account()
    text = json.dumps(account, ensure_ascii=False, separators=(",", ":"))
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)], structured_content=account
    )


def application() -> ASGIApp:
    """Build the application; uvicorn calls it with `--factory`."""
    server: Server[Any] = Server(
        "bare", on_list_tools=list_tools, on_call_tool=call_tool, get_tool_input_schema=lambda _: SCHEMA
    )
    return server.streamable_http_app(stateless_http=True, json_response=True)
