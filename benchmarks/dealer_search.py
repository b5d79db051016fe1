"""`inventory.search` over HTTP: Forecourt, the floor of the framework, and the same skill on the A2A SDK."""

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.load import Plan, run_load
from benchmarks.measurement import Measurement, Run, at_least, median_ratio, medians, rounds
from benchmarks.peers import a2a_sdk_dealer, bare
from benchmarks.processes import free_port, running_asgi
from benchmarks.simulated_dealer import SEARCHES, VEHICLES, answer_to, prepared_dealer, serving
from forecourt.demo.workspace import Workspace

ROUNDS = 3
OURS, AGAIN = "Forecourt, another question each time", "Forecourt, one question again and again"
FLOOR, SDK = "bare Starlette route, the same bytes", "a2a-sdk server, the same skill"


def measure() -> Measurement:
    """Put the same load on the three, in turns."""
    with prepared_dealer() as workspace, _contenders(workspace) as contenders:
        runs = rounds(contenders, count=ROUNDS)
    rates = {name: [run["requests/s"] for run in runs[name]] for name in runs}
    return Measurement(
        title=f"inventory.search over HTTP, {VEHICLES:,} vehicles, 20 results, 16 connections",
        question="What does a dealer agent cost beyond its web framework, and beside one on the A2A SDK?",
        rows=[medians(name, runs[name]) for name in runs],
        targets=[
            at_least(f"requests/s of the {peer}: {name}", ratio=median_ratio(rates[name], rates[peer]), of=of)
            for peer, of in ((FLOOR, 0.5), (SDK, 12))
            for name in (OURS, AGAIN)
        ],
    )


@contextmanager
def _contenders(workspace: Workspace) -> Iterator[dict[str, Callable[[], Run]]]:
    floor, sdk = free_port(), free_port()
    ours = workspace.endpoints()["dealer_a2a_url"]
    with serving(workspace) as server, tempfile.NamedTemporaryFile() as answer:
        Path(answer.name).write_bytes(answer_to(ours, _request(SEARCHES[0])))
        with (
            running_asgi(bare, port=floor, environment={bare.ANSWER_FILE: answer.name}) as floor_server,
            running_asgi(a2a_sdk_dealer, port=sdk, environment=workspace.environment()) as sdk_server,
        ):
            yield {
                OURS: lambda: _load(ours, server.pid),
                AGAIN: lambda: _load(ours, server.pid, SEARCHES[:1]),
                FLOOR: lambda: _load(f"http://127.0.0.1:{floor}/", floor_server.pid),
                SDK: lambda: _load(f"http://127.0.0.1:{sdk}/", sdk_server.pid),
            }


def _load(url: str, server_pid: int, searches: list[dict[str, object]] = SEARCHES) -> Run:
    bodies = [_request(search) for search in searches]
    headers = {"A2A-Version": "1.0"}
    expect = "inventory.search.response"
    return run_load(Plan(url, bodies=bodies, expect=expect, server_pid=server_pid, headers=headers))


def _request(search: dict[str, object]) -> str:
    part = {"data": search, "mediaType": "application/json"}
    message = {"messageId": "benchmark", "role": "ROLE_USER", "parts": [part]}
    call = {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": message}}
    return json.dumps(call, separators=(",", ":"))
