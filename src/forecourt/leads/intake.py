"""Take a lead in: one transaction that finds the same lead again or keeps a new one with all that follows.

When the transaction returns, the lead, its consent, its visit and one outbox row for each destination are on
disk, together with the answer that a retry will get.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from forecourt.aap.errors import IdempotencyConflict
from forecourt.base.crash_points import crash_point
from forecourt.base.ids import new_id
from forecourt.base.instants import parse_instant
from forecourt.dealer.appointments import (
    AppointmentRules,
    Decision,
    Kind,
    Reason,
    Wish,
    WrongAppointmentRules,
    decide,
    duration_of,
    parse_appointment_rules,
)
from forecourt.dealer.profile import DealerProfile
from forecourt.leads.answer import Outcome, encode_answer
from forecourt.leads.contact_limit import ContactLimit
from forecourt.leads.destinations import Destination, WrongDestinations, parse_destinations
from forecourt.leads.lead import Appointment, Lead
from forecourt.leads.rendering import parcel
from forecourt.leads.sameness import WINDOW, duplicate_among, fingerprint, proposal_taken
from forecourt.leads.store import (
    add_consent,
    add_lead,
    bookings,
    contact_key,
    kept_answer,
    put_appointment,
    recent_leads,
    take_turn,
)
from forecourt.storage.outbox import post

_log = logging.getLogger(__name__)
_SERVICE: tuple[Kind, ...] = ("service",)
_SALES: tuple[Kind, ...] = ("sales", "test_drive", "trade_in")
_ROOFTOP_MEMBERS = ("name", "website", "emails", "phones", "timezone")


@dataclass(frozen=True, slots=True)
class LeadDesk:
    """What a dealer's profile says about taking leads in."""

    profile: DealerProfile
    destinations: tuple[Destination, ...]
    rules: AppointmentRules | None

    @classmethod
    def of(cls, profile: DealerProfile) -> "LeadDesk":
        """Read the profile. A section that cannot be used must not cost a lead: it is logged and left out."""
        destinations: tuple[Destination, ...] = ()
        rules = None
        try:
            rules = parse_appointment_rules(profile.sections.get("appointments"))
            destinations = parse_destinations(profile)
        except (WrongDestinations, WrongAppointmentRules) as error:
            _log.error("profile of dealer %s: %s", profile.slug, error.code)
        return cls(profile, destinations, rules)


@dataclass(frozen=True, slots=True)
class Submission:
    """A request that passed the gate: cleaned and valid, with the rooftop and the vehicle that it means.

    `key` is the digest of its idempotency key.
    """

    request: Mapping[str, Any]
    rooftop: Mapping[str, Any]
    listing: Mapping[str, Any] | None = None
    key: str | None = None
    test: bool = False


def take_in(
    connection: Connection,
    submission: Submission,
    *,
    desk: LeadDesk,
    now: datetime,
    limit: ContactLimit | None = None,
) -> bytes:
    """Return the encoded answer to a submission, the original one when it came before.

    Raises `IdempotencyConflict` when its key came with another payload, `RateLimited` when `limit` says so.
    """
    request, dealer = submission.request, desk.profile.slug
    take_turn(connection, dealer)
    if submission.key and (kept := replay(connection, dealer, request, key=submission.key)) is not None:
        return kept
    earlier = _earlier_leads(connection, dealer, request, now=now)
    if not submission.key and (same := duplicate_among(earlier, request)):
        add_consent(connection, same.id, request, now=now)
        return encode_answer(Outcome(same, is_duplicate=True))
    if limit:
        limit.refuse_too_many(request)
    lead, reason = _new_lead(connection, submission, desk=desk, earlier=earlier, now=now)
    return _keep(connection, Outcome(lead, reason=reason), desk, key=submission.key)


def replay(connection: Connection, dealer: str, request: Mapping[str, Any], *, key: str) -> bytes | None:
    """Return what the key with that digest was answered before, None for a new key.

    Raises `IdempotencyConflict` when the key came with another payload.
    """
    kept = kept_answer(connection, dealer, key)
    if kept is None:
        return None
    if kept.fingerprint != fingerprint(request):
        raise IdempotencyConflict("This idempotency_key came before with another request: use a new key.")
    return kept.answer


def _earlier_leads(
    connection: Connection, dealer: str, request: Mapping[str, Any], *, now: datetime
) -> list[Lead]:
    customer = request["customer"]
    return recent_leads(
        connection,
        dealer,
        email=contact_key(customer.get("email")),
        phone=contact_key(customer.get("phone")),
        since=now - WINDOW,
    )


def _new_lead(
    connection: Connection, submission: Submission, *, desk: LeadDesk, earlier: list[Lead], now: datetime
) -> tuple[Lead, Reason | None]:
    """Return the lead to keep and why its visit is as it is; a chosen proposal keeps its appointment."""
    chosen = proposal_taken(earlier, submission.request)
    follows = chosen or next(iter(earlier), None)
    lead = Lead(
        id=new_id("testlead" if submission.test else "lead"),
        dealer=desk.profile.slug,
        received_at=now,
        request=submission.request,
        rooftop={name: submission.rooftop[name] for name in _ROOFTOP_MEMBERS if name in submission.rooftop},
        listing=submission.listing,
        follows=follows.id if follows else None,
        test=submission.test,
    )
    wish = _wish(submission.request)
    if wish is None:
        return lead, None
    decision = _decide(connection, wish, submission=submission, desk=desk, now=now)
    appointment_id = chosen.appointment.id if chosen and chosen.appointment else new_id("appt")
    appointment = _appointment(appointment_id, wish, decision=decision, lead=lead, rules=desk.rules)
    return replace(lead, appointment=appointment), decision.reason


def _wish(request: Mapping[str, Any]) -> Wish | None:
    asked = request.get("appointment")
    if asked is None:
        return None
    return Wish.of_minutes(
        asked["appointment_type"], parse_instant(asked.get("appointment_at")), asked.get("duration_minutes")
    )


def _decide(
    connection: Connection, wish: Wish, *, submission: Submission, desk: LeadDesk, now: datetime
) -> Decision:
    rooftop = submission.rooftop
    kinds = _SERVICE if wish.kind == "service" else _SALES
    booked = bookings(connection, desk.profile.slug, rooftop=rooftop["name"], kinds=kinds, since=now)
    return decide(wish, rooftop=rooftop, rules=desk.rules, booked=booked, now=now)


def _appointment(
    appointment_id: str, wish: Wish, *, decision: Decision, lead: Lead, rules: AppointmentRules | None
) -> Appointment:
    start = decision.confirmed_at
    return Appointment(
        id=appointment_id,
        kind=wish.kind,
        status=decision.status,
        rooftop=lead.rooftop["name"],
        wished_at=wish.at,
        ends_at=start + duration_of(wish, rules) if start else None,
        confirmed_at=start,
        proposed_times=decision.proposed_times,
    )


def _keep(connection: Connection, outcome: Outcome, desk: LeadDesk, *, key: str | None) -> bytes:
    """Write everything that makes the lead safe, in an order in which each crash point leaves nothing."""
    lead, answer = outcome.lead, encode_answer(outcome)
    crash_point("before_lead")
    add_lead(connection, lead, answer=answer, key=key, fingerprint=fingerprint(lead.request))
    crash_point("after_lead")
    add_consent(connection, lead.id, lead.request, now=lead.received_at)
    crash_point("after_consent")
    if lead.appointment:
        put_appointment(connection, lead.dealer, lead.appointment)
        crash_point("after_appointment")
    post(connection, [parcel(lead, one) for one in desk.destinations], now=lead.received_at)
    crash_point("after_outbox")
    return answer
