"""The service on the MCP SDK's low-level server: identity, lists, the prompt, and calls over a stream."""

from collections.abc import Awaitable, Callable
from typing import Any, Final

import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from forecourt import __version__
from forecourt.mcp_data.prompt import PROMPT, value_a_car
from forecourt.mcp_data.tools import INSTRUCTIONS, input_schema, tools
from forecourt.mcp_edge.corrections import correct
from forecourt.mcp_edge.tool_calls import ToolAnswer, tool_result

_HOUR_MS: Final = 3_600_000

Call = Callable[[str, dict[str, Any]], Awaitable[ToolAnswer]]
"""Answers a call of a tool by its name and arguments; raises `MCPError` for an unknown tool."""


def build_server(name: str, *, call: Call | None = None) -> Server[Any]:
    """Return the SDK server under `name`; `call` answers tools where the SDK carries the messages."""

    async def call_tool(
        _context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        assert call is not None  # noqa: S101  registered only with a call
        return tool_result(await call(params.name, params.arguments or {}))

    hint = CacheHint(ttl_ms=_HOUR_MS, scope="public")
    server: Server[Any] = Server(
        name,
        version=__version__,
        title="Vehicle data",
        instructions=INSTRUCTIONS,
        cache_hints={"tools/list": hint, "prompts/list": hint, "server/discover": hint},
        get_tool_input_schema=input_schema,
        on_list_tools=_list_tools,
        on_call_tool=call_tool if call else None,
        on_list_prompts=_list_prompts,
        on_get_prompt=_get_prompt,
    )
    correct(server)
    return server


async def _list_tools(
    _context: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
) -> types.ListToolsResult:
    return types.ListToolsResult(tools=list(tools()))


async def _list_prompts(
    _context: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
) -> types.ListPromptsResult:
    return types.ListPromptsResult(prompts=[PROMPT])


async def _get_prompt(
    _context: ServerRequestContext[Any], params: types.GetPromptRequestParams
) -> types.GetPromptResult:
    if params.name != PROMPT.name:
        raise MCPError(code=types.INVALID_PARAMS, message="Unknown prompt")
    return value_a_car(params.arguments or {})
