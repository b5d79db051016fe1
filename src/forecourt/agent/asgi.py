"""The dealer agents of one server as an ASGI application: many dealers, by path and by their own domains."""

import logging
from collections.abc import Mapping
from typing import NamedTuple, Protocol

from starlette.types import Receive, Scope, Send

from forecourt.agent.card import CARD_PATH, CardDocument, build_card, encode_card, serve_card
from forecourt.agent.headers import asked_host, respond
from forecourt.agent.rpc import A2aEndpoint, Strictness
from forecourt.base.clock import SYSTEM_CLOCK, Clock
from forecourt.dealer.profile import DealerProfile
from forecourt.guard.addresses import TrustedProxies
from forecourt.guard.limits import RateLimiter
from forecourt.retail.answer import Answer
from forecourt.retail.dealership import Dealership

_log = logging.getLogger(__name__)

DEALERS_PREFIX = "/dealers/"
A2A_PATH = "/a2a"
_PATHS = frozenset({CARD_PATH, A2A_PATH, f"{A2A_PATH}/"})


class Dealerships(Protocol):
    """The dealers hosted here, as they are at this moment."""

    async def by_slug(self, slug: str) -> Dealership | None:
        """Return the dealer of that name."""
        ...

    async def by_domain(self, domain: str) -> Dealership | None:
        """Return the dealer that answers for a host name, given in lower case and without a port."""
        ...


class Place(NamedTuple):
    """What a request is for: a card or an endpoint, of the dealer of a slug or else of the host it names."""

    slug: str | None
    path: str


def place_of(path: str) -> Place | None:
    """Return what a path is for when it belongs to a dealer agent, None for any other."""
    if path in _PATHS:
        return Place(None, path)
    if path.startswith(DEALERS_PREFIX):
        slug, slash, rest = path.removeprefix(DEALERS_PREFIX).partition("/")
        if slash + rest in _PATHS:
            return Place(slug, slash + rest)
    return None


class DealerAgents:
    """Serves every dealer's agent card and A2A endpoint as an ASGI application.

    They live at `/dealers/{slug}/.well-known/agent-card.json` and `/dealers/{slug}/a2a`, and without that
    prefix on a dealer's own domain. `serves` tells a composing application which paths are meant for it.
    """

    def __init__(
        self,
        dealerships: Dealerships,
        *,
        public_url: str,
        answers: Mapping[str, Answer],
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
        self._cards: dict[str, tuple[DealerProfile, CardDocument]] = {}

    def serves(self, scope: Scope) -> bool:
        """Say whether a request's path is one of a dealer agent, of a dealer that is hosted here or not."""
        return scope["type"] == "http" and place_of(scope["path"]) is not None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request; 404 for a path or a dealer that is not here."""
        place = place_of(scope["path"])
        dealership = await self._find(place, scope) if place else None
        if place is None or dealership is None:
            await respond(send, 404, [(b"content-length", b"0")])
        elif place.path != CARD_PATH:
            await self._endpoint.serve(dealership, scope, receive, send)
        elif isinstance(dealership, Exception):
            _log.error("a dealer could not be looked up", exc_info=dealership)
            await respond(send, 503, [(b"retry-after", b"1"), (b"content-length", b"0")])
        else:
            await serve_card(self.card(dealership, base_url=self._base_url(place, scope)), scope, send)

    def card(self, dealership: Dealership, *, base_url: str) -> CardDocument:
        """Return the card of a dealer whose agent lives below `base_url`, encoded once for each profile.

        It counts as changed when the profile did or, as a new release can change it too, at the start. The
        dealership itself is not kept: its stock must be able to leave memory.
        """
        known = self._cards.get(base_url)
        if known is not None and known[0] is dealership.profile:
            return known[1]
        card = build_card(
            dealership.profile,
            endpoint_url=base_url + A2A_PATH,
            skill_ids=self._answers.keys(),
            requires_extension=self._strictness.requires_extension,
        )
        document = encode_card(card, changed_at=max(dealership.profile_changed_at, self._started_at))
        self._cards[base_url] = (dealership.profile, document)
        return document

    async def _find(self, place: Place, scope: Scope) -> Dealership | Exception | None:
        """Return the dealer that a request is for, or what kept us from finding it: a face answers both."""
        try:
            if place.slug is None:
                return await self._dealerships.by_domain(asked_host(scope))
            return await self._dealerships.by_slug(place.slug)
        except Exception as error:  # noqa: BLE001 - whatever a database can raise
            return error

    def _base_url(self, place: Place, scope: Scope) -> str:
        """Return below what the agent lives; a host name gets here only as the domain of a dealer."""
        if place.slug is None:
            return f"https://{asked_host(scope)}"
        return f"{self._public_url}{DEALERS_PREFIX}{place.slug}"
