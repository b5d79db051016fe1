"""What a destination gets: the lead as ADF, or as JSON for webhooks, with only the contact it may use."""

from collections.abc import Mapping
from typing import Any

from forecourt.base.clock import isoformat
from forecourt.base.ids import new_id
from forecourt.base.strict_json import encode_json
from forecourt.leads.adf import AdfInvalid, write_adf
from forecourt.leads.destinations import Destination, Mail, Webhook
from forecourt.leads.lead import Appointment, Lead

_ADDRESSES = ("email", "phone")


def render(lead: Lead, destination: Destination, *, resend: bool = False) -> str:
    """Return exactly what is sent to a destination; raises `AdfInvalid`."""
    if isinstance(destination, Webhook) or destination.format == "json":
        return render_json(lead, resend=resend)
    fallback = destination.recipient if isinstance(destination, Mail) else None
    return write_adf(lead, destination.crm, fallback_email=fallback, resend=resend)


def parcel(lead: Lead, destination: Destination, *, resend: bool = False) -> dict[str, Any]:
    """Return the outbox row of a lead for a destination.

    A lead that cannot be written is not refused: its row is dead from the start, which is an alarm.
    """
    try:
        body, outcome = render(lead, destination, resend=resend), None
    except AdfInvalid:
        body, outcome = None, "adf_invalid"
    return {
        "id": new_id("parcel"),
        "owner": lead.dealer,
        "subject": lead.id,
        "destination": destination.name,
        "format": destination.format,
        "body": body,
        "outcome": outcome,
    }


def render_json(lead: Lead, *, resend: bool = False) -> str:
    """Return the event of a webhook: `type`, `timestamp` and the lead in the words of AAP."""
    data = {
        "lead_id": lead.id,
        "dealer": lead.dealer,
        "rooftop": lead.rooftop["name"],
        "test": lead.test,
        "resend": resend,
        **_allowed_request(lead),
        "vehicle_in_stock": lead.listing,
        "appointment_result": _appointment(lead.appointment),
        "follows": lead.follows,
    }
    kept = {name: value for name, value in data.items() if value is not None}
    event = {"type": "lead.received", "timestamp": isoformat(lead.received_at), "data": kept}
    return encode_json(event).decode()


def _allowed_request(lead: Lead) -> dict[str, Any]:
    """Return the request without its envelope and without addresses that must not be used."""
    allowed = {"email": lead.contact.email, "phone": lead.contact.phone}
    customer = {
        name: value
        for name, value in lead.request["customer"].items()
        if name not in _ADDRESSES or allowed[name] is not None
    }
    left_out = ("type", "idempotency_key")
    return {name: value for name, value in lead.request.items() if name not in left_out} | {
        "customer": customer
    }


def _appointment(appointment: Appointment | None) -> Mapping[str, Any] | None:
    return None if appointment is None else appointment_json(appointment)


def appointment_json(appointment: Appointment) -> dict[str, Any]:
    """Return the `appointment` of a lead.submit response (AAP 1.3): a time only where the status has one."""
    result: dict[str, Any] = {"appointment_id": appointment.id, "status": appointment.status}
    if appointment.status == "confirmed" and appointment.confirmed_at:
        result["confirmed_at"] = appointment.confirmed_at.isoformat()
    if appointment.status == "proposed":
        result["proposed_times"] = [time.isoformat() for time in appointment.proposed_times]
    return result
