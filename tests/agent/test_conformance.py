"""The conformance check that anyone can run on a dealer finds nothing wrong with ours."""

import asyncio

import pytest
from tests.agent.conftest import Site, TwoDealers

from forecourt.agent.rpc import Strictness
from forecourt.check.dealer import DealerUnderTest
from forecourt.check.report import Outcome
from forecourt.check.runner import check_dealer
from forecourt.fetch.in_process import InProcessFetch

NOT_OFFERED = {"card.recommended-skills", "lead.consent", "lead.consent-first"}
"""Rules about leads; this agent answers the read skills only."""


@pytest.mark.parametrize(
    "url", ["https://agents.example.com/dealers/harbour-motors", "https://cars.example.com"]
)
def test_our_agent_keeps_every_rule(url: str) -> None:
    site = Site(TwoDealers(), strictness=Strictness(checks_answers=True))
    report = asyncio.run(check_dealer(DealerUnderTest(url, InProcessFetch(site.app))))
    kept = {finding.rule.id for finding in report.findings if finding.outcome is Outcome.KEPT}
    others = {finding.rule.id: finding.notes for finding in report.findings if finding.rule.id not in kept}
    assert others.keys() == NOT_OFFERED, others
    assert len(kept) > 50
