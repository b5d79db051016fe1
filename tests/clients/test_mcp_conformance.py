"""The MCP conformance kit fails on nothing but what is named in a file of gaps, with a reason."""

import json
import re
import socket
import subprocess
import threading
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path

import uvicorn
from tests.clients.fixture_tools import fixture_application

from forecourt.demo.workspace import Workspace

KIT = "node_modules/@modelcontextprotocol/conformance/dist/index.js"
_MOMENT = re.compile(r"-20\d\d-\d\d-\d\dT.*$")
HERE = Path(__file__).parent

RunNode = Callable[..., "subprocess.CompletedProcess[str]"]


def test_the_conformance_kit_finds_only_the_gaps_that_we_explain(
    run_node: RunNode, demo_dealer: Workspace, tmp_path: Path
) -> None:
    failures = failures_of(run_node, demo_dealer.endpoints()["dealer_mcp_url"], tmp_path / "kit")
    assert unexplained(failures, HERE / "conformance_gaps.toml") == ({}, [])


def test_the_conformance_kit_with_its_own_tools_finds_only_the_gaps_that_we_explain(
    run_node: RunNode, tmp_path: Path
) -> None:
    with fixture_server() as url:
        failures = failures_of(run_node, url, tmp_path / "kit")
    assert unexplained(failures, HERE / "fixture_gaps.toml") == ({}, [])


def failures_of(run_node: RunNode, url: str, folder: Path) -> dict[str, str]:
    """Run every scenario of the kit on a server; return the message of each failed check."""
    done = run_node(KIT, "server", "--url", url, "--suite", "all", "--output-dir", str(folder))
    failures = dict(_failures(folder))
    assert len(failures) > 20, done.stdout[-2000:] + done.stderr[-2000:]
    return failures


def unexplained(failures: dict[str, str], gaps: Path) -> tuple[dict[str, str], list[str]]:
    """Return the failures that no gap names, and the gaps that are closed."""
    known = [gap for group in tomllib.loads(gaps.read_text())["gap"] for gap in group["checks"]]
    strange = {check: why for check, why in failures.items() if not any(fnmatch(check, gap) for gap in known)}
    closed = [gap for gap in known if not any(fnmatch(check, gap) for check in failures)]
    return strange, closed


@contextmanager
def fixture_server() -> Iterator[str]:
    """Serve the kit's tools on a free port of this machine."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        config = uvicorn.Config(fixture_application(port), lifespan="off", log_config=None)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            server.should_exit = True
            thread.join()


def _failures(results: Path) -> Iterator[tuple[str, str]]:
    """Yield `scenario/check` and the kit's message for each failed check."""
    for file in sorted(results.glob("server-*/checks.json")):
        scenario = _MOMENT.sub("", file.parent.name.removeprefix("server-"))
        for check in json.loads(file.read_text()):
            if check["status"] == "FAILURE":
                yield f"{scenario}/{check['id']}", check.get("errorMessage", "")
