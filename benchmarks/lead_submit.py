"""`lead.submit` over HTTP beside what the disk allows: sqlite3 inserting the same rows, synced alike."""

import itertools
import json
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from benchmarks.load import Plan, run_load
from benchmarks.measurement import Measurement, Run, at_least, median_ratio, medians, rounds
from benchmarks.processes import free_port, running
from forecourt.demo.dealer import DEALER_SLUG
from forecourt.demo.processes import forecourt_command, run_forecourt
from forecourt.demo.workspace import Workspace, write_inputs

ROUNDS = 3
LEADS_A_ROUND = 12_000
"""More than a round can send, so that every lead is a new one."""

RAW_LEADS = 2_000
OURS, BUSY = "Forecourt, the dealer's CRM held", "Forecourt, delivering into a folder meanwhile"
RAW = "sqlite3, the same rows, one commit a lead"
UNLIMITED = {
    "FORECOURT_AGENT_RATE_PER_MINUTE": "0",
    "FORECOURT_LEADS_PER_CONTACT_PER_HOUR": "0",
    "FORECOURT_LEADS_PER_AGENT_PER_HOUR": "0",
}
TABLES = {"leads": "id", "lead_consents": "lead_id", "outbox": "subject"}


def measure() -> Measurement:
    """Put leads into a server with one destination, then insert what it wrote once more without it."""
    with _contenders() as contenders:
        runs = rounds(contenders, count=ROUNDS)
    rates = {name: [run["requests/s"] for run in runs[name]] for name in runs}
    return Measurement(
        title="lead.submit over HTTP on SQLite with full syncs, 16 connections",
        question="What do consent, duplicates, ADF and the outbox cost beside the bare inserts?",
        rows=[medians(name, runs[name]) for name in runs],
        targets=[
            at_least(
                f"leads/s of the bare inserts: {name}", ratio=median_ratio(rates[name], rates[RAW]), of=0.15
            )
            for name in (OURS, BUSY)
        ],
    )


@contextmanager
def _contenders() -> Iterator[dict[str, Callable[[], Run]]]:
    bodies = map(_request, itertools.count())
    with _prepared(held=True) as quiet, _prepared(held=False) as busy:

        def load(workspace: Workspace) -> Run:
            with _serving(workspace) as server_pid:
                return _load(workspace, server_pid, list(itertools.islice(bodies, LEADS_A_ROUND)))

        yield {
            OURS: lambda: load(quiet),
            BUSY: lambda: load(busy),
            RAW: lambda: _insert_again(quiet.folder / "forecourt.db"),
        }


@contextmanager
def _prepared(*, held: bool) -> Iterator[Workspace]:
    """Host the demo's dealer with a folder that takes its leads, or is closed for the moment."""
    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace(Path(folder), free_port())
        write_inputs(workspace)
        destination = f'[[destinations]]\nkind = "folder"\nname = "crm"\npath = "{folder}/crm"\n'
        profile = f"{workspace.profile_file.read_text(encoding='utf-8')}\n{destination}"
        workspace.profile_file.write_text(profile, encoding="utf-8")
        run_forecourt(workspace, ["db", "upgrade"])
        run_forecourt(workspace, ["dealer", "add", DEALER_SLUG, "--profile", str(workspace.profile_file)])
        run_forecourt(workspace, ["feed", "import", DEALER_SLUG, str(workspace.feed_file)])
        if held:
            _hold(workspace.folder / "forecourt.db")
        yield workspace


def _hold(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        row = (DEALER_SLUG, "crm", "2024-01-01T00:00:00.000000+00:00", "benchmark")
        connection.execute("INSERT INTO outbox_closed_destinations VALUES (?, ?, ?, ?)", row)
        connection.commit()


@contextmanager
def _serving(workspace: Workspace) -> Iterator[int]:
    environment = workspace.environment() | UNLIMITED
    url = f"{workspace.base_url}/readyz"
    with running(forecourt_command("serve"), url=url, environment=environment) as process:
        yield process.pid


def _load(workspace: Workspace, server_pid: int, bodies: list[str]) -> Run:
    url, headers = workspace.endpoints()["dealer_a2a_url"], {"A2A-Version": "1.0"}
    return run_load(
        Plan(url, bodies=bodies, expect='"status":"received"', server_pid=server_pid, headers=headers)
    )


def _request(number: int) -> str:
    lead = {
        "type": "lead.submit.request",
        "customer": {
            "first_name": "Ada",
            "last_name": f"Example {number}",
            "email": f"ada{number}@example.com",
            "phone": f"+1503{number:07}",
            "preferred_contact": "email",
        },
        "consent": {
            "granted_at": "2024-01-01T12:00:00Z",
            "allowed_channels": ["email", "phone"],
            "consent_text": "I agree that the dealer answers my question by e-mail or phone.",
            "scope": ["lead_submission"],
        },
        "vehicle_of_interest": {"year": 2023, "make": "Honda", "model": "CR-V", "condition": "used"},
        "message": "Is it still there, and can I see it on Saturday?",
        "source_agent": {"name": "benchmark"},
        "idempotency_key": f"benchmark-{number}",
    }
    part = {"data": lead, "mediaType": "application/json"}
    message = {"messageId": "benchmark", "role": "ROLE_USER", "parts": [part]}
    call = {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": message}}
    return json.dumps(call, separators=(",", ":"))


def _insert_again(database: Path) -> Run:
    """Insert the newest leads with their rows into a file of the same schema, as the server's file is set."""
    with tempfile.TemporaryDirectory() as folder:
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as source:
            schema = [row[0] for row in source.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")]
            leads = [
                _rows_of(source, lead_id)
                for (lead_id,) in source.execute(f"SELECT id FROM leads ORDER BY id DESC LIMIT {RAW_LEADS}")
            ]
        with closing(sqlite3.connect(Path(folder) / "raw.db", isolation_level=None)) as target:
            target.execute("PRAGMA journal_mode = WAL")
            target.execute("PRAGMA synchronous = FULL")
            for statement in schema:
                target.execute(statement)
            started = time.perf_counter()
            for lead in leads:
                _insert(target, lead)
            return {"requests/s": len(leads) / (time.perf_counter() - started)}


def _rows_of(source: sqlite3.Connection, lead_id: str) -> dict[str, list[tuple[object, ...]]]:
    return {
        table: source.execute(f"SELECT * FROM {table} WHERE {column} = ?", (lead_id,)).fetchall()
        for table, column in TABLES.items()
    }


def _insert(target: sqlite3.Connection, lead: dict[str, list[tuple[object, ...]]]) -> None:
    target.execute("BEGIN IMMEDIATE")
    for table, rows in lead.items():
        for row in rows:
            target.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
    target.execute("COMMIT")
