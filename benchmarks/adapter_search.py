"""`aap_inventory_search` through an MCP adapter to a dealer: Forecourt's, and one on the usual libraries."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from benchmarks.load import Plan, run_load
from benchmarks.measurement import Measurement, Run, at_least, median_ratio, medians, rounds
from benchmarks.peers import fastmcp_adapter
from benchmarks.processes import CLIENT_CORE, free_port, running, running_asgi
from benchmarks.simulated_dealer import SEARCHES, VEHICLES, prepared_dealer, serving
from forecourt.demo.processes import forecourt_command
from forecourt.demo.workspace import Workspace

ROUNDS = 3
LEGACY, MODERN = "2025-11-25", "2026-07-28"
OURS, USUAL = "Forecourt's adapter", "fastmcp tool + a2a-sdk client"


def measure() -> Measurement:
    """Put the same load on both adapters, in both eras of the protocol, in turns."""
    with prepared_dealer() as workspace, _contenders(workspace) as contenders:
        runs = rounds(contenders, count=ROUNDS)
    rates = {name: [run["requests/s"] for run in runs[name]] for name in runs}
    return Measurement(
        title=f"aap_inventory_search over MCP, {VEHICLES:,} vehicles, 20 results, 16 connections",
        question="What does the way from MCP to a dealer beside it cost? Dealer and load share a core.",
        rows=[medians(name, runs[name]) for name in runs],
        targets=[
            at_least(
                f"requests/s of the {USUAL}, MCP {version}",
                ratio=median_ratio(rates[_name(OURS, version)], rates[_name(USUAL, version)]),
                of=6,
            )
            for version in (LEGACY, MODERN)
        ],
    )


def _name(adapter: str, version: str) -> str:
    return f"{adapter}, MCP {version}"


@contextmanager
def _contenders(workspace: Workspace) -> Iterator[dict[str, Callable[[], Run]]]:
    ours, usual = free_port(), free_port()
    with (
        serving(workspace, core=CLIENT_CORE),
        running(
            forecourt_command("mcp", "aap", "--dealer", workspace.dealer_url, "--http", str(ours)),
            url=f"http://127.0.0.1:{ours}/mcp",
            environment=workspace.environment(),
        ) as our_server,
        running_asgi(
            fastmcp_adapter,
            port=usual,
            environment={fastmcp_adapter.DEALER_URL: f"{workspace.dealer_url}/"},
        ) as usual_server,
    ):
        servers = {OURS: (ours, our_server.pid), USUAL: (usual, usual_server.pid)}
        yield {
            _name(adapter, version): partial(_load, port, pid, version)
            for version in (LEGACY, MODERN)
            for adapter, (port, pid) in servers.items()
        }


def _load(port: int, server_pid: int, version: str) -> Run:
    headers = {"MCP-Protocol-Version": version}
    if version == MODERN:
        headers |= {"Mcp-Method": "tools/call", "Mcp-Name": "aap_inventory_search"}
    url = f"http://127.0.0.1:{port}/mcp"
    bodies = [_request(version, search) for search in SEARCHES]
    expect = "inventory.search.response"
    return run_load(Plan(url, bodies=bodies, expect=expect, server_pid=server_pid, headers=headers))


def _request(version: str, search: dict[str, object]) -> str:
    params: dict[str, object] = {"name": "aap_inventory_search", "arguments": search}
    if version == MODERN:
        params["_meta"] = {
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "forecourt-benchmark", "version": "1"},
        }
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return json.dumps(call, separators=(",", ":"))
