"""One tool call: the arguments go to the dealer as they were written, what comes back is the answer."""

from collections.abc import Mapping
from typing import Any

from forecourt.aap.card_reading import DealerCard
from forecourt.aap.client import DealerClient
from forecourt.aap.consent import refuse_without_consent
from forecourt.aap.errors import refusal
from forecourt.aap.lead_refusals import refuse_unfit
from forecourt.aap.skills import Skill
from forecourt.aap.validation import Failure, failures, is_valid
from forecourt.aap.versions import SERVED
from forecourt.base.clock import SYSTEM_CLOCK
from forecourt.base.errors import ForecourtError
from forecourt.mcp_aap.tool_answers import dealer_answer, refused_call
from forecourt.mcp_edge.tool_calls import ToolAnswer


async def forward(
    dealer: DealerClient, skill: Skill, *, arguments: Mapping[str, Any], text: str, validate: bool
) -> ToolAnswer:
    """Send a tool's arguments to the dealer; `text` is their JSON as the caller wrote it.

    With `validate`, arguments that do not fit the schema of the version that the dealer speaks are refused
    without a call, when that version is the one whose schemas are here. Never raises `ForecourtError`.
    """
    try:
        card = await dealer.card()
        refuse_invalid(skill, arguments, card=card if validate else None)
        answer = await dealer.send(skill, text)
    except ForecourtError as error:
        return refused_call(error, skill)
    return dealer_answer(answer, host=card.host)


def refuse_invalid(skill: Skill, arguments: Mapping[str, Any], *, card: DealerCard | None) -> None:
    """Raise the error that a dealer would answer with.

    The `type` of another skill is refused even where no schema is known: a tool that says that it only reads
    must not carry a lead.
    """
    if card is None or card.version != SERVED:
        if isinstance(arguments.get("type"), str) and arguments["type"] != skill.request_type:
            raise refusal([Failure("/type", "const", f'Must be "{skill.request_type}".')])
        return
    if is_valid(skill.request_schema_name, arguments):
        return
    if skill.id == "lead.submit":
        refuse_without_consent(arguments, now=SYSTEM_CLOCK.now())
        refuse_unfit(arguments)
    raise refusal(failures(skill.request_schema_name, arguments))
