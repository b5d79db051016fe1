"""Two corrections of the SDK's server on every transport: version negotiation, and errors without a leak."""

import logging
from dataclasses import replace
from typing import Any, Final

import mcp_types as types
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic import ValidationError

FALLBACK_VERSION: Final = "2025-06-18"
"""Answered to an `initialize` that asks for a version which is not known."""

logger = logging.getLogger(__name__)


def correct(server: Server[Any]) -> None:
    """Put our two middlewares in place of the SDK's own."""
    server.middleware[:] = [_negotiate, _hide_exceptions]


def internal_error(error: Exception) -> MCPError:
    """Log where an unexpected exception came from, and return what the client sees."""
    logger.error("an MCP request failed", exc_info=error)
    return MCPError(code=types.INTERNAL_ERROR, message="Internal server error")


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
