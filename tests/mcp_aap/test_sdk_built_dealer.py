"""A dealer built with the A2A SDK's server, as many will be: integers come back as floats."""

import json

import pytest
from a2a.helpers import new_data_message
from a2a.server.agent_execution import AgentExecutor
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import AgentCard, Role
from google.protobuf.json_format import MessageToDict, ParseDict
from starlette.applications import Starlette
from tests.mcp_aap.asking import LEGACY, MODERN, adapter, call
from tests.mcp_aap.dealers import BASE, SEARCH, card

from forecourt.aap.client import DealerClient
from forecourt.aap.discovery import CardSource
from forecourt.fetch.in_process import InProcessFetch

pytestmark = pytest.mark.anyio


class Echo(AgentExecutor):
    """Answers with a price and with what was asked."""

    async def execute(self, context, event_queue):
        asked = MessageToDict(context.message.parts[0].data)
        if asked["filters"]["make"] == ["fail"]:
            raise RuntimeError("secret path")
        payload = {"type": "inventory.search.response", "data": {"price": 26780, "asked": asked}}
        await event_queue.enqueue_event(new_data_message(payload, role=Role.ROLE_AGENT))

    async def cancel(self, context, event_queue):
        raise NotImplementedError


@pytest.fixture
def dealer() -> DealerClient:
    agent_card = ParseDict(card(), AgentCard())
    handler = DefaultRequestHandler(Echo(), InMemoryTaskStore(), agent_card)
    routes = [*create_agent_card_routes(agent_card), *create_jsonrpc_routes(handler, "/a2a")]
    return DealerClient(InProcessFetch(Starlette(routes=routes)), CardSource(BASE))


@pytest.mark.parametrize("era", [LEGACY, MODERN])
async def test_a_price_written_as_a_float_is_passed_on_in_its_form(dealer, era):
    result = await call(adapter(dealer), "aap_inventory_search", SEARCH, era=era)
    assert not result["isError"]
    assert '"price":26780.0' in result["content"][0]["text"].replace(" ", "")
    assert result["structuredContent"]["data"]["asked"] == SEARCH


async def test_its_failure_is_one_of_ours_and_worth_trying_again(dealer):
    result = await call(adapter(dealer), "aap_inventory_search", {**SEARCH, "filters": {"make": ["fail"]}})
    error = result["structuredContent"]
    assert result["isError"]
    assert error["details"]["jsonrpc_error"]["code"] == -32603
    assert error["retryable"]
    assert json.loads(result["content"][0]["text"]) == error
