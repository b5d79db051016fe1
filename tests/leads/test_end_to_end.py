"""A whole server with a real mail sink and webhook behind it, asked by A2A and by MCP at the same time."""

import json
import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest
import sqlalchemy as sa
import uvicorn
from tests.leads.desk import dealer_profile, host
from tests.leads.leads_made_up import lead_request
from tests.leads.receivers import free_port, mail_server, web_server

from forecourt.app import create_app
from forecourt.leads.adf_reading import read_adf
from forecourt.leads.store import LEADS
from forecourt.settings import Settings
from forecourt.storage.outbox import OUTBOX

HEADERS = {"A2A-Version": "1.0", "accept": "application/json, text/event-stream"}


def a2a_call(request):
    part = {"data": request, "mediaType": "application/vnd.autoagent.lead-submit-request+json"}
    message = {"messageId": "m", "role": "ROLE_USER", "parts": [part]}
    return {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": message}}


class Site:
    """A running server of one dealer."""

    def __init__(self, database, port):
        self.database = database
        self.port = port
        self.base = f"http://127.0.0.1:{port}"
        self.client = httpx2.Client(headers=HEADERS, timeout=60)

    def by_a2a(self, request):
        answer = self.client.post(f"{self.base}/dealers/larkfield/a2a", json=a2a_call(request)).json()
        if "error" in answer:
            return answer["error"]["data"]
        return answer["result"]["message"]["parts"][0]["data"]

    def by_mcp(self, request):
        params = {"name": "aap_lead_submit", "arguments": request}
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        answer = self.client.post(f"{self.base}/dealers/larkfield/mcp", json=call).json()
        return answer["result"]["structuredContent"]

    def both_at_once(self, request, *, times):
        ways = [self.by_a2a, self.by_mcp] * (times // 2)
        with ThreadPoolExecutor(times) as threads:
            return list(threads.map(lambda way: way(request), ways))

    def rows(self, table):
        return self.database.read_sync(lambda connection: connection.execute(sa.select(table)).all())


@pytest.fixture
def mailbox():
    with mail_server() as box:
        yield box


@pytest.fixture
def hook():
    with web_server() as opened:
        yield opened


@pytest.fixture
def site(database, database_url, tmp_path, monkeypatch, mailbox, hook):
    monkeypatch.setenv("HOOK_SECRET", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    destinations = [
        {
            "kind": "adf-email", "name": "crm", "host": "127.0.0.1", "port": mailbox.port, "security": "none",
            "from": "leads@agent.example.com", "to": "crm@dealer.example.com",
        },
        {"kind": "webhook", "name": "hook", "url": hook.url, "secret_env": "HOOK_SECRET"},
    ]  # fmt: skip
    host(database, dealer_profile(destinations=destinations))
    port = free_port()
    settings = Settings(
        secret_key="a secret of this test, long enough for a server",
        data_dir=tmp_path,
        database_url=database_url,
        public_url=f"http://127.0.0.1:{port}",
        port=port,
        fetch_allow=[f"http://127.0.0.1:{hook.port}"],
    )
    server = uvicorn.Server(uvicorn.Config(create_app(settings), port=port, log_config=None, lifespan="on"))
    started = threading.Event()
    server.install_signal_handlers = lambda: None
    thread = threading.Thread(target=_run, args=(server, started))
    thread.start()
    assert started.wait(30)
    opened = Site(database, port)
    yield opened
    opened.client.close()
    server.should_exit = True
    thread.join(30)


def _run(server, started):
    original = server.startup

    async def startup(sockets=None):
        await original(sockets)
        started.set()

    server.startup = startup
    server.run()


def current_request(**changes):
    request = lead_request(**changes)
    request["consent"]["granted_at"] = "2024-01-01T12:00:00Z"  # before any clock that runs this
    return request


def test_the_card_lists_the_skill(site):
    card = site.client.get(f"{site.base}/dealers/larkfield/.well-known/agent-card.json").json()

    assert "lead.submit" in [skill["id"] for skill in card["skills"]]


def test_32_submissions_with_one_key_by_both_ways_are_one_lead_with_one_delivery_each(site, mailbox, hook):
    answers = site.both_at_once(current_request(idempotency_key="k"), times=32)

    assert all(answer == answers[0] for answer in answers)
    [lead] = site.rows(LEADS)
    assert answers[0]["data"]["lead_id"] == lead.id
    assert hook.arrived.wait(30)
    assert mailbox.arrived.wait(30)
    assert len(site.rows(OUTBOX)) == 2
    assert [headers["webhook-id"] for headers, _ in hook.requests] == [lead.id]
    [mail] = mailbox.mails
    assert read_adf(mail.get_content())[0].ids == (lead.id,)


def test_32_equal_submissions_without_a_key_are_one_lead_with_one_delivery_each(site, mailbox, hook):
    answers = site.both_at_once(current_request(message="Is it there?"), times=32)

    assert len({answer["data"]["lead_id"] for answer in answers}) == 1
    assert [answer["data"]["status"] for answer in answers].count("received") == 1
    assert hook.arrived.wait(30)
    assert mailbox.arrived.wait(30)
    assert (len(site.rows(LEADS)), len(mailbox.mails), len(hook.requests)) == (1, 1, 1)


def test_a_caller_whose_connection_breaks_tries_again_and_has_one_lead(site, hook):
    request = current_request(idempotency_key="k")
    body = json.dumps(a2a_call(request)).encode()
    head = f"POST /dealers/larkfield/a2a HTTP/1.1\r\nhost: x\r\ncontent-length: {len(body)}\r\n"
    with socket.create_connection(("127.0.0.1", site.port)) as connection:
        connection.sendall(head.encode() + b"content-type: application/json\r\n\r\n" + body)

    again = site.by_a2a(request)

    assert again["data"]["status"] == "received"
    [lead] = site.rows(LEADS)
    assert lead.id == again["data"]["lead_id"]
    assert hook.arrived.wait(30)


def consent(**changes):
    return {"consent": current_request()["consent"] | changes}


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"consent": None}, "CONTACT_CONSENT_REQUIRED"),
        ({"consent": []}, "INVALID_CONSENT"),
        (consent(allowed_channels=[]), "CONTACT_CONSENT_REQUIRED"),
        (consent(allowed_channels=["fax"]), "CONTACT_CONSENT_REQUIRED"),
        (consent(allowed_channels=[], scope=["marketing"]), "INVALID_CONSENT"),
        (consent(consent_text=""), "INVALID_CONSENT"),
        ({"trade_in": {"condition": "new"}}, "INVALID_CONDITION"),
        ({"source_agent": None}, "MISSING_REQUIRED_FIELD"),
        ({"appointment": {"appointment_type": "test_drive"}, "new": 1}, "MISSING_REQUIRED_FIELD"),
        ({"new": 1, "message": 2}, "SCHEMA_VALIDATION_FAILED"),
    ],
)
def test_refusals_are_the_same_over_both_ways(site, changes, code):
    given = current_request(vehicle_of_interest=None) | changes
    unfit = {name: value for name, value in given.items() if value is not None}

    over_a2a, over_mcp = site.by_a2a(unfit), site.by_mcp(unfit)

    assert over_a2a["code"] == over_mcp["code"] == code
    assert over_a2a["details"] == over_mcp["details"]
    assert over_a2a["message"] == over_mcp["message"]
    assert "ada@example.com" not in json.dumps([over_a2a, over_mcp])


def test_readiness_tells_of_deliveries(site):
    assert site.client.get(f"{site.base}/readyz").json()["lead_delivery"] == {"status": "ok"}
