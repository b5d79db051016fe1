"""The real server with the simulated dealer, and clients of other makers to look at it with."""

import json
import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from forecourt.demo.account import open_account
from forecourt.demo.processes import running_server
from forecourt.demo.show import prepare
from forecourt.demo.workspace import Workspace

PEERS = Path(__file__).parents[1] / "js"
MODULES = PEERS / "node_modules"
NODE_VERSION = (22, 19)


@pytest.fixture(scope="session")
def demo_dealer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """`forecourt serve` as a process, with the stock of the simulated group imported."""
    workspace = Workspace(tmp_path_factory.mktemp("dealer"), _free_port())
    prepare(workspace, announce=lambda line: None)
    with running_server(workspace):
        yield workspace


@pytest.fixture
def test_key(demo_dealer: Workspace) -> str:
    """A new test key of the vehicle-data service, with its own rate limit."""
    return open_account(demo_dealer, announce=lambda line: None)


@pytest.fixture(scope="session")
def node() -> Path:
    """A Node.js that is new enough for the peers; skipped where it or they are missing."""
    if not (MODULES / "@modelcontextprotocol").is_dir():
        pytest.skip("the JavaScript clients are not installed (npm ci in tests/js)")
    found = shutil.which("node", path=f"{MODULES / '.bin'}{os.pathsep}{os.environ.get('PATH', '')}")
    if found is None or _version(found) < NODE_VERSION:
        pytest.skip(f"no Node.js {'.'.join(map(str, NODE_VERSION))} or newer")
    return Path(found)


RunNode = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def run_node(node: Path, tmp_path_factory: pytest.TempPathFactory) -> RunNode:
    """Run a script of tests/js, or of a package there, and return what it wrote and how it ended."""
    home = tmp_path_factory.mktemp("node")

    def run(script: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [str(node), str(PEERS / script), *arguments],
            env=os.environ | {"MCP_CATALOG_PATH": str(home / "catalog.json")},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )

    return run


@pytest.fixture(scope="session")
def ask_node(run_node: RunNode) -> Callable[..., Any]:
    """Run a script of tests/js that must succeed; return the JSON that it printed."""

    def ask(script: str, *arguments: str) -> Any:
        done = run_node(script, *arguments)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return ask


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _version(node: str) -> tuple[int, ...]:
    printed = subprocess.run([node, "--version"], capture_output=True, encoding="utf-8", check=True).stdout
    return tuple(int(number) for number in printed.strip().removeprefix("v").split("."))
