"""The adapter as one would write it on the usual libraries: a fastmcp tool that asks with a2a-sdk's client.

The client and its connections are made once and kept; answers are stateless JSON, as ours are.
"""

import asyncio
import os
from functools import cache
from typing import Any, Literal

import httpx
from a2a.client import Client, ClientConfig, create_client
from a2a.helpers import new_data_message
from a2a.types import Role, SendMessageRequest
from fastmcp import FastMCP
from google.protobuf.json_format import MessageToDict
from starlette.types import ASGIApp

DEALER_URL = "BENCHMARK_DEALER_URL"

_server: FastMCP = FastMCP("auto-agent-protocol")


@cache
def _client() -> "asyncio.Task[Client]":
    config = ClientConfig(streaming=False, httpx_client=httpx.AsyncClient(trust_env=False))
    return asyncio.ensure_future(create_client(os.environ[DEALER_URL], config))


@_server.tool(name="aap_inventory_search")
async def inventory_search(
    type: Literal["inventory.search.request"],  # noqa: A002  the name of the AAP field
    query: str | None = None,
    filters: dict[str, Any] | None = None,
    sort: dict[str, Any] | None = None,
    pagination: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Search the dealer's inventory."""
    given = {"query": query, "filters": filters, "sort": sort, "pagination": pagination}
    payload = {"type": type} | {name: value for name, value in given.items() if value is not None}
    message = new_data_message(payload, media_type="application/json", role=Role.ROLE_USER)
    client = await _client()
    async for reply in client.send_message(SendMessageRequest(message=message)):
        return MessageToDict(reply.message.parts[0].data)
    raise RuntimeError("the dealer did not answer")


def application() -> ASGIApp:
    """Build the application; uvicorn calls it with `--factory`."""
    return _server.http_app(path="/mcp", stateless_http=True, json_response=True)
