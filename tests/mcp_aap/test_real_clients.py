"""The MCP SDK's own client, over HTTP and through the command over stdio, in both eras of the protocol."""

import asyncio
import json
import os
import socket
import subprocess
import sys
from contextlib import asynccontextmanager

import httpx2
import pytest
import uvicorn
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from tests.mcp_aap.asking import adapter
from tests.mcp_aap.dealers import FOUND, SEARCH, Dealer, card, wrapped

pytestmark = pytest.mark.anyio

BIG = 12345678901234567890123


@asynccontextmanager
async def served(application):
    """Serve an ASGI application on a free port and yield its address."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(uvicorn.Config(application, lifespan="off", log_config=None))
        running = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            await running


@asynccontextmanager
async def dealer_on_a_port(**members):
    """Serve a dealer whose card names its real address."""
    dealer = Dealer(**members)
    async with served(dealer) as url:
        dealer.card = card(f"{url}/a2a")
        yield dealer, url


@asynccontextmanager
async def over_http(dealer: Dealer, mode: str):
    transport = httpx2.ASGITransport(adapter(dealer.client()))
    async with (
        httpx2.AsyncClient(transport=transport) as http_client,
        Client(
            streamable_http_client("http://adapter.example.com/mcp", http_client=http_client), mode=mode
        ) as client,
    ):
        yield client


@asynccontextmanager
async def over_stdio(url: str, mode: str, *options: str):
    command = [sys.executable, "-m", "forecourt", "mcp", "aap", "--dealer", url, *options]
    server = StdioServerParameters(command=command[0], args=command[1:], env=dict(os.environ))
    async with Client(stdio_client(server), mode=mode) as client:
        yield client


MODES = ["legacy", "auto", "2026-07-28"]


@pytest.mark.parametrize("mode", MODES)
async def test_a_client_over_http_finds_and_calls_the_tools(mode):
    dealer = Dealer()
    async with over_http(dealer, mode) as client:
        listed = (await client.list_tools()).tools
        assert len(listed) == 5
        assert listed[2].meta["org.autoagentprotocol/aap_request_type"] == "inventory.search.request"
        result = await client.call_tool("aap_inventory_search", SEARCH)
        assert result.structured_content == json.loads(FOUND)
        assert result.content[0].text == FOUND
        assert not result.is_error
        refused = await client.call_tool(
            "aap_inventory_search", {"type": "inventory.search.request", "new": 1}
        )
        assert refused.is_error
        assert refused.structured_content["code"] == "SCHEMA_VALIDATION_FAILED"
        with pytest.raises(MCPError):
            await client.call_tool("other", {})
    assert len(dealer.calls) == 1


@pytest.mark.parametrize("mode", MODES)
async def test_a_client_over_stdio_finds_and_calls_the_tools(mode):
    payload = f'{{"type":"inventory.search.response","data":{{"price":26780.0,"n":26780,"big":{BIG}}}}}'
    async with dealer_on_a_port(reply=lambda call: wrapped(payload, request_id=call["id"])) as (dealer, url):
        async with over_stdio(url, mode, "--no-validate") as client:
            assert len((await client.list_tools()).tools) == 5
            arguments = {
                "type": "inventory.search.request",
                "a": 26780,
                "b": 26780.0,
                "big": BIG,
                "c": [None, "ü"],
            }
            result = await client.call_tool("aap_inventory_search", arguments)
            assert result.content[0].text == payload
            assert result.structured_content == json.loads(payload)
            assert result.meta["forecourt/content"]["trust"] == "untrusted"
            wrong = await client.call_tool("aap_inventory_search", {"type": "lead.submit.request"})
            assert wrong.is_error
            with pytest.raises(MCPError, match="Unknown tool"):
                await client.call_tool("other", {})
        assert f'"a": 26780, "b": 26780.0, "big": {BIG}'.encode() in dealer.bodies[0]
        assert len(dealer.calls) == 1


async def test_the_command_serves_http_on_a_port_of_this_machine():
    async with dealer_on_a_port() as (_, url):
        command = ["-m", "forecourt", "mcp", "aap", "--dealer", url, "--http", "0", "--schemas", "ref"]
        process = await asyncio.create_subprocess_exec(
            sys.executable, *command, stderr=asyncio.subprocess.PIPE
        )
        try:
            line = (await asyncio.wait_for(process.stderr.readline(), 30)).decode()
            address = line.split()[-1]
            async with httpx2.AsyncClient(trust_env=False) as http_client:
                async with Client(streamable_http_client(address, http_client=http_client)) as client:
                    assert "$ref" in (await client.list_tools()).tools[0].input_schema
                    assert (await client.call_tool("aap_inventory_search", SEARCH)).content[0].text == FOUND
                assert (await http_client.get(address)).status_code == 405
                assert (await http_client.get(address.removesuffix("/mcp"))).status_code == 404
                foreign = await http_client.post(
                    address, content="{}", headers={"origin": "https://evil.example.com"}
                )
                assert foreign.status_code == 403
        finally:
            process.terminate()
            await asyncio.wait_for(process.communicate(), 30)


@pytest.mark.parametrize(
    ("options", "status", "words"),
    [
        (["--dealer", "ftp://dealer.example.com"], 1, "url_refused"),
        (["--dealer", "two words"], 1, "url_refused"),
        (["--dealer", "dealer.example.com", "--token-env", "NO_SUCH_VARIABLE"], 2, "NO_SUCH_VARIABLE"),
        ([], 2, "--dealer"),
    ],
)
def test_the_command_says_what_is_wrong_with_its_options(options, status, words):
    command = [sys.executable, "-m", "forecourt", "mcp", "aap", *options]
    finished = subprocess.run(
        command, check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=30
    )
    assert finished.returncode == status
    assert words in finished.stderr
    assert "Traceback" not in finished.stderr
    assert finished.stdout == ""


async def test_the_command_sends_the_token_of_the_named_variable():
    secured = {
        "securitySchemes": {"b": {"httpAuthSecurityScheme": {"scheme": "Bearer"}}},
        "securityRequirements": [{"schemes": {"b": {"list": []}}}],
    }
    async with dealer_on_a_port() as (dealer, url):
        dealer.card = card(f"{url}/a2a", **secured)
        command = ["-m", "forecourt", "mcp", "aap", "--dealer", url, "--token-env", "DEALER_TOKEN"]
        environment = {**os.environ, "DEALER_TOKEN": "s3cret"}
        server = StdioServerParameters(command=sys.executable, args=command, env=environment)
        async with Client(stdio_client(server), mode="legacy") as client:
            assert not (await client.call_tool("aap_inventory_search", SEARCH)).is_error
        assert dealer.call_headers[0]["authorization"] == "Bearer s3cret"
        async with over_stdio(url, "legacy") as client:
            refused = await client.call_tool("aap_inventory_search", SEARCH)
        assert refused.structured_content["details"]["reason"] == "credentials_required"
        assert len(dealer.calls) == 1


@pytest.mark.parametrize(
    "lines", [b"{\n", b"[]\n", b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[' + b"[" * 5000 + b"\n"]
)
async def test_nonsense_on_standard_input_does_not_end_the_process(lines):
    command = ["-m", "forecourt", "mcp", "aap", "--dealer", "dealer.example.com"]
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, *command, stdin=pipe, stdout=pipe, stderr=pipe
    )
    process.stdin.write(lines)
    params = {"protocolVersion": "1999", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    initialize = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    process.stdin.write(json.dumps(initialize).encode() + b"\n")
    answer = {}
    while answer.get("id") != 1:
        answer = json.loads(await asyncio.wait_for(process.stdout.readline(), 30))
    assert answer["result"]["protocolVersion"] == "2025-06-18"
    process.stdin.close()
    await asyncio.wait_for(process.wait(), 30)
    assert process.returncode == 0
