"""What a probe may expect of an answer; each returns the sentences that say how it was not met."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from forecourt.aap.errors import AAP_CODES
from forecourt.aap.validation import failures
from forecourt.check.dealer import Reply, describe_error

_MOST_LISTED = 10


def valid(schema_name: str, payload: object) -> list[str]:
    """Expect a payload to fit its schema."""
    found = [
        f"{failure.instance_location or 'The payload'}: {failure.error}"
        for failure in failures(schema_name, payload)
    ]
    rest = len(found) - _MOST_LISTED
    return found[:_MOST_LISTED] + ([f"and {rest} more"] if rest > 0 else [])


def answered(reply: Reply) -> list[str]:
    """Expect an AAP response, whichever."""
    return valid("_primitives/aap-message", {**reply.payload, "data": reply.data})


def json_rpc(reply: Reply, *, call_id: object) -> list[str]:
    """Expect HTTP 200, `application/json`, and a JSON-RPC 2.0 answer to the call with this id."""
    answer, document = reply.answer, reply.document
    checks = {
        f"HTTP status {answer.status} instead of 200.": answer.status == 200,
        f"Content type {answer.media_type or 'absent'} instead of application/json.": answer.media_type
        == "application/json",
        'Member "jsonrpc" is not "2.0".': document.get("jsonrpc") == "2.0",
        "The id is not the one of the call.": same(document.get("id"), call_id) and "id" in document,
        "There is not exactly one of result and error.": ("result" in document) != ("error" in document),
    }
    return [sentence for sentence, holds in checks.items() if not holds]


def same(one: object, other: object) -> bool:
    """Compare JSON values with their types: 1 is neither 1.0 nor true."""
    return type(one) is type(other) and one == other


def code(reply: Reply, *allowed: int) -> list[str]:
    """Expect a JSON-RPC error with one of these codes."""
    if reply.error.get("code") in allowed:
        return []
    numbers = " or ".join(str(number) for number in allowed)
    return [f"Expected error {numbers}, got {describe_error(reply.error)}."]


def aap_error(reply: Reply, *allowed: str) -> list[str]:
    """Expect one of these AAP errors: the bare `aap.error` object, valid, under the number of its code."""
    payload = reply.error.get("data")
    if not isinstance(payload, dict):
        return ["error.data is not the aap.error object."]
    found = valid("error", payload)
    if payload.get("code") not in allowed:
        found.append(f"Expected {' or '.join(allowed)}, got {describe_error(reply.error)}.")
    elif reply.error.get("code") != AAP_NUMBERS[payload["code"]]:
        found.append(f"{payload['code']} comes under the number {reply.error.get('code')}.")
    return found


AAP_NUMBERS: Mapping[str, int] = {leaf.code: number for leaf, number in AAP_CODES.items()}


def refused_at(reply: Reply, *pointers: str) -> list[str]:
    """Expect a validation error that lists a failure at each of these places, or at what holds it."""
    found = aap_error(reply, "SCHEMA_VALIDATION_FAILED", "MISSING_REQUIRED_FIELD", "INVALID_CONDITION")
    places = {str(entry.get("instanceLocation")) for entry in listed_failures(reply)}
    missing = [pointer for pointer in pointers if not any(_related(place, pointer) for place in places)]
    return found + [f"details.errors names no failure at {pointer}." for pointer in missing]


def listed_failures(reply: Reply) -> list[dict[str, Any]]:
    """Return the entries of `details.errors`, as far as there are any."""
    data = reply.error.get("data")
    details = data.get("details") if isinstance(data, dict) else None
    errors = details.get("errors") if isinstance(details, dict) else None
    return [entry for entry in errors if isinstance(entry, dict)] if isinstance(errors, list) else []


def _related(place: str, pointer: str) -> bool:
    """Accept the place itself and whatever holds it; validators differ in where they put an extra member."""
    holder = pointer.rpartition("/")[0]
    return place in {pointer, holder} or (place != "" and pointer.startswith(f"{place}/"))


def typed_refusal(reply: Reply) -> list[str]:
    """Expect any JSON-RPC error in good form: HTTP below 500, a number, and data of AAP or of A2A."""
    error = reply.error
    found = [f"HTTP status {reply.answer.status}."] if reply.answer.status >= 500 else []
    if not isinstance(error.get("code"), int) or not isinstance(error.get("message"), str):
        found.append("The error has no integer code and text message.")
    return found


def floats_where_integers_belong(payload: object, names: Collection[str]) -> Iterator[str]:
    """Find members of these names whose number is written with a fraction."""
    if isinstance(payload, dict):
        for name, value in payload.items():
            if name in names and isinstance(value, float):
                yield name
            yield from floats_where_integers_belong(value, names)
    elif isinstance(payload, list):
        for value in payload:
            yield from floats_where_integers_belong(value, names)
