"""The one tree of errors.

    ForecourtError
    ├── InvalidInput          the caller's input is wrong            (kind "invalid")
    ├── NotFound              what was asked for does not exist      (kind "not_found")
    ├── Conflict              the state of things forbids it         (kind "conflict")
    ├── Refused               the caller may not, or not like this   (kind "refused")
    ├── TooMany               over a limit, later it works           (kind "limited")
    ├── Unreachable           somebody else's system failed          (kind "unreachable")
    └── Broken                ours failed: a bug or a lost resource  (kind "broken")

A domain raises a leaf below one of these branches; a face catches `ForecourtError` once and translates it
by `code` and `kind`. `message` and `details` are for people: they never hold exception text, SQL, a token,
a VIN, a plate, an e-mail address or a phone number.
"""

from collections.abc import Mapping
from typing import Any, ClassVar


class ForecourtError(Exception):
    """An expected outcome that a caller can act upon.

    `code` is stable and documented, `retryable` says truthfully whether the same call can succeed later,
    `details` holds JSON values that help to correct the call.
    """

    code: ClassVar[str] = "error"
    kind: ClassVar[str] = "broken"
    retryable: ClassVar[bool] = False

    def __init__(self, message: str, *, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.details: dict[str, Any] = dict(details or {})


class InvalidInput(ForecourtError):
    """The caller's input is wrong; the same input can never succeed."""

    code = "invalid_input"
    kind = "invalid"


class NotFound(ForecourtError):
    """What was asked for does not exist, or not for this caller."""

    code = "not_found"
    kind = "not_found"


class Conflict(ForecourtError):
    """The present state forbids the call."""

    code = "conflict"
    kind = "conflict"


class Refused(ForecourtError):
    """The caller may not do this, or not in this way."""

    code = "refused"
    kind = "refused"


class TooMany(ForecourtError):
    """A limit is reached; `details["retry_after_ms"]` says when to come back."""

    code = "too_many_requests"
    kind = "limited"
    retryable = True


class Unreachable(ForecourtError):
    """A system that is not ours could not be reached or answered nonsense."""

    code = "unreachable"
    kind = "unreachable"
    retryable = True


class Broken(ForecourtError):
    """Our own failure: a bug, a full disk, a lost database."""

    code = "internal_error"
    kind = "broken"
    retryable = True
