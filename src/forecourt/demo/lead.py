"""The tour's lead: a test drive that the person has agreed to, the answer, and the mail that arrives."""

import asyncio
import json
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from email.message import EmailMessage
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

from forecourt.base.clock import SYSTEM_CLOCK, isoformat
from forecourt.demo.dealer import DEALER_SLUG, DESTINATION, LEADS_ADDRESS, group_name, rooftops
from forecourt.demo.mailbox import Mailbox
from forecourt.demo.processes import run_forecourt
from forecourt.demo.visit import Payload, TourStopped, Visit
from forecourt.demo.workspace import Workspace

FULL_NAME = "Jordan Example"
EMAIL = "jordan@example.com"
HOUR = 11
DELIVERY_SECONDS = 60

_SATURDAY = 5
_HOLIDAYS = {(1, 1), (7, 4), (12, 25)}


async def book_a_test_drive(visit: Visit, vehicle: Payload) -> str:
    """Ask the person, then submit the lead, twice with one idempotency key; return the id of the lead."""
    seller = next(place for place in rooftops().values() if place.name == vehicle["rooftop"])
    wished_at = next_saturday(SYSTEM_CLOCK.now(), seller.timezone)
    request = lead_request(vehicle, wished_at, consent_text=_ask_for_consent(visit, vehicle))
    call = f"calls aap_lead_submit {json.dumps(request, ensure_ascii=False)}"
    answer = await visit.act(call, "aap_lead_submit", request)
    lead: Payload = answer["data"]
    visit.tell(answer["message"], f"lead {lead['lead_id']}, {lead['status']}")
    visit.check(
        f"the lead is received, the test drive booked for Saturday at {HOUR}:00 in {seller.timezone}",
        got=(lead["status"], lead["appointment"]["status"], _moment(lead["appointment"].get("confirmed_at"))),
        expected=("received", "confirmed", wished_at),
    )
    again = await visit.act("calls once more with the same idempotency_key", "aap_lead_submit", request)
    visit.check("the same answer: nothing is sent a second time", got=again, expected=answer)
    return str(lead["lead_id"])


def _ask_for_consent(visit: Visit, vehicle: Payload) -> str:
    """Show the person the text and let the person agree to it."""
    consent_text = (
        f"I agree that {group_name()} may contact me by e-mail about the {vehicle['year']} {vehicle['make']} "
        f"{vehicle['model']} and my test drive."
    )
    visit.say("Shopper", f"I would like to drive it on Saturday at {HOUR}. I am {FULL_NAME}, {EMAIL}.")
    visit.say("Assistant", f"I will pass that on when you agree to this: \u201c{consent_text}\u201d Do you?")
    visit.say("Shopper", "Yes, I do.")
    return consent_text


def next_saturday(now: datetime, timezone: str) -> datetime:
    """Return `HOUR` o'clock on the first Saturday, no holiday, that is at least two days away there."""
    local = now.astimezone(ZoneInfo(timezone)).replace(hour=HOUR, minute=0, second=0, microsecond=0)
    day = local + timedelta(days=2)
    while day.weekday() != _SATURDAY or (day.month, day.day) in _HOLIDAYS:
        day += timedelta(days=1)
    return day


def lead_request(vehicle: Payload, wished_at: datetime, *, consent_text: str) -> Mapping[str, Any]:
    """Return the AAP request of a test drive, with a new idempotency key."""
    first_name, last_name = FULL_NAME.split()
    return {
        "type": "lead.submit.request",
        "customer": {"first_name": first_name, "last_name": last_name, "email": EMAIL},
        "consent": {
            "granted_at": isoformat(SYSTEM_CLOCK.now()),
            "allowed_channels": ["email"],
            "consent_text": consent_text,
            "scope": ["lead_submission"],
        },
        "vehicle_of_interest": {
            name: vehicle[name] for name in ("vin", "stock", "year", "make", "model", "condition")
        },
        "appointment": {"appointment_type": "test_drive", "appointment_at": wished_at.isoformat()},
        "source_agent": {"name": "Forecourt demo"},
        "idempotency_key": str(uuid4()),
    }


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def inbox(workspace: Workspace) -> dict[str, str]:
    """Return how the delivery of each of the dealer's newest leads stands, by the lead's id."""
    shown = run_forecourt(workspace, ["leads", "list", "--dealer", DEALER_SLUG, "--json"])
    return {lead["lead"]: lead["delivery"] for lead in json.loads(shown)}


async def show_the_mail(
    visit: Visit, workspace: Workspace, mailbox: Mailbox, *, lead_id: str, earlier: Collection[str]
) -> None:
    """Show the mail that the dealer's CRM got, and check that there is one, of the one lead that is new.

    Raises `TourStopped` when no mail arrives.
    """
    mail = await asyncio.to_thread(mailbox.wait, DELIVERY_SECONDS)
    if mail is None:
        raise TourStopped(f"The lead's mail did not arrive; {workspace.log_file} says why.")
    visit.say("Mail", f"arrives at the dealer's CRM, by SMTP; kept in {workspace.mail_folder}")
    for line in (*(f"{name}: {value}" for name, value in mail.items()), *_body(mail).splitlines()):
        visit.say("Mail", line)
    visit.check(
        "it goes to the dealer, with its name in the subject and the id of the lead in the ADF",
        got=(mail["To"], group_name() in mail["Subject"], lead_id in _body(mail)),
        expected=(LEADS_ADDRESS, True, True),
    )
    new = await _settled(workspace, earlier)
    visit.check("one lead, delivered", got=new, expected={lead_id: f"{DESTINATION}: delivered"})
    visit.check("one mail", got=mailbox.wait(0), expected=None)


async def _settled(workspace: Workspace, earlier: Collection[str]) -> dict[str, str]:
    """Return the new leads as soon as nothing of them is under way: a mail arrives before that is written."""
    give_up = SYSTEM_CLOCK.monotonic() + DELIVERY_SECONDS
    while True:
        known = await asyncio.to_thread(inbox, workspace)
        new = {lead_id: delivery for lead_id, delivery in known.items() if lead_id not in earlier}
        if "delivering" not in str(new) or SYSTEM_CLOCK.monotonic() > give_up:
            return new


def _body(mail: EmailMessage) -> str:
    return str(mail.get_content())
