"""The same dealer and the same skill, served as the A2A SDK has it served: an executor behind its handler.

Which dealer is in the settings (`FORECOURT_CONFIG`).
"""

import json
from typing import Any

from a2a.helpers import new_data_message
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill
from google.protobuf.json_format import MessageToDict
from starlette.applications import Starlette

from forecourt.dealer.stock import Stock
from forecourt.demo.dealer import DEALER_SLUG
from forecourt.retail.hosting import HostedDealers
from forecourt.retail.inventory import search_inventory
from forecourt.settings import read_settings
from forecourt.storage.database import open_database


class SearchExecutor(AgentExecutor):
    """Answers `inventory.search` with Forecourt's own index."""

    def __init__(self) -> None:
        settings = read_settings()
        database = open_database(settings.effective_database_url)
        self._dealers = HostedDealers(database, Stock(database, settings.data_dir))

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Answer one message with one message."""
        message, dealership = context.message, await self._dealers.by_slug(DEALER_SLUG)
        if message is None or dealership is None:
            raise ValueError("no message, or no dealer")
        request: dict[str, Any] = MessageToDict(message.parts[0].data)
        answer = json.loads(await search_inventory(dealership, request))
        await event_queue.enqueue_event(new_data_message(answer, media_type="application/json"))

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Refuse: there are no tasks."""
        raise NotImplementedError


def application() -> Starlette:
    """Build the application; uvicorn calls it with `--factory`."""
    card = AgentCard(
        name="Benchmark dealer",
        description="Answers inventory.search.",
        version="1.0.0",
        supported_interfaces=[
            AgentInterface(url="http://127.0.0.1/", protocol_binding="JSONRPC", protocol_version="1.0")
        ],
        capabilities=AgentCapabilities(),
        default_input_modes=["application/json"],
        default_output_modes=["application/json"],
        skills=[AgentSkill(id="inventory.search", name="Search", description="Search.", tags=["inventory"])],
    )
    handler = DefaultRequestHandler(SearchExecutor(), InMemoryTaskStore(), card)
    return Starlette(routes=create_jsonrpc_routes(handler, "/"))
