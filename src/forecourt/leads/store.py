"""The record of leads: what was asked, with which consent, what was answered, and which visits stand."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from forecourt.base.clock import isoformat
from forecourt.base.errors import NotFound
from forecourt.base.ids import new_id
from forecourt.base.instants import parse_instant
from forecourt.dealer.appointments import Booking, Kind
from forecourt.leads.lead import Appointment, Lead
from forecourt.storage.outbox import OUTBOX, erase_parcels
from forecourt.storage.schema import BigInt, Instant, Json, table

LEADS = table(
    "leads",
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("dealer", sa.Text, nullable=False),
    sa.Column("received_at", Instant, nullable=False),
    sa.Column("test", BigInt, nullable=False),
    sa.Column("source_agent", sa.Text, nullable=False),
    sa.Column("email", sa.Text),
    sa.Column("phone", sa.Text),
    sa.Column("idempotency_key", sa.Text),
    sa.Column("fingerprint", sa.Text),
    sa.Column("request", Json),
    sa.Column("rooftop", Json, nullable=False),
    sa.Column("listing", Json),
    sa.Column("follows", sa.Text),
    sa.Column("answer", sa.LargeBinary),
    sa.Column("appointment_id", sa.Text),
    sa.Column("erased_at", Instant),
    sa.UniqueConstraint("dealer", "idempotency_key"),
    sa.Index(None, "dealer", "received_at"),
    sa.Index(None, "email", "dealer", "received_at"),
    sa.Index(None, "phone", "dealer", "received_at"),
)

CONSENTS = table(
    "lead_consents",
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("lead_id", sa.Text, sa.ForeignKey("leads.id"), nullable=False, index=True),
    sa.Column("received_at", Instant, nullable=False),
    sa.Column("consent", Json),
    sa.Column("source_agent", Json),
    sa.Column("text_sha256", sa.Text, nullable=False),
)

APPOINTMENTS = table(
    "appointments",
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("dealer", sa.Text, nullable=False),
    sa.Column("rooftop", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("wished_at", Instant),
    sa.Column("starts_at", Instant),
    sa.Column("ends_at", Instant),
    sa.Column("proposed_times", Json, nullable=False),
    sa.Index(None, "dealer", "rooftop", "ends_at"),
)


_WITH_APPOINTMENT = sa.select(LEADS, APPOINTMENTS).outerjoin(
    APPOINTMENTS, APPOINTMENTS.c.id == LEADS.c.appointment_id
)

# Built once: on the way of every submission, building a statement costs more than running it.
_INSERT_LEAD = sa.insert(LEADS)
_INSERT_CONSENT = sa.insert(CONSENTS)
_KEPT_ANSWER = sa.select(LEADS.c.fingerprint, LEADS.c.answer).where(
    LEADS.c.dealer == sa.bindparam("dealer"), LEADS.c.idempotency_key == sa.bindparam("key")
)


def _recent_ids(contact: sa.Column[str]) -> sa.Select[tuple[str]]:
    """Return a query that walks the index of one kind of contact; an OR of both would scan the whole day."""
    return sa.select(LEADS.c.id).where(
        contact == sa.bindparam(contact.name),
        LEADS.c.dealer == sa.bindparam("dealer"),
        LEADS.c.received_at >= sa.bindparam("since"),
    )


_RECENT_LEADS = (
    _WITH_APPOINTMENT.where(
        LEADS.c.id.in_(sa.union(_recent_ids(LEADS.c.email), _recent_ids(LEADS.c.phone))),
        LEADS.c.erased_at.is_(None),
        LEADS.c.test == 0,
    )
    .order_by(LEADS.c.received_at.desc(), LEADS.c.id.desc())
    .limit(50)
)
_BOOKINGS = sa.select(APPOINTMENTS.c.starts_at, APPOINTMENTS.c.ends_at).where(
    APPOINTMENTS.c.dealer == sa.bindparam("dealer"),
    APPOINTMENTS.c.rooftop == sa.bindparam("rooftop"),
    APPOINTMENTS.c.kind.in_(sa.bindparam("kinds", expanding=True)),
    APPOINTMENTS.c.ends_at > sa.bindparam("since"),
    APPOINTMENTS.c.status == "confirmed",
)


class LeadUnknown(NotFound):
    """There is no lead of that id."""

    code = "lead_unknown"


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """What a keyed submission was answered, and the fingerprint of what was submitted."""

    fingerprint: str
    answer: bytes


def take_turn(connection: Connection, dealer: str) -> None:
    """Let one submission of a dealer after the other look at what is there and add to it.

    SQLite has one writer anyway; PostgreSQL holds an advisory lock until the transaction ends.
    """
    if connection.dialect.name == "postgresql":
        number = sa.func.hashtextextended(f"leads of {dealer}", 0)
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(number)))


def kept_answer(connection: Connection, dealer: str, key: str) -> KeptAnswer | None:
    """Return what the idempotency key was answered at this dealer, None when it is new."""
    row = connection.execute(_KEPT_ANSWER, {"dealer": dealer, "key": key}).one_or_none()
    return None if row is None else KeptAnswer(row.fingerprint, row.answer)


def recent_leads(
    connection: Connection, dealer: str, *, email: str | None, phone: str | None, since: datetime
) -> list[Lead]:
    """Return the dealer's leads since then with that e-mail address or telephone number, newest first."""
    values = {"dealer": dealer, "email": email, "phone": phone, "since": since}
    return [_lead(row) for row in connection.execute(_RECENT_LEADS, values)]


def bookings(
    connection: Connection, dealer: str, *, rooftop: str, kinds: Iterable[Kind], since: datetime
) -> list[Booking]:
    """Return the confirmed visits of these kinds at a rooftop that end after `since`."""
    values = {"dealer": dealer, "rooftop": rooftop, "kinds": list(kinds), "since": since}
    query = connection.execute(_BOOKINGS, values)
    return [Booking(row.starts_at, row.ends_at) for row in query]


def add_lead(connection: Connection, lead: Lead, *, answer: bytes, key: str | None, fingerprint: str) -> None:
    """Write a new lead with the answer that its caller gets."""
    customer = lead.request["customer"]
    row = {
        "id": lead.id,
        "dealer": lead.dealer,
        "received_at": lead.received_at,
        "test": int(lead.test),
        "source_agent": lead.request["source_agent"]["name"],
        "email": contact_key(customer.get("email")),
        "phone": contact_key(customer.get("phone")),
        "idempotency_key": key,
        "fingerprint": fingerprint if key is not None else None,
        "request": lead.request,
        "rooftop": lead.rooftop,
        "listing": lead.listing,
        "follows": lead.follows,
        "answer": answer,
        "appointment_id": lead.appointment.id if lead.appointment else None,
    }
    connection.execute(_INSERT_LEAD, row)


def contact_key(address: str | None) -> str | None:
    """Return an e-mail address or telephone number as it is compared and looked up; None for none."""
    return address.strip().casefold() if address and address.strip() else None


def add_consent(connection: Connection, lead_id: str, request: Mapping[str, Any], *, now: datetime) -> None:
    """Keep the consent verbatim as evidence, beside the lead that it belongs to."""
    consent = request["consent"]
    row = {
        "id": new_id("consent"),
        "lead_id": lead_id,
        "received_at": now,
        "consent": consent,
        "source_agent": request["source_agent"],
        "text_sha256": sha256(consent["consent_text"].encode()).hexdigest(),
    }
    connection.execute(_INSERT_CONSENT, row)


def put_appointment(connection: Connection, dealer: str, appointment: Appointment) -> None:
    """Write an appointment, or its new state when it is there already."""
    values = {
        "dealer": dealer,
        "rooftop": appointment.rooftop,
        "kind": appointment.kind,
        "status": appointment.status,
        "wished_at": appointment.wished_at,
        "starts_at": appointment.confirmed_at,
        "ends_at": appointment.ends_at,
        "proposed_times": [isoformat(time) for time in appointment.proposed_times],
    }
    same = APPOINTMENTS.c.id == appointment.id
    changed = connection.execute(sa.update(APPOINTMENTS).where(same).values(values).returning(sa.literal(1)))
    if changed.first() is None:
        connection.execute(sa.insert(APPOINTMENTS).values(id=appointment.id, **values))


def load_lead(connection: Connection, lead_id: str) -> Lead:
    """Return a lead; raises `LeadUnknown`, also when it was erased."""
    query = _WITH_APPOINTMENT.where(LEADS.c.id == lead_id, LEADS.c.erased_at.is_(None))
    row = connection.execute(query).one_or_none()
    if row is None:
        raise LeadUnknown("There is no lead of that id, or it was erased.")
    return _lead(row)


def list_leads(connection: Connection, *, dealer: str | None, limit: int) -> list[Lead]:
    """Return the newest leads that are not erased, of one dealer or of all."""
    query = _WITH_APPOINTMENT.where(LEADS.c.erased_at.is_(None)).order_by(
        LEADS.c.received_at.desc(), LEADS.c.id.desc()
    )
    query = query.where(LEADS.c.dealer == dealer) if dealer else query
    return [_lead(row) for row in connection.execute(query.limit(limit))]


def leads_of_contact(connection: Connection, contact: str, *, dealer: str | None = None) -> list[str]:
    """Return the ids of the leads of an e-mail address or telephone number, oldest first."""
    key = contact_key(contact)
    if key is None:
        return []
    query = sa.select(LEADS.c.id).where(sa.or_(LEADS.c.email == key, LEADS.c.phone == key))
    query = query.where(LEADS.c.dealer == dealer) if dealer else query
    return list(connection.scalars(query.order_by(LEADS.c.received_at)))


def leads_before(connection: Connection, moment: datetime, *, dealer: str, limit: int) -> list[str]:
    """Return ids of leads received before a moment and not erased yet, oldest first."""
    query = (
        sa.select(LEADS.c.id)
        .where(LEADS.c.dealer == dealer, LEADS.c.received_at < moment, LEADS.c.erased_at.is_(None))
        .order_by(LEADS.c.received_at)
        .limit(limit)
    )
    return list(connection.scalars(query))


def erase_leads(connection: Connection, lead_ids: Sequence[str], *, now: datetime) -> None:
    """Forget who sent these leads and what they said; ids, times and the consent text's hash stay.

    A booked visit keeps its place in the calendar: it names nobody.
    """
    chosen = LEADS.c.id.in_(lead_ids)
    blank = dict.fromkeys(
        ("email", "phone", "idempotency_key", "fingerprint", "request", "listing", "answer")
    )
    connection.execute(
        sa.update(LEADS).where(chosen).values(**blank, source_agent="", rooftop={}, erased_at=now)
    )
    connection.execute(
        sa.update(CONSENTS).where(CONSENTS.c.lead_id.in_(lead_ids)).values(consent=None, source_agent=None)
    )
    erase_parcels(connection, lead_ids)


def export_leads(connection: Connection, lead_ids: Sequence[str]) -> list[dict[str, Any]]:
    """Return all that is kept about these leads as JSON values."""
    return [_exported(connection, lead_id) for lead_id in lead_ids]


def _exported(connection: Connection, lead_id: str) -> dict[str, Any]:
    lead = connection.execute(sa.select(LEADS).where(LEADS.c.id == lead_id)).one()
    consents = connection.execute(sa.select(CONSENTS).where(CONSENTS.c.lead_id == lead_id))
    deliveries = connection.execute(sa.select(OUTBOX).where(OUTBOX.c.subject == lead_id))
    visits = connection.execute(sa.select(APPOINTMENTS).where(APPOINTMENTS.c.id == lead.appointment_id))
    return {
        "lead": _as_json(lead),
        "consents": _all_as_json(consents),
        "appointments": _all_as_json(visits),
        "deliveries": _all_as_json(deliveries),
    }


def _all_as_json(rows: Iterable[sa.Row[Any]]) -> list[dict[str, Any]]:
    return [_as_json(row) for row in rows]


def _as_json(row: sa.Row[Any]) -> dict[str, Any]:
    return {name: _json_value(value) for name, value in row._mapping.items()}


def _json_value(value: Any) -> Any:
    if isinstance(value, datetime):
        return isoformat(value)
    return value.decode() if isinstance(value, bytes) else value


def _lead(row: sa.Row[Any]) -> Lead:
    values = row._mapping
    return Lead(
        id=values[LEADS.c.id],
        dealer=values[LEADS.c.dealer],
        received_at=values[LEADS.c.received_at],
        request=values[LEADS.c.request],
        rooftop=values[LEADS.c.rooftop],
        listing=values[LEADS.c.listing],
        appointment=_appointment(values) if values[APPOINTMENTS.c.id] else None,
        follows=values[LEADS.c.follows],
        test=bool(values[LEADS.c.test]),
    )


def _appointment(values: Any) -> Appointment:
    times = (parse_instant(time) for time in values[APPOINTMENTS.c.proposed_times])
    return Appointment(
        id=values[APPOINTMENTS.c.id],
        kind=values[APPOINTMENTS.c.kind],
        status=values[APPOINTMENTS.c.status],
        rooftop=values[APPOINTMENTS.c.rooftop],
        wished_at=values[APPOINTMENTS.c.wished_at],
        ends_at=values[APPOINTMENTS.c.ends_at],
        confirmed_at=values[APPOINTMENTS.c.starts_at],
        proposed_times=tuple(time for time in times if time),
    )
