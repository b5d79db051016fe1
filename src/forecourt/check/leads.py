"""Rules about `lead.submit`, tried with leads that must be refused only: nobody is contacted."""

from collections.abc import Collection

from forecourt.check.dealer import DealerUnderTest
from forecourt.check.expectations import aap_error
from forecourt.check.rule import Level, Rule

_REQUEST_TYPE = "lead.submit.request"
_CUSTOMER = {"first_name": "Conformance", "last_name": "Check", "email": "conformance@example.com"}
_SOURCE = {"name": "forecourt-check"}


async def _demands_consent(dealer: DealerUnderTest) -> Collection[str]:
    reply = await dealer.ask(_REQUEST_TYPE, customer=_CUSTOMER, source_agent=_SOURCE)
    return aap_error(reply, "CONTACT_CONSENT_REQUIRED")


async def _demands_consent_first(dealer: DealerUnderTest) -> Collection[str]:
    reply = await dealer.ask(
        _REQUEST_TYPE, customer=_CUSTOMER, source_agent=_SOURCE, trade_in={"condition": "new"}
    )
    return aap_error(reply, "CONTACT_CONSENT_REQUIRED")


MUST = Level.MUST
_NEEDED = ("lead.submit",)

RULES = (
    Rule(
        "lead.consent",
        MUST,
        "AAP 1.3, lead.submit",
        "A lead without consent is CONTACT_CONSENT_REQUIRED.",
        _demands_consent,
        _NEEDED,
    ),
    Rule(
        "lead.consent-first",
        Level.SHOULD,
        "AAP 1.3, behaviour rules",
        "Absent consent is told before anything else that is wrong with a lead.",
        _demands_consent_first,
        _NEEDED,
    ),
)
