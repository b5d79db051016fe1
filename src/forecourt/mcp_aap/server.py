"""The adapter on the MCP SDK's low-level server: identity, tool list, calls over a stream, safe errors."""

import json
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Final

import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic import ValidationError

from forecourt.aap.skills import Skill, catalogue, skill_of_tool
from forecourt.mcp_aap.tool_answers import ToolAnswer
from forecourt.mcp_aap.tools import INSTRUCTIONS, SchemaForm, input_schema, tools

FALLBACK_VERSION: Final = "2025-06-18"
"""Answered to an `initialize` that asks for a version which is not known: the one of AAP's manifest."""

_DAY_MS: Final = 86_400_000

Call = Callable[[Skill, dict[str, Any], str], Awaitable[ToolAnswer]]
"""Answers a tool call: skill, arguments, and the arguments' JSON text."""

logger = logging.getLogger(__name__)


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
    server.middleware[:] = [_negotiate, _hide_exceptions]
    return server


def known_skill(tool_name: object) -> Skill:
    """Return the skill behind a tool; an unknown tool is a protocol error (MCP, tools page)."""
    skill = skill_of_tool(tool_name) if isinstance(tool_name, str) else None
    if skill is None:
        raise MCPError(code=types.INVALID_PARAMS, message="Unknown tool")
    return skill


def tool_result(answer: ToolAnswer) -> types.CallToolResult:
    """Return an answer as the SDK's result: the payload as text and, parsed, as structured content."""
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=answer.text)],
        structured_content=json.loads(answer.text),
        is_error=answer.is_error,
        _meta=dict(answer.meta) if answer.meta else None,
    )


async def _negotiate(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Answer the requested version when it is known, else `FALLBACK_VERSION` (the SDK answers its newest)."""
    params = ctx.params
    if ctx.method == "initialize" and params is not None:
        asked = params.get("protocolVersion")
        if isinstance(asked, str) and asked not in HANDSHAKE_PROTOCOL_VERSIONS:
            ctx = replace(ctx, params={**params, "protocolVersion": FALLBACK_VERSION})
    return await call_next(ctx)


async def _hide_exceptions(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Turn a bug into a plain internal error; in the handshake era the SDK would send the text of it."""
    try:
        return await call_next(ctx)
    except (MCPError, ValidationError):
        raise
    except Exception as error:  # noqa: BLE001  the last place before the wire
        raise internal_error(error) from None


def internal_error(error: Exception) -> MCPError:
    """Log where an unexpected exception came from, and return what the client sees."""
    logger.error("a request to the AAP adapter failed", exc_info=error)
    return MCPError(code=types.INTERNAL_ERROR, message="Internal server error")
