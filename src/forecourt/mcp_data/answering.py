"""A tool call put to the table of operations, and the JSON text of what comes of it."""

import json
from typing import Any, Final

from forecourt.mcp_edge.tool_calls import ToolAnswer, unknown_tool
from forecourt.operations.call import CallContext, Outcome
from forecourt.operations.challenge import step_up
from forecourt.operations.performing import perform
from forecourt.operations.table import TOOLS

CHALLENGE_META: Final = "mcp/www_authenticate"
"""Key in a result's `_meta` under which ChatGPT looks for a challenge."""


async def answer(context: CallContext, tool: str, arguments: dict[str, Any]) -> ToolAnswer:
    """Answer a call with the very body of REST; raises `MCPError` for a tool that is not there."""
    operation = TOOLS.get(tool)
    if operation is None:
        raise unknown_tool()
    outcome = await perform(operation, context, arguments=lambda: arguments)
    return ToolAnswer(
        json.dumps(outcome.body, ensure_ascii=False, separators=(",", ":")),
        outcome.is_error,
        _step_up(outcome, public_url=context.services.public_url),
    )


def _step_up(outcome: Outcome, *, public_url: str) -> dict[str, Any] | None:
    """Tell clients that look into `_meta` which scope to ask for; a tool result has no headers."""
    body = outcome.body or {}
    if not outcome.is_problem or body["code"] != "insufficient_scope":
        return None
    return {CHALLENGE_META: [step_up(public_url, scope=body["required_scope"])]}
