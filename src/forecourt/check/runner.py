"""Trying every rule on one dealer, one after the other: a check is no load test."""

from collections.abc import Iterable

from forecourt.base.errors import ForecourtError
from forecourt.check.dealer import DealerUnderTest
from forecourt.check.report import Finding, Outcome, Report
from forecourt.check.rule import Rule
from forecourt.check.rules import AAP_RULES, CALL_RULES, CARD_RULES


async def check_dealer(dealer: DealerUnderTest) -> Report:
    """Try all rules on a dealer; whatever it answers ends up in the report.

    Without a readable card nothing else can be tried; with one that asks for credentials only the card can.
    """
    try:
        await dealer.load()
    except ForecourtError as error:
        return Report(dealer.card_url, tuple(_unreadable(error)))
    findings = [await _try(rule, dealer) for rule in CARD_RULES]
    if dealer.asks_for_credentials:
        findings += [
            Finding(rule, Outcome.SKIPPED, ("The card asks for credentials.",)) for rule in CALL_RULES
        ]
    else:
        findings += [await _try(rule, dealer) for rule in CALL_RULES]
    return Report(dealer.card_url, tuple(findings))


def _unreadable(error: ForecourtError) -> Iterable[Finding]:
    first, *rest = AAP_RULES
    yield Finding(first, Outcome.BROKEN, (error.message,))
    for rule in rest:
        yield Finding(rule, Outcome.SKIPPED, ("There is no card to read.",))


async def _try(rule: Rule, dealer: DealerUnderTest) -> Finding:
    if rule.needs and not any(dealer.offers(skill_id) for skill_id in rule.needs):
        return Finding(rule, Outcome.SKIPPED, (f"The card lists none of {', '.join(rule.needs)}.",))
    try:
        notes = tuple(await rule.probe(dealer))
    except ForecourtError as error:
        notes = (error.message,)
    return Finding(rule, Outcome.BROKEN if notes else Outcome.KEPT, notes)
