"""Who sends a message: every one needs a credential, which is read anew each time."""

from collections.abc import Mapping
from typing import Final

import mcp_types as types

from forecourt.accounts.errors import NotAuthenticated
from forecourt.base.errors import ForecourtError
from forecourt.base.ids import new_id
from forecourt.contract.problems import problem_document
from forecourt.mcp_edge.messages import Rejected
from forecourt.operations.call import CallContext
from forecourt.operations.caller import recognised
from forecourt.operations.challenge import sign_in
from forecourt.operations.services import Services

UNAUTHORIZED: Final = -32001
"""JSON-RPC code of a message whose sender is not let in (valuation contract, MCP binding)."""


async def caller_of(services: Services, headers: Mapping[str, str], *, address: str) -> CallContext:
    """Return on whose behalf a message is sent; raises `Rejected`, a Problem with a challenge for 401."""
    request_id = new_id("req")
    try:
        principal = await recognised(services, headers.get("authorization"), address=address)
    except ForecourtError as error:
        raise rejection(error, services, request_id=request_id) from None
    return CallContext(principal, request_id, services)


def rejection(error: ForecourtError, services: Services, *, request_id: str) -> Rejected:
    """Return the JSON-RPC error of a sender who is not let in; its data is the Problem of REST."""
    problem = problem_document(error, request_id=request_id, public_url=services.public_url)
    status: int = problem["status"]
    failure = types.ErrorData(
        code=UNAUTHORIZED, message="Unauthorized" if status == 401 else problem["title"], data=problem
    )
    return Rejected(failure, status=status, headers=_headers(error, problem, services))


def _headers(
    error: ForecourtError, problem: Mapping[str, object], services: Services
) -> tuple[tuple[bytes, bytes], ...]:
    headers = [(b"x-request-id", str(problem["request_id"]).encode())]
    if isinstance(error, NotAuthenticated):
        headers.append((b"www-authenticate", sign_in(services.public_url, error).encode()))
    if "retry_after" in problem:
        headers.append((b"retry-after", str(problem["retry_after"]).encode()))
    return tuple(headers)
