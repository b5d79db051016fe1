"""What came of one attempt to send a parcel, in codes of ours: the replies of others quote addresses."""

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True)
class Sent:
    """The destination took the parcel."""

    outcome: str


@dataclass(frozen=True, slots=True)
class NotSent:
    """It did not. `gone`: it wants no more parcels; `wait`: it said when to come back."""

    outcome: str
    wait: timedelta | None = None
    gone: bool = False
