"""The demo's customer of the vehicle-data service: an organisation, and a test key for each run."""

import json
from collections.abc import Callable

from forecourt.demo.processes import run_forecourt
from forecourt.demo.workspace import Workspace

ORGANIZATION = "Larkfield Trade-ins"


def open_account(workspace: Workspace, *, announce: Callable[[str], None]) -> str:
    """Make the organisation, or find that of an earlier run, and return a new test key of it."""
    create = ["org", "create", ORGANIZATION, "--countries", "all"]
    announce(f'\n$ forecourt org create "{ORGANIZATION}" --countries all')
    organization_id = _earlier(workspace) or run_forecourt(workspace, create).strip()
    announce(organization_id)
    announce(f"\n$ forecourt key create --org {organization_id} --mode test")
    made = run_forecourt(workspace, ["key", "create", "--org", organization_id, "--mode", "test", "--json"])
    key: str = json.loads(made)["key"]
    announce(key)
    return key


def _earlier(workspace: Workspace) -> str | None:
    organizations = json.loads(run_forecourt(workspace, ["org", "list", "--json"]))
    return next((known["id"] for known in organizations if known["name"] == ORGANIZATION), None)
