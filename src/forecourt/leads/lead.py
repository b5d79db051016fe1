"""A lead as the dealer has it, and the part of its contact that the dealer may use."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from forecourt.aap.consent import allowed_channels
from forecourt.dealer.appointments import Kind, Status
from forecourt.leads.cleaning import one_line


@dataclass(frozen=True, slots=True)
class Appointment:
    """An appointment of a lead: what was wished and what became of it. Times are aware."""

    id: str
    kind: Kind
    status: Status
    rooftop: str
    wished_at: datetime | None = None
    ends_at: datetime | None = None
    """End of the visit, when a time is confirmed."""
    confirmed_at: datetime | None = None
    proposed_times: tuple[datetime, ...] = ()


@dataclass(frozen=True, slots=True)
class Lead:
    """One accepted `lead.submit`.

    `request` is the cleaned AAP request, `rooftop` the AAP rooftop that sells, `listing` the vehicle in stock
    that the customer means, `follows` the id of an earlier lead of the same person.
    """

    id: str
    dealer: str
    received_at: datetime
    request: Mapping[str, Any]
    rooftop: Mapping[str, Any]
    listing: Mapping[str, Any] | None = None
    appointment: Appointment | None = None
    follows: str | None = None
    test: bool = False

    @property
    def names_a_missing_vehicle(self) -> bool:
        """The customer identified a vehicle that is not in stock."""
        wanted = self.request.get("vehicle_of_interest") or {}
        return self.listing is None and any(wanted.get(name) for name in ("vin", "stock", "vehicle_id"))

    @property
    def contact(self) -> "AllowedContact":
        """Whom to answer, and how."""
        return allowed_contact(self.request)


@dataclass(frozen=True, slots=True)
class AllowedContact:
    """The customer with only those addresses whose channel the consent allows."""

    first_name: str
    last_name: str
    email: str | None
    phone: str | None
    text_only: bool
    """The telephone number may be used for text messages, not for calls."""
    channels: tuple[str, ...]
    preferred: str | None

    @property
    def full_name(self) -> str:
        """First and last name joined by one space."""
        return f"{self.first_name} {self.last_name}".strip()


def allowed_contact(request: Mapping[str, Any]) -> AllowedContact:
    """Return the contact of a valid request as far as its consent goes (AAP 1.3, lead rules)."""
    customer, allowed = request["customer"], allowed_channels(request["consent"])
    return AllowedContact(
        first_name=one_line(customer["first_name"]),
        last_name=one_line(customer["last_name"]),
        email=customer.get("email") if "email" in allowed else None,
        phone=customer.get("phone") if allowed & {"phone", "sms"} else None,
        text_only="phone" not in allowed,
        channels=tuple(sorted(allowed)),
        preferred=customer.get("preferred_contact"),
    )
