"""The vehicle-data service as its REST callers meet it, over a real ASGI application and a real database."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import httpx2

from forecourt.accounts import store as accounts_store
from forecourt.accounts.access import ALL_SCOPES
from forecourt.accounts.keys import NewKey, networks
from forecourt.base.clock import SYSTEM_CLOCK
from forecourt.contract.validation import failures
from forecourt.credits import store as credits_store
from forecourt.guard.call_limits import Quotas
from forecourt.operations.assembly import Deployment, assemble
from forecourt.operations.services import Services
from forecourt.rest.api import RestApi
from forecourt.storage.database import Database
from forecourt.valuation.engine import Estimate, Refusal, Verdict
from forecourt.valuation.request import ValuationRequest
from forecourt.valuation.test_mode import DATA_AS_OF, simulated_price

URL = "https://data.example.com"
SECRET = b"a secret of this test, long enough to be one"
COUNTRIES = ("DE", "DK", "NL", "GB", "SE", "FI")
MANY = Quotas(
    requests_per_minute=100_000,
    catalogue_per_minute=100_000,
    valuations_per_minute=100_000,
    concurrent_valuations=100,
)
GOLF = {"hsn_tsn": {"hsn": "0603", "tsn": "BJM"}, "first_registration": "2019-05", "mileage_km": 85000}


def golf(**changes: Any) -> dict[str, Any]:
    """A request for a Golf in Germany; changes are to the car."""
    return {"country": "DE", "vehicle": {**GOLF, **changes}}


class StubEngine:
    """A live engine of this test: it prices by the simulated formula, or does what it is told."""

    def __init__(self, answer: Verdict | BaseException | None = None) -> None:
        self.answer = answer

    def price_bases(self, country: str) -> tuple[str, ...]:
        return ("retail_asking", "trade_in") if country != "FI" else ()

    def attribution(self, country: str, data_as_of: Any) -> str:
        return "Estimate of a test."

    async def value(self, request: ValuationRequest) -> Verdict:
        if isinstance(self.answer, BaseException):
            raise self.answer
        if self.answer is not None:
            return self.answer
        price = simulated_price(request)
        return Estimate(
            price=price.price,
            low=price.low,
            high=price.high,
            grade=price.grade,
            data_as_of=DATA_AS_OF,
            model_version="stub",
            vehicle=None,
        )


REFUSED = Refusal(code="vehicle_too_old", detail="It is older than 20 years.")


@dataclass(frozen=True)
class Api:
    """One organisation's view of the service; every answer is held to its schema."""

    services: Services
    organization_id: str
    key: str

    def with_key(self, mode: str = "test", **given: Any) -> "Api":
        """The same organisation with another key."""
        key = self.services.database.write_sync(
            lambda connection: add_key(connection, self.organization_id, mode, **given)
        )
        return replace(self, key=key)

    def with_services(self, **changes: Any) -> "Api":
        return replace(self, services=replace(self.services, **changes))

    def elsewhere(self, mode: str = "test") -> "Api":
        """Another organisation on the same service."""
        return replace(self, organization_id=add_organization(self.services.database)).with_key(mode)

    def grant(self, amount: int, reference: str = "grant") -> None:
        self.services.database.write_sync(
            lambda connection: credits_store.grant(
                connection,
                self.organization_id,
                amount=amount,
                reference=reference,
                expires_at=None,
                now=SYSTEM_CLOCK.now(),
            )
        )

    async def request(
        self, method: str, path: str, *, headers: Mapping[str, str] | None = None, **given: Any
    ) -> httpx2.Response:
        app = RestApi(self.services, address_of=lambda _: "192.0.2.7")
        sent = {"authorization": f"Bearer {self.key}"} if self.key else {}
        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=URL) as client:
            answer = await client.request(method, path, headers={**sent, **(headers or {})}, **given)
        check_form(answer)
        return answer

    async def get(self, path: str, **given: Any) -> httpx2.Response:
        return await self.request("GET", path, **given)

    async def post(self, path: str, body: Any, **given: Any) -> httpx2.Response:
        return await self.request("POST", path, json=body, **given)

    async def value(self, body: Any, key: str = "k1") -> httpx2.Response:
        return await self.post("/v1/valuations", body, headers={"idempotency-key": key})

    async def credits(self) -> int:
        return (await self.get("/v1/account")).json()["credits_remaining"]


def check_form(answer: httpx2.Response) -> None:
    """Whatever comes back is a document of the contract; a Problem says of itself what its headers say."""
    assert answer.headers["x-request-id"].startswith("req_")
    if answer.status_code == 204:
        assert answer.content == b""
        return
    body = answer.json()
    if answer.headers["content-type"] == "application/problem+json":
        assert failures("problem", body) == []
        assert body["status"] == answer.status_code
        assert body["request_id"] == answer.headers["x-request-id"]
        assert body["type"] == f"{URL}/problems/{body['code']}"
        assert answer.headers.get("retry-after") == (
            str(body["retry_after"]) if "retry_after" in body else None
        )
    elif body.get("object") == "valuation":
        assert failures("valuation", body) == []


def api_on(database: Database, **given: Any) -> Api:
    services = assemble(
        database,
        Deployment(secret=SECRET, key_prefix="au_", public_url=URL, service_name="Forecourt"),
        **{"quotas": MANY, "pause": no_pause, **given},
    )
    return Api(services, add_organization(database), "").with_key("test")


async def no_pause(_seconds: float) -> None:
    """Do not wait: what takes ten seconds in test mode takes none here."""


def add_organization(database: Database) -> str:
    return database.write_sync(
        lambda connection: accounts_store.add_organization(
            connection, "Larkfield Data", countries=COUNTRIES, now=SYSTEM_CLOCK.now()
        )
    ).id


def add_key(
    connection: Any,
    organization_id: str,
    mode: str,
    *,
    scopes: tuple[str, ...] = ALL_SCOPES,
    only_from: tuple[str, ...] = (),
) -> str:
    _, bearer = accounts_store.add_key(
        connection,
        organization_id,
        NewKey("tests", mode, scopes, networks(only_from)),
        key_prefix="au_",
        secret=SECRET,
        now=SYSTEM_CLOCK.now(),
    )
    return bearer
