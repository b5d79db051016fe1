"""Dealers of a real database as requests see them, through the whole application."""

import asyncio
import gc
import json
import weakref
from pathlib import Path
from typing import Any

import httpx2
import pytest

from forecourt.agent.asgi import DealerAgents
from forecourt.app import create_app
from forecourt.base.clock import SYSTEM_CLOCK
from forecourt.dealer import store
from forecourt.dealer.chunk import chunk_of_listings
from forecourt.dealer.profile import build_profile
from forecourt.dealer.stock import Stock
from forecourt.retail.hosting import HostedDealers
from forecourt.settings import Settings
from forecourt.storage.database import Database, open_database

CIVIC = {"vehicle_id": "c", "stock": "00042", "make": "Honda", "model": "Civic", "status": "available"}
JAZZ = {"vehicle_id": "j", "stock": "00043", "make": "Honda", "model": "Jazz", "status": "available"}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    settings = Settings(data_dir=tmp_path)
    database = open_database(settings.effective_database_url)
    database.upgrade()
    database.close()
    return settings


def host(database: Database, slug: str, *domains: str) -> None:
    profile = build_profile(slug, {"name": slug, "rooftops": [{"name": "North"}], "domains": list(domains)})
    database.write_sync(
        lambda connection: store.add_dealer(connection, profile, organization_id=None, now=SYSTEM_CLOCK.now())
    )


def publish(database: Database, slug: str, *listings: dict[str, Any]) -> None:
    def job(connection: Any) -> None:
        now = SYSTEM_CLOCK.now()
        version_id = store.begin_version(connection, slug, now=now)
        content = chunk_of_listings(listings).encoded()
        store.add_chunk(connection, version_id, number=0, content=content)
        store.publish_version(connection, version_id, listings=len(listings), amendments={}, now=now)

    database.write_sync(job)


def call(settings: Settings, path: str, payload: dict[str, Any], *, host: str = "127.0.0.1:8080") -> Any:
    """Send one A2A call to a fresh application and return its payload or its error's data."""

    async def send() -> Any:
        message = {"messageId": "m", "role": "ROLE_USER", "parts": [{"data": payload}]}
        body = {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": message}}
        transport = httpx2.ASGITransport(create_app(settings))
        async with httpx2.AsyncClient(transport=transport, base_url=f"http://{host}") as client:
            response = await client.post(path, json=body)
        if response.status_code != 200:
            return response.status_code
        answer = json.loads(response.content)
        return (
            answer["error"]["data"] if "error" in answer else answer["result"]["message"]["parts"][0]["data"]
        )

    return asyncio.run(send())


def test_a_vehicle_that_only_the_stock_before_had_is_unavailable_not_unknown(settings: Settings) -> None:
    database = open_database(settings.effective_database_url)
    host(database, "harbour")
    publish(database, "harbour", CIVIC, JAZZ)
    publish(database, "harbour", JAZZ)
    database.close()

    def code(**identifier: str) -> str:
        asked = {"type": "inventory.vehicle.request", **identifier}
        answer = call(settings, "/dealers/harbour/a2a", asked)
        return str(answer.get("code", answer["type"]))

    assert code(stock="00042") == "VEHICLE_UNAVAILABLE"
    assert code(stock="00043") == "inventory.vehicle.response"
    assert code(stock="00044") == "VEHICLE_NOT_FOUND"


def test_a_dealers_own_domain_serves_the_same_agent(settings: Settings) -> None:
    database = open_database(settings.effective_database_url)
    host(database, "harbour", "cars.example.com")
    publish(database, "harbour", CIVIC)
    database.close()
    asked = {"type": "inventory.search.request"}

    assert call(settings, "/a2a", asked, host="cars.example.com")["data"]["total"] == 1
    assert call(settings, "/a2a", asked, host="other.example.com") == 404
    assert call(settings, "/dealers/nobody/a2a", asked) == 404


class HandClock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.seconds = 1000.0
        self.now = SYSTEM_CLOCK.now

    def monotonic(self) -> float:
        return self.seconds


def test_a_new_stock_is_seen_within_a_second_and_an_unchanged_one_stays_the_same_object(
    settings: Settings,
) -> None:
    database = open_database(settings.effective_database_url)
    host(database, "harbour")
    publish(database, "harbour", CIVIC)
    clock = HandClock()
    dealers = HostedDealers(database, Stock(database, clock=clock), clock=clock)

    async def watch() -> None:
        first = await dealers.by_slug("harbour")
        clock.seconds += 2
        assert await dealers.by_slug("harbour") is first
        publish(database, "harbour", CIVIC, JAZZ)
        clock.seconds += 2
        second = await dealers.by_slug("harbour")
        assert second is not None
        assert len(second.stock) == 2

    asyncio.run(watch())
    database.close()


def test_what_no_dealer_can_be_called_is_not_looked_for(settings: Settings) -> None:
    """PostgreSQL cannot even be asked for a text with U+0000."""
    database = open_database(settings.effective_database_url)
    database.close()
    hosted = HostedDealers(database, Stock(database))

    for name in ("", "a\x00b", "A", "../a", "a" * 64, "\ufffd"):
        assert asyncio.run(hosted.by_slug(name)) is None


@pytest.mark.parametrize("path", ["/mcp", "/dealers/north/mcp"])
def test_an_adapter_whose_dealer_cannot_be_found_out_now_is_unavailable(
    settings: Settings, path: str
) -> None:
    settings = Settings(data_dir=settings.data_dir, public_url="https://cars.example.com")
    (settings.data_dir / "forecourt.db").unlink()

    async def ping() -> httpx2.Response:
        transport = httpx2.ASGITransport(create_app(settings))
        async with httpx2.AsyncClient(transport=transport, base_url="https://north.example.com") as client:
            return await client.post(path, json={"jsonrpc": "2.0", "id": 1, "method": "ping"})

    answer = asyncio.run(ping())

    assert (answer.status_code, answer.json()["error"]["message"]) == (503, "Internal server error")


def test_a_card_does_not_keep_the_stock_in_memory(settings: Settings) -> None:
    database = open_database(settings.effective_database_url)
    host(database, "north")
    publish(database, "north", CIVIC)

    async def index_after_card() -> weakref.ref[Any]:
        hosted = HostedDealers(database, Stock(database))
        dealership = await hosted.by_slug("north")
        assert dealership
        agents.card(dealership, base_url="https://cars.example.com/dealers/north")
        return weakref.ref(dealership.stock)

    hosted = HostedDealers(database, Stock(database))
    agents = DealerAgents(hosted, public_url="https://cars.example.com", answers={})
    index = asyncio.run(index_after_card())
    gc.collect()

    assert index() is None
    database.close()


def test_stock_that_cannot_be_written_to_disk_is_served_from_memory(settings: Settings) -> None:
    database = open_database(settings.effective_database_url)
    host(database, "north")
    publish(database, "north", CIVIC, {**JAZZ, "description": "x" * 5_000_000})
    (settings.data_dir / "stock").write_text("in the way of the folder", encoding="utf-8")

    found = asyncio.run(Stock(database, settings.data_dir).index("north")).find({"stock": "00043"})

    assert found
    assert found.vehicle["model"] == "Jazz"
    database.close()
