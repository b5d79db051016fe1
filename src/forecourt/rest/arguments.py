"""The arguments of an operation out of a request: its path, its query, its body and its idempotency key."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final
from urllib.parse import parse_qsl

from forecourt.contract.schemas import inlined
from forecourt.contract.validation import is_valid
from forecourt.guard.idempotency import idempotency_key
from forecourt.operations.call import Arguments
from forecourt.operations.operation import Operation, RestRoute
from forecourt.rest.http import Headers, parse_body, unreadable

_INTEGER: Final = re.compile(r"-?[0-9]{1,18}")
_KEY_MEMBER: Final = "idempotency_key"


@dataclass(frozen=True, slots=True)
class Request:
    """What came in: the path's parameters, the raw query, the headers, and a body if the route has one."""

    path: Mapping[str, str]
    query: bytes
    headers: Headers
    body: bytes | None


def schema_name(operation: Operation, route: RestRoute) -> str:
    """Return the contract schema of the route's arguments."""
    return route.input or operation.input


def read_arguments(operation: Operation, route: RestRoute, request: Request) -> Arguments:
    """Return the arguments of a request, not yet validated.

    Raises `InvalidRequest` for what cannot be read, `IdempotencyKeyInvalid`, and the route's own error for an
    id in the path that has not the form of one.
    """
    schema = schema_name(operation, route)
    arguments: Arguments = {**route.given, **request.path}
    if route.not_found is not None and not is_valid(schema, arguments):
        raise route.not_found("There is nothing of this id.")
    if request.body is not None:
        arguments = parse_body(request.body)
        if route.idempotency_header and isinstance(arguments, dict):
            arguments = _with_key(arguments, request.headers)
        return arguments
    return {**arguments, **_query(route, request.query, schema=schema)}


def _with_key(body: Arguments, headers: Headers) -> Arguments:
    if _KEY_MEMBER in body:
        raise unreadable(
            f"/{_KEY_MEMBER}", "unknown_member", "Over REST the key is sent as the header Idempotency-Key."
        )
    sent = headers.get("idempotency-key")
    return body if sent is None else {**body, _KEY_MEMBER: idempotency_key(sent)}


def _query(route: RestRoute, query: bytes, *, schema: str) -> Arguments:
    arguments: Arguments = {}
    for name, text in _pairs(query):
        member = route.query.get(name)
        if member is None:
            raise unreadable("", "unknown_parameter", "A parameter of the query is not known here.")
        if member in arguments:
            raise unreadable(f"/{name}", "repeated", "The parameter is given twice.")
        arguments[member] = _value(text, is_integer=member in _integers(schema))
    return arguments


def _pairs(query: bytes) -> list[tuple[str, str]]:
    try:
        pairs = parse_qsl(query.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=50)
    except ValueError:
        raise unreadable("", "bad_query", "The query cannot be read.") from None
    if any("\x00" in text for pair in pairs for text in pair):
        raise unreadable("", "nul_character", "The query holds the character U+0000.")
    return pairs


def _value(text: str, *, is_integer: bool) -> Any:
    """Return a number where one is due and written; what is none is left for the schema to refuse."""
    return int(text) if is_integer and _INTEGER.fullmatch(text) else text


@cache
def _integers(schema: str) -> frozenset[str]:
    properties = inlined(schema)["properties"]
    return frozenset(name for name, rule in properties.items() if rule.get("type") == "integer")
