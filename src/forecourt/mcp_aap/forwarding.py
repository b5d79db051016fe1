"""One tool call: the arguments go to the dealer as they were written, what comes back is the answer."""

from collections.abc import Mapping
from typing import Any

from forecourt.aap.card_reading import DealerCard
from forecourt.aap.client import DealerClient
from forecourt.aap.errors import ContactConsentRequired, InvalidConsent, refusal
from forecourt.aap.skills import Skill
from forecourt.aap.validation import Failure, failures, is_valid
from forecourt.aap.versions import SERVED
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
    wrong = failures(skill.request_schema_name, arguments)
    details = {"errors": [failure.as_json() for failure in wrong]}
    if skill.id == "lead.submit" and "consent" not in arguments:
        raise ContactConsentRequired(
            "A lead needs the person's consent: show the text, ask, and send the grant as `consent`.",
            details={"missing": ["consent"], "expected_scope": ["lead_submission"], **details},
        )
    if any(failure.instance_location.startswith("/consent") for failure in wrong):
        raise InvalidConsent("The consent does not fit its schema.", details=details)
    raise refusal(wrong)
