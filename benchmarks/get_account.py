"""`get_account` over MCP: Forecourt with keys and credits, and a bare tool on the SDK's server without."""

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from benchmarks.load import Plan, run_load
from benchmarks.measurement import Measurement, Run, at_least, median_ratio, medians, rounds
from benchmarks.peers import mcp_sdk_account
from benchmarks.processes import free_port, running, running_asgi
from benchmarks.simulated_dealer import answer_to
from forecourt.demo.account import open_account
from forecourt.demo.processes import forecourt_command
from forecourt.demo.workspace import Workspace, write_inputs

ROUNDS = 3
LEGACY, MODERN = "2025-11-25", "2026-07-28"
OURS, BARE = "Forecourt, key checked, credits read", "bare tool on the SDK's low-level server"
NO_LIMIT = {"FORECOURT_REQUESTS_PER_MINUTE": "100000000"}


def measure() -> Measurement:
    """Put the same load on both servers, in both eras of the protocol, in turns."""
    with _contenders() as contenders:
        runs = rounds(contenders, count=ROUNDS)
    rates = {name: [run["requests/s"] for run in runs[name]] for name in runs}
    return Measurement(
        title="get_account over MCP, SQLite, 16 connections",
        question="What do keys that are read anew for every call, scopes, limits and the ledger cost?",
        rows=[medians(name, runs[name]) for name in runs],
        targets=[
            at_least(
                f"requests/s of the {BARE}, MCP {version}",
                ratio=median_ratio(rates[_name(OURS, version)], rates[_name(BARE, version)]),
                of=0.5,
            )
            for version in (LEGACY, MODERN)
        ],
    )


def _name(server: str, version: str) -> str:
    return f"{server}, MCP {version}"


@contextmanager
def _contenders() -> Iterator[dict[str, Callable[[], Run]]]:
    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace(Path(folder) / "service", free_port())
        write_inputs(workspace)
        key = open_account(workspace, announce=lambda _: None)
        url, bare = workspace.endpoints()["mcp_url"], free_port()
        answer_file = Path(folder) / "account.json"
        with running(
            forecourt_command("serve"),
            url=f"{workspace.base_url}/readyz",
            environment=workspace.environment() | NO_LIMIT,
        ) as ours:
            answer = answer_to(url, _request(LEGACY), Authorization=f"Bearer {key}")
            answer_file.write_text(json.dumps(json.loads(answer)["result"]["structuredContent"]))
            environment = {mcp_sdk_account.ANSWER_FILE: str(answer_file)}
            with running_asgi(mcp_sdk_account, port=bare, environment=environment) as bare_server:
                servers = {
                    OURS: (url, ours.pid, {"Authorization": f"Bearer {key}"}),
                    BARE: (f"http://127.0.0.1:{bare}/mcp", bare_server.pid, {}),
                }
                yield {
                    _name(server, version): partial(_load, *place, version=version)
                    for version in (LEGACY, MODERN)
                    for server, place in servers.items()
                }


def _load(url: str, server_pid: int, headers: dict[str, str], *, version: str) -> Run:
    headers = {**headers, "MCP-Protocol-Version": version}
    if version == MODERN:
        headers |= {"Mcp-Method": "tools/call", "Mcp-Name": "get_account"}
    plan = Plan(url, [_request(version)], '"object":"account"', server_pid, headers)
    return run_load(plan)


def _request(version: str) -> str:
    params: dict[str, object] = {"name": "get_account", "arguments": {}}
    if version == MODERN:
        params["_meta"] = {
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "forecourt-benchmark", "version": "1"},
        }
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return json.dumps(call, separators=(",", ":"))
