"""A dealer for tests that takes leads: a profile, a little stock, a clock that stands still until told."""

import asyncio
import json
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from tests.leads.leads_made_up import NOW, VIN

from forecourt.aap.validation import failures
from forecourt.dealer.profile import DealerProfile, build_profile
from forecourt.dealer.search import SearchIndex
from forecourt.dealer.store import add_dealer, update_dealer
from forecourt.retail.dealership import Dealership
from forecourt.retail.lead_submit import LeadSubmit
from forecourt.storage.database import Database

WEEK = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
HOURS = {
    "name": "sales",
    "value": {day: {"open": "09:00", "close": "20:00"} for day in WEEK} | {"sunday": "closed"},
}
STOCK = [
    {
        "vin": VIN, "stock": "D-1", "vehicle_id": "v1", "year": 2024, "make": "Honda", "model": "CR-V",
        "trim": "EX-L", "condition": "used", "status": "available", "rooftop": "Larkfield Motors Portland",
        "price": 32995, "updated_at": "2026-11-30T08:00:00Z",
    },
    {
        "vin": "5YJ3E1EA7KF000002", "stock": "E-1", "vehicle_id": "v2", "year": 2022, "make": "Tesla",
        "model": "Model 3", "condition": "used", "status": "available", "rooftop": "Larkfield Electric Boise",
        "updated_at": "2026-11-30T08:00:00Z",
    },
]  # fmt: skip


class HeldClock:
    """A clock that moves only when it is told to."""

    def __init__(self, now: datetime = NOW) -> None:
        self.moment = now

    def now(self) -> datetime:
        return self.moment

    def monotonic(self) -> float:
        return self.moment.timestamp()

    def advance(self, by: timedelta) -> None:
        self.moment += by


def dealer_profile(
    *, slug: str = "larkfield", destinations: Any = (), appointments: Any = None, leads: Any = None
) -> DealerProfile:
    content: dict[str, Any] = {
        "name": "Larkfield Auto Group",
        "rooftops": [
            {
                "name": "Larkfield Motors Portland",
                "emails": [{"value": "sales@motors.larkfield.example.com"}],
                "phones": [{"value": "call us"}, {"value": "+15035550110"}],
                "timezone": "America/Los_Angeles",
                "schedules": [HOURS],
                "capabilities": ["sales", "trade_in"],
            },
            {
                "name": "Larkfield Electric Boise",
                "phones": [{"value": "+12085550120"}],
                "timezone": "America/Boise",
                "schedules": [HOURS],
            },
        ],
        "destinations": list(destinations),
    }
    if appointments is not None:
        content["appointments"] = appointments
    if leads is not None:
        content["leads"] = leads
    return build_profile(slug, content)


def host(database: Database, profile: DealerProfile) -> None:
    database.write_sync(lambda connection: add_dealer(connection, profile, now=NOW))


def change(database: Database, profile: DealerProfile) -> None:
    database.write_sync(lambda connection: update_dealer(connection, profile, now=NOW))


def dealership(profile: DealerProfile) -> Dealership:
    return Dealership(profile, NOW, SearchIndex.build((vehicle, ()) for vehicle in STOCK))


class Desk:
    """Submits leads to one dealer and checks every answer against the schema of AAP."""

    @classmethod
    def hosting(cls, database: Database, profile: DealerProfile, clock: Any, **options: Any) -> "Desk":
        host(database, profile)
        return cls(database, profile, clock, **options)

    def __init__(self, database: Database, profile: DealerProfile, clock: Any, **options: Any) -> None:
        self.database = database
        self.dealership = dealership(profile)
        self.answer = LeadSubmit(database, clock=clock, **options)

    async def asked(self, request: dict[str, Any]) -> dict[str, Any]:
        body = await self.answer(self.dealership, request)
        response: dict[str, Any] = json.loads(body)
        assert failures("lead-submit-response", response) == []
        return response

    def submit(self, request: dict[str, Any]) -> dict[str, Any]:
        return asyncio.run(self.asked(request))

    def rows(self, table: sa.Table) -> int:
        count = sa.select(sa.func.count()).select_from(table)
        return self.database.read_sync(lambda connection: connection.execute(count).scalar_one())

    def submit_all(self, requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
        async def together() -> list[dict[str, Any]]:
            return await asyncio.gather(*(self.asked(request) for request in requests))

        return asyncio.run(together())
