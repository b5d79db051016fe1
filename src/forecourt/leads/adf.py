"""A lead as ADF 1.0 (Auto-lead Data Format), the XML that the CRMs of dealers read.

The order of elements is the format's own (`leads/adf_grammar.py`), also where the AAP mapping page shows
another. Whatever has no element of its own goes into the one `comments` of its vehicle or of the customer, so
that nothing the customer said is lost; addresses whose channel the consent does not allow are left out.
"""

import json
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from forecourt.base.clock import isoformat
from forecourt.base.errors import Broken
from forecourt.base.instants import parse_instant, seconds
from forecourt.dealer.appointments import zone_of
from forecourt.leads.adf_grammar import GRAMMAR, PHONE_FIRST_CONTACT, problems_of
from forecourt.leads.cleaning import clean_text, one_line
from forecourt.leads.lead import Lead

HEADER = '<?xml version="1.0" encoding="UTF-8"?>\n<?adf version="1.0"?>\n'
COMMENT_WIDTH = 90
"""A character takes up to ten bytes as a reference and a line of mail holds 998."""

_BREAKER = textwrap.TextWrapper(COMMENT_WIDTH, break_long_words=False, break_on_hyphens=False)
_IDENTITY = ("year", "make", "model", "vin", "stock", "trim")
_LABELS = {
    "displacement_cc": "Displacement",
    "electric_range_mi": "Electric range (mi)",
    "battery_kwh": "Battery (kWh)",
    "motor_power_hp": "Motor power (hp)",
    "msrp": "MSRP",
    "city_mpg": "City MPG",
    "highway_mpg": "Highway MPG",
    "vdp_url": "Page",
}
_KINDS = {
    "sales": "sales talk",
    "service": "service visit",
    "test_drive": "test drive",
    "trade_in": "trade-in appraisal",
}


class AdfInvalid(Broken):
    """The document that was written breaks the format: a bug of ours; `details` name the places."""

    code = "adf_invalid"


@dataclass(frozen=True, slots=True)
class CrmProfile:
    """What one kind of CRM wants differently within, or at the edge of, the format.

    `placeholder` is the year, make and model of a lead about no vehicle: the format demands a vehicle.
    `subject` is that of a mail; `{dealer}` stands for the dealer's name, which some receivers insist on.
    """

    subject: str = "New lead for {dealer}"
    split_names: bool = False
    phone_first: bool = False
    placeholder: tuple[str, str, str] = ("0000", "Unspecified", "Unspecified")


CRM_PROFILES: Mapping[str, CrmProfile] = {
    "generic": CrmProfile(),
    "eleads": CrmProfile(subject="{dealer} - Internet lead", split_names=True),
    "split-names": CrmProfile(split_names=True),
    "phone-first": CrmProfile(phone_first=True),
}


def write_adf(lead: Lead, crm: CrmProfile, *, fallback_email: str | None = None, resend: bool = False) -> str:
    """Return the ADF document of a lead: ASCII, checked against the grammar before anybody sees it.

    `fallback_email` is the dealer's address for a rooftop that publishes neither e-mail nor telephone.
    Raises `AdfInvalid`.
    """
    root = Element("adf")
    prospect = SubElement(root, "prospect", status="resend" if resend else "new")
    _add(prospect, "id", lead.id, sequence="1", source="Forecourt")
    _add(prospect, "requestdate", _request_date(lead))
    _add_vehicles(prospect, lead, crm)
    _add_customer(prospect, lead, crm)
    _add_vendor(prospect, lead, crm, fallback_email)
    _add_provider(prospect, lead)
    return _checked(root, crm)


def _checked(root: Element, crm: CrmProfile) -> str:
    indent(root, space=" ")
    document = f"{HEADER}{tostring(root, encoding='us-ascii', xml_declaration=False).decode('ascii')}\n"
    contact = PHONE_FIRST_CONTACT if crm.phone_first else GRAMMAR["contact"]
    if problems := problems_of(document, contact=contact):
        raise AdfInvalid("The lead could not be written as valid ADF.", details={"problems": problems})
    return document


def _add(parent: Element, tag: str, text: object, **attributes: str) -> Element:
    element = SubElement(parent, tag, attributes)
    element.text = clean_text(str(text)) if tag == "comments" else one_line(str(text))
    return element


def _add_given(parent: Element, tag: str, text: object, **attributes: str) -> None:
    if text not in (None, ""):
        _add(parent, tag, text, **attributes)


def _add_comments(parent: Element, lines: Iterable[str]) -> None:
    if text := "\n".join(wrapped for line in lines for wrapped in _wrapped(line)):
        _add(parent, "comments", text)


def _wrapped(text: str) -> list[str]:
    """Break lines at spaces so that a mail can carry them; a word of any length stays whole."""
    return [
        part
        for line in clean_text(text).split("\n")
        for part in ([line] if len(line) <= COMMENT_WIDTH else _BREAKER.wrap(line) or [""])
    ]


def _request_date(lead: Lead) -> str:
    moment = parse_instant(lead.request.get("submitted_at")) or lead.received_at
    return isoformat(seconds(moment))


# -- vehicles -----------------------------------------------------------------------------------------------


def _add_vehicles(prospect: Element, lead: Lead, crm: CrmProfile) -> None:
    wanted, trade_in = lead.request.get("vehicle_of_interest"), lead.request.get("trade_in")
    if wanted is not None or trade_in is None:
        known = {name: value for name, value in (lead.listing or {}).items() if name in _IDENTITY}
        notes = ["Not found in stock when the lead came in."] if lead.names_a_missing_vehicle else []
        _add_vehicle(prospect, {**known, **(wanted or {})}, crm, interest=_interest(lead), notes=notes)
    if trade_in is not None:
        _add_vehicle(prospect, trade_in, crm, interest="trade-in", notes=[])


def _interest(lead: Lead) -> str:
    appointment = lead.request.get("appointment") or {}
    return "test-drive" if appointment.get("appointment_type") == "test_drive" else "buy"


def _add_vehicle(
    prospect: Element, vehicle: Mapping[str, Any], crm: CrmProfile, *, interest: str, notes: Iterable[str]
) -> None:
    rest = dict(vehicle)
    condition = rest.pop("condition", None)
    element = SubElement(prospect, "vehicle", {"interest": interest, **_status(condition, interest)})
    for tag, placeholder in zip(("year", "make", "model"), crm.placeholder, strict=True):
        _add(element, tag, rest.pop(tag, None) or placeholder)
    for tag, name in (("vin", "vin"), ("stock", "stock"), ("trim", "trim"), ("bodystyle", "body")):
        _add_given(element, tag, rest.pop(name, None))
    _add_transmission(element, rest)
    _add_given(element, "odometer", rest.pop("mileage", None), units="mi")
    _add_colour(element, rest)
    _add_given(element, "imagetag", _first_photo(rest))
    _add_given(element, "price", rest.pop("price", None), type="quote", currency="USD")
    _add_comments(element, [*notes, *_condition_lines(condition), *_lines_of(rest)])


def _status(condition: str | None, interest: str) -> dict[str, str]:
    if interest == "trade-in" or condition in {"used", "cpo"}:
        return {"status": "used"}
    return {"status": "new"} if condition == "new" else {}


def _add_transmission(element: Element, rest: dict[str, Any]) -> None:
    """Fold to A or M; the words stay in the comments unless the letter says it all."""
    words = str(rest.get("transmission") or "").casefold()
    automatic = any(part in words for part in ("auto", "cvt", "dct", "dsg", "single-speed", "single speed"))
    if automatic or "man" in words:
        _add(element, "transmission", "A" if automatic else "M")
    if words in {"", "automatic", "manual", "a", "m"}:
        rest.pop("transmission", None)


def _add_colour(element: Element, rest: dict[str, Any]) -> None:
    if colour := rest.pop("exterior_color", None):
        combination = SubElement(element, "colorcombination")
        _add(combination, "exteriorcolor", colour)
        _add(combination, "preference", "1")


def _first_photo(rest: dict[str, Any]) -> str | None:
    first: str | None
    first, *others = rest.pop("photos", None) or [None]
    if others:
        rest["photos"] = others
    return first


def _condition_lines(condition: str | None) -> list[str]:
    if condition == "cpo":
        return ["Certified pre-owned"]
    return [] if condition in {None, "new", "used"} else [f"Condition: {condition}"]


def _lines_of(rest: Mapping[str, Any]) -> list[str]:
    """Write the members that have no element as `Label: value`, those of `other_attributes` likewise."""
    others = dict(rest)
    members = [*(others.pop("other_attributes", None) or {}).items()]
    return [
        f"{_LABELS.get(name, name.replace('_', ' ').capitalize())}: {_text(name, value)}"
        for name, value in [*others.items(), *members]
        if value not in (None, "", [])
    ]


def _text(name: str, value: Any) -> str:
    if name == "displacement_cc":
        return f"{value}cc"
    if name == "fees":
        return ", ".join(f"{fee['name']} {fee['amount']} USD" for fee in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and not any(isinstance(item, dict | list) for item in value):
        return ", ".join(str(item) for item in value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else str(value)


# -- people -------------------------------------------------------------------------------------------------


def _add_customer(prospect: Element, lead: Lead, crm: CrmProfile) -> None:
    customer = SubElement(prospect, "customer")
    contact, allowed = SubElement(customer, "contact"), lead.contact
    _add_names(contact, lead, crm)
    kind = "cellphone" if allowed.text_only else "voice"
    _add_addresses(
        contact,
        email=allowed.email,
        phone=allowed.phone,
        crm=crm,
        phone_attributes={"type": kind, **_preference(first_choice=allowed.preferred in {"phone", "sms"})},
        email_attributes=_preference(first_choice=allowed.preferred == "email"),
    )
    _add_address(contact, lead.request["customer"].get("address"))
    _add_comments(customer, _customer_lines(lead))


def _preference(*, first_choice: bool) -> dict[str, str]:
    return {"preferredcontact": "1"} if first_choice else {}


def _add_names(contact: Element, lead: Lead, crm: CrmProfile) -> None:
    allowed = lead.contact
    if crm.split_names and allowed.first_name and allowed.last_name:
        _add(contact, "name", allowed.first_name, part="first", type="individual")
        _add(contact, "name", allowed.last_name, part="last", type="individual")
    else:
        _add(contact, "name", allowed.full_name or "Name not given", part="full", type="individual")


def _add_addresses(
    contact: Element,
    *,
    email: str | None,
    phone: str | None,
    crm: CrmProfile,
    email_attributes: Mapping[str, str],
    phone_attributes: Mapping[str, str],
) -> None:
    tags = [("email", email, email_attributes), ("phone", phone, phone_attributes)]
    for tag, text, attributes in reversed(tags) if crm.phone_first else tags:
        _add_given(contact, tag, text, **attributes)


def _add_address(contact: Element, address: Mapping[str, Any] | None) -> None:
    if not address:
        return
    element = SubElement(contact, "address", type="home")
    _add(element, "street", address.get("address_line_1", ""), line="1")
    _add_given(element, "street", address.get("address_line_2"), line="2")
    for tag, name in (("city", "city"), ("regioncode", "state"), ("postalcode", "zip")):
        _add_given(element, tag, address.get(name))
    _add(element, "country", address.get("country") or "US")


def _customer_lines(lead: Lead) -> list[str]:
    allowed, request = lead.contact, lead.request
    lines = ["TEST LEAD: sent to try the connection, nobody is waiting."] if lead.test else []
    lines += [request["message"]] if request.get("message") else []
    lines += _appointment_lines(lead)
    lines.append(f"Contact allowed by: {', '.join(allowed.channels)}.")
    if allowed.phone and allowed.text_only:
        lines.append("Send text messages only; calls are not allowed.")
    if allowed.preferred:
        lines.append(f"Preferred contact: {allowed.preferred}.")
    if lead.follows:
        lines.append(f"Follows the earlier lead {lead.follows}.")
    if card := request["source_agent"].get("agent_card_url"):
        lines.append(f"Agent card: {card}")
    return lines


def _appointment_lines(lead: Lead) -> list[str]:
    wish = lead.request.get("appointment")
    if wish is None:
        return []
    kind = _KINDS[wish["appointment_type"]]
    at = parse_instant(wish.get("appointment_at"))
    when = f" on {local_time(at, lead.rooftop.get('timezone'))}" if at else ""
    minutes = f", {wish['duration_minutes']} minutes" if "duration_minutes" in wish else ""
    lines = [f"Requested appointment: {kind}{when}{minutes}."]
    if lead.appointment:
        lines.append(f"Appointment status: {lead.appointment.status} ({lead.appointment.id}).")
    return lines + ([f"Appointment notes: {wish['notes']}"] if wish.get("notes") else [])


def local_time(moment: datetime, zone: str | None) -> str:
    """Write an instant by the rooftop's clock, such as `2026-05-03 11:00 PDT`; without a zone in UTC."""
    return moment.astimezone(zone_of(zone) or UTC).strftime("%Y-%m-%d %H:%M %Z")


# -- dealer and agent ---------------------------------------------------------------------------------------


def _add_vendor(prospect: Element, lead: Lead, crm: CrmProfile, fallback_email: str | None) -> None:
    vendor, rooftop = SubElement(prospect, "vendor"), lead.rooftop
    _add(vendor, "vendorname", rooftop["name"])
    _add_given(vendor, "url", rooftop.get("website"))
    contact = SubElement(vendor, "contact")
    _add(contact, "name", rooftop["name"], part="full", type="business")
    phone, email = _first_value(rooftop.get("phones")), _first_value(rooftop.get("emails"))
    _add_addresses(
        contact,
        email=email or (None if phone else fallback_email),
        phone=phone,
        crm=crm,
        email_attributes={},
        phone_attributes={"type": "voice"},
    )


def _first_value(entries: Iterable[Mapping[str, Any]] | None) -> str | None:
    return next((entry["value"] for entry in entries or () if entry["value"].strip()), None)


def _add_provider(prospect: Element, lead: Lead) -> None:
    provider, agent = SubElement(prospect, "provider"), lead.request["source_agent"]
    _add(provider, "name", agent["name"], part="full")
    _add(provider, "service", "Auto Agent Protocol")
    _add_given(provider, "url", agent.get("url"))
