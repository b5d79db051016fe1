"""Dealers to call: one that behaves, and as many that do not as a test can think of."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.fetch.conftest import Handler, listening, response

from forecourt.aap.client import DealerClient
from forecourt.aap.discovery import CardSource
from forecourt.fetch.client import Fetcher
from forecourt.fetch.in_process import InProcessFetch
from forecourt.fetch.policy import FetchPolicy

AAP_1_3 = "https://autoagentprotocol.org/extensions/aap/v1.3"
BASE = "https://dealer.example.com"
SKILLS = ("dealer.information", "inventory.facets", "inventory.search", "inventory.vehicle", "lead.submit")

SEARCH = {"type": "inventory.search.request", "filters": {"make": ["Honda"]}}
FOUND = (
    '{"type":"inventory.search.response","data":{"total":1,"skip":0,"limit":20,'
    '"vehicles":[{"vin":"1HGCY2F57RA000001","price":26780}]}}'
)


def card(endpoint: str = f"{BASE}/a2a", *, extension: str | None = AAP_1_3, **members: Any) -> dict[str, Any]:
    """Return an AAP dealer's card as a dealer would write it."""
    return {
        "name": "Larkfield Motors",
        "description": "Cars.",
        "supportedInterfaces": [{"url": endpoint, "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}],
        "version": "1.0.0",
        "capabilities": {"extensions": [{"uri": extension}] if extension else []},
        "defaultInputModes": ["application/json"],
        "defaultOutputModes": ["application/json"],
        "skills": [{"id": skill, "name": skill, "description": skill, "tags": ["cars"]} for skill in SKILLS],
        **members,
    }


def wrapped(payload: str, *, request_id: str, media_type: str = "application/json") -> str:
    """Return the JSON-RPC answer around a payload."""
    part = f'{{"data":{payload},"mediaType":"{media_type}"}}'
    message = f'{{"messageId":"m-1","role":"ROLE_AGENT","parts":[{part}]}}'
    return f'{{"jsonrpc":"2.0","id":{json.dumps(request_id)},"result":{{"message":{message}}}}}'


Reply = Callable[[dict[str, Any]], str | bytes]


@dataclass
class Dealer:
    """An ASGI dealer agent: `reply` turns a JSON-RPC call into the body of the answer."""

    reply: Reply = lambda call: wrapped(FOUND, request_id=call["id"])
    card: dict[str, Any] = field(default_factory=card)
    status: int = 200
    headers: dict[str, str] = field(default_factory=lambda: {"content-type": "application/json"})
    card_headers: dict[str, str] = field(default_factory=dict)
    card_path: str = "/.well-known/agent-card.json"
    calls: list[dict[str, Any]] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    call_headers: list[dict[str, str]] = field(default_factory=list)
    card_requests: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)

    async def __call__(self, scope, receive, send):
        body = (await receive())["body"]
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        self.paths.append(scope["path"])
        if scope["method"] == "POST":
            self.bodies.append(body)
            self.calls.append(json.loads(body))
            self.call_headers.append(headers)
            answer = self.reply(self.calls[-1])
            await _send(
                send, self.status, self.headers, answer if isinstance(answer, bytes) else answer.encode()
            )
        elif scope["path"] == self.card_path:
            self.card_requests.append(headers)
            etag = self.card_headers.get("etag")
            known = etag is not None and headers.get("if-none-match") == etag
            content = b"" if known else json.dumps(self.card).encode()
            fields = {"content-type": "application/json", **self.card_headers}
            await _send(send, 304 if known else 200, fields, content)
        else:
            await _send(send, 404, {"content-type": "text/plain"}, b"not here")

    def client(self, typed: str = BASE, **more: Any) -> DealerClient:
        """Return a client that calls this dealer in process."""
        return DealerClient(InProcessFetch(self), CardSource(typed), **more)


async def _send(send, status: int, headers: dict[str, str], body: bytes) -> None:
    fields = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": fields})
    await send({"type": "http.response.body", "body": body})


@asynccontextmanager
async def dealer_on_the_network(*answers: bytes | Handler) -> AsyncIterator[DealerClient]:
    """Serve a good card and then raw answers on a real socket; yield a client that a person pointed there."""
    async with listening(*answers) as endpoint, listening(_served_card(endpoint.url)) as site:
        policy = FetchPolicy().trusting(site.url).trusting(endpoint.url)
        async with Fetcher(policy) as fetch:
            yield DealerClient(fetch, CardSource(site.url))


def _served_card(url: str) -> bytes:
    return response(json.dumps(card(f"{url}/a2a")).encode())
