"""The checker finds nothing wrong with a good agent, and every rule is broken by some bad one."""

import asyncio

import pytest
from tests.check.bad_agents import BAD_AGENTS
from tests.check.tiny_agent import HOME, TinyAgent

from forecourt.check.dealer import DealerUnderTest
from forecourt.check.report import Outcome
from forecourt.check.rules import AAP_RULES
from forecourt.check.runner import check_dealer
from forecourt.fetch.in_process import InProcessFetch


def report_on(agent):
    return asyncio.run(check_dealer(DealerUnderTest(HOME, InProcessFetch(agent))))


def ids(report, outcome):
    return {finding.rule.id for finding in report.findings if finding.outcome is outcome}


def notes(report):
    return {finding.rule.id: finding.notes for finding in report.findings if finding.notes}


def test_a_good_agent_keeps_every_rule():
    agent = TinyAgent()
    report = report_on(agent)
    assert notes(report) == {}
    assert report.conforms
    assert ids(report, Outcome.KEPT) == {rule.id for rule in AAP_RULES}
    assert agent.leads == []


@pytest.mark.parametrize(("twist", "breaks"), BAD_AGENTS)
def test_an_agent_is_caught_that(twist, breaks):
    broken = ids(report_on(TinyAgent(twist)), Outcome.BROKEN)
    assert breaks <= broken


def test_every_rule_is_broken_by_some_bad_agent():
    caught = set().union(*(parameters.values[1] for parameters in BAD_AGENTS))
    assert caught == {rule.id for rule in AAP_RULES}
