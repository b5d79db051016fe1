"""The MCP inspector, strict about portable schemas, lists the tools without a complaint."""

import json
import subprocess
from collections.abc import Callable

import pytest

from forecourt.demo.processes import forecourt_command
from forecourt.demo.workspace import Workspace

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
    done = run_node(
        *(INSPECTOR, "--cli", "--method", "tools/list", "--strict", "--format", "json"),
        *("--protocol-era", era, *(local if transport == "stdio" else remote)),
    )
    assert done.returncode == 0, done.stderr
    assert "portab" not in done.stderr.lower(), done.stderr
    assert len(json.loads(done.stdout)["result"]["tools"]) == 5
