"""From what a person types to the dealer's agent card, and the card kept fresh.

A person types a domain (`dealer.example.com`), a base, the address of a card, or an A2A endpoint. The card
lies at `/.well-known/agent-card.json` below a base (A2A 1.0 section 8.2); for an endpoint the base is not
said, so the places where it can be are tried, and a card counts only when it names that endpoint.
"""

import asyncio
import re
from dataclasses import dataclass, replace
from typing import Any, Final

from forecourt.aap.card_reading import DealerCard, endpoints, read_card
from forecourt.aap.dealer_errors import CardNotFound, CardUnusable, DealerUnavailable
from forecourt.base.clock import SYSTEM_CLOCK, Clock
from forecourt.base.errors import Unreachable
from forecourt.base.strict_json import MalformedJson, parse_json
from forecourt.fetch.addresses import is_loopback
from forecourt.fetch.client import Answer, Fetch, Limits, Outgoing
from forecourt.fetch.policy import origin_of, read_url

WELL_KNOWN: Final = "/.well-known/agent-card.json"
CARD_LIMITS: Final = Limits(max_bytes=1_048_576, seconds=10)
FRESH_SECONDS: Final = 300
"""How long a card counts that does not say so itself."""

LONGEST_FRESH_SECONDS: Final = 3600
RETRY_SECONDS: Final = 30
"""After a failed refresh the old card serves on, and this long passes before the next try."""

_MAX_AGE: Final = re.compile(r"(?:^|[\s,])max-age=\"?(\d{1,9})")
_FORGET: Final = re.compile(r"(?:^|[\s,])no-(?:cache|store)\b")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a card may lie; with `endpoint` it is the right one only when it names that interface."""

    url: str
    endpoint: str | None = None


def typed_url(typed: str) -> str:
    """Complete what a person typed to a URL: https, or http for this machine; raises `UrlRefused`."""
    typed = typed.strip()
    if "://" not in typed:
        host = origin_of(read_url(f"https://{typed}")).host
        typed = f"{'http' if is_loopback(host) else 'https'}://{typed}"
    return str(read_url(typed))


def places(typed: str) -> tuple[Place, ...]:
    """Return where the card of a dealer can lie, the likeliest first; raises `UrlRefused`."""
    url = read_url(typed_url(typed))
    if url.path.endswith(".json"):
        return (Place(str(url)),)
    path = url.path.rstrip("/")
    base = str(url.copy_with(raw_path=b"/")).rstrip("/")
    if not path:
        return (Place(base + WELL_KNOWN),)
    parent = path.rpartition("/")[0]
    return (
        Place(base + path + WELL_KNOWN),
        *(Place(base + above + WELL_KNOWN, str(url)) for above in dict.fromkeys((parent, ""))),
    )


@dataclass(frozen=True, slots=True)
class _Kept:
    place: Place
    card: DealerCard
    etag: str | None
    fresh_until: float


class CardSource:
    """The card of one dealer: fetched when it is first needed, kept as long as the dealer says."""

    def __init__(self, typed: str, *, clock: Clock = SYSTEM_CLOCK) -> None:
        self._places = places(typed)
        self._clock = clock
        self._kept: _Kept | None = None
        self._fetching = asyncio.Lock()

    async def card(self, fetch: Fetch) -> DealerCard:
        """Return the card; raises a leaf of `aap.dealer_errors` or `fetch.errors`.

        A card that cannot be refreshed serves on.
        """
        kept = self._kept
        if kept is None or self._clock.monotonic() >= kept.fresh_until:
            async with self._fetching:
                if self._kept is kept:
                    self._kept = await self._renewed(fetch, kept)
                kept = self._kept
        assert kept is not None  # noqa: S101  set just above
        return kept.card

    async def _renewed(self, fetch: Fetch, kept: _Kept | None) -> _Kept:
        if kept is None:
            return await self._found(fetch)
        try:
            return await self._fetched(fetch, kept.place, kept) or await self._found(fetch)
        except Unreachable:
            return replace(kept, fresh_until=self._clock.monotonic() + RETRY_SECONDS)

    async def _found(self, fetch: Fetch) -> _Kept:
        for place in self._places:
            if kept := await self._fetched(fetch, place, None):
                return kept
        raise CardNotFound("There is no agent card of an AAP dealer at this address.")

    async def _fetched(self, fetch: Fetch, place: Place, kept: _Kept | None) -> _Kept | None:
        """Return what lies at a place, or None when nothing does, or the card of somebody else."""
        condition = {"if-none-match": kept.etag} if kept and kept.etag else {}
        headers = {"accept": "application/json", **condition}
        answer = await fetch.send(Outgoing("GET", place.url, CARD_LIMITS, headers))
        fresh_until = self._clock.monotonic() + fresh_seconds(answer.headers.get("cache-control", ""))
        if answer.status == 304 and kept:
            return replace(kept, fresh_until=fresh_until)
        document = _document(answer)
        if document is None or (place.endpoint and not _names(document, place.endpoint)):
            return None
        return _Kept(place, read_card(document), answer.headers.get("etag"), fresh_until)


def fresh_seconds(cache_control: str) -> int:
    """Return how long a card counts by its `Cache-Control` (RFC 9111), within our own bounds."""
    lowered = cache_control.lower()
    if _FORGET.search(lowered):
        return 0
    match = _MAX_AGE.search(lowered)
    return min(int(match[1]), LONGEST_FRESH_SECONDS) if match else FRESH_SECONDS


def _document(answer: Answer) -> Any:
    """Return the card's JSON, None when there is no card (web sites show a page for every address).

    Raises `DealerUnavailable` when the server is in trouble and `CardUnusable` for a card that is not JSON.
    """
    if answer.status >= 500 or answer.status in (408, 429):
        raise DealerUnavailable("The dealer's server cannot give its agent card now.")
    if answer.status != 200 or answer.media_type == "text/html":
        return None
    try:
        return parse_json(answer.body)
    except MalformedJson as error:
        raise CardUnusable("The agent card is not JSON.", details={"reason": error.reason}) from None


def _names(document: object, endpoint: str) -> bool:
    return endpoint.rstrip("/") in {url.rstrip("/") for url in endpoints(document)}
