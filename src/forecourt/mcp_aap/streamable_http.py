"""The adapter over Streamable HTTP, for one dealer or for thousands.

A tool's arguments leave and the payload arrives as text, so every number keeps its form.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from starlette.types import ASGIApp, Scope

from forecourt.aap.client import DealerClient
from forecourt.base.errors import NotFound
from forecourt.base.json_text import read_with_texts
from forecourt.mcp_aap.forwarding import forward
from forecourt.mcp_aap.server import build_server, known_skill
from forecourt.mcp_aap.tools import SchemaForm
from forecourt.mcp_edge.door import Door
from forecourt.mcp_edge.endpoint import McpEndpoint
from forecourt.mcp_edge.messages import refusal
from forecourt.mcp_edge.tool_calls import ToolAnswer, ToolCall

MAX_BODY_BYTES: Final = 262_144
_ARGUMENTS: Final = ("params", "arguments")

DealerFor = Callable[[Scope], Awaitable[DealerClient]]
"""Picks the dealer of a request; raises a leaf of `NotFound` for a 404, of `Broken` for a 503."""


def create_adapter_app(
    dealer_for: DealerFor, *, form: SchemaForm = "inline", validate: bool = True, door: Door | None = None
) -> ASGIApp:
    """Return an ASGI application that answers MCP on whatever path it is mounted.

    Nothing is kept between requests, so one application serves every dealer; `dealer_for` says whose tools a
    request means.
    """

    async def admit(scope: Scope, _headers: Mapping[str, str]) -> DealerClient:
        try:
            return await dealer_for(scope)
        except NotFound:
            raise refusal(404, "There is no such dealer.") from None

    async def call(dealer: DealerClient, call: ToolCall) -> ToolAnswer:
        skill = known_skill(call.tool)
        _, texts = read_with_texts(call.body, _ARGUMENTS)
        text = texts.get(_ARGUMENTS) if call.arguments else None
        return await forward(dealer, skill, arguments=call.arguments, text=text or "{}", validate=validate)

    return McpEndpoint(
        build_server(form), admit=admit, call=call, door=door or Door(), max_body_bytes=MAX_BODY_BYTES
    )
