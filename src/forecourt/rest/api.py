"""`/v1` as an ASGI application: finds the route, lets the caller in, and sends what the operation came to.

The order of checks is that of the contract: path and method, then what is accepted, the body's type and size,
the caller, and from there on the order of `operations.performing`.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from starlette.types import Receive, Scope, Send

from forecourt.accounts.access import Credential, Principal
from forecourt.accounts.errors import NotAuthenticated
from forecourt.base.errors import ForecourtError
from forecourt.base.http_headers import joined_headers
from forecourt.base.ids import new_id
from forecourt.base.strict_json import ClientGone
from forecourt.contract.errors import MethodNotAllowed, PathUnknown
from forecourt.operations.call import CallContext, Outcome
from forecourt.operations.caller import recognised
from forecourt.operations.challenge import sign_in
from forecourt.operations.operation import Operation, RestRoute
from forecourt.operations.performing import perform, problem_outcome
from forecourt.operations.services import Services
from forecourt.operations.table import OPERATIONS
from forecourt.rest.arguments import Request, read_arguments, schema_name
from forecourt.rest.http import check_accept, read_json_body, send_outcome

PREFIX: Final = "/v1/"

AddressOf = Callable[[Scope], str]
"""Tells the caller's address of a request, seen through the proxies that are trusted."""

_PARAMETER: Final = re.compile(r"\{(\w+)\}")

ANYBODY: Final = Principal(
    organization_id="",
    organization_name="",
    countries=frozenset(),
    mode="live",
    scopes=frozenset(),
    credential=Credential("", "api_key", "", None, None, None),
)
"""On whose behalf a public operation is called."""


@dataclass(frozen=True, slots=True)
class _Place:
    """What a path and a method mean, with the parameters of the path."""

    operation: Operation
    route: RestRoute
    parameters: Mapping[str, str]


class RestApi:
    """Serves every REST route of the table of operations."""

    def __init__(self, services: Services, *, address_of: AddressOf) -> None:
        self._services = services
        self._address_of = address_of

    def serves(self, scope: Scope) -> bool:
        """Say whether a request's path is one of the versioned ones, known or not."""
        return scope["type"] == "http" and str(scope["path"]).startswith(PREFIX)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; a caller that hung up is not answered."""
        context = CallContext(ANYBODY, new_id("req"), self._services)
        try:
            outcome = await self._answer(context, scope, receive)
        except ClientGone:
            return
        except ForecourtError as error:
            outcome = self._refusal(error, context)
        await send_outcome(send, outcome, request_id=context.request_id)

    async def _answer(self, context: CallContext, scope: Scope, receive: Receive) -> Outcome:
        place = find_place(scope["method"], scope["path"])
        operation, route = place.operation, place.route
        headers = joined_headers(scope["headers"])
        check_accept(headers)
        body = await read_json_body(headers, receive) if route.has_body else None
        if operation.scope is not None:
            principal = await recognised(
                self._services, headers.get("authorization"), address=self._address_of(scope)
            )
            context = replace(context, principal=principal)
        request = Request(place.parameters, scope["query_string"], headers, body)
        return await perform(
            operation,
            context,
            arguments=lambda: read_arguments(operation, route, request),
            schema=schema_name(operation, route),
        )

    def _refusal(self, error: ForecourtError, context: CallContext) -> Outcome:
        outcome = problem_outcome(error, context)
        if isinstance(error, NotAuthenticated):
            return _with_header(outcome, "WWW-Authenticate", sign_in(self._services.public_url, error))
        if isinstance(error, MethodNotAllowed):
            return _with_header(outcome, "Allow", ", ".join(error.details["allow"]))
        return outcome


def find_place(method: str, path: str) -> _Place:
    """Return what a request means; raises `PathUnknown`, or `MethodNotAllowed` with the methods that go."""
    wanted = "GET" if method == "HEAD" else method
    allowed: set[str] = set()
    for pattern, operation, route in _ROUTES:
        match = pattern.fullmatch(path)
        if match is None:
            continue
        if route.method == wanted:
            return _Place(operation, route, match.groupdict())
        allowed.add(route.method)
    if not allowed:
        raise PathUnknown("There is nothing at this path.")
    allowed |= {"HEAD"} if "GET" in allowed else set()
    raise MethodNotAllowed("That method is not for this path.", details={"allow": sorted(allowed)})


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(_PARAMETER.sub(r"(?P<\1>[^/]+)", path))


_ROUTES: Final = [
    (_pattern(route.path), operation, route) for operation in OPERATIONS for route in operation.routes
]


def _with_header(outcome: Outcome, name: str, value: str) -> Outcome:
    return replace(outcome, headers={**outcome.headers, name: value})
