"""The rules of ADF 1.0 (Auto-lead Data Format) as data, and a checker for documents.

The published DTD does not load in a parser, so the content models stand here as data: a model is a sequence
of element names with `?`, `*`, `+`, `|` and parentheses, as a DTD would say it; an element without a model
holds text.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from xml.etree.ElementTree import Element, ParseError, fromstring


@dataclass(frozen=True)
class Rule:
    """What one element may hold: children by `model` (None: only text), attributes by name.

    The value of an attribute is a set of allowed words, separated by spaces; empty means any text.
    """

    model: str | None = None
    attributes: Mapping[str, str] = field(default_factory=dict)


_PLAIN = (
    "requestdate year make model vin stock trim doors bodystyle transmission interiorcolor exteriorcolor "
    "preference pricecomments optionname manufacturercode weighting method timeframe comments apartment city "
    "regioncode postalcode country vendorname url service"
)
_MONEY = {"currency": ""}
_PREFERRED = {"preferredcontact": "0 1"}
_FINANCE_AMOUNT = {"type": "downpayment monthly total", "limit": "maximum minimum exact", **_MONEY}
_PRICE = {"type": "quote offer msrp invoice call appraisal asking", "delta": "", "relativeto": "", **_MONEY}
_VEHICLE = (
    "id* year make model vin? stock? trim? doors? bodystyle? transmission? odometer? colorcombination* "
    "imagetag? price? pricecomments? option* finance? comments?"
)

GRAMMAR: Mapping[str, Rule] = {
    "adf": Rule("prospect+"),
    "prospect": Rule("id* requestdate vehicle+ customer vendor provider?", {"status": "new resend"}),
    "id": Rule(attributes={"sequence": "", "source": ""}),
    "vehicle": Rule(_VEHICLE, {"interest": "buy lease sell trade-in test-drive", "status": "new used"}),
    "odometer": Rule(attributes={"status": "unknown rolledover replaced original", "units": "km mi"}),
    "colorcombination": Rule("(interiorcolor exteriorcolor? | exteriorcolor) preference"),
    "imagetag": Rule(attributes={"width": "", "height": "", "alttext": ""}),
    "price": Rule(attributes=_PRICE),
    "option": Rule("optionname manufacturercode? stock? weighting? price?"),
    "finance": Rule("method amount+ balance?"),
    "amount": Rule(attributes=_FINANCE_AMOUNT),
    "balance": Rule(attributes={"type": "", **_MONEY}),
    "customer": Rule("contact id* timeframe? comments?"),
    "contact": Rule("name+ (email phone* | phone+) address?"),
    "name": Rule(attributes={"part": "surname first middle last full", "type": "business individual"}),
    "email": Rule(attributes=_PREFERRED),
    "phone": Rule(
        attributes={
            "type": "voice fax cellphone pager",
            "time": "morning afternoon evening nopreference day",
            **_PREFERRED,
        }
    ),
    "address": Rule(
        "street+ apartment? city? regioncode? postalcode? country?", {"type": "work home delivery"}
    ),
    "street": Rule(attributes={"line": "1 2 3 4 5"}),
    "vendor": Rule("id* vendorname url? contact"),
    "provider": Rule("id* name service? url? email? phone? contact?"),
    **dict.fromkeys(_PLAIN.split(), Rule()),
}

_DECLARES_TYPES = re.compile(r"<!\s*(DOCTYPE|ENTITY)", re.IGNORECASE)

PHONE_FIRST_CONTACT = Rule("name+ (phone+ email? | email) address?")
"""The contact that some receivers want although the format has it the other way round."""


def problems_of(document: str, *, contact: Rule = GRAMMAR["contact"]) -> list[str]:
    """Return what is wrong with an ADF document, one line for each place; empty means valid.

    The lines name elements and attributes, never their values.
    """
    if _DECLARES_TYPES.search(document):  # entities, the only danger of the parser, need one
        return ["the document brings a document type"]
    try:
        root = fromstring(document.encode())  # noqa: S314 - see above
    except (ParseError, UnicodeEncodeError):
        return ["the document is not well-formed XML"]
    problems = [] if '<?adf version="1.0"?>' in document else ["<?adf version?> is missing"]
    if root.tag != "adf":
        return [*problems, "the root element is not adf"]
    rules = GRAMMAR if contact is GRAMMAR["contact"] else {**GRAMMAR, "contact": contact}
    return problems + [problem for element in root.iter() for problem in _problems_at(element, rules)]


def _problems_at(element: Element, rules: Mapping[str, Rule]) -> Iterator[str]:
    rule = rules.get(element.tag)
    if rule is None:
        yield f"{element.tag}: unknown element"
        return
    if element.attrib:
        yield from _attribute_problems(element, rule)
    yield from _content_problems(element, rule)


def _attribute_problems(element: Element, rule: Rule) -> Iterator[str]:
    for name, value in element.attrib.items():
        allowed = rule.attributes.get(name)
        if allowed is None:
            yield f"{element.tag}: attribute {name} is unknown"
        elif allowed and value not in allowed.split():
            yield f"{element.tag}: attribute {name} has a value that is not allowed"


def _content_problems(element: Element, rule: Rule) -> Iterator[str]:
    if rule.model is None:
        if len(element):
            yield f"{element.tag}: holds elements where only text is allowed"
        return
    if any((text or "").strip() for text in (element.text, *(child.tail for child in element))):
        yield f"{element.tag}: holds text between its elements"
    if not _matcher(rule.model).fullmatch("".join(f"{child.tag};" for child in element)):
        yield f"{element.tag}: its elements are not: {rule.model}"


@cache
def _matcher(model: str) -> re.Pattern[str]:
    """Turn a content model into a pattern over `tag;tag;…`."""
    return re.compile(re.sub(r"[a-z]+", r"(?:\g<0>;)", model).replace(" ", ""))
