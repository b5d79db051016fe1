"""The vehicle-data service as its MCP callers meet it: raw messages, where bytes and status matter."""

import json
from dataclasses import dataclass, replace
from typing import Any

import httpx2
from starlette.types import ASGIApp

from forecourt.accounts import store
from forecourt.accounts.access import ALL_SCOPES
from forecourt.accounts.keys import NewKey
from forecourt.base.clock import SYSTEM_CLOCK
from forecourt.guard.call_limits import Quotas
from forecourt.mcp_data.streamable_http import create_data_app
from forecourt.mcp_edge.door import Door
from forecourt.operations.assembly import Deployment, assemble
from forecourt.operations.services import Services
from forecourt.storage.database import Database

LEGACY, MODERN = "2025-06-18", "2026-07-28"
URL = "https://data.example.com"
SECRET = b"a secret of this test, long enough to be one"
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
}
MANY = Quotas(
    requests_per_minute=100_000,
    catalogue_per_minute=100_000,
    valuations_per_minute=100_000,
    concurrent_valuations=50,
)


@dataclass(frozen=True)
class Service:
    """The service, and a key of one organisation for each mode."""

    services: Services
    organization_id: str
    test_key: str
    live_key: str
    app: ASGIApp

    def with_services(self, **changes: Any) -> "Service":
        """Return the same with other services."""
        services = replace(self.services, **changes)
        return replace(self, services=services, app=application(services))

    def new_key(self, mode: str = "test", **given: Any) -> str:
        """Make another key of the organisation."""
        return self.services.database.write_sync(
            lambda connection: add_key(connection, self.organization_id, mode, **given)
        )

    def new_organization(self) -> "Service":
        """Return the service as another organisation uses it."""
        organization_id, test_key, live_key = self.services.database.write_sync(add_organization)
        return replace(self, organization_id=organization_id, test_key=test_key, live_key=live_key)


async def no_pause(_seconds: float) -> None:
    """Do not wait: what takes ten seconds in test mode takes none here."""


def service_on(database: Database) -> Service:
    deployment = Deployment(secret=SECRET, key_prefix="au_", public_url=URL, service_name="Forecourt")
    services = assemble(database, deployment, quotas=MANY, pause=no_pause)
    return Service(services, *database.write_sync(add_organization), application(services))


def application(services: Services) -> ASGIApp:
    return create_data_app(
        services, server_name="autouncle_data", door=Door(origins=None), address_of=lambda _: "192.0.2.7"
    )


def add_organization(connection: Any) -> tuple[str, str, str]:
    now = SYSTEM_CLOCK.now()
    countries = ("DE", "DK", "NL", "GB")
    organization = store.add_organization(connection, "Larkfield Data", countries=countries, now=now)
    keys = [add_key(connection, organization.id, mode) for mode in ("test", "live")]
    return organization.id, keys[0], keys[1]


def add_key(
    connection: Any, organization_id: str, mode: str, *, scopes: tuple[str, ...] = ALL_SCOPES, **given: Any
) -> str:
    new = NewKey("tests", mode, scopes, given.pop("networks", ()), None, None)
    _, bearer = store.add_key(
        connection, organization_id, new, key_prefix="au_", secret=SECRET, now=SYSTEM_CLOCK.now()
    )
    return bearer


async def post(
    app: ASGIApp, body: bytes | str, *, key: str | None = None, method: str = "POST", **headers: str
) -> httpx2.Response:
    """Send a body as it is."""
    fields = {"content-type": "application/json"} | ({"authorization": f"Bearer {key}"} if key else {})
    fields |= {name.replace("_", "-"): value for name, value in headers.items()}
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=URL) as client:
        return await client.request(method, "/mcp", content=body, headers=fields)


async def ask(
    app: ASGIApp, method: str, params: dict[str, Any] | None = None, *, era: str = LEGACY, **options: str
) -> httpx2.Response:
    """Ask one question in an era of the protocol."""
    fields = {"mcp_protocol_version": era}
    params = dict(params or {})
    if era == MODERN:
        params["_meta"] = ENVELOPE
        fields["mcp_method"] = method
        if "name" in params:
            fields["mcp_name"] = params["name"]
    body = json.dumps({"jsonrpc": "2.0", "id": 7, "method": method, "params": params})
    return await post(app, body, **{**fields, **options})


async def call(
    service: Service, tool: str, arguments: Any = None, *, key: str | None = None, era: str = LEGACY
):
    """Call a tool and return its result; the text block always says the same as the structure."""
    params = {"name": tool} | ({} if arguments is None else {"arguments": arguments})
    answer = await ask(service.app, "tools/call", params, era=era, key=key or service.test_key)
    assert answer.status_code == 200, answer.text
    result = answer.json()["result"]
    (block,) = result["content"]
    assert json.loads(block["text"]) == result["structuredContent"]
    return result
