"""One dealer as a request sees it: who it is and what it has at this moment."""

from collections.abc import Container
from dataclasses import dataclass
from datetime import datetime

from forecourt.dealer.profile import DealerProfile
from forecourt.dealer.search import SearchIndex


@dataclass(frozen=True, slots=True, eq=False)
class Dealership:
    """A dealer's profile and stock at one moment; a change of either makes a new one.

    `former_identifiers` holds pairs such as `("stock", "H-17")` of vehicles that were listed lately and are
    not any more, so that an answer can tell "sold" from "never heard of".
    """

    profile: DealerProfile
    profile_changed_at: datetime
    stock: SearchIndex
    former_identifiers: Container[tuple[str, str]] = frozenset()

    @property
    def slug(self) -> str:
        """The name in addresses."""
        return self.profile.slug
