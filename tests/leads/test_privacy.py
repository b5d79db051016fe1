"""What a person can ask for: everything that is kept, or that nothing is kept any more."""

import asyncio
import json
import logging
from datetime import timedelta

import pytest
import sqlalchemy as sa
from tests.leads.desk import Desk, HeldClock, dealer_profile
from tests.leads.leads_made_up import VIN, lead_request
from tests.leads.receivers import free_port, mail_server

from forecourt.dealer.profile import build_profile
from forecourt.fetch.client import Fetcher
from forecourt.fetch.policy import FetchPolicy
from forecourt.leads.delivery import Courier
from forecourt.leads.privacy import (
    WrongRetention,
    erase_contact,
    erase_expired,
    export_contact,
    forget_bytes,
    retention_of,
)
from forecourt.leads.sending import Sender
from forecourt.leads.store import CONSENTS, LEADS, LeadUnknown, load_lead
from forecourt.storage.outbox import OUTBOX

MARKERS = [
    "Zyxwvutmark",
    "zyxwvutmark@example.com",
    "+15035550177",
    "Qwertzmark",
    "markkey-4711",
    "Consentmark",
]
PERSON = {
    "first_name": "Zyxwvutmark",
    "last_name": "Qwertzmark",
    "email": "Zyxwvutmark@example.com",
    "phone": "+15035550177",
}


@pytest.fixture
def clock():
    return HeldClock()


@pytest.fixture
def desk(database, clock):
    destination = {
        "kind": "adf-email", "name": "crm", "host": "127.0.0.1", "port": free_port(), "security": "none",
        "from": "leads@agent.example.com", "to": "crm@dealer.example.com",
    }  # fmt: skip
    return Desk.hosting(database, dealer_profile(destinations=[destination], appointments={}), clock)


def submit_marked(desk, **changes):
    request = lead_request(
        customer=PERSON,
        message="Qwertzmark wants it",
        vehicle_of_interest={"vin": VIN},
        appointment={"appointment_type": "test_drive", "appointment_at": "2026-12-01T19:00:00Z"},
        idempotency_key="markkey-4711",
        **changes,
    )
    request["consent"]["consent_text"] = "Consentmark: I agree."
    return desk.submit(request)["data"]["lead_id"]


def deliver(desk, clock):
    async def once():
        async with Fetcher(FetchPolicy()) as fetch:
            await Courier(desk.database, Sender(fetch, clock=clock), clock=clock).deliver_due()

    asyncio.run(once())


def whole_database(database):
    def dump(connection):
        metadata = sa.MetaData()
        metadata.reflect(connection)
        return "\n".join(
            repr(tuple(row))
            for table in metadata.tables.values()
            for row in connection.execute(sa.select(table))
        )

    return database.read_sync(dump)


def erase(desk, contact, clock):
    return desk.database.write_sync(lambda connection: erase_contact(connection, contact, now=clock.now()))


def test_an_export_holds_all_that_is_kept_about_the_person(desk, clock):
    lead_id = submit_marked(desk)
    desk.submit(lead_request())
    deliver(desk, clock)

    [kept] = desk.database.read_sync(lambda connection: export_contact(connection, "zyxwvutmark@EXAMPLE.com"))

    assert kept["lead"]["id"] == lead_id
    assert kept["lead"]["request"]["customer"] == PERSON
    assert kept["consents"][0]["consent"]["consent_text"] == "Consentmark: I agree."
    assert kept["appointments"][0]["status"] == "confirmed"
    assert "Qwertzmark" in kept["deliveries"][0]["body"]
    assert json.loads(json.dumps(kept)) == kept


def test_after_erasing_no_table_knows_the_person_and_nothing_is_sent(desk, clock):
    lead_id = submit_marked(desk)
    assert all(marker.lower() in whole_database(desk.database).lower() for marker in MARKERS[:3])

    assert erase(desk, "+15035550177", clock) == [lead_id]

    left = whole_database(desk.database).lower()
    assert [marker for marker in MARKERS if marker.lower() in left] == []
    with pytest.raises(LeadUnknown):
        desk.database.read_sync(lambda connection: load_lead(connection, lead_id))
    clock.advance(timedelta(days=1))
    deliver(desk, clock)
    row = desk.database.read_sync(lambda connection: connection.execute(sa.select(OUTBOX)).one())
    assert (row.state, row.attempts, row.body) == ("erased", 0, None)


def test_what_stays_names_nobody(desk, clock):
    lead_id = submit_marked(desk)
    erase(desk, "+15035550177", clock)

    lead = desk.database.read_sync(lambda connection: connection.execute(sa.select(LEADS)).one())
    consent = desk.database.read_sync(lambda connection: connection.execute(sa.select(CONSENTS)).one())

    assert (lead.id, lead.received_at, lead.erased_at) == (lead_id, clock.now(), clock.now())
    assert len(consent.text_sha256) == 64


def test_after_erasing_no_byte_of_the_file_holds_the_person(tmp_path, clock, caplog):
    from forecourt.storage.database import open_database

    caplog.set_level(logging.DEBUG)
    logging.getLogger("mail.log").setLevel(logging.CRITICAL)  # the sink's own
    url = f"sqlite:///{tmp_path / 'forecourt.db'}"
    database = open_database(url)
    database.upgrade()
    with mail_server() as box:
        destination = {
            "kind": "adf-email", "name": "crm", "host": "127.0.0.1", "port": box.port, "security": "none",
            "from": "leads@agent.example.com", "to": "crm@dealer.example.com",
        }  # fmt: skip
        desk = Desk.hosting(database, dealer_profile(destinations=[destination]), clock)
        for number in range(30):
            desk.submit(lead_request(message=f"other {number}"))
        submit_marked(desk)
        box.behaviour = "refuse"
        deliver(desk, clock)
    assert any(b"Qwertzmark" in file.read_bytes() for file in tmp_path.iterdir())

    erase(desk, "+15035550177", clock)
    forget_bytes(url)
    database.close()

    left = b"".join(file.read_bytes() for file in tmp_path.iterdir()).lower()
    assert len(left) > 10_000
    assert [marker for marker in MARKERS if marker.lower().encode() in left] == []
    logged = caplog.text.lower()
    assert [marker for marker in MARKERS if marker.lower() in logged] == []


def test_a_key_used_before_erasing_is_new_afterwards(desk, clock):
    first = submit_marked(desk)
    erase(desk, "+15035550177", clock)

    assert submit_marked(desk) != first


def test_erasing_somebody_unknown_erases_nobody(desk, clock):
    submit_marked(desk)
    without_email = {"first_name": "A", "last_name": "B", "phone": "+15035550111"}
    desk.submit(lead_request(customer=without_email))

    assert erase(desk, "nobody@example.com", clock) == []
    assert erase(desk, "", clock) == []


def test_leads_older_than_the_dealer_keeps_them_are_erased(database, clock):
    desk = Desk.hosting(database, dealer_profile(leads={"retention_days": 30}), clock)
    submit_marked(desk)
    clock.advance(timedelta(days=29))
    young = desk.submit(lead_request())["data"]["lead_id"]

    def expired():
        return database.write_sync(lambda connection: erase_expired(connection, now=clock.now()))

    assert expired() == 0
    clock.advance(timedelta(days=1, seconds=1))
    assert expired() == 1
    assert expired() == 0
    assert "qwertzmark" not in whole_database(database).lower()
    assert database.read_sync(lambda connection: load_lead(connection, young)).id == young


@pytest.mark.parametrize("section", [{"retention_days": 0}, {"retention_days": "30"}, {"days": 3}, []])
def test_a_wrong_retention_is_refused_and_erases_nothing(section):
    profile = build_profile("x", {"name": "X", "rooftops": [{"name": "Y"}], "leads": section})

    with pytest.raises(WrongRetention):
        retention_of(profile)
