"""The dealer under measurement: `forecourt serve` with a large simulated stock, imported by the commands."""

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2

from benchmarks.processes import SERVER_CORE, free_port, running
from forecourt.demo.dealer import DEALER_SLUG, homenet_csv, rooftops
from forecourt.demo.processes import forecourt_command, run_forecourt
from forecourt.demo.stock import simulated_stock
from forecourt.demo.workspace import Workspace, write_inputs

VEHICLES = 10_000


def search(price_max: int) -> dict[str, object]:
    """Return what every benchmark asks a dealer: the twenty dearest used cars up to a price."""
    return {
        "type": "inventory.search.request",
        "filters": {"condition": ["used", "cpo"], "price_max": price_max},
        "sort": {"field": "price", "order": "desc"},
        "pagination": {"skip": 0, "limit": 20},
    }


SEARCHES = [search(price_max) for price_max in range(20_000, 40_000, 4)]
"""Five thousand questions, each with twenty other results, so that no remembered answer can be measured."""


@contextmanager
def prepared_dealer() -> Iterator[Workspace]:
    """Import the stock into a database of its own, which is gone after the block."""
    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace(Path(folder), free_port())
        write_inputs(workspace)
        fees = {key: sum(rooftop.fees.values()) for key, rooftop in rooftops().items()}
        stock = simulated_stock(fees, size=VEHICLES)
        workspace.feed_file.write_text(homenet_csv(stock), encoding="utf-8", newline="")
        run_forecourt(workspace, ["db", "upgrade"])
        run_forecourt(workspace, ["dealer", "add", DEALER_SLUG, "--profile", str(workspace.profile_file)])
        run_forecourt(workspace, ["feed", "import", DEALER_SLUG, str(workspace.feed_file)])
        yield workspace


@contextmanager
def serving(workspace: Workspace, *, core: int = SERVER_CORE) -> Iterator[subprocess.Popen[bytes]]:
    """Serve the dealer on one core, without a rate limit."""
    environment = workspace.environment() | {"FORECOURT_AGENT_RATE_PER_MINUTE": "0"}
    url = f"{workspace.base_url}/readyz"
    with running(forecourt_command("serve"), url=url, environment=environment, core=core) as process:
        yield process


def answer_to(url: str, body: str, **headers: str) -> bytes:
    """Return the answer to one request, for peers that are to answer the same, and as a check."""
    content_type = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    with httpx2.Client(trust_env=False, timeout=10) as client:
        return client.post(url, content=body, headers=content_type | headers).raise_for_status().content
