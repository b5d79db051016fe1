"""The MCP inspector, strict about portable schemas, lists the tools without a complaint."""

import json
import subprocess
from collections.abc import Callable

import pytest

from forecourt.demo.processes import forecourt_command
from forecourt.demo.workspace import Workspace

LIST = ("--cli", "--method", "tools/list", "--strict", "--format", "json")
PASSED_ON = {"FORECOURT_CONFIG", "PYTHONPATH"}
"""Variables that the inspector gives to a process only when it is told to."""

INSPECTOR = "node_modules/.bin/mcp-inspector"


@pytest.mark.parametrize("transport", ["http", "stdio"])
@pytest.mark.parametrize("era", ["legacy", "auto", "modern"])
def test_the_inspector_lists_the_tools_without_a_complaint(
    era: str,
    transport: str,
    run_node: Callable[..., "subprocess.CompletedProcess[str]"],
    demo_dealer: Workspace,
) -> None:
    local = ["--", *forecourt_command("mcp", "aap", "--dealer", demo_dealer.dealer_url)]
    remote = ["--transport", "http", "--server-url", demo_dealer.endpoints()["dealer_mcp_url"]]
    done = run_node(INSPECTOR, *LIST, "--protocol-era", era, *(local if transport == "stdio" else remote))
    assert listed_without_complaint(done) == 5


@pytest.mark.parametrize("transport", ["http", "stdio"])
@pytest.mark.parametrize("era", ["legacy", "auto", "modern"])
def test_the_inspector_lists_the_vehicle_data_tools_without_a_complaint(
    era: str,
    transport: str,
    run_node: Callable[..., "subprocess.CompletedProcess[str]"],
    demo_dealer: Workspace,
    test_key: str,
) -> None:
    needed = {name: value for name, value in demo_dealer.environment().items() if name in PASSED_ON}
    environment = [f"{name}={value}" for name, value in {**needed, "FORECOURT_API_KEY": test_key}.items()]
    local = [word for entry in environment for word in ("-e", entry)]
    local += ["--", *forecourt_command("mcp", "data")]
    remote = ["--transport", "http", "--server-url", demo_dealer.endpoints()["mcp_url"]]
    remote += ["--header", f"Authorization: Bearer {test_key}"]
    done = run_node(INSPECTOR, *LIST, "--protocol-era", era, *(local if transport == "stdio" else remote))
    assert listed_without_complaint(done) == 8


def test_the_inspector_understands_that_a_key_is_needed(
    run_node: Callable[..., "subprocess.CompletedProcess[str]"], demo_dealer: Workspace
) -> None:
    url = demo_dealer.endpoints()["mcp_url"]
    done = run_node(INSPECTOR, *LIST, "--stored-auth-only", "--transport", "http", "--server-url", url)
    assert done.returncode == 3
    assert "auth_required" in done.stdout + done.stderr


def listed_without_complaint(done: "subprocess.CompletedProcess[str]") -> int:
    """Return how many tools were listed, none of them criticised."""
    assert done.returncode == 0, done.stderr
    assert "portab" not in done.stderr.lower(), done.stderr
    return len(json.loads(done.stdout)["result"]["tools"])
