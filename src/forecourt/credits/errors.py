"""What can be wrong with credits, beside having too few of them (`contract.errors.InsufficientCredits`).

Conflict
├── NotReserved       the reservation was settled before, or never made
├── NotCaptured       only what a valuation has cost can be given back
└── ReferenceUsed     a grant or an adjustment of this reference was another one
InvalidInput
├── WrongAmount       an amount, a reference or an expiry that cannot be used
└── WrongWarningHook  an address or a variable's name that cannot be used
Broken
└── LedgerBroken      the books do not add up
"""

from forecourt.base.errors import Broken, Conflict, InvalidInput


class NotReserved(Conflict):
    """Nothing is put aside for the valuation: it was captured or released before, or its time ran out."""

    code = "not_reserved"


class NotCaptured(Conflict):
    """The valuation has cost nothing, or its cost was given back before."""

    code = "not_captured"


class ReferenceUsed(Conflict):
    """The reference names a grant or an adjustment of another amount or expiry."""

    code = "reference_used"


class WrongAmount(InvalidInput):
    """An amount, a reference or an expiry cannot be used."""

    code = "wrong_amount"


class WrongWarningHook(InvalidInput):
    """The address or the name of the variable of a webhook cannot be used."""

    code = "wrong_warning_hook"


class LedgerBroken(Broken):
    """The books of an organisation do not add up; `forecourt credits check` says more."""

    code = "ledger_broken"
    retryable = False
