"""What can go wrong on the AAP wire, and how each outcome is written as a JSON-RPC error.

Two families of leaves below the tree of `base.errors`:

- the twelve codes of AAP 1.3 (errors page): `error.data` is the bare `aap.error` object;
- the errors that belong to A2A and JSON-RPC alone (A2A 1.0 sections 3.3 and 9.5): `error.data` is an array
  with one `google.rpc.ErrorInfo`.

A handler raises a leaf; the face calls `json_rpc_error` once. Whatever is neither becomes INTERNAL_ERROR.
"""

from collections.abc import Sequence
from typing import Any

from forecourt.aap.validation import Failure
from forecourt.base.clock import SYSTEM_CLOCK, Clock, isoformat
from forecourt.base.errors import Broken, Conflict, ForecourtError, InvalidInput, NotFound, Refused, TooMany
from forecourt.base.ids import uuid7


class UnsupportedSkill(NotFound):
    """The dealer does not implement the skill that the payload's `type` asks for."""

    code = "UNSUPPORTED_SKILL"


class SchemaValidationFailed(InvalidInput):
    """The payload does not fit its schema; `details["errors"]` lists every failure."""

    code = "SCHEMA_VALIDATION_FAILED"


class MissingRequiredField(InvalidInput):
    """Nothing is wrong but one absent field; `details["errors"]` names it."""

    code = "MISSING_REQUIRED_FIELD"


class InvalidCondition(InvalidInput):
    """A condition of a sale where one of wear belongs, or the other way round."""

    code = "INVALID_CONDITION"


class VehicleNotFound(NotFound):
    """No listing of the dealer has the identifier."""

    code = "VEHICLE_NOT_FOUND"


class VehicleUnavailable(Conflict):
    """The listing is known but no longer available, in transit or pending."""

    code = "VEHICLE_UNAVAILABLE"


class ContactConsentRequired(Refused):
    """A lead without consent, or one that needs a channel the consent does not allow."""

    code = "CONTACT_CONSENT_REQUIRED"


class InvalidConsent(Refused):
    """A consent that is expired, not yet given, empty or of another scope."""

    code = "INVALID_CONSENT"


class AppointmentTimeUnavailable(Conflict):
    """The wished time is impossible and there is no other to offer."""

    code = "APPOINTMENT_TIME_UNAVAILABLE"


class IdempotencyConflict(Conflict):
    """The idempotency key came before, with another payload."""

    code = "IDEMPOTENCY_CONFLICT"


class RateLimited(TooMany):
    """Too many calls; `details["retry_after_ms"]` says when to come back."""

    code = "RATE_LIMITED"


class InternalError(Broken):
    """Our failure; the same call may succeed later."""

    code = "INTERNAL_ERROR"

    def __init__(self, message: str = "Something went wrong on the dealer's side. Please try again.") -> None:
        super().__init__(message)


class ParseError(InvalidInput):
    """The body is no JSON."""

    code = "PARSE_ERROR"


class InvalidRequest(InvalidInput):
    """The body is JSON but no JSON-RPC 2.0 call that can be answered."""

    code = "INVALID_REQUEST"


class MethodNotFound(NotFound):
    """A2A has no such method."""

    code = "METHOD_NOT_FOUND"


class TaskNotFound(NotFound):
    """The call names a task; a dealer agent has none."""

    code = "TASK_NOT_FOUND"


class PushNotificationNotSupported(Refused):
    """The dealer agent pushes nothing."""

    code = "PUSH_NOTIFICATION_NOT_SUPPORTED"


class UnsupportedOperation(Refused):
    """A2A knows the method; the dealer agent does not offer it."""

    code = "UNSUPPORTED_OPERATION"


class ContentTypeNotSupported(InvalidInput):
    """The HTTP body or a part is of a media type that AAP does not use."""

    code = "CONTENT_TYPE_NOT_SUPPORTED"


class ExtensionSupportRequired(Refused):
    """The caller does not declare the AAP extension and this agent insists on it."""

    code = "EXTENSION_SUPPORT_REQUIRED"


class VersionNotSupported(Refused):
    """The caller asks for an A2A version other than 1.0."""

    code = "VERSION_NOT_SUPPORTED"


#: JSON-RPC codes as AAP 1.3 recommends them. RATE_LIMITED shares its number with A2A's TaskNotCancelable.
AAP_CODES: dict[type[ForecourtError], int] = {
    UnsupportedSkill: -32601,
    SchemaValidationFailed: -32602,
    MissingRequiredField: -32602,
    InvalidCondition: -32602,
    VehicleNotFound: -32000,
    VehicleUnavailable: -32000,
    ContactConsentRequired: -32000,
    InvalidConsent: -32000,
    AppointmentTimeUnavailable: -32000,
    IdempotencyConflict: -32000,
    RateLimited: -32002,
    InternalError: -32603,
}

#: JSON-RPC codes of JSON-RPC 2.0 and of A2A 1.0 section 5.4.
A2A_CODES: dict[type[ForecourtError], int] = {
    ParseError: -32700,
    InvalidRequest: -32600,
    MethodNotFound: -32601,
    TaskNotFound: -32001,
    PushNotificationNotSupported: -32003,
    UnsupportedOperation: -32004,
    ContentTypeNotSupported: -32005,
    ExtensionSupportRequired: -32008,
    VersionNotSupported: -32009,
}

_ERROR_INFO = "type.googleapis.com/google.rpc.ErrorInfo"
_A2A_DOMAIN = "a2a-protocol.org"
_CONDITIONS = frozenset({"/vehicle_of_interest/condition", "/trade_in/condition"})


def refusal(failures: Sequence[Failure]) -> InvalidInput:
    """Choose the validation error that says most about these failures, with all of them in its details.

    A condition from the wrong vocabulary comes first, then a single absent field, else the schema failed.
    """
    details = {"errors": [failure.as_json() for failure in failures]}
    if any(failure.keyword == "enum" and failure.instance_location in _CONDITIONS for failure in failures):
        return InvalidCondition(
            "A wanted vehicle is new, used or cpo; a trade-in is excellent, good, fair or poor.",
            details=details,
        )
    if len(failures) == 1 and failures[0].keyword == "required":
        return MissingRequiredField("A required field is missing.", details=details)
    return SchemaValidationFailed(
        f"The request does not fit its schema in {len(failures)} place{'s' * (len(failures) != 1)}.",
        details=details,
    )


def error_payload(error: Exception, *, clock: Clock = SYSTEM_CLOCK) -> dict[str, Any]:
    """Write an error as an `aap.error` object (AAP 1.3, error schema).

    An error that is not one of the twelve leaves becomes INTERNAL_ERROR without a word of its own text.
    """
    return _payload(_aap_leaf(error), clock)


def json_rpc_error(error: Exception, *, clock: Clock = SYSTEM_CLOCK) -> dict[str, Any]:
    """Write an error as the `error` member of a JSON-RPC answer: `code`, `message`, `data`."""
    if isinstance(error, ForecourtError) and type(error) in A2A_CODES:
        return {"code": A2A_CODES[type(error)], "message": error.message, "data": [_error_info(error)]}
    leaf = _aap_leaf(error)
    return {"code": AAP_CODES[type(leaf)], "message": leaf.message, "data": _payload(leaf, clock)}


def _aap_leaf(error: Exception) -> ForecourtError:
    return error if isinstance(error, ForecourtError) and type(error) in AAP_CODES else InternalError()


def _payload(leaf: ForecourtError, clock: Clock) -> dict[str, Any]:
    payload = {
        "type": "aap.error",
        "error_id": str(uuid7()),
        "code": leaf.code,
        "message": leaf.message,
        "retryable": leaf.retryable,
        "created_at": isoformat(clock.now()),
    }
    return {**payload, "details": leaf.details} if leaf.details else payload


def _error_info(error: ForecourtError) -> dict[str, Any]:
    """Write `google.rpc.ErrorInfo`; its metadata holds texts only."""
    metadata = {key: str(value) for key, value in error.details.items()}
    return {"@type": _ERROR_INFO, "reason": error.code, "domain": _A2A_DOMAIN, "metadata": metadata}
