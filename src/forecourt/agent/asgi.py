"""The dealer agents of one server as an ASGI application: many dealers, by path and by their own domains."""

from collections.abc import Mapping
from functools import partial
from typing import Protocol

from starlette.types import ASGIApp, Receive, Scope, Send

from forecourt.agent.card import CARD_PATH, CardDocument, build_card, encode_card, serve_card
from forecourt.agent.headers import asked_host, respond
from forecourt.agent.rpc import A2aEndpoint, Strictness
from forecourt.base.clock import SYSTEM_CLOCK, Clock
from forecourt.guard.addresses import TrustedProxies
from forecourt.guard.limits import RateLimiter
from forecourt.retail.dealership import Dealership
from forecourt.retail.skills import READ_SKILLS, Answer

DEALERS_PREFIX = "/dealers/"
A2A_PATH = "/a2a"
_ENDPOINT_PATHS = frozenset({A2A_PATH, f"{A2A_PATH}/"})
_OWN_DOMAIN_PATHS = _ENDPOINT_PATHS | {CARD_PATH}


class Dealerships(Protocol):
    """The dealers hosted here, as they are at this moment."""

    def by_slug(self, slug: str) -> Dealership | None:
        """Return the dealer of that name."""
        ...

    def by_domain(self, domain: str) -> Dealership | None:
        """Return the dealer that answers for a host name, given in lower case and without a port."""
        ...


class DealerAgents:
    """Serves every dealer's agent card and A2A endpoint.

    They live at `/dealers/{slug}/.well-known/agent-card.json` and `/dealers/{slug}/a2a`, and without that
    prefix on a dealer's own domain. Any other path is 404; `find` tells a composing application beforehand.
    """

    def __init__(
        self,
        dealerships: Dealerships,
        *,
        public_url: str,
        answers: Mapping[str, Answer] = READ_SKILLS,
        strictness: Strictness | None = None,
        limiter: RateLimiter | None = None,
        proxies: TrustedProxies | None = None,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self._dealerships = dealerships
        self._public_url = public_url
        self._answers = answers
        self._strictness = strictness or Strictness()
        self._endpoint = A2aEndpoint(
            answers,
            strictness=self._strictness,
            limiter=limiter,
            proxies=proxies or TrustedProxies(),
            clock=clock,
        )
        self._started_at = clock.now()
        self._cards: dict[str, tuple[Dealership, CardDocument]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request as an ASGI application."""
        await (self.find(scope) or _not_found)(scope, receive, send)

    def find(self, scope: Scope) -> ASGIApp | None:
        """Return what serves a request, or None when it is not for a dealer agent."""
        if scope["type"] != "http":
            return None
        path: str = scope["path"]
        if path.startswith(DEALERS_PREFIX):
            slug, slash, rest = path.removeprefix(DEALERS_PREFIX).partition("/")
            base_url = f"{self._public_url}{DEALERS_PREFIX}{slug}"
            return self._handler(self._dealerships.by_slug(slug), slash + rest, base_url=base_url)
        if path in _OWN_DOMAIN_PATHS:
            domain = asked_host(scope)
            return self._handler(self._dealerships.by_domain(domain), path, base_url=f"https://{domain}")
        return None

    def card(self, dealership: Dealership, *, base_url: str) -> CardDocument:
        """Return the card of a dealer whose agent lives below `base_url`, encoded once for each profile.

        It counts as changed when the profile did or, as a new release can change it too, at the start.
        """
        known = self._cards.get(base_url)
        if known is not None and known[0] is dealership:
            return known[1]
        card = build_card(
            dealership.profile,
            endpoint_url=base_url + A2A_PATH,
            skill_ids=self._answers.keys(),
            requires_extension=self._strictness.requires_extension,
        )
        document = encode_card(card, changed_at=max(dealership.profile_changed_at, self._started_at))
        self._cards[base_url] = (dealership, document)
        return document

    def _handler(self, dealership: Dealership | None, path: str, *, base_url: str) -> ASGIApp | None:
        if dealership is None:
            return None
        if path in _ENDPOINT_PATHS:
            return partial(self._endpoint.serve, dealership)
        if path == CARD_PATH:
            return partial(self._serve_card, dealership, base_url)
        return None

    async def _serve_card(
        self, dealership: Dealership, base_url: str, scope: Scope, receive: Receive, send: Send
    ) -> None:
        del receive
        await serve_card(self.card(dealership, base_url=base_url), scope, send)


async def _not_found(scope: Scope, receive: Receive, send: Send) -> None:
    del scope, receive
    await respond(send, 404, [(b"content-length", b"0")])
