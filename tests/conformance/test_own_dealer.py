"""Our own dealer keeps every rule that we check on others: the demo's dealer on a real server."""

import asyncio
import json
import socket
from collections.abc import Iterator

import httpx2
import pytest

from forecourt.check.dealer import DealerUnderTest
from forecourt.check.report import Outcome, Report
from forecourt.check.rule import Rule
from forecourt.check.rules import AAP_RULES
from forecourt.check.runner import check_dealer
from forecourt.demo.processes import run_forecourt, running_server
from forecourt.demo.show import prepare
from forecourt.demo.workspace import Workspace
from forecourt.fetch.client import Fetcher
from forecourt.fetch.policy import FetchPolicy


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    workspace = Workspace(tmp_path_factory.mktemp("demo"), free_port())
    prepare(workspace, announce=lambda _: None)
    with running_server(workspace):
        yield workspace


@pytest.fixture(scope="module")
def report(demo: Workspace) -> Report:
    async def checked() -> Report:
        async with Fetcher(FetchPolicy().trusting(demo.base_url)) as fetcher:
            return await check_dealer(DealerUnderTest(demo.dealer_url, fetcher))

    return asyncio.run(checked())


@pytest.mark.parametrize(
    "rule", [pytest.param(rule, id=rule.id, marks=pytest.mark.requirement(rule.id)) for rule in AAP_RULES]
)
def test_our_dealer_keeps(rule: Rule, report: Report):
    finding = next(finding for finding in report.findings if finding.rule is rule)
    assert finding.notes == ()
    assert finding.outcome is Outcome.KEPT


def test_the_card_that_is_printed_is_the_card_that_is_served(demo: Workspace):
    served = httpx2.get(demo.endpoints()["dealer_card_url"], trust_env=False).json()
    assert json.loads(run_forecourt(demo, ["dealer", "card", demo.endpoints()["dealer_slug"]])) == served
