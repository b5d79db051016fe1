"""A process killed anywhere loses no acknowledged lead, keeps none twice and leaves none half kept."""

import asyncio
import re
import shutil
import subprocess

import pytest
import sqlalchemy as sa
from tests.leads.children import COMMAND, ENVIRONMENT, Children
from tests.leads.crash_child import folders, keyed_request
from tests.leads.desk import Desk, HeldClock, dealer_profile, host

from forecourt.fetch.client import Fetcher
from forecourt.fetch.policy import FetchPolicy
from forecourt.leads.adf_reading import read_adf
from forecourt.leads.delivery import LEASE, Courier
from forecourt.leads.sending import Sender
from forecourt.leads.store import APPOINTMENTS, CONSENTS, LEADS
from forecourt.storage.database import open_database
from forecourt.storage.outbox import OUTBOX

KILLED = 137


@pytest.fixture
def hosted(database, tmp_path):
    host(database, dealer_profile(destinations=folders(tmp_path), appointments={}))
    return database


@pytest.fixture(scope="module")
def children():
    with Children() as started:
        yield started


def submit_here(database, tmp_path, number=0):
    """Submit in this process what the child submitted: the retry after a restart."""
    profile = dealer_profile(destinations=folders(tmp_path), appointments={})
    return Desk(database, profile, HeldClock()).submit(keyed_request(number))["data"]["lead_id"]


def kept(database):
    tables = (LEADS, CONSENTS, APPOINTMENTS, OUTBOX)

    def count(connection):
        return [connection.scalar(sa.select(sa.func.count()).select_from(table)) for table in tables]

    return database.read_sync(count)


@pytest.mark.parametrize(
    "point", ["before_lead", "after_lead", "after_consent", "after_appointment", "after_outbox"]
)
def test_a_crash_before_the_commit_leaves_nothing_and_the_retry_is_a_first_try(
    hosted, children, database_url, tmp_path, point
):
    assert children.run("submit", database_url, tmp_path, crash_at=point) == (KILLED, [])
    assert kept(hosted) == [0, 0, 0, 0]

    submit_here(hosted, tmp_path)

    assert kept(hosted) == [1, 1, 1, 2]


def test_a_crash_between_the_commit_and_the_answer_keeps_the_lead_once(
    hosted, children, database_url, tmp_path
):
    assert children.run("submit", database_url, tmp_path, crash_at="before_answer") == (KILLED, [])
    assert kept(hosted) == [1, 1, 1, 2]

    retried = submit_here(hosted, tmp_path)

    [lead_id] = hosted.read_sync(lambda connection: connection.scalars(sa.select(LEADS.c.id)).all())
    assert retried == lead_id
    assert kept(hosted) == [1, 1, 1, 2]


@pytest.mark.parametrize("point", ["after_claim", "after_send", "after_settle"])
def test_a_worker_that_dies_anywhere_leaves_no_parcel_behind(hosted, children, database_url, tmp_path, point):
    for number in range(3):
        submit_here(hosted, tmp_path, number)
    assert children.run("deliver", database_url, tmp_path, crash_at=point).code == KILLED

    clock = HeldClock()
    clock.advance(LEASE)

    async def deliver():
        async with Fetcher(FetchPolicy()) as fetch:
            await Courier(hosted, Sender(fetch, clock=clock), clock=clock).deliver_due()

    asyncio.run(deliver())

    rows = hosted.read_sync(lambda connection: connection.execute(sa.select(OUTBOX)).all())
    assert [row.state for row in rows] == ["delivered"] * 6
    for row in rows:
        file = tmp_path / row.destination / f"{row.subject}.xml"
        assert read_adf(file.read_text())[0].ids == (row.subject,)


def test_a_lead_is_synced_to_disk_before_its_answer_leaves(tmp_path):
    """A killed process loses no page cache, so only counting the syncs shows that a power cut is harmless."""
    url = f"sqlite:///{tmp_path / 'forecourt.db'}"
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")
    database = open_database(url)
    database.upgrade()
    host(database, dealer_profile(destinations=folders(tmp_path), appointments={}))
    trace = tmp_path / "trace"
    strace = ["strace", "-f", "-o", str(trace), "-e", "trace=fdatasync,fsync,write"]

    traced = subprocess.run(
        [*strace, *COMMAND, "submit", url, str(tmp_path), "20"],
        env=ENVIRONMENT, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    database.close()

    if traced.returncode and "ptrace" in traced.stderr:
        pytest.skip("processes may not be traced here")
    assert traced.returncode == 0, traced.stderr
    events = [found[1] for found in re.finditer(r"(?m)^\d+ +(f(?:data)?sync\(|write\(1,)", trace.read_text())]
    answers = [number for number, event in enumerate(events) if event == "write(1,"]
    assert len(answers) == 20
    assert all(events[number - 1] != "write(1," for number in answers)  # a sync stands before every answer
