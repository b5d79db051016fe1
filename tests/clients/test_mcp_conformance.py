"""The MCP conformance kit fails on nothing but what `conformance_gaps.toml` names with a reason."""

import json
import re
import subprocess
import tomllib
from collections.abc import Callable, Iterator
from fnmatch import fnmatch
from pathlib import Path

from forecourt.demo.workspace import Workspace

KIT = "node_modules/@modelcontextprotocol/conformance/dist/index.js"
_MOMENT = re.compile(r"-20\d\d-\d\d-\d\dT.*$")
GAPS = Path(__file__).with_name("conformance_gaps.toml")


def test_the_conformance_kit_finds_only_the_gaps_that_we_explain(
    run_node: Callable[..., "subprocess.CompletedProcess[str]"], demo_dealer: Workspace, tmp_path: Path
) -> None:
    url = demo_dealer.endpoints()["dealer_mcp_url"]
    done = run_node(KIT, "server", "--url", url, "--suite", "all", "--output-dir", str(tmp_path / "kit"))
    failures = dict(_failures(tmp_path / "kit"))
    assert len(failures) > 20, done.stdout[-2000:] + done.stderr[-2000:]
    known = [gap for group in tomllib.loads(GAPS.read_text())["gap"] for gap in group["checks"]]
    unexplained = {
        check: why for check, why in failures.items() if not any(fnmatch(check, gap) for gap in known)
    }
    closed = [gap for gap in known if not any(fnmatch(check, gap) for check in failures)]
    assert (unexplained, closed) == ({}, [])


def _failures(results: Path) -> Iterator[tuple[str, str]]:
    """Yield `scenario/check` and the kit's message for each failed check."""
    for file in sorted(results.glob("server-*/checks.json")):
        scenario = _MOMENT.sub("", file.parent.name.removeprefix("server-"))
        for check in json.loads(file.read_text()):
            if check["status"] == "FAILURE":
                yield f"{scenario}/{check['id']}", check.get("errorMessage", "")
