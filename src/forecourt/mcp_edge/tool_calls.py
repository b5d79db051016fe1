"""A tool call as it came, and the result that is written around the text of its answer."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import mcp_types as types
from mcp.shared.exceptions import MCPError

from forecourt.mcp_edge.messages import Request


@dataclass(frozen=True, slots=True)
class ToolCall:
    """Which tool is called and with what; `body` is the whole request, for who forwards parts as text."""

    tool: str
    arguments: dict[str, Any]
    body: bytes

    @classmethod
    def of(cls, request: Request, body: bytes) -> Self:
        """Read a `tools/call` request; raises `MCPError` when it is not one."""
        params = request.params or {}
        tool, arguments = params.get("name"), params.get("arguments")
        if not isinstance(tool, str):
            raise unknown_tool()
        if not isinstance(arguments, dict | None):
            raise MCPError(code=types.INVALID_PARAMS, message="The arguments are not an object.")
        return cls(tool, arguments or {}, body)


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """What a tool call returns: a JSON object as text, whether it is an error, and the result's `_meta`."""

    text: str
    is_error: bool
    meta: Mapping[str, Any] | None = None


def unknown_tool() -> MCPError:
    """Return the protocol error for a tool that is not there (MCP, tools page)."""
    return MCPError(code=types.INVALID_PARAMS, message="Unknown tool")


def call_body(request: Request, answer: ToolAnswer, *, identity: Mapping[str, Any]) -> bytes:
    """Write the result of a call around the answer's own text, as the SDK would; `identity` is the server's.

    A model often sees the text block only, and some clients drop `structuredContent` of an error; so both
    hold the same JSON.
    """
    meta = dict(answer.meta or {})
    if request.is_modern:
        meta[types.SERVER_INFO_META_KEY] = identity
    members = [
        f'"content":[{{"type":"text","text":{json.dumps(answer.text, ensure_ascii=False)}}}]',
        f'"structuredContent":{answer.text}',
        f'"isError":{"true" if answer.is_error else "false"}',
        *(['"resultType":"complete"'] if request.is_modern else []),
        *([f'"_meta":{json.dumps(meta)}'] if meta else []),
    ]
    return f'{{"jsonrpc":"2.0","id":{json.dumps(request.id)},"result":{{{",".join(members)}}}}}'.encode()


def tool_result(answer: ToolAnswer) -> types.CallToolResult:
    """Return an answer as the SDK's result: the same JSON as text and, parsed, as structured content."""
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=answer.text)],
        structured_content=json.loads(answer.text),
        is_error=answer.is_error,
        _meta=dict(answer.meta) if answer.meta else None,
    )
