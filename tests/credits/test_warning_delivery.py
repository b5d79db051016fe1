"""The warning of low credits reaches the organisation's webhook, signed."""

import asyncio
import base64
import hmac
import json
from hashlib import sha256

from tests.credits.bank import Bank
from tests.leads.receivers import web_server

from forecourt.credits.ledger_store import set_warning
from forecourt.credits.warning import WarningHook
from forecourt.fetch.client import Fetcher
from forecourt.fetch.policy import FetchPolicy
from forecourt.leads.delivery import Courier
from forecourt.leads.sending import Sender

SECRET = "whsec_" + base64.b64encode(b"k" * 24).decode()


async def deliver(bank: Bank) -> int:
    async with Fetcher(FetchPolicy.allowing(["http://127.0.0.1:*"])) as fetch:
        return await Courier(bank.database, Sender(fetch, environment={"CREDITS": SECRET})).deliver_due()


def test_the_warning_arrives_once_and_signed(bank: Bank) -> None:
    bank.grant(2)
    with web_server() as hook:
        where = WarningHook(hook.url, "CREDITS")
        bank.write(lambda connection: set_warning(connection, bank.organization_id, low_below=2, hook=where))
        bank.capture(bank.reserve())
        assert [asyncio.run(deliver(bank)), asyncio.run(deliver(bank))] == [1, 0]

    [(headers, body)] = hook.requests
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    signature = base64.b64encode(hmac.new(b"k" * 24, signed, sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{signature}"
    assert json.loads(body)["data"]["credits_remaining"] == 1
