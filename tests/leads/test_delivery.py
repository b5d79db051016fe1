"""How leads reach the dealer, over real SMTP and HTTP, on good days and bad ones."""

import asyncio
import base64
import hmac
import json
import logging
import ssl
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from hashlib import sha256

import pytest
import sqlalchemy as sa
from tests.leads.desk import Desk, HeldClock, change, dealer_profile, dealership
from tests.leads.leads_made_up import lead_request
from tests.leads.receivers import free_port, mail_server, silent_server, web_server

from forecourt.fetch.client import Fetcher
from forecourt.fetch.policy import FetchPolicy
from forecourt.leads.adf_reading import read_adf
from forecourt.leads.delivery import LEASE, RETRIES, Courier, deliver_forever, delivery_health
from forecourt.leads.resending import DestinationUnknown, previews, resend, resend_undelivered, send_test_lead
from forecourt.leads.sending import Sender
from forecourt.storage.database import open_database
from forecourt.storage.outbox import OUTBOX, claim, parcels_about, settle_delivered, settle_failed

SECRET = "whsec_" + base64.b64encode(b"k" * 24).decode()
ENVIRONMENT = {"HOOK_SECRET": SECRET, "CRM_PASSWORD": "open sesame", "CRM_TOKEN": "Bearer abc"}


@pytest.fixture
def clock():
    return HeldClock()


@pytest.fixture
def sqlite(tmp_path):
    opened = open_database(f"sqlite:///{tmp_path / 'forecourt.db'}")
    opened.upgrade()
    yield opened
    opened.close()


@pytest.fixture
def desk(sqlite, clock):
    return Desk.hosting(sqlite, dealer_profile(), clock)


def mail_to(port, **more):
    return {
        "kind": "adf-email", "name": "crm", "host": "127.0.0.1", "port": port, "security": "none",
        "from": "leads@agent.example.com", "to": "crm@dealer.example.com", **more,
    }  # fmt: skip


def hook_to(hook, **more):
    return {"kind": "webhook", "name": "hook", "url": hook.url, "secret_env": "HOOK_SECRET", **more}


def send_leads_to(desk, *destinations):
    profile = dealer_profile(destinations=destinations)
    change(desk.database, profile)
    desk.dealership = dealership(profile)


def deliver(desk, clock, *, tls=None, environment=ENVIRONMENT, timeout_s=5.0):
    """Let a worker carry what is due at this moment, once."""

    async def once():
        async with Fetcher(FetchPolicy.allowing(["http://127.0.0.1:*"])) as fetch:
            sender = Sender(fetch, environment=environment, clock=clock, tls=tls, timeout_s=timeout_s)
            courier = Courier(desk.database, sender, clock=clock, random_share=lambda: 0.0)
            return await courier.deliver_due()

    return asyncio.run(once())


def submit(desk, **changes):
    return desk.submit(lead_request(**changes))["data"]["lead_id"]


def parcels(desk, *lead_ids):
    return desk.database.read_sync(lambda connection: parcels_about(connection, lead_ids))


def parcel(desk, lead_id):
    [only] = parcels(desk, lead_id)
    return only


def job(desk, function, *arguments, **more):
    return desk.database.write_sync(lambda connection: function(connection, *arguments, **more))


# -- mail ---------------------------------------------------------------------------------------------------


@pytest.mark.known_bug("E1", "E2", "E3", "E4")
def test_the_mail_is_the_adf_and_nothing_else(desk, clock):
    with mail_server() as box:
        send_leads_to(desk, mail_to(box.port))
        lead_id = submit(desk, message="Größe & \U0001f697 <b>?")

        assert deliver(desk, clock) == 1

    [mail], [raw] = box.mails, box.raw
    assert mail.get_content_type() == "text/plain"
    assert raw.isascii()
    assert raw.partition(b"\r\n\r\n")[2].startswith(b"<?xml")
    assert raw.rstrip().endswith(b"</adf>")
    assert mail["Subject"] == "New lead for Larkfield Auto Group"
    assert mail["Message-ID"] == f"<{lead_id}@agent.example.com>"
    assert {name.lower() for name in mail} - {"x-peer", "x-mailfrom", "x-rcptto"} == {
        "from", "to", "subject", "date", "message-id", "mime-version", "content-type",
        "content-transfer-encoding",
    }  # fmt: skip
    [read] = read_adf(mail.get_content())
    assert read.ids == (lead_id,)
    assert "Größe & \U0001f697 <b>?" in read.comments
    assert parcel(desk, lead_id).state == "delivered"


def test_a_word_too_long_for_a_line_of_mail_still_arrives_whole(desk, clock):
    with mail_server() as box:
        send_leads_to(desk, mail_to(box.port))
        submit(desk, message="車" * 900)
        deliver(desk, clock)

    assert max(len(line) for line in box.raw[0].splitlines()) <= 998
    assert "車" * 900 in read_adf(box.mails[0].get_content())[0].comments


def test_the_subject_cannot_be_turned_into_a_header(desk, clock):
    with mail_server() as box:
        send_leads_to(desk, mail_to(box.port, subject="Lead\r\nBcc: everyone@example.com"))
        submit(desk)
        deliver(desk, clock)

    assert box.mails[0]["Subject"] == "Lead Bcc: everyone@example.com"
    assert box.mails[0]["Bcc"] is None


@pytest.mark.known_bug("A23", "A24")
def test_a_connection_lost_before_the_250_means_the_same_mail_again(desk, clock):
    with mail_server() as box:
        send_leads_to(desk, mail_to(box.port))
        lead_id = submit(desk)
        box.behaviour = "drop"
        deliver(desk, clock)
        assert (parcel(desk, lead_id).state, parcel(desk, lead_id).outcome) == ("pending", "smtp_dropped")

        box.behaviour = "take"
        assert deliver(desk, clock) == 0
        clock.advance(RETRIES[0])
        assert deliver(desk, clock) == 1

    first, second = box.mails
    assert first["Message-ID"] == second["Message-ID"]
    assert first.get_content() == second.get_content()
    assert 'status="new"' in second.get_content()
    assert parcel(desk, lead_id).state == "delivered"


@pytest.mark.parametrize(("behaviour", "outcome"), [("refuse", "smtp_550"), ("busy", "smtp_451")])
@pytest.mark.known_bug("E10")
def test_a_server_that_says_no_is_asked_again_and_its_words_are_not_kept(desk, clock, behaviour, outcome):
    with mail_server() as box:
        box.behaviour = behaviour
        send_leads_to(desk, mail_to(box.port))
        lead_id = submit(desk)
        deliver(desk, clock)

    assert (parcel(desk, lead_id).state, parcel(desk, lead_id).outcome) == ("pending", outcome)


def test_a_server_that_says_nothing_is_given_up_in_time(desk, clock):
    with silent_server() as port:
        send_leads_to(desk, mail_to(port))
        lead_id = submit(desk)
        deliver(desk, clock, timeout_s=0.2)

    assert (parcel(desk, lead_id).state, parcel(desk, lead_id).outcome) == ("pending", "timed_out")


def test_after_four_days_down_the_lead_is_dead_with_an_alarm_and_can_be_sent_by_hand(desk, clock, caplog):
    port = free_port()
    send_leads_to(desk, mail_to(port))
    lead_id = submit(desk)
    start = clock.now()

    attempts = 0
    while (waiting := parcel(desk, lead_id)).state == "pending":
        clock.moment = waiting.due_at
        attempts += deliver(desk, clock)
    clock.moment = start + timedelta(days=4)

    assert attempts == 10
    assert deliver(desk, clock) == 0
    dead = parcel(desk, lead_id)
    assert (dead.state, dead.outcome) == ("dead", "connection_failed")
    assert timedelta(hours=75) < dead.settled_at - start < timedelta(hours=77)
    assert desk.database.read_sync(delivery_health) == {"status": "attention", "dead": 1}
    [alarm] = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert lead_id in alarm.getMessage()
    assert "example.com" not in caplog.text

    with mail_server() as box:
        send_leads_to(desk, mail_to(box.port))
        assert job(desk, resend_undelivered, "larkfield", now=clock.now()) == [lead_id]
        assert deliver(desk, clock) == 1

    assert 'status="resend"' in box.mails[0].get_content()
    assert box.mails[0]["Message-ID"] == f"<{lead_id}@agent.example.com>"
    assert desk.database.read_sync(delivery_health) == {"status": "ok"}


@pytest.fixture(scope="session")
def certificate(tmp_path_factory):
    """A certificate for 127.0.0.1 that only this test run trusts."""
    x509 = pytest.importorskip("cryptography.x509")
    from ipaddress import ip_address

    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "mail sink")])
    names = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    built = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(names, critical=False)
        .sign(key, hashes.SHA256())
    )
    folder = tmp_path_factory.mktemp("tls")
    (folder / "certificate.pem").write_bytes(built.public_bytes(serialization.Encoding.PEM))
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "key.pem").write_bytes(private)
    return folder


@pytest.mark.known_bug("E11")
def test_a_login_goes_over_starttls_and_never_without(desk, clock, certificate):
    logins = []

    def authenticate(server, session, envelope, mechanism, data):
        from aiosmtpd.smtp import AuthResult

        logins.append((data.login, data.password))
        return AuthResult(success=True)

    server_side = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server_side.load_cert_chain(certificate / "certificate.pem", certificate / "key.pem")
    trusted = ssl.create_default_context(cafile=certificate / "certificate.pem")
    login = {"security": "starttls", "username": "crm", "password_env": "CRM_PASSWORD"}

    with mail_server(tls_context=server_side, authenticator=authenticate, auth_required=True) as box:
        send_leads_to(desk, mail_to(box.port, **login))
        lead_id = submit(desk)
        deliver(desk, clock)
        assert parcel(desk, lead_id).outcome == "certificate_refused"
        clock.advance(RETRIES[0])
        deliver(desk, clock, tls=trusted)
        assert parcel(desk, lead_id).state == "delivered"
    assert logins == [(b"crm", b"open sesame")]

    with mail_server() as plain:
        send_leads_to(desk, mail_to(plain.port, **login))
        lead_id = submit(desk, message="second")
        deliver(desk, clock, tls=trusted)
    assert parcel(desk, lead_id).outcome == "smtp_refused"
    assert plain.mails == []


# -- HTTP ---------------------------------------------------------------------------------------------------


def test_a_webhook_is_signed_as_standard_webhooks_says_and_holds_only_allowed_contact(desk, clock):
    with web_server() as hook:
        send_leads_to(desk, hook_to(hook))
        request = lead_request()
        request["customer"]["preferred_contact"] = "email"
        request["consent"]["allowed_channels"] = ["email"]
        lead_id = desk.submit(request)["data"]["lead_id"]
        deliver(desk, clock)

    [(headers, body)] = hook.requests
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = base64.b64encode(hmac.new(b"k" * 24, signed, sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{expected}"
    assert headers["webhook-id"] == lead_id
    assert int(headers["webhook-timestamp"]) == int(clock.now().timestamp())
    event = json.loads(body)
    assert (event["type"], event["data"]["lead_id"]) == ("lead.received", lead_id)
    assert event["data"]["customer"]["email"] == "ada@example.com"
    assert "phone" not in event["data"]["customer"]
    assert event["data"]["consent"] == request["consent"]


def test_a_secret_that_is_being_replaced_signs_beside_the_new_one(desk, clock):
    other = "whsec_" + base64.b64encode(b"n" * 32).decode()
    with web_server() as hook:
        send_leads_to(desk, hook_to(hook))
        submit(desk)
        deliver(desk, clock, environment={"HOOK_SECRET": f"{SECRET} {other}"})

    assert len(hook.requests[0][0]["webhook-signature"].split()) == 2


@pytest.mark.parametrize("status", [500, 400, 301, 307])
@pytest.mark.known_bug("A24", "E11")
def test_anything_but_success_is_tried_again_and_no_redirect_is_followed(desk, clock, status):
    with web_server() as hook:
        hook.replies = [(status, {"location": hook.url})]
        send_leads_to(desk, hook_to(hook))
        lead_id = submit(desk)
        deliver(desk, clock)

        assert (parcel(desk, lead_id).state, parcel(desk, lead_id).outcome) == ("pending", f"http_{status}")
        assert len(hook.requests) == 1
        assert deliver(desk, clock) == 0
        clock.advance(RETRIES[0])
        deliver(desk, clock)

    assert parcel(desk, lead_id).state == "delivered"
    assert hook.requests[0][0]["webhook-id"] == hook.requests[1][0]["webhook-id"]


@pytest.mark.known_bug("E11")
def test_one_lead_that_is_refused_holds_no_other_back(desk, clock):
    with web_server() as hook:
        hook.replies = [(200, {}), (200, {}), (500, {})]
        send_leads_to(desk, hook_to(hook))
        leads = {submit(desk, message=f"Question {number}") for number in range(5)}
        deliver(desk, clock)
        assert sorted(one.state for one in parcels(desk, *leads)) == ["delivered"] * 4 + ["pending"]

        clock.advance(RETRIES[0])
        deliver(desk, clock)

    assert {one.state for one in parcels(desk, *leads)} == {"delivered"}
    assert {headers["webhook-id"] for headers, _ in hook.requests} == leads
    assert len(hook.requests) == 6


@pytest.mark.known_bug("E16")
def test_a_lead_with_no_more_than_an_email_address_is_sent_all_the_same(desk, clock):
    with mail_server() as box:
        send_leads_to(desk, mail_to(box.port))
        request = lead_request(customer={"first_name": "", "last_name": "", "email": "ada@example.com"})
        lead_id = desk.submit(request)["data"]["lead_id"]
        deliver(desk, clock)

    [read] = read_adf(box.mails[0].get_content())
    assert (read.ids, read.email) == ((lead_id,), "ada@example.com")
    assert read.name == "Name not given"


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_a_receiver_that_says_when_to_come_back_is_obeyed(desk, clock, form):
    back = clock.now() + timedelta(minutes=10)
    with web_server() as hook:
        hook.replies = [(429, {"retry-after": "600" if form == "seconds" else format_datetime(back)})]
        send_leads_to(desk, hook_to(hook))
        lead_id = submit(desk)
        deliver(desk, clock)

    assert parcel(desk, lead_id).due_at == back


@pytest.mark.parametrize("nonsense", ["soon", "-5", "9" * 30, "Mon, 99 Foo 2026 00:00:00 GMT"])
def test_a_nonsensical_retry_after_never_delays_for_more_than_a_day(desk, clock, nonsense):
    with web_server() as hook:
        hook.replies = [(429, {"retry-after": nonsense})]
        send_leads_to(desk, hook_to(hook))
        lead_id = submit(desk)
        deliver(desk, clock)

    assert parcel(desk, lead_id).state == "pending"
    assert RETRIES[0] <= parcel(desk, lead_id).due_at - clock.now() <= timedelta(days=1)


def test_a_receiver_that_is_gone_gets_nothing_more_until_a_person_says_so(desk, clock):
    with web_server() as hook:
        hook.replies = [(410, {})]
        send_leads_to(desk, hook_to(hook))
        first = submit(desk)
        deliver(desk, clock)
        second = submit(desk, message="another")
        assert [one.state for one in parcels(desk, first, second)] == ["held", "held"]
        clock.advance(timedelta(days=30))
        assert deliver(desk, clock) == 0
        assert desk.database.read_sync(delivery_health) == {"status": "attention", "held": 2}

        job(desk, resend, first, destination=None, now=clock.now())
        assert deliver(desk, clock) == 2

    assert [one.state for one in parcels(desk, first, second)] == ["delivered", "delivered"]


def test_adf_by_http_carries_its_authorization_from_the_environment(desk, clock):
    with web_server() as hook:
        send_leads_to(
            desk, {"kind": "adf-https", "name": "crm", "url": hook.url, "authorization_env": "CRM_TOKEN"}
        )
        lead_id = submit(desk)
        deliver(desk, clock)

    [(headers, body)] = hook.requests
    assert headers["authorization"] == "Bearer abc"
    assert headers["content-type"] == "application/xml; charset=utf-8"
    assert read_adf(body.decode())[0].ids == (lead_id,)


@pytest.mark.parametrize(
    ("environment", "outcome"),
    [({}, "secret_missing:HOOK_SECRET"), ({"HOOK_SECRET": "whsec_short"}, "secret_unusable:HOOK_SECRET")],
)
def test_a_missing_secret_waits_instead_of_sending_unsigned(desk, clock, environment, outcome):
    with web_server() as hook:
        send_leads_to(desk, hook_to(hook))
        lead_id = submit(desk)
        deliver(desk, clock, environment=environment)

    assert hook.requests == []
    assert (parcel(desk, lead_id).state, parcel(desk, lead_id).outcome) == ("pending", outcome)


def test_an_address_inside_the_network_is_refused_unless_it_is_allowed(desk, clock):
    send_leads_to(desk, {**hook_to(type("Hook", (), {"url": "https://127.0.0.2/x"})())})
    lead_id = submit(desk)
    deliver(desk, clock)

    assert parcel(desk, lead_id).outcome == "address_refused"


# -- folder, previews, tests --------------------------------------------------------------------------------


def test_a_folder_gets_one_whole_file_for_each_lead(desk, clock, tmp_path):
    folders = [
        {"kind": "folder", "name": "xml", "path": str(tmp_path / "xml")},
        {"kind": "folder", "name": "json", "path": str(tmp_path / "json"), "format": "json"},
    ]
    send_leads_to(desk, *folders)
    lead_id = submit(desk)
    deliver(desk, clock)

    assert read_adf((tmp_path / "xml" / f"{lead_id}.xml").read_text())[0].ids == (lead_id,)
    assert json.loads((tmp_path / "json" / f"{lead_id}.json").read_text())["data"]["lead_id"] == lead_id
    assert {file.suffix for file in tmp_path.glob("*/*")} == {".xml", ".json"}


@pytest.mark.known_bug("E15")
def test_the_preview_is_what_arrives_byte_for_byte(desk, clock):
    with mail_server() as box:
        send_leads_to(desk, mail_to(box.port))
        lead_id = submit(desk)
        [preview] = desk.database.read_sync(lambda connection: previews(connection, lead_id))
        deliver(desk, clock)

    lines = box.raw[0].decode().replace("\r\n", "\n").splitlines(keepends=True)
    assert preview.text == "".join(line for line in lines if not line.startswith("X-"))


def test_a_test_lead_is_marked_everywhere_and_is_never_taken_for_a_customer(desk, clock):
    with mail_server() as box:
        send_leads_to(desk, mail_to(box.port))
        first = job(desk, send_test_lead, desk.dealership.profile, now=clock.now())
        second = job(desk, send_test_lead, desk.dealership.profile, now=clock.now())
        deliver(desk, clock)

    assert first != second
    assert box.mails[0]["Subject"].startswith("[TEST] ")
    assert "TEST LEAD" in box.mails[0].get_content()


def test_sending_again_to_a_destination_that_is_not_there_is_refused(desk, clock):
    lead_id = submit(desk)

    with pytest.raises(DestinationUnknown):
        job(desk, resend, lead_id, destination="nowhere", now=clock.now())


def test_a_destination_added_later_can_be_sent_the_lead(desk, clock, tmp_path):
    lead_id = submit(desk)
    send_leads_to(desk, {"kind": "folder", "name": "late", "path": str(tmp_path / "late")})

    assert job(desk, resend, lead_id, destination="late", now=clock.now()) == ["late"]
    deliver(desk, clock)

    assert (tmp_path / "late" / f"{lead_id}.xml").exists()


def test_a_destination_taken_out_of_the_profile_leaves_a_visible_parcel(desk, clock):
    send_leads_to(desk, mail_to(free_port()))
    lead_id = submit(desk)
    send_leads_to(desk)
    deliver(desk, clock)

    assert (parcel(desk, lead_id).state, parcel(desk, lead_id).outcome) == ("pending", "destination_unknown")


# -- leases -------------------------------------------------------------------------------------------------


@pytest.fixture
def each_desk(database, clock, tmp_path):
    folder = {"kind": "folder", "name": "crm", "path": str(tmp_path / "crm")}
    return Desk.hosting(database, dealer_profile(destinations=[folder]), clock)


def claimed(desk, clock):
    return job(desk, claim, now=clock.now(), lasting=LEASE, limit=10)


@pytest.mark.known_bug("A25")
def test_a_worker_that_dies_loses_its_lease_by_time_and_cannot_settle_any_more(each_desk, clock):
    lead_id = submit(each_desk)
    [first] = claimed(each_desk, clock)
    assert claimed(each_desk, clock) == []

    clock.advance(LEASE)
    [second] = claimed(each_desk, clock)

    late = {"now": clock.now(), "outcome": "late"}
    assert not job(each_desk, settle_delivered, first, **late)
    assert not job(each_desk, settle_failed, first, again_at=None, **late)
    assert job(each_desk, settle_delivered, second, now=clock.now(), outcome="in time")
    assert (parcel(each_desk, lead_id).state, parcel(each_desk, lead_id).outcome) == ("delivered", "in time")


def test_two_workers_never_carry_the_same_parcel(each_desk, clock):
    for number in range(20):
        submit(each_desk, message=str(number))

    async def both():
        def claiming(connection):
            return claim(connection, now=clock.now(), lasting=LEASE, limit=7)

        return await asyncio.gather(*(each_desk.database.write(claiming) for _ in range(6)))

    ids = [one.id for batch in asyncio.run(both()) for one in batch]

    assert len(ids) == len(set(ids)) == 20


def test_the_worker_delivers_as_soon_as_a_lead_is_there_and_stops_when_told(desk, clock):
    async def run(hook):
        wake = asyncio.Event()
        live = Desk(desk.database, desk.dealership.profile, clock, on_new=wake.set)
        async with Fetcher(FetchPolicy.allowing(["http://127.0.0.1:*"])) as fetch:
            courier = Courier(desk.database, Sender(fetch, environment=ENVIRONMENT), clock=clock)
            worker = asyncio.create_task(deliver_forever(courier, wake=wake, poll_s=60))
            await asyncio.sleep(0)
            lead_id = (await live.asked(lead_request()))["data"]["lead_id"]
            assert await asyncio.to_thread(hook.arrived.wait, 20)
            worker.cancel()
            with pytest.raises(asyncio.CancelledError):
                await worker
        return lead_id

    with web_server() as hook:
        send_leads_to(desk, hook_to(hook))
        lead_id = asyncio.run(run(hook))

    assert hook.requests[0][0]["webhook-id"] == lead_id
    assert parcel(desk, lead_id).state == "delivered"


def test_no_row_of_the_outbox_keeps_what_a_receiver_said(desk, clock):
    with mail_server() as box:
        box.behaviour = "refuse"
        send_leads_to(desk, mail_to(box.port))
        submit(desk)
        deliver(desk, clock)

    row = desk.database.read_sync(lambda connection: connection.execute(sa.select(OUTBOX)).one())
    assert "secret-word" not in repr(row)
