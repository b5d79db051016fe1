"""What the table says of each operation."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from forecourt.accounts.access import Scope
from forecourt.base.errors import NotFound
from forecourt.guard.call_limits import RateClass
from forecourt.operations.call import Handler

Method = Literal["GET", "POST", "DELETE"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotations:
    """MCP's hints on a tool; all four are said, because a client takes the worst for what is not."""

    read_only: bool = True
    destructive: bool = False
    idempotent: bool = True
    open_world: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RestRoute:
    """One way to call an operation over REST.

    `path` may hold `{names}`; these, the `query` members and a JSON body together are the arguments. `query`
    maps a parameter to the member that it fills, `given` are members that the route itself says, `input`
    names another contract schema than the operation's where REST takes more. `not_found` is raised
    for an id in the path that has not the form of one. `statuses` are those of success and of documented
    envelopes; Problems come on top.
    """

    id: str
    method: Method
    path: str
    summary: str
    query: Mapping[str, str] = field(default_factory=dict)
    given: Mapping[str, Any] = field(default_factory=dict)
    input: str | None = None
    has_body: bool = False
    idempotency_header: bool = False
    not_found: type[NotFound] | None = None
    statuses: tuple[int, ...] = (200,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """A thing that a caller can do: the one source of its REST routes, its MCP tool and its documentation.

    `input` and `output` name schemas of `contract`. Without a `scope` it is public. `problems` are the codes
    that it can answer beside those that every call can.
    """

    name: str
    title: str
    description: str
    scope: Scope | None
    input: str
    output: str | None
    cost: str
    handler: Handler
    routes: tuple[RestRoute, ...]
    is_tool: bool
    rate: RateClass = "other"
    annotations: Annotations = field(default_factory=Annotations)
    problems: tuple[str, ...] = ()
