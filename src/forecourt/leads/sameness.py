"""When is a submission the same as one before: by its key, by what it says, by the proposal it accepts."""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from forecourt.aap.consent import allowed_channels
from forecourt.base.instants import parse_instant
from forecourt.leads.lead import Lead

WINDOW = timedelta(hours=24)
"""How long an equal submission without a key counts as the same lead."""

_CHANGES_ON_RETRY = ("submitted_at", "idempotency_key")


def fingerprint(request: Mapping[str, Any]) -> str:
    """Return a digest that is equal for equal (cleaned) requests, whatever the order of their members.

    The time of submission does not count: it changes when an agent tries again.
    """
    counted = {name: value for name, value in request.items() if name not in _CHANGES_ON_RETRY}
    return sha256(json.dumps(counted, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def key_digest(key: str | None) -> str | None:
    """Return what is kept of an idempotency key, exactly as it came, whatever characters it holds."""
    return None if key is None else sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def duplicate_among(earlier: Iterable[Lead], request: Mapping[str, Any]) -> Lead | None:
    """Return the earlier lead that says all that `request` says, None when something in it is new."""
    return next((lead for lead in earlier if _says_no_more(request, lead.request)), None)


def proposal_taken(earlier: Iterable[Lead], request: Mapping[str, Any]) -> Lead | None:
    """Return the earlier lead for whose appointment `request` chooses one of the proposed times."""
    wish = request.get("appointment") or {}
    at = parse_instant(wish.get("appointment_at"))
    return next((lead for lead in earlier if at and _proposes(lead, wish["appointment_type"], at)), None)


def _proposes(lead: Lead, kind: str, at: datetime) -> bool:
    appointment = lead.appointment
    return (
        appointment is not None
        and (appointment.status, appointment.kind) == ("proposed", kind)
        and at in appointment.proposed_times
    )


def _says_no_more(later: Mapping[str, Any], earlier: Mapping[str, Any]) -> bool:
    """Contact, vehicle, trade-in, appointment and message are each equal, or absent in the later one.

    A later consent that allows one more channel is something new: the dealer may now do more.
    """
    return (
        allowed_channels(later["consent"]) <= allowed_channels(earlier["consent"])
        and all(
            _within(later.get(block), earlier.get(block))
            for block in ("customer", "vehicle_of_interest", "trade_in", "appointment")
        )
        and later.get("message") in (None, earlier.get("message"))
    )


def _within(later: Any, earlier: Any) -> bool:
    """Every member of the later value is equal in the earlier one; texts that differ in case are equal."""
    if later in (None, {}):
        return True
    if isinstance(later, dict) and isinstance(earlier, dict):
        return all(_within(member, earlier.get(name)) for name, member in later.items())
    return bool(_compared(later) == _compared(earlier))


def _compared(value: Any) -> Any:
    return (parse_instant(value) or value.strip().casefold()) if isinstance(value, str) else value
