"""The official A2A SDK as a client: it finds the card, calls the agent and reads what comes back."""

import asyncio
from typing import Any

import httpx
import pytest
from a2a.client import ClientConfig, create_client
from a2a.types import Message, Part, Role, SendMessageRequest
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.struct_pb2 import Value
from tests.agent.conftest import INFORMATION_REQUEST, Site

DEALER = "https://agents.example.com/dealers/harbour-motors"


def ask(site: Site, payload: dict[str, Any]) -> Any:
    """Send a payload with the SDK's client and return the message it hands out."""

    async def conversation() -> Message:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(site.app)) as http:
            client = await create_client(DEALER, ClientConfig(streaming=False, httpx_client=http))
            part = Part(data=ParseDict(payload, Value()), media_type="application/json")
            message = Message(message_id="m-1", role=Role.ROLE_USER, parts=[part])
            answers = [answer async for answer in client.send_message(SendMessageRequest(message=message))]
            (answer,) = answers
            return answer.message

    return MessageToDict(asyncio.run(conversation()))


def test_the_sdk_client_reads_an_answer(site: Site) -> None:
    message = ask(site, INFORMATION_REQUEST)
    assert message["role"] == "ROLE_AGENT"
    assert message["parts"][0]["data"]["data"]["name"] == "Harbour Motors"


def test_the_sdk_client_searches_although_it_writes_every_number_with_a_point(site: Site) -> None:
    request = {
        "type": "inventory.search.request",
        "filters": {"year_min": 2020, "price_max": 25_000},
        "sort": {"field": "price", "order": "asc"},
        "pagination": {"skip": 0, "limit": 5},
    }
    data = ask(site, request)["parts"][0]["data"]["data"]
    assert (data["total"], data["limit"]) == (1, 5)
    assert data["vehicles"][0]["price"] == 21_500


@pytest.mark.parametrize(
    "payload", [{"type": "inventory.facets.request"}, {"type": "inventory.vehicle.request", "stock": "H-1"}]
)
def test_the_sdk_client_calls_the_other_read_skills(site: Site, payload: dict[str, Any]) -> None:
    assert ask(site, payload)["parts"][0]["data"]["type"] == payload["type"].replace("request", "response")


def test_the_sdk_client_is_told_why_a_call_is_refused(site: Site) -> None:
    with pytest.raises(match="does not offer that skill"):
        ask(site, {"type": "lead.submit.request"})
