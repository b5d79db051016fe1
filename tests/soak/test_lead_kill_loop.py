"""A minute of kill -9 on the processes that take leads in and deliver them."""

import asyncio
import os
import random
import signal
import time
from collections import Counter

import pytest
import sqlalchemy as sa
from tests.leads.children import Children
from tests.leads.crash_child import folders
from tests.leads.desk import HeldClock, dealer_profile, host

from forecourt.fetch.client import Fetcher
from forecourt.fetch.policy import FetchPolicy
from forecourt.leads.delivery import LEASE, Courier
from forecourt.leads.sending import Sender
from forecourt.leads.store import CONSENTS, LEADS
from forecourt.storage.outbox import OUTBOX

SECONDS = 60


@pytest.mark.soak
def test_a_minute_of_kills_loses_no_acknowledged_lead_and_doubles_none(database, database_url, tmp_path):
    host(database, dealer_profile(destinations=folders(tmp_path), appointments={}))
    dice, acknowledged, kills, until = random.Random(20261130), list[str](), 0, time.monotonic() + SECONDS

    with Children() as takers, Children() as carriers:
        while time.monotonic() < until:
            carrier = carriers.begin("carry", database_url, tmp_path)
            taker = takers.begin("submit", database_url, tmp_path, 1_000_000, kills * 1_000_000)
            words = takers.kill_after_first_word(taker, dice.uniform(0.0, 0.5))
            acknowledged += [word.split()[1] for word in words]
            os.kill(carrier, signal.SIGKILL)
            carriers.end()
            kills += 1

    leads = database.read_sync(lambda connection: connection.scalars(sa.select(LEADS.c.id)).all())
    consents = database.read_sync(lambda connection: connection.scalars(sa.select(CONSENTS.c.lead_id)).all())
    assert set(acknowledged) <= set(leads)
    assert len(leads) <= len(acknowledged) + kills  # a kill may hit between the commit and the answer
    assert Counter(consents) == Counter(leads)

    deliver_everything(database)
    rows = database.read_sync(lambda connection: connection.execute(sa.select(OUTBOX)).all())
    assert Counter(row.subject for row in rows) == dict.fromkeys(leads, 2)
    assert {row.state for row in rows} == {"delivered"}
    assert all((tmp_path / row.destination / f"{row.subject}.xml").exists() for row in rows)
    print(f"{kills} kills, {len(acknowledged)} acknowledged leads, {len(leads)} kept")


def deliver_everything(database):
    clock = HeldClock()
    clock.advance(LEASE)

    async def deliver():
        async with Fetcher(FetchPolicy()) as fetch:
            courier = Courier(database, Sender(fetch, clock=clock), clock=clock)
            while await courier.deliver_due(limit=64):
                pass

    asyncio.run(deliver())
