"""How every call is answered, whatever face it came through: limits, arguments, scope, then the operation.

The order is that of the contract: the first failure is the answer. Who calls is known before
(`operations.caller`); what the face cannot read as arguments it raises when they are asked for.
"""

import logging
from collections.abc import Callable
from dataclasses import replace

from forecourt.base.errors import ForecourtError
from forecourt.contract.errors import InternalError, RateLimited
from forecourt.contract.problems import kind_of, problem_document
from forecourt.contract.validation import check_arguments
from forecourt.guard.call_limits import Allowance
from forecourt.operations.call import Arguments, CallContext, Outcome
from forecourt.operations.operation import Operation

_log = logging.getLogger(__name__)


async def perform(
    operation: Operation,
    context: CallContext,
    *,
    arguments: Callable[[], Arguments],
    schema: str | None = None,
) -> Outcome:
    """Answer a call; whatever goes wrong is an outcome too, nothing is raised.

    `arguments` is called when it is their turn to be read; `schema` is named where a route takes more than
    the operation's input.
    """
    allowance = None
    try:
        allowance = await _turn(operation, context)
        _refuse_too_soon(allowance)
        read = arguments()
        check_arguments(schema or operation.input, read)
        if operation.scope is not None:
            context.principal.require(operation.scope)
        outcome = await operation.handler(context, read)
    except ForecourtError as error:
        outcome = problem_outcome(error, context, keyed=operation.rate == "valuation")
    except Exception:  # noqa: BLE001 — whatever it is, a caller gets a Problem and no text of it
        _log.exception(
            "an operation failed", extra={"operation": operation.name, "request": context.request_id}
        )
        outcome = problem_outcome(
            InternalError("Something went wrong here."), context, keyed=operation.rate == "valuation"
        )
    return outcome if allowance is None else _with_limits(outcome, allowance)


def problem_outcome(error: ForecourtError, context: CallContext, *, keyed: bool = False) -> Outcome:
    """Return the Problem of an error as an outcome; `keyed` when the call had an idempotency key."""
    if kind_of(error).code != error.code:  # unknown to the contract: the caller is not told what it is
        _log.error("a call failed", extra={"code": error.code, "request": context.request_id}, exc_info=error)
    document = problem_document(
        error,
        request_id=context.request_id,
        public_url=context.services.public_url,
        retry_with="same_key" if keyed else None,
    )
    headers = {"Retry-After": str(document["retry_after"])} if "retry_after" in document else {}
    return Outcome(document, document["status"], headers, is_error=True, is_problem=True)


async def _turn(operation: Operation, context: CallContext) -> Allowance | None:
    if operation.scope is None:
        return None
    principal = context.principal
    return await context.services.limits.take(
        principal.credential.id, mode=principal.mode, rate=operation.rate
    )


def _refuse_too_soon(allowance: Allowance | None) -> None:
    if allowance is not None and allowance.wait_s:
        text = f"{allowance.limit} requests per minute for this key; try again in {allowance.wait_s} s."
        raise RateLimited(text, details={"retry_after": allowance.wait_s})


def _with_limits(outcome: Outcome, allowance: Allowance) -> Outcome:
    figures = {
        "RateLimit-Limit": str(allowance.limit),
        "RateLimit-Remaining": str(allowance.remaining),
        "RateLimit-Reset": str(allowance.reset_s),
    }
    return replace(outcome, headers={**figures, **outcome.headers})
