"""What can go wrong with a dealer and with stock, as outcomes that a caller can act upon.

NotFound
├── DealerUnknown          nobody of that name is hosted here
└── NothingToRollBack      there is no earlier stock to go back to
Conflict
├── DealerExists           the name is taken
├── DomainTaken            another dealer answers for that domain
└── StockWouldShrink       the file holds far fewer vehicles than the stock, or a page of many
InvalidInput
├── ProfileInvalid         the profile breaks a rule; every broken key is named
├── ScheduleInvalid        a feed source or interval cannot be used
└── NoListings             the file holds no vehicle that can be taken
"""

from forecourt.base.errors import Conflict, InvalidInput, NotFound


class DealerUnknown(NotFound):
    """No dealer of that name is hosted here."""

    code = "dealer_unknown"


class NothingToRollBack(NotFound):
    """The dealer has no earlier stock to go back to."""

    code = "nothing_to_roll_back"


class DealerExists(Conflict):
    """A dealer of that name is hosted here already."""

    code = "dealer_exists"


class DomainTaken(Conflict):
    """Another dealer answers for that domain."""

    code = "domain_taken"


class StockWouldShrink(Conflict):
    """The file would take away more of the stock than the guard allows; `--allow-shrink` overrules it."""

    code = "stock_would_shrink"


class ProfileInvalid(InvalidInput):
    """The profile breaks a rule; the message names each key with the reason."""

    code = "profile_invalid"


class ScheduleInvalid(InvalidInput):
    """A feed's source or interval cannot be used; the message says why."""

    code = "schedule_invalid"


class NoListings(InvalidInput):
    """The file holds no vehicle that can be taken, so it must not replace the stock."""

    code = "no_listings"
