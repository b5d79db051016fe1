"""What the ledger of an organisation says, and what a spending is.

One credit is one live valuation with the status `completed`.
"""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Final

from forecourt.credits.errors import WrongAmount

MOST: Final = 10**12
"""More credits than this are a typing error."""

LONGEST_REFERENCE: Final = 200

RESERVED_FOR: Final = timedelta(seconds=60)
"""After this long a reservation is one of a dead process: it is released, and can be captured no more."""


class EntryKind(StrEnum):
    """What a line of the ledger records."""

    GRANT = "grant"
    RESERVE = "reserve"
    CAPTURE = "capture"
    RELEASE = "release"
    REFUND = "refund"
    EXPIRE = "expire"
    ADJUSTMENT = "adjustment"


@dataclass(frozen=True, slots=True)
class Balance:
    """What an organisation has to spend: whole credits; `available` does not count what is reserved.

    `next_expiry` is the day (UTC) on which credits expire next, and how many. `low` says that there are fewer
    than the organisation wants to be warned of.
    """

    available: int
    reserved: int
    next_expiry: tuple[date, int] | None
    low: bool


@dataclass(frozen=True, slots=True)
class Spending:
    """For what credits are put aside, and by whom. Without `monthly_cap` the key has none.

    `valuation_id` is that of a valuation, or `plate_…` of a lookup that costs.
    """

    organization_id: str
    valuation_id: str
    key_id: str
    request_id: str
    amount: int
    monthly_cap: int | None


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """A line of the ledger; `number` orders the lines of one organisation, from 1 and without gaps.

    `amount` is how many credits the line is about, negative only for an adjustment that takes some away;
    `balance_after` is what was available after it.
    """

    number: int
    type: str
    amount: int
    balance_after: int
    created_at: datetime
    valuation_id: str | None
    key_id: str | None
    request_id: str | None
    reference: str | None


def checked_amount(amount: int) -> int:
    """Return an amount that can be granted; raises `WrongAmount`."""
    if not 0 < amount <= MOST:
        raise WrongAmount(f"An amount is 1 to {MOST:,} credits.")
    return amount


def checked_reference(text: str) -> str:
    """Return a usable reference, such as the number of an invoice; raises `WrongAmount`."""
    reference = text.strip()
    if not reference or len(reference) > LONGEST_REFERENCE or not reference.isprintable():
        raise WrongAmount(f"A reference has 1 to {LONGEST_REFERENCE} printable characters.")
    return reference


def checked_expiry(moment: datetime | None, now: datetime) -> datetime | None:
    """Return an expiry that lies ahead, None for credits that do not expire; raises `WrongAmount`."""
    if moment is not None and moment <= now:
        raise WrongAmount("Credits cannot expire before they are granted.")
    return moment
