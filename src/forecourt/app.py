"""The composition root: one ASGI application out of settings, database and faces."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from forecourt.aap.client import DealerClient
from forecourt.aap.discovery import CardSource
from forecourt.aap.manifest import frozen_manifest
from forecourt.aap.versions import SERVED
from forecourt.agent.asgi import DEALERS_PREFIX, DealerAgents
from forecourt.agent.card import CARD_PATH
from forecourt.agent.headers import asked_host, read_headers
from forecourt.agent.rpc import Strictness
from forecourt.base.clock import SYSTEM_CLOCK
from forecourt.base.errors import Broken, ForecourtError
from forecourt.dealer.errors import DealerUnknown
from forecourt.dealer.feed.alarm import mail_alarm
from forecourt.dealer.feed.background import Alarm, feed_work, log_alarm
from forecourt.dealer.feed.store import stale_feeds
from forecourt.dealer.stock import Stock
from forecourt.deployment import vehicle_data
from forecourt.fetch.addresses import is_loopback
from forecourt.fetch.client import Fetcher
from forecourt.fetch.in_process import InProcessFetch
from forecourt.fetch.policy import FetchPolicy
from forecourt.guard.addresses import TrustedProxies
from forecourt.guard.limits import Rate, RateLimiter
from forecourt.leads.background import lead_work
from forecourt.leads.contact_limit import ContactLimit
from forecourt.leads.delivery import delivery_health
from forecourt.mcp_aap.streamable_http import create_adapter_app
from forecourt.mcp_data.discovery import discovery_routes
from forecourt.mcp_data.streamable_http import create_data_app
from forecourt.mcp_edge.door import Door
from forecourt.operations.challenge import MCP_PATH
from forecourt.operations.housekeeping import housekeeping
from forecourt.operations.services import Services
from forecourt.rest.api import RestApi
from forecourt.rest.documents import document_routes
from forecourt.retail.hosting import HostedDealers
from forecourt.retail.lead_submit import SKILL as LEAD_SUBMIT
from forecourt.retail.lead_submit import LeadSubmit
from forecourt.retail.skills import READ_SKILLS
from forecourt.settings import Settings
from forecourt.storage.database import Database, open_database

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")

_log = logging.getLogger(__name__)


class Application:
    """Everything that `forecourt serve` answers: dealers by path and by their own domain, then the rest.

    `/mcp` is the dealer's on a dealer's own domain, and the vehicle-data service's on every other.
    """

    def __init__(self, settings: Settings, database: Database) -> None:
        self._public_url = settings.public_url
        self._proxies = TrustedProxies(settings.trusted_proxies)
        self._dealers = HostedDealers(database, Stock(database, settings.data_dir))
        wake = asyncio.Event()
        self._agents = DealerAgents(
            self._dealers,
            public_url=settings.public_url,
            answers={**READ_SKILLS, LEAD_SUBMIT: _lead_submit(settings, database, wake)},
            strictness=Strictness(
                requires_version=settings.require_a2a_version,
                requires_extension=settings.require_aap_extension,
                checks_answers=settings.check_answers,
            ),
            limiter=_limiter(settings),
            proxies=self._proxies,
        )
        self._cards: dict[str, CardSource] = {}
        self._dealer_mcp = create_adapter_app(self._dealer_client, door=_door(settings))
        self._domain_mcp = create_adapter_app(self._dealer_client)
        fetch = Fetcher(FetchPolicy.allowing(settings.fetch_allow))
        services = vehicle_data(settings, database, fetch)
        self._rest = RestApi(services, address_of=self._address_of)
        self._data_mcp = create_data_app(
            services,
            server_name=settings.server_name,
            door=replace(_door(settings), origins=None),
            address_of=self._address_of,
        )
        routes = [
            *_routes(database),
            *discovery_routes(settings.public_url, service_name=settings.service_name),
            *document_routes(public_url=settings.public_url, service_name=settings.service_name),
        ]
        self._site = Starlette(routes=routes, lifespan=_lifespan(settings, services, fetch, wake))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one ASGI connection."""
        if scope["type"] == "http":
            if self._rest.serves(scope):
                await self._rest(scope, receive, send)
                return
            if self._agents.serves(scope):
                await self._agents(scope, receive, send)
                return
            if adapter := await self._adapter(scope):
                await adapter(scope, receive, send)
                return
            if scope["path"] == MCP_PATH:
                await self._data_mcp(scope, receive, send)
                return
        await self._site(scope, receive, send)

    async def _adapter(self, scope: Scope) -> ASGIApp | None:
        """Return the adapter that a request is for; that of a domain tells itself what is wrong."""
        if scope["path"] != MCP_PATH:
            return self._dealer_mcp if await self._dealer_slug(scope) is not None else None
        try:
            return self._domain_mcp if await self._dealer_slug(scope) is not None else None
        except Broken:
            return self._domain_mcp

    async def _dealer_slug(self, scope: Scope) -> str | None:
        """Return whose MCP tools a request means, if any."""
        path: str = scope["path"]
        if path.startswith(DEALERS_PREFIX) and path.endswith(MCP_PATH):
            return path.removeprefix(DEALERS_PREFIX).removesuffix(MCP_PATH)
        if path == MCP_PATH:
            dealership = await self._dealers.by_domain(asked_host(scope))
            return dealership.slug if dealership else None
        return None

    async def _dealer_client(self, scope: Scope) -> DealerClient:
        """Return a client of the dealer that calls this very application, on behalf of the same caller."""
        slug = await self._dealer_slug(scope)
        if slug is None or await self._dealers.by_slug(slug) is None:
            raise DealerUnknown("No dealer of that name is hosted here.")
        if slug not in self._cards:
            self._cards[slug] = CardSource(f"{self._public_url}{DEALERS_PREFIX}{slug}{CARD_PATH}")
        return DealerClient(InProcessFetch(self._agents, client=self._caller(scope)), self._cards[slug])

    def _caller(self, scope: Scope) -> tuple[str, int]:
        _, port = scope.get("client") or (None, 0)
        return self._address_of(scope), port

    def _address_of(self, scope: Scope) -> str:
        forwarded_for = read_headers(scope).get(b"x-forwarded-for")
        peer, _ = scope.get("client") or (None, 0)
        chain = forwarded_for.decode("latin-1") if forwarded_for else None
        return self._proxies.address_of(peer, chain)


def create_app(settings: Settings) -> Application:
    """Build the application of one process. The database must have been upgraded (`forecourt db upgrade`)."""
    return Application(settings, open_database(settings.effective_database_url))


def _limiter(settings: Settings) -> RateLimiter | None:
    if settings.agent_rate_per_minute == 0:
        return None
    burst = max(settings.agent_rate_per_minute // 4, 1)
    return RateLimiter(Rate(settings.agent_rate_per_minute, burst))


def _door(settings: Settings) -> Door:
    """On a developer's machine only its own names may be asked for: a web page could rebind another to it."""
    parts = urlsplit(settings.public_url)
    if not is_loopback(parts.hostname or ""):
        return Door()
    ports = {parts.port, settings.port} - {None}
    return Door(hosts=frozenset(f"{name}:{port}" for name in LOOPBACK_NAMES for port in ports))


def _lead_submit(settings: Settings, database: Database, wake: asyncio.Event) -> LeadSubmit:
    limit = ContactLimit(
        per_contact=settings.leads_per_contact_per_hour, per_agent=settings.leads_per_agent_per_hour
    )
    return LeadSubmit(database, limit=limit, on_new=wake.set)


def _lifespan(
    settings: Settings, services: Services, fetch: Fetcher, wake: asyncio.Event
) -> Callable[[Starlette], AbstractAsyncContextManager[None]]:
    """Run what works beside the requests; close connections and the database after the last of it."""
    database = services.database
    kept = timedelta(days=settings.valuation_retention_days)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with fetch:
            try:
                async with (
                    lead_work(database, fetch, wake=wake),
                    housekeeping(services, valuations_kept=kept),
                    feed_work(database, fetch, alarm=_feed_alarm(settings)),
                ):
                    yield
            finally:
                database.close()

    return lifespan


def _feed_alarm(settings: Settings) -> Alarm:
    if not settings.mail_server:
        return log_alarm
    host, _, port = settings.mail_server.partition(":")
    return mail_alarm(host, int(port or 25), sender=settings.mail_sender)


def _routes(database: Database) -> list[Route]:
    async def ready(_: Request) -> Response:
        try:
            leads = await database.read(delivery_health)
            stale = await database.read(lambda connection: stale_feeds(connection, now=SYSTEM_CLOCK.now()))
        except ForecourtError as error:
            return JSONResponse({"ready": False, "reason": error.code}, 503)
        return JSONResponse({"ready": True, "lead_delivery": leads, "stale_feeds": stale})

    return [
        Route("/healthz", _healthy),
        Route("/readyz", ready),
        Route(f"/{SERVED.label}/mcp.json", _manifest),
    ]


async def _healthy(_: Request) -> Response:
    return JSONResponse({"healthy": True})


async def _manifest(_: Request) -> Response:
    headers = {"cache-control": "public, max-age=31536000, immutable", "access-control-allow-origin": "*"}
    return Response(frozen_manifest(), media_type="application/json", headers=headers)
