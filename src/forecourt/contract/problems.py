"""Every code that an answer can carry, and the Problem document (RFC 9457) that an error becomes.

The table is the source of the documents, of the page per code and of OpenAPI. Three kinds: a request that
was not done, a car that is not priced (`refused`), and a valuation that went wrong (`failed`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from forecourt.base.errors import ForecourtError

Kind = Literal["request", "refusal", "failure"]
MEDIA_TYPE: Final = "application/problem+json"


@dataclass(frozen=True, slots=True)
class ProblemKind:
    """What is always true of a code.

    `waits` says that every such Problem has `retry_after` (seconds, at least 1). `members` are what it may
    carry beside the members that all have. `action` tells the caller what to do.
    """

    code: str
    status: int
    title: str
    action: str
    kind: Kind = "request"
    retryable: bool = False
    waits: bool = False
    members: tuple[str, ...] = ()


def _waiting(code: str, status: int, title: str, action: str) -> ProblemKind:
    return ProblemKind(code, status, title, action, retryable=True, waits=True)


def _refusal(code: str, title: str, action: str) -> ProblemKind:
    return ProblemKind(code, 422, title, action, kind="refusal")


def _failure(code: str, title: str) -> ProblemKind:
    action = "Nothing was charged. Try again with a new idempotency key."
    return ProblemKind(code, 500, title, action, kind="failure", retryable=True)


_BODY = (
    ProblemKind(
        "invalid_request",
        400,
        "The request cannot be read",
        "The JSON is malformed, a member is unknown or of the wrong type: `errors` says which.",
        members=("errors",),
    ),
    ProblemKind(
        "validation_failed",
        422,
        "A value is missing or not allowed",
        "Correct what `errors` points at; the same request can never succeed.",
        members=("errors",),
    ),
    ProblemKind(
        "payload_too_large",
        413,
        "The body is too large",
        "A body may have 64 KiB.",
    ),
    ProblemKind(
        "unsupported_media_type",
        415,
        "The body is not declared as JSON",
        "Send `Content-Type: application/json` and no content encoding.",
    ),
    ProblemKind(
        "not_acceptable",
        406,
        "No acceptable representation",
        "Answers are `application/json`: accept that.",
    ),
    ProblemKind(
        "method_not_allowed",
        405,
        "That method is not for this path",
        "The `Allow` header names the methods that are.",
    ),
    ProblemKind("not_found", 404, "There is nothing at this path", "See /openapi.json for the paths."),
)

_IDEMPOTENCY = (
    ProblemKind(
        "idempotency_key_missing",
        400,
        "No idempotency key",
        "Send one: header `Idempotency-Key` over REST, argument `idempotency_key` over MCP.",
    ),
    ProblemKind(
        "idempotency_key_invalid",
        400,
        "The idempotency key cannot be used",
        "Use 1 to 255 letters, digits and `. _ : -`.",
    ),
    ProblemKind(
        "idempotency_key_reused",
        422,
        "The idempotency key was used for other arguments",
        "Send the arguments of the first call, or a new key for a new valuation.",
    ),
    _waiting(
        "idempotency_in_progress",
        409,
        "The first call with this key is still running",
        "Wait, then send the same key and the same arguments.",
    ),
)

_CALLER = (
    ProblemKind(
        "missing_credentials", 401, "No credentials", "Send `Authorization: Bearer` with an API key."
    ),
    ProblemKind(
        "invalid_api_key",
        401,
        "The API key is not valid",
        "It is unknown, mistyped, revoked or expired: use another one.",
    ),
    ProblemKind("invalid_token", 401, "The token is not valid", "Get a new token: sign in again."),
    ProblemKind(
        "wrong_audience",
        401,
        "The token is for another resource",
        "Over REST use an API key; a token of OAuth is for /mcp.",
    ),
    ProblemKind(
        "membership_revoked",
        401,
        "No longer a member of the organisation",
        "Sign in again and choose another organisation.",
    ),
    ProblemKind(
        "organization_suspended",
        403,
        "The organisation is suspended",
        "Its owner can ask the operator of the service.",
    ),
    ProblemKind(
        "insufficient_scope",
        403,
        "The credential lacks a scope",
        "Use a credential with the scope in `required_scope`.",
        members=("required_scope",),
    ),
    ProblemKind(
        "ip_not_allowed",
        403,
        "The key may not be used from this address",
        "Call from an allowed address, or change the key's list.",
    ),
    ProblemKind(
        "insufficient_credits",
        402,
        "Not enough credits",
        "Buy credits, then send the same key again; waiting does not help.",
        members=("credits_required", "credits_remaining"),
    ),
    _waiting(
        "rate_limited", 429, "Too many requests", "Wait `retry_after` seconds, then send the same again."
    ),
    _waiting(
        "concurrency_limited",
        429,
        "Too many valuations at once",
        "Wait `retry_after` seconds, then send the same key and arguments.",
    ),
)

_MARKET = (
    ProblemKind(
        "country_not_supported",
        422,
        "The service has no such market",
        "Choose one of `supported_countries`.",
        members=("supported_countries",),
    ),
    ProblemKind(
        "country_not_enabled",
        403,
        "The country is not enabled for this organisation",
        "Ask the operator of the service to enable it.",
    ),
    ProblemKind(
        "price_basis_not_supported",
        422,
        "No such price basis in this country",
        "Choose one of `supported_price_bases`.",
        members=("supported_price_bases",),
    ),
    ProblemKind(
        "valuation_not_found", 404, "No such valuation", "Check the id; a test key sees test ids only."
    ),
    _waiting(
        "engine_busy",
        503,
        "The engine is busy",
        "Nothing was created or charged. Wait, then send the same key and arguments.",
    ),
    _waiting(
        "service_unavailable",
        503,
        "Not available at the moment",
        "Wait `retry_after` seconds, then try again. Countries without a model answer this for now.",
    ),
    ProblemKind(
        "internal_error",
        500,
        "Something went wrong here",
        "Quote `request_id` to the operator. The same key is safe to send again.",
        retryable=True,
    ),
)

_VEHICLE = (
    ProblemKind(
        "plate_country_not_supported",
        422,
        "No register for plates of this country",
        "Identify the car by VIN, or by HSN and TSN in Germany.",
        members=("supported_plate_countries",),
    ),
    ProblemKind(
        "invalid_vin",
        422,
        "That is no VIN",
        "A VIN has 17 letters and digits without I, O and Q; `suggestion` may be what was meant.",
        members=("suggestion",),
    ),
    ProblemKind(
        "invalid_hsn",
        422,
        "That is no HSN",
        "An HSN has 4 digits; `suggestion` may be what was meant.",
        members=("suggestion",),
    ),
    ProblemKind(
        "invalid_tsn",
        422,
        "That is no TSN",
        "A TSN begins with 3 letters or digits; up to 6 more are ignored.",
        members=("suggestion",),
    ),
    ProblemKind(
        "invalid_plate",
        422,
        "That is no plate of this country",
        "Check the number and the country.",
        members=("suggestion",),
    ),
    ProblemKind("vin_not_found", 404, "The VIN is not known", "Give make and model, or catalogue ids."),
    ProblemKind(
        "hsn_tsn_not_found",
        404,
        "The HSN and TSN are not known",
        "Check both; `reason` is `collective_key` when the key stands for many cars.",
        members=("suggestion", "reason"),
    ),
    ProblemKind(
        "plate_not_found",
        404,
        "The plate is not known",
        "A register's copy can lag behind by days: try the VIN.",
    ),
    ProblemKind("plate_restricted", 403, "The register withholds this vehicle", "Identify it by VIN."),
    ProblemKind("catalogue_id_not_found", 404, "No such catalogue id", "Find ids with search_vehicles."),
    ProblemKind(
        "catalogue_id_replaced",
        410,
        "The catalogue id was replaced",
        "Use the id in `replaced_by`.",
        members=("replaced_by",),
    ),
    ProblemKind(
        "catalogue_conflict",
        422,
        "The catalogue ids do not belong together",
        "Send the deepest id alone, or its own parents.",
    ),
    _waiting(
        "upstream_unavailable",
        503,
        "A register cannot be reached",
        "Wait `retry_after` seconds, then try again; or identify the car otherwise.",
    ),
)

_REFUSALS = (
    _refusal(
        "vehicle_not_identified", "The car was not identified", "Send catalogue ids or a better identity."
    ),
    _refusal(
        "vehicle_ambiguous", "Several cars fit", "Choose one of `candidates` and send its catalogue ids."
    ),
    _refusal("identity_conflict", "The identities name different cars", "Send the one that is right."),
    _refusal(
        "attribute_conflict", "An attribute contradicts the car", "Correct it, or choose another drivetrain."
    ),
    _refusal(
        "registration_outside_production",
        "Not built when it was registered",
        "Check the date and the generation.",
    ),
    _refusal("registration_in_future", "First registration lies in the future", "Check the date."),
    _refusal("vehicle_too_new", "Too new for used-car prices", "Value it when it is 3 months old or driven."),
    _refusal("vehicle_too_old", "Too old for this service", "Ask a specialist for classic cars."),
    _refusal(
        "mileage_out_of_range", "The mileage is out of range", "Check the figure and its unit, km or miles."
    ),
    _refusal("price_out_of_range", "The price is out of range", "Ask a specialist."),
    _refusal(
        "vehicle_class_not_supported", "Not a passenger car or light van", "Only cars up to 3.5 t are priced."
    ),
    _refusal("vehicle_damaged", "Damaged cars are not priced", "Ask for an assessment of the damage."),
    _refusal("imported_vehicle", "Imported cars are not priced here", "Value it in another country."),
    _refusal("insufficient_market_data", "Too few such cars in the market", "See `hints`."),
    _refusal("interval_too_wide", "The price is too uncertain", "See `hints`: more facts narrow it."),
    _refusal("price_basis_unavailable", "The basis is unknown for such cars", "Try another price basis."),
)

_FAILURES = (
    _failure("engine_error", "The engine failed"),
    _failure("engine_timeout", "The engine took too long"),
    _failure("model_unavailable", "The model could not be used"),
    _failure("upstream_failed", "A system behind the engine failed"),
)

PROBLEMS: Final[Mapping[str, ProblemKind]] = {
    kind.code: kind
    for group in (_BODY, _IDEMPOTENCY, _CALLER, _MARKET, _VEHICLE, _REFUSALS, _FAILURES)
    for kind in group
}
"""By code, in the order in which they are documented."""

DEFAULT_RETRY_AFTER_S: Final = 5


def codes(kind: Kind) -> tuple[str, ...]:
    """Return the codes of a kind, in the order of the table."""
    return tuple(problem.code for problem in PROBLEMS.values() if problem.kind == kind)


def kind_of(error: ForecourtError) -> ProblemKind:
    """Return what an error is to a caller: an outcome that the contract does not know is our own fault."""
    return PROBLEMS.get(error.code) or PROBLEMS["internal_error"]


def problem_document(
    error: ForecourtError, *, request_id: str, public_url: str, retry_with: str | None = None
) -> dict[str, Any]:
    """Return the Problem of an error. `retry_with` is `same_key` where the call had an idempotency key."""
    kind = kind_of(error)
    known = kind.code == error.code
    document: dict[str, Any] = {
        "type": f"{public_url}/problems/{kind.code}",
        "title": kind.title,
        "status": kind.status,
        "detail": error.message if known else "The call could not be answered. " + kind.action,
        "instance": f"urn:request:{request_id}",
        "code": kind.code,
        "request_id": request_id,
        "retryable": kind.retryable,
    }
    if kind.retryable and retry_with:
        document["retry_with"] = retry_with
    if kind.waits:
        document["retry_after"] = retry_after_s(error.details)
    if known:
        document |= {name: error.details[name] for name in kind.members if name in error.details}
    return document


def retry_after_s(details: Mapping[str, Any]) -> int:
    """Return after how many whole seconds to come back: as the error says, in seconds or milliseconds."""
    if "retry_after" in details:
        return max(1, int(details["retry_after"]))
    if "retry_after_ms" in details:
        return max(1, -(-int(details["retry_after_ms"]) // 1000))
    return DEFAULT_RETRY_AFTER_S
