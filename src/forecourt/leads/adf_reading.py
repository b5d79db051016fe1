"""Read ADF as it really arrives: in mails with other text, in HTML comments, with bare `&` and odd elements.

Nothing that was sent is dropped in silence: what has no place in `ReadLead` is named in `unread`, and a piece
that cannot be read at all comes back as a `ReadLead` that says so.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from forecourt.leads.adf_grammar import GRAMMAR
from forecourt.leads.cleaning import clean_text

_DOCUMENT = re.compile(r"<adf\b.*?</adf\s*>", re.DOTALL | re.IGNORECASE)
_BARE_AMPERSAND = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});)")
_CDATA = re.compile(r"<!\[CDATA\[.*?\]\]>", re.DOTALL)
_VIN = re.compile(r"\b[A-HJ-NPR-Z0-9]{17}\b")


@dataclass(frozen=True, slots=True)
class ReadVehicle:
    """One vehicle of a lead; empty text where the document says nothing."""

    interest: str
    status: str
    year: str
    make: str
    model: str
    vin: str
    """The VIN, looked for in the comments when it has no element."""
    stock: str
    comments: str


@dataclass(frozen=True, slots=True)
class ReadLead:
    """One prospect of an ADF document; empty text where the document says nothing."""

    ids: tuple[str, ...] = ()
    status: str = ""
    request_date: str = ""
    name: str = ""
    email: str = ""
    phones: tuple[str, ...] = ()
    vehicles: tuple[ReadVehicle, ...] = ()
    comments: str = ""
    vendor: str = ""
    provider: str = ""
    unread: tuple[str, ...] = ()
    """Elements that ADF does not know, or the reason why nothing could be read."""


def read_adf(text: str) -> list[ReadLead]:
    """Return every lead found in a mail or file; none when there is no ADF in it."""
    return [lead for match in _DOCUMENT.finditer(text) for lead in _leads_in(match[0])]


def _leads_in(document: str) -> list[ReadLead]:
    try:
        root = fromstring(_repaired(document).encode())
    except (ParseError, DefusedXmlException):
        return [ReadLead(unread=("the document is not well-formed XML",))]
    return [_read_prospect(prospect) for prospect in root.iter("prospect")]


def _repaired(document: str) -> str:
    """Make the usual mistakes harmless: characters that XML forbids and ampersands that begin nothing."""
    document = clean_text(document)
    kept = list(_CDATA.finditer(document))
    pieces, at = [], 0
    for section in kept:
        pieces += [_BARE_AMPERSAND.sub("&amp;", document[at : section.start()]), section[0]]
        at = section.end()
    return "".join([*pieces, _BARE_AMPERSAND.sub("&amp;", document[at:])])


def _read_prospect(prospect: Element) -> ReadLead:
    contact = prospect.find("customer/contact")
    return ReadLead(
        ids=tuple(_text_of(element) for element in prospect.findall("id")),
        status=prospect.get("status", ""),
        request_date=_text(prospect, "requestdate"),
        name=_name(contact),
        email=_text(contact, "email"),
        phones=_texts(contact, "phone"),
        vehicles=tuple(_read_vehicle(vehicle) for vehicle in prospect.findall("vehicle")),
        comments=_text(prospect, "customer/comments"),
        vendor=_text(prospect, "vendor/vendorname"),
        provider=_text(prospect, "provider/name"),
        unread=tuple(_unknown_elements(prospect)),
    )


def _read_vehicle(vehicle: Element) -> ReadVehicle:
    comments = _text(vehicle, "comments")
    in_comments = _VIN.search(comments.upper())
    return ReadVehicle(
        interest=vehicle.get("interest", ""),
        status=vehicle.get("status", ""),
        year=_text(vehicle, "year"),
        make=_text(vehicle, "make"),
        model=_text(vehicle, "model"),
        vin=_text(vehicle, "vin") or (in_comments[0] if in_comments else ""),
        stock=_text(vehicle, "stock"),
        comments=comments,
    )


def _name(contact: Element | None) -> str:
    """Join the parts in the order of a name; a full name stands for all."""
    names = [] if contact is None else contact.findall("name")
    by_part = {name.get("part", "full"): _text_of(name) for name in names}
    parts = (by_part.get(part, "") for part in ("first", "middle", "last", "surname"))
    return by_part.get("full") or " ".join(part for part in parts if part)


def _unknown_elements(prospect: Element) -> Iterator[str]:
    return (element.tag for element in prospect.iter() if element.tag not in GRAMMAR)


def _text(parent: Element | None, path: str) -> str:
    found = None if parent is None else parent.find(path)
    return "" if found is None else _text_of(found)


def _texts(parent: Element | None, path: str) -> tuple[str, ...]:
    return () if parent is None else tuple(_text_of(element) for element in parent.findall(path))


def _text_of(element: Element) -> str:
    return "".join(element.itertext()).strip()
