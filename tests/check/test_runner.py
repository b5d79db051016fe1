"""Checks of agents that cannot be checked as a whole, and what a report says."""

import asyncio
import json
import socket
import threading

import pytest
import uvicorn
from click.testing import CliRunner
from tests.check.tiny_agent import HOME, Response, TinyAgent, Twist

from forecourt.aap import errors
from forecourt.check.dealer import DealerUnderTest
from forecourt.check.report import Outcome, report_table
from forecourt.check.rules import AAP_RULES, CALL_RULES, CARD_RULES
from forecourt.check.runner import check_dealer
from forecourt.cli.check import check
from forecourt.fetch.in_process import InProcessFetch


def report_on(agent, *, url=HOME, **options):
    return asyncio.run(check_dealer(DealerUnderTest(url, InProcessFetch(agent), **options)))


def ids(report, outcome):
    return {finding.rule.id for finding in report.findings if finding.outcome is outcome}


@pytest.mark.parametrize(
    "response",
    [
        Response(404),
        Response(200, {"content-type": "application/json"}, b"{bad"),
        Response(200, {"content-type": "application/json"}, b"[]"),
        Response(200, {"content-type": "text/html"}, b"<h1>Cars</h1>"),
    ],
)
def test_without_a_card_nothing_else_is_tried(response):
    report = report_on(TinyAgent(Twist(response=lambda *_: response)))
    assert not report.conforms
    assert ids(report, Outcome.BROKEN) == {"card.json"}
    assert len(ids(report, Outcome.SKIPPED)) == len(AAP_RULES) - 1


def test_a_dealer_that_wants_credentials_is_checked_by_its_card_alone():
    report = report_on(TinyAgent(Twist(card=lambda _, card: card | {"securityRequirements": [{}]})))
    assert ids(report, Outcome.KEPT) == {rule.id for rule in CARD_RULES}
    assert ids(report, Outcome.SKIPPED) == {rule.id for rule in CALL_RULES}
    assert report.conforms


def test_rules_of_skills_that_are_not_offered_are_skipped():
    report = report_on(TinyAgent(offered=("dealer.information", "inventory.search")))
    assert not any(
        finding.rule.id.startswith(("lead.", "facets.", "vehicle."))
        for finding in report.findings
        if finding.outcome is not Outcome.SKIPPED
    )
    assert ids(report, Outcome.BROKEN) == {"card.recommended-skills"}
    assert report.conforms


def test_a_dealer_with_nothing_but_leads_is_asked_without_leaving_one():
    agent = TinyAgent(offered=("lead.submit",))
    report = report_on(agent)
    assert {"lead.consent", "body.deep", "rpc.id"} <= ids(report, Outcome.KEPT)
    assert ids(report, Outcome.BROKEN) == {"card.recommended-skills"}
    assert agent.leads == []


@pytest.mark.parametrize("url", [HOME, f"{HOME}/", f"{HOME}/.well-known/agent-card.json"])
def test_the_card_is_found_by_its_own_or_its_agents_address(url):
    assert report_on(TinyAgent(), url=url).card_url == f"{HOME}/.well-known/agent-card.json"


def test_the_check_waits_as_long_as_a_dealer_asks_and_tries_again():
    waits = []
    limited = errors.json_rpc_error(errors.RateLimited("Slowly.", details={"retry_after_ms": 1500}))
    calls = iter(range(10_000))

    def limit(request, response):
        if request.method == "POST" and next(calls) % 3 == 0:
            body = json.dumps({"jsonrpc": "2.0", "id": None, "error": limited}).encode()
            return Response(200, {"content-type": "application/json"}, body)
        return response

    async def pause(seconds):
        waits.append(seconds)

    report = report_on(TinyAgent(Twist(response=limit)), pause=pause)
    assert ids(report, Outcome.BROKEN) == set()
    assert set(waits) == {1.5}


def test_a_dealer_that_is_not_there_is_told_in_one_line():
    async def nobody(scope, receive, send):
        return

    report = report_on(nobody)
    assert report.findings[0].notes == ("The application gave no answer.",)


def test_a_report_as_json_has_every_rule_with_its_source():
    document = json.loads(json.dumps(report_on(TinyAgent()).as_json()))
    assert document["conforms"] is True
    assert document["counts"] == {"kept": len(AAP_RULES), "broken": 0, "skipped": 0}
    assert document["protocol"] == "AAP 1.3.0"
    assert [finding["id"] for finding in document["findings"]] == [rule.id for rule in AAP_RULES]
    assert all(finding["source"] and finding["says"] for finding in document["findings"])


def test_the_table_has_a_row_for_every_rule():
    assert report_table(report_on(TinyAgent())).row_count == len(AAP_RULES)


def test_rule_ids_are_unique_and_every_rule_is_a_sentence():
    assert len({rule.id for rule in AAP_RULES}) == len(AAP_RULES)
    assert all(rule.says.endswith(".") for rule in AAP_RULES)


@pytest.fixture
def served_at():
    """Serve an agent on a free port of this machine; its card names that address."""
    servers = []

    def serve(**twist):
        listening = socket.create_server(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        card = twist.pop("card", lambda _, card: card)
        interface = {"url": f"{url}/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
        here = Twist(card=lambda r, c: card(r, c) | {"supportedInterfaces": [interface]}, **twist)
        server = uvicorn.Server(uvicorn.Config(TinyAgent(here), log_level="error", lifespan="off"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        servers.append((server, thread))
        return url

    yield serve
    for server, thread in servers:
        server.should_exit = True
        thread.join(timeout=10)


def run(*arguments):
    result = CliRunner().invoke(check, ["aap", *arguments], standalone_mode=False)
    assert result.exception is None
    return result.return_value, result.output


def test_the_command_checks_an_agent_over_the_network(served_at):
    code, output = run(served_at())
    assert code == 0
    assert f"{len(AAP_RULES)} kept, 0 broken, 0 skipped" in output


def test_the_command_fails_for_a_must_and_with_strict_for_a_should(served_at):
    no_should = served_at(
        response=lambda _, r: Response(r.status, {**r.headers, "cache-control": ""}, r.body)
    )
    assert run(no_should)[0] == 0
    assert run(no_should, "--strict")[0] == 1
    code, output = run(served_at(card=lambda _, card: card | {"skills": []}), "--json")
    assert code == 1
    assert json.loads(output)["conforms"] is False
