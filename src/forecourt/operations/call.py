"""One call: who makes it, by which means it is answered, and what comes of it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from forecourt.accounts.access import Principal
from forecourt.operations.services import Services

Arguments = dict[str, Any]
"""What the caller sent, validated against the operation's input schema."""


@dataclass(frozen=True, slots=True)
class CallContext:
    """A call that is being answered. `request_id` (`req_…`) stands in every Problem and ledger line of it."""

    principal: Principal
    request_id: str
    services: Services


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call came to, the same on every face.

    `body` is the JSON document (None for 204), a Problem when `is_problem`. `is_error` is MCP's `isError`:
    true for Problems and for valuations that are refused or failed. `headers` are for REST alone; whatever
    they say stands in the body too.
    """

    body: dict[str, Any] | None
    http_status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    is_error: bool = False
    is_problem: bool = False


Handler = Callable[[CallContext, Arguments], Awaitable[Outcome]]
"""Answers one operation; raises a leaf of `ForecourtError` whose code is one of `contract.problems`."""
