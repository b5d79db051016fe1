"""Raw MCP over HTTP, where the bytes and the status matter."""

import json
from collections.abc import Mapping
from typing import Any

import httpx2
from starlette.types import ASGIApp

from forecourt.aap.client import DealerClient
from forecourt.mcp_aap.streamable_http import create_adapter_app

LEGACY, MODERN = "2025-06-18", "2026-07-28"
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
}


def adapter(dealer: DealerClient, **options: Any) -> ASGIApp:
    """Return the adapter of one dealer."""

    async def only(_scope):
        return dealer

    return create_adapter_app(only, **options)


def http_client(app: ASGIApp) -> httpx2.AsyncClient:
    """Return an HTTP client that talks to an application of this process."""
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://adapter.example.com")


async def post(app: ASGIApp, body: bytes | str, headers: Mapping[str, str] | None = None) -> httpx2.Response:
    """Post a body as it is."""
    async with http_client(app) as client:
        return await client.post(
            "/mcp", content=body, headers={"content-type": "application/json", **(headers or {})}
        )


async def ask(
    app: ASGIApp, method: str, params: dict[str, Any] | None = None, *, era: str = LEGACY, **headers: str
):
    """Ask one question in an era of the protocol."""
    fields = {"mcp-protocol-version": era}
    params = dict(params or {})
    if era == MODERN:
        params["_meta"] = {**ENVELOPE, **params.get("_meta", {})}
        fields["mcp-method"] = method
        if method == "tools/call":
            fields["mcp-name"] = params["name"]
    body = json.dumps({"jsonrpc": "2.0", "id": 7, "method": method, "params": params})
    return await post(app, body, fields | {name.replace("_", "-"): value for name, value in headers.items()})


async def call(app: ASGIApp, tool: str, arguments: Any = None, *, era: str = LEGACY) -> dict[str, Any]:
    """Call a tool and return the result."""
    params = {"name": tool} | ({} if arguments is None else {"arguments": arguments})
    answer = await ask(app, "tools/call", params, era=era)
    assert answer.status_code == 200, answer.text
    return answer.json()["result"]
