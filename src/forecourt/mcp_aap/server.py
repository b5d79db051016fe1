"""The adapter on the MCP SDK's low-level server: identity, tool list, and calls over a stream."""

import json
from collections.abc import Awaitable, Callable
from typing import Any, Final

import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server

from forecourt.aap.skills import Skill, catalogue, skill_of_tool
from forecourt.mcp_aap.tools import INSTRUCTIONS, SchemaForm, input_schema, tools
from forecourt.mcp_edge.corrections import correct
from forecourt.mcp_edge.tool_calls import ToolAnswer, tool_result, unknown_tool

_DAY_MS: Final = 86_400_000

Call = Callable[[Skill, dict[str, Any], str], Awaitable[ToolAnswer]]
"""Answers a tool call: skill, arguments, and the arguments' JSON text."""


def build_server(form: SchemaForm, *, call: Call | None = None) -> Server[Any]:
    """Return the SDK server with the five tools; `call` answers them where the SDK carries the messages."""

    async def list_tools(
        _context: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=list(tools(form)))

    async def call_tool(
        _context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        skill = known_skill(params.name)
        arguments = params.arguments or {}
        answer = await call(skill, arguments, json.dumps(arguments, ensure_ascii=False)) if call else None
        return tool_result(answer) if answer else types.CallToolResult(content=[], is_error=True)

    hint = CacheHint(ttl_ms=_DAY_MS, scope="public")
    server: Server[Any] = Server(
        catalogue().mcp_name,
        version=catalogue().version,
        title="Auto Agent Protocol",
        instructions=INSTRUCTIONS,
        cache_hints={"tools/list": hint, "server/discover": hint},
        get_tool_input_schema=lambda name: input_schema(name, form),
        on_list_tools=list_tools,
        on_call_tool=call_tool if call else None,
    )
    correct(server)
    return server


def known_skill(tool_name: str) -> Skill:
    """Return the skill behind a tool; an unknown tool is a protocol error."""
    skill = skill_of_tool(tool_name)
    if skill is None:
        raise unknown_tool()
    return skill
