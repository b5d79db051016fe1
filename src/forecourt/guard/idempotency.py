"""Idempotency keys of valuations: what a key may be, and when two calls say the same.

A key belongs to an organisation and a mode; `guard.store` keeps it. The steps of a
valuation are steps of two transactions:

1. `claim` → country → basis → `credits.store.reserve` → `enter` → the accepted valuation is stored.
   Whatever raises here undoes all of it: a refusal at a gate leaves neither a key nor a reservation behind.
2. The engine runs, outside of any transaction.
3. The result is stored → `credits.store.capture` or `release` → `leave` → `finish`.

A process that dies between 1 and 3 leaves a claim that `abandoned` finds after `ABANDONED_AFTER`; its finder
closes the valuation as failed, by step 3. A worker that was only slow then meets `ClaimLost` or
`NotReserved`, and its result is not kept.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final

from forecourt.accounts.access import Mode
from forecourt.base.canonical_json import canonical_json
from forecourt.base.errors import Conflict
from forecourt.contract.errors import IdempotencyKeyInvalid, IdempotencyKeyMissing

ABANDONED_AFTER: Final = timedelta(seconds=60)
"""Longer than any valuation runs: what is still unfinished then belonged to a process that died."""

KEPT_FOR: Final = timedelta(days=7)
"""How long a key stands for its valuation; later use is a new request."""

_KEY: Final = re.compile(r"[A-Za-z0-9._:-]{1,255}")


class ClaimLost(Conflict):
    """The key is no longer held by this call: it took too long, and the valuation was closed as failed."""

    code = "claim_lost"


@dataclass(frozen=True, slots=True)
class ClaimedKey:
    """An idempotency key in its scope, and the fingerprint of the arguments that came with it."""

    organization_id: str
    mode: Mode
    key: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class AbandonedClaim:
    """A claim whose process died: the valuation has to be closed as failed."""

    claimed: ClaimedKey
    valuation_id: str
    claimed_at: datetime


def idempotency_key(text: str | None) -> str:
    """Return the key of a header or an argument; one pair of quotes around it is the header's form.

    Raises `IdempotencyKeyMissing`, `IdempotencyKeyInvalid`.
    """
    if text is None:
        raise IdempotencyKeyMissing("A valuation needs an idempotency key.")
    stripped = text.strip(" \t")
    quoted = len(stripped) >= 2 and stripped[0] == stripped[-1] == '"'
    key = stripped[1:-1] if quoted else stripped
    if not _KEY.fullmatch(key):
        raise IdempotencyKeyInvalid("An idempotency key has 1 to 255 letters, digits and . _ : - characters.")
    return key


def fingerprint(arguments: Mapping[str, Any]) -> str:
    """Return a digest that is equal for arguments that say the same: SHA-256 of their canonical JSON.

    Give the validated arguments after defaults, without the key itself.
    """
    return sha256(canonical_json(arguments)).hexdigest()
