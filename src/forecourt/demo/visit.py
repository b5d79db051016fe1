"""A conversation: what is asked, which tool is called, what comes back, whether it is right."""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from forecourt.base.errors import Broken

Payload = dict[str, Any]
CallTool = Callable[[str, Mapping[str, Any]], Awaitable["ToolAnswer"]]
Say = Callable[[str, str], None]
"""Shows one line of the conversation: who speaks, and what."""


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """The result of one tool call: its structured content, and whether it is an error."""

    payload: Payload
    is_error: bool


class TourStopped(Broken):
    """The tour cannot go on: an answer is not of the kind that the next question stands on."""

    code = "tour_stopped"
    retryable = False


@dataclass(slots=True)
class Visit:
    """One conversation over one connection. `mismatches` collects what the product got wrong.

    `asker` is the person whose assistant asks, `answerer` who is asked.
    """

    call_tool: CallTool
    say: Say
    asker: str = "Shopper"
    answerer: str = "Dealer"
    mismatches: list[str] = field(default_factory=list)

    async def ask(self, question: str, tool: str, **request: Any) -> Payload:
        """Ask a dealer: call `tool` with `request` and return `data` of the answer.

        Raises `TourStopped` when the tool answers with an error.
        """
        self.say(self.asker, question)
        data: Payload = (await self.act(_call(tool, request), tool, request))["data"]
        return data

    async def ask_in_vain(self, question: str, tool: str, **request: Any) -> Payload:
        """Ask for what cannot be had; return the error. Raises `TourStopped` when the tool has an answer."""
        answer = await self.put(question, tool, request)
        if not answer.is_error:
            raise TourStopped(f"{tool} answered although there is no answer")
        return answer.payload

    async def put(self, question: str, tool: str, request: Mapping[str, Any]) -> ToolAnswer:
        """Let the person ask and the assistant call `tool` with `request`; return what comes back."""
        self.say(self.asker, question)
        self.say("Assistant", _call(tool, request))
        return await self.call_tool(tool, request)

    async def act(self, words: str, tool: str, request: Mapping[str, Any]) -> Payload:
        """Let the assistant say what it does and call `tool`; return the whole payload.

        Raises `TourStopped` when the tool answers with an error.
        """
        self.say("Assistant", words)
        answer = await self.call_tool(tool, request)
        if answer.is_error:
            raise TourStopped(f"{tool} answered with an error: {answer.payload.get('code')}")
        return answer.payload

    def tell(self, *lines: str) -> None:
        """Show in words what was answered."""
        for line in lines:
            self.say(self.answerer, line)

    def check(self, claim: str, *, got: object, expected: object) -> None:
        """Compare an answer with what the simulated stock says, and show the outcome."""
        if got == expected:
            self.say("Checked", claim)
        else:
            self.mismatches.append(f"{claim}: expected {expected!r}, got {got!r}")
            self.say("WRONG", self.mismatches[-1])


def _call(tool: str, request: Mapping[str, Any]) -> str:
    return f"calls {tool} {json.dumps(request, ensure_ascii=False)}"
