"""What a rule of a protocol is to the checker."""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from enum import StrEnum

from forecourt.check.dealer import DealerUnderTest


class Level(StrEnum):
    """How much a rule binds (RFC 2119)."""

    MUST = "MUST"
    SHOULD = "SHOULD"


#: Tries one rule on a dealer and tells everything that breaks it, in sentences; nothing when it holds.
#: An error of `fetch` or an answer that cannot be read breaks the rule as well.
Probe = Callable[[DealerUnderTest], Awaitable[Collection[str]]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: its id, how much it binds, where it stands, what it says, and how it is tried.

    `needs` names skills; a dealer that offers none of them is not asked.
    """

    id: str
    level: Level
    source: str
    says: str
    probe: Probe
    needs: tuple[str, ...] = ()
