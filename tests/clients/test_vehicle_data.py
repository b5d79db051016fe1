"""Clients of three SDKs list the eight tools, value a car, and read a refusal and a wrong argument whole."""

import asyncio
import json
import os
from collections.abc import Callable
from typing import Any

import httpx2
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from forecourt.demo.processes import forecourt_command
from forecourt.demo.workspace import Workspace

VECTOR = {"hsn_tsn": {"hsn": "0603", "tsn": "BJM"}, "first_registration": "2019-05", "mileage_km": 85000}
WAYS = ["ts 1 http", "ts 1 stdio", "ts 2 legacy", "ts 2 auto", "ts 2 2026-07-28", "py http", "py stdio"]


def calls(key: str) -> list[tuple[str, dict[str, Any]]]:
    valuation = {"country": "DE", "vehicle": VECTOR, "idempotency_key": key}
    refused = {**valuation, "vehicle": {**VECTOR, "mileage_km": 990010}, "idempotency_key": f"{key}-refused"}
    return [
        ("get_account", {}),
        ("valuate_car", valuation),
        ("valuate_car", refused),
        ("decode_vin", {"vin": "TESTVN00000000200", "colour": "red"}),
    ]


@pytest.fixture(params=WAYS)
def session(
    request: pytest.FixtureRequest,
    demo_dealer: Workspace,
    test_key: str,
    monkeypatch: pytest.MonkeyPatch,
) -> dict[str, Any]:
    """What one session of a client has seen: the server's name, the tools, the results."""
    monkeypatch.setenv("FORECOURT_CONFIG", str(demo_dealer.settings_file.resolve()))
    monkeypatch.setenv("FORECOURT_API_KEY", test_key)
    sdk, way = request.param.split(" ", 1)
    url, asked = demo_dealer.endpoints()["mcp_url"], calls(request.param.replace(" ", "."))
    if sdk == "py":
        return asyncio.run(python_session(url, test_key, way=way, asked=asked))
    ask_node: Callable[..., Any] = request.getfixturevalue("ask_node")
    number, way = way.split(" ")
    authorization = f"Bearer {test_key}"
    if number == "2":
        output = ask_node("mcp_client_2.mjs", json.dumps(asked), url, authorization, way)
    elif way == "http":
        output = ask_node("mcp_client.mjs", json.dumps(asked), url, authorization)
    else:
        output = ask_node("mcp_client.mjs", json.dumps(asked), *forecourt_command("mcp", "data"))
    return {**output, "name": output["server"]["name"]}


async def python_session(
    url: str, key: str, *, way: str, asked: list[tuple[str, dict[str, Any]]]
) -> dict[str, Any]:
    command, *arguments = forecourt_command("mcp", "data")
    headers = {"Authorization": f"Bearer {key}"}
    async with httpx2.AsyncClient(trust_env=False, headers=headers) as http_client:
        process = StdioServerParameters(command=command, args=arguments, env=dict(os.environ))
        over_http = way == "http"
        transport = (
            streamable_http_client(url, http_client=http_client) if over_http else stdio_client(process)
        )
        async with Client(transport) as client:
            listed = (await client.list_tools()).tools
            results = [await client.call_tool(tool, arguments) for tool, arguments in asked]
            return {
                "name": client.server_info.name,
                "tools": [tool.model_dump(by_alias=True) for tool in listed],
                "results": [result.model_dump(by_alias=True, exclude_none=True) for result in results],
            }


def test_a_client_lists_eight_tools_and_reads_every_kind_of_answer_whole(session: dict[str, Any]) -> None:
    assert session["name"] == "autouncle_data"
    assert len(session["tools"]) == 8
    account, value, refused, wrong = session["results"]
    assert account["structuredContent"]["key"]["mode"] == "test"
    assert value["structuredContent"]["price"] == 15500
    assert not value.get("isError")
    assert refused["isError"]
    assert refused["structuredContent"]["error"]["code"] == "insufficient_market_data"
    assert wrong["isError"]
    assert wrong["structuredContent"]["errors"][0]["pointer"] == "/colour"
    for result in session["results"]:
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
