"""A dealer agent with one invented dealer, called over real ASGI."""

import asyncio
import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import httpx2
import pytest

from forecourt.aap.validation import failures
from forecourt.agent.asgi import DealerAgents
from forecourt.dealer.profile import DealerProfile, Provider
from forecourt.dealer.search import SearchIndex
from forecourt.retail.dealership import Dealership
from forecourt.retail.skills import READ_SKILLS

A2A = "/dealers/harbour-motors/a2a"
CARD = "/dealers/harbour-motors/.well-known/agent-card.json"
AAP_URI = "https://autoagentprotocol.org/extensions/aap/v1.3"
INFORMATION_REQUEST = {"type": "dealer.information.request"}

CIVIC = {
    "vehicle_id": "v-1",
    "stock": "H-1",
    "status": "available",
    "make": "Honda",
    "model": "Civic",
    "year": 2023,
    "price": 21_500,
    "updated_at": "2026-11-01T08:00:00Z",
}


class TwoDealers:
    """Harbour Motors with a domain of its own, and Hill Cars without."""

    def __init__(self) -> None:
        self.harbour = dealership("harbour-motors", name="Harbour Motors", domains=("cars.example.com",))
        self.hill = dealership("hill-cars", name="Hill Cars")

    async def by_slug(self, slug: str) -> Dealership | None:
        return {"harbour-motors": self.harbour, "hill-cars": self.hill}.get(slug)

    async def by_domain(self, domain: str) -> Dealership | None:
        return self.harbour if domain == "cars.example.com" else None


def dealership(slug: str, *, name: str, domains: tuple[str, ...] = ()) -> Dealership:
    information = {
        "name": name,
        "welcome_message": f"Welcome to {name} – “ahoy”",
        "rooftops": [{"name": f"{name} North", "phones": [{"value": "+12065550100"}], "timezone": "UTC"}],
    }
    provider = Provider("Example Hosting", "https://hosting.example.com")
    profile = DealerProfile(slug, information, domains, provider)
    changed_at = datetime(2026, 11, 1, 12, 0, 0, 500_000, tzinfo=UTC)
    return Dealership(profile, changed_at, SearchIndex.build([(CIVIC, ())]))


class Site:
    """The agents of a server, and a way to call them."""

    def __init__(self, dealers: TwoDealers, **options: Any) -> None:
        self.dealers = dealers
        self.app = DealerAgents(
            dealers, public_url="https://agents.example.com", **{"answers": READ_SKILLS, **options}
        )

    def request(self, method: str, path: str, **options: Any) -> httpx2.Response:
        async def send() -> httpx2.Response:
            transport = httpx2.ASGITransport(self.app, raise_app_exceptions=True)
            base_url = options.pop("base_url", "https://agents.example.com")
            async with httpx2.AsyncClient(transport=transport, base_url=base_url) as client:
                return await client.request(method, path, **options)

        return asyncio.run(send())

    def post(self, body: object, *, path: str = A2A, **headers: str) -> httpx2.Response:
        """POST a body (a JSON value, or bytes as they are); underscores in header names become hyphens."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        sent = {"content-type": "application/json"} | {
            name.replace("_", "-"): value for name, value in headers.items()
        }
        return self.request("POST", path, content=content, headers=sent)

    def send(self, payload: object, **headers: str) -> Any:
        """Send an AAP payload as one message and return the JSON-RPC answer."""
        return answer_of(self.post(call(payload), **headers))


def call(payload: object = INFORMATION_REQUEST, **message: Any) -> dict[str, Any]:
    """Return a well-formed SendMessage call; keywords replace members of its message, None removes them."""
    members = {"messageId": "m-1", "role": "ROLE_USER", "parts": [{"data": payload}], **message}
    params = {"message": {name: value for name, value in members.items() if value is not None}}
    return {"jsonrpc": "2.0", "id": "r-1", "method": "SendMessage", "params": params}


def answer_of(response: httpx2.Response) -> Any:
    """Return a JSON-RPC answer after checking what holds for every one of them."""
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    answer = response.json()
    assert answer["jsonrpc"] == "2.0"
    assert ("result" in answer) != ("error" in answer)
    return answer


AAP_CODES = {
    "SCHEMA_VALIDATION_FAILED": -32602,
    "MISSING_REQUIRED_FIELD": -32602,
    "UNSUPPORTED_SKILL": -32601,
    "VEHICLE_NOT_FOUND": -32000,
    "RATE_LIMITED": -32002,
    "INTERNAL_ERROR": -32603,
}


def aap_error(answer: Any, code: str) -> Any:
    """Return the `aap.error` of an answer after checking its form."""
    error = answer["error"]
    assert error["code"] == AAP_CODES[code]
    assert error["data"]["code"] == code
    assert failures("error", error["data"]) == []
    assert error["message"] == error["data"]["message"]
    return error["data"]


def pointers(error: Any) -> set[str]:
    return {failure["instanceLocation"] for failure in error["details"]["errors"]}


def a2a_error(answer: Any, code: int, reason: str) -> Any:
    """Return the ErrorInfo of an answer after checking its form."""
    assert answer["error"]["code"] == code
    (info,) = answer["error"]["data"]
    assert info["@type"] == "type.googleapis.com/google.rpc.ErrorInfo"
    assert info["reason"] == reason
    assert info["domain"] == "a2a-protocol.org"
    assert all(isinstance(value, str) for value in info["metadata"].values())
    return info


@pytest.fixture
def site() -> Site:
    return Site(TwoDealers())


@pytest.fixture
def site_with() -> Callable[..., Site]:
    return lambda **options: Site(TwoDealers(), **options)
