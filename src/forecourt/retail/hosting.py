"""The dealers of the database as requests see them: looked up when asked for, again every second."""

import asyncio
from collections import OrderedDict, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from forecourt.base.clock import SYSTEM_CLOCK, Clock
from forecourt.dealer import store
from forecourt.dealer.errors import DealerUnknown
from forecourt.dealer.stock import LiveStock, Stock
from forecourt.dealer.store import Dealer
from forecourt.retail.dealership import Dealership
from forecourt.storage.database import Database

FRESH_SECONDS: Final = 1.0
"""How long a change of a dealer's profile may go unseen by a worker."""
FORGOTTEN_SECONDS: Final = 60.0
"""A dealer that nobody asked for is let go after this, so that its index can leave memory."""


@dataclass(frozen=True, slots=True)
class _Known:
    dealership: Dealership
    fresh_until: float


class HostedDealers:
    """Answers who is hosted here, with the stock of this moment. Implements `agent.asgi.Dealerships`."""

    def __init__(self, database: Database, stock: Stock, *, clock: Clock = SYSTEM_CLOCK) -> None:
        self._database = database
        self._stock = stock
        self._clock = clock
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._looking: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._slugs: Mapping[str, str] = {}
        self._slugs_fresh_until = 0.0

    async def by_slug(self, slug: str) -> Dealership | None:
        """Return the dealer of that name."""
        if known := self._fresh(slug):
            return known.dealership
        async with self._looking[slug]:
            known = self._fresh(slug) or await self._look_up(slug)
        if known is None:
            self._looking.pop(slug, None)  # strangers may ask for any name
        return known.dealership if known else None

    async def by_domain(self, domain: str) -> Dealership | None:
        """Return the dealer that answers for a host name."""
        if self._clock.monotonic() >= self._slugs_fresh_until:
            self._slugs = await self._database.read(store.slugs_by_domain)
            self._slugs_fresh_until = self._clock.monotonic() + FRESH_SECONDS
        slug = self._slugs.get(domain)
        return None if slug is None else await self.by_slug(slug)

    def _fresh(self, slug: str) -> _Known | None:
        known = self._known.get(slug)
        return known if known and self._clock.monotonic() < known.fresh_until else None

    async def _look_up(self, slug: str) -> _Known | None:
        try:
            dealer = await self._database.read(lambda connection: store.find_dealer(connection, slug))
            stock = await self._stock.present(slug)
        except DealerUnknown:
            self._known.pop(slug, None)
            return None
        dealership = _present(self._known.get(slug), dealer, stock)
        known = _Known(dealership, self._clock.monotonic() + FRESH_SECONDS)
        self._known[slug] = known
        self._known.move_to_end(slug)
        self._forget_unasked()
        return known

    def _forget_unasked(self) -> None:
        """Let go of the dealers looked up longest ago; they stand first."""
        before = self._clock.monotonic() - FORGOTTEN_SECONDS
        while self._known and next(iter(self._known.values())).fresh_until < before:
            slug, _ = self._known.popitem(last=False)
            if not self._looking[slug].locked():
                del self._looking[slug]


def _present(known: _Known | None, dealer: Dealer, stock: LiveStock) -> Dealership:
    """Return the same object while nothing changed, so that what is remembered for it stays valid."""
    before = known.dealership if known else None
    if before and before.profile_changed_at == dealer.profile_changed_at and before.stock is stock.index:
        return before
    return Dealership(dealer.profile, dealer.profile_changed_at, stock.index, stock.former_identifiers)
