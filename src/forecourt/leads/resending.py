"""Send a lead again by hand, send a marked test lead, see exactly what goes out."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from forecourt.base.clock import isoformat
from forecourt.base.errors import NotFound
from forecourt.base.strict_json import parse_json
from forecourt.dealer.profile import DealerProfile
from forecourt.dealer.store import find_dealer
from forecourt.leads.destinations import Destination, Mail, parse_destinations
from forecourt.leads.intake import LeadDesk, Submission, take_in
from forecourt.leads.lead import Lead
from forecourt.leads.mailing import mail_message
from forecourt.leads.rendering import parcel, render
from forecourt.leads.store import load_lead
from forecourt.storage.outbox import Parcel, open_destination, parcels_about, post_again, stuck_parcels


class DestinationUnknown(NotFound):
    """The dealer's profile has no destination of that name."""

    code = "destination_unknown"


@dataclass(frozen=True, slots=True)
class Preview:
    """What one destination gets for a lead: for a mail with its headers."""

    destination: str
    text: str


def resend(connection: Connection, lead_id: str, *, destination: str | None, now: datetime) -> list[str]:
    """Put a lead into the outbox again, for one destination or all, written by the profile as it is now.

    ADF is marked `status="resend"`; the ids stay the same. A destination that had closed itself is opened
    again. Returns the names of the destinations. Raises `LeadUnknown`, `DestinationUnknown`.
    """
    lead = load_lead(connection, lead_id)
    chosen = _chosen(connection, lead, destination)
    for one in chosen:
        open_destination(connection, lead.dealer, one.name, now=now)
        post_again(connection, parcel(lead, one, resend=True), now=now)
    return [one.name for one in chosen]


def resend_undelivered(connection: Connection, dealer: str, *, now: datetime) -> list[str]:
    """Put every dead or held parcel of a dealer into the outbox again; return the ids of the leads."""
    stuck = stuck_parcels(connection, dealer)
    names = {one.name for one in parse_destinations(find_dealer(connection, dealer).profile)}
    sendable = [one for one in stuck if one.destination in names]
    for one in sendable:
        resend(connection, one.subject, destination=one.destination, now=now)
    return sorted({one.subject for one in sendable})


def send_test_lead(connection: Connection, profile: DealerProfile, *, now: datetime) -> str:
    """Put a lead marked as a test into the outbox for every destination and return its id."""
    request = {
        "type": "lead.submit.request",
        "customer": {"first_name": "Test", "last_name": "Lead", "email": "test.lead@example.com"},
        "consent": {
            "granted_at": isoformat(now),
            "allowed_channels": ["email"],
            "consent_text": "A test of the connection; there is no person behind it.",
            "scope": ["lead_submission"],
        },
        "source_agent": {"name": "forecourt leads test"},
        "message": "This is a test of the connection from Forecourt to your CRM.",
    }
    rooftop = profile.information["rooftops"][0]
    submission = Submission(request, rooftop, test=True)
    answer = parse_json(take_in(connection, submission, desk=LeadDesk.of(profile), now=now))
    lead_id: str = answer["data"]["lead_id"]
    return lead_id


def previews(connection: Connection, lead_id: str) -> list[Preview]:
    """Return what each destination of the dealer gets for a lead, byte for byte. Raises `LeadUnknown`."""
    lead = load_lead(connection, lead_id)
    kept = {one.destination: one for one in parcels_about(connection, [lead_id])}
    return [_preview(lead, one, kept.get(one.name)) for one in _chosen(connection, lead, None)]


def _preview(lead: Lead, destination: Destination, kept: Parcel | None) -> Preview:
    body = kept.body if kept and kept.body is not None else render(lead, destination)
    if kept and isinstance(destination, Mail):
        body = mail_message(kept, destination, body).as_bytes().decode("ascii").replace("\r\n", "\n")
    return Preview(destination.name, body)


def _chosen(connection: Connection, lead: Lead, name: str | None) -> list[Destination]:
    destinations = parse_destinations(find_dealer(connection, lead.dealer).profile)
    chosen = [one for one in destinations if name in (None, one.name)]
    if name and not chosen:
        raise DestinationUnknown("The dealer has no destination of that name.", details={"destination": name})
    return chosen
