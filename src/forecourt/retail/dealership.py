"""One dealer as a request sees it: who it is and what it has at this moment."""

from dataclasses import dataclass
from datetime import datetime

from forecourt.dealer.profile import DealerProfile


@dataclass(frozen=True, slots=True, eq=False)
class Dealership:
    """A dealer's profile and stock at one moment; a change of either makes a new one."""

    profile: DealerProfile
    profile_changed_at: datetime

    @property
    def slug(self) -> str:
        """The name in addresses."""
        return self.profile.slug
