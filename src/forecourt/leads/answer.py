"""The answer to `lead.submit`: ids and states for the agent, plain words for the person."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from forecourt.base.strict_json import encode_json
from forecourt.dealer.appointments import Reason, zone_of
from forecourt.leads.lead import Appointment, Lead
from forecourt.leads.rendering import appointment_json

_E164 = re.compile(r"\+[1-9]\d{1,14}")
_VISITS = {
    "sales": "visit",
    "service": "service appointment",
    "test_drive": "test drive",
    "trade_in": "trade-in appraisal",
}
_REASONS: Mapping[Reason, str] = {
    "past": "that time has passed",
    "too_soon": "that is too soon for us to prepare",
    "too_far": "our calendar does not reach that far yet",
    "closed": "we are closed then, or close before the visit would end",
    "between_slots": "our visits start at fixed times",
    "full": "that time is taken",
}
_CHANNELS = {"email": "e-mail", "phone": "telephone", "sms": "text message"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a submission: the lead that stands for it, and why its appointment is as it is."""

    lead: Lead
    is_duplicate: bool = False
    reason: Reason | None = None


def encode_answer(outcome: Outcome) -> bytes:
    """Return the encoded AAP response, valid against its schema."""
    lead = outcome.lead
    data: dict[str, Any] = {
        "lead_id": lead.id,
        "status": "duplicate" if outcome.is_duplicate else "received",
        "dealer": _dealer(lead.rooftop),
    }
    if lead.appointment:
        data["appointment"] = appointment_json(lead.appointment)
    return encode_json({"type": "lead.submit.response", "data": data, "message": message_of(outcome)})


def _dealer(rooftop: Mapping[str, Any]) -> dict[str, str]:
    numbers = [entry["value"] for entry in rooftop.get("phones") or () if _E164.fullmatch(entry["value"])]
    return {"name": rooftop["name"], **({"phone": numbers[0]} if numbers else {})}


def message_of(outcome: Outcome) -> str:
    """Say in plain words what happens next. It names the vehicle, never the person or an address."""
    sentences = [_opening(outcome), *_vehicle_words(outcome.lead), *_appointment_words(outcome)]
    return " ".join([*sentences, _next_step(outcome)])[:2000]


def _opening(outcome: Outcome) -> str:
    rooftop = outcome.lead.rooftop["name"]
    if outcome.is_duplicate:
        return f"{rooftop} already has this request, so nothing was sent a second time."
    if outcome.lead.follows:
        return (
            f"Thank you. {rooftop} has this request and joins it to the earlier one, {outcome.lead.follows}."
        )
    return f"Thank you. {rooftop} has this request."


def _vehicle_words(lead: Lead) -> list[str]:
    if lead.names_a_missing_vehicle:
        return ["The vehicle named is not in stock at the moment; the sales team will say what is possible."]
    if lead.listing is None:
        return []
    words = [str(lead.listing[name]) for name in ("year", "make", "model", "trim") if lead.listing.get(name)]
    return [f"It is about the {' '.join(words)[:200]}, which is in stock."] if words else []


def _appointment_words(outcome: Outcome) -> list[str]:
    appointment = outcome.lead.appointment
    if appointment is None:
        return []
    visit, zone = _VISITS[appointment.kind], outcome.lead.rooftop.get("timezone")
    match appointment.status:
        case "confirmed":
            return [f"The {visit} is booked for {spoken(appointment.confirmed_at, zone)}."]
        case "proposed":
            return [_proposal_words(appointment, outcome.reason, visit=visit, zone=zone)]
        case "requested":
            return [f"The {visit} is wished for but not booked: wait until the dealer confirms a time."]
        case "rejected":
            return [_rejection_words(outcome.reason, visit)]


def _proposal_words(appointment: Appointment, reason: Reason | None, *, visit: str, zone: str | None) -> str:
    why = f" because {_REASONS[reason]}" if reason and reason in _REASONS else ""
    times = "; ".join(spoken(time, zone) for time in appointment.proposed_times)
    return (
        f"The {visit} is not booked{why}. Free times are: {times}. "
        "To book one, send the same request again with that time."
    )


def _rejection_words(reason: Reason | None, visit: str) -> str:
    if reason == "not_offered":
        return f"This location does not offer a {visit}; everything else was received."
    return f"There is no free time for a {visit}; everything else was received."


def spoken(moment: datetime | None, zone: str | None) -> str:
    """Write a moment as one says it at the rooftop: `Tuesday, March 3, 2026 at 11:00 (PST)`."""
    local = moment.astimezone(zone_of(zone)) if moment and zone_of(zone) else moment
    return f"{local:%A, %B} {local.day}, {local:%Y at %H:%M (%Z)}" if local else ""


def _next_step(outcome: Outcome) -> str:
    contact = outcome.lead.contact
    usable = _usable(contact.channels, email=contact.email, phone=contact.phone)
    if contact.preferred in usable:
        usable = [contact.preferred]
    ways = " or ".join(_CHANNELS[channel] for channel in usable)
    return f"Someone will answer by {ways}." if ways else "Someone will answer."


def _usable(channels: Sequence[str], *, email: str | None, phone: str | None) -> list[str]:
    return [channel for channel in channels if (email if channel == "email" else phone)]
