"""Our own dealer agent keeps every rule that we check on others."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from forecourt.aap.validation import failures
from forecourt.agent.asgi import DealerAgents
from forecourt.check.dealer import DealerUnderTest
from forecourt.check.report import Outcome
from forecourt.check.rule import Rule
from forecourt.check.rules import AAP_RULES
from forecourt.check.runner import check_dealer
from forecourt.dealer.profile import DealerProfile
from forecourt.dealer.search import SearchIndex
from forecourt.fetch.in_process import InProcessFetch
from forecourt.retail.dealership import Dealership

HOME = "https://agents.example.com"
ROOFTOPS = ("Harbour North", "Harbour South", "Harbour Cycles")
MODELS = (("Honda", "CR-V"), ("Ford", "F-150"), ("Honda", "Rebel"), ("Kia", "EV6"), ("Volvo", "V60"))
CHOSEN_BY_STAGE = {"card.recommended-skills"}
"""lead.submit needs the lead pipe behind the agent, which this dealer lacks."""


def vehicle(number: int) -> dict[str, Any]:
    """A listing; every seventh has no price, every fifth is a motorcycle."""
    make, model = MODELS[number % len(MODELS)]
    listing = {
        "vehicle_id": f"v-{number}",
        "stock": f"H{number:05}",
        "status": ("available", "intransit", "pending")[number % 3],
        "condition": ("new", "used", "cpo")[number % 3],
        "vehicle_type": "motorcycle" if model == "Rebel" else "car",
        "make": make,
        "model": model,
        "year": 2018 + number % 8,
        "mileage": 900 * (number % 40),
        "rooftop": ROOFTOPS[number % len(ROOFTOPS)],
        "updated_at": "2026-11-01T08:00:00Z",
    }
    price = {"price": 9_000 + 731 * (number % 50), "fees": [{"name": "Documentation fee", "amount": 300}]}
    return listing | (price if number % 7 else {})


class OneDealer:
    def __init__(self) -> None:
        information = {"name": "Harbour Motors", "rooftops": [{"name": name} for name in ROOFTOPS]}
        profile = DealerProfile("harbour", information)
        stock = SearchIndex.build([(vehicle(number), ()) for number in range(150)])
        self.dealership = Dealership(profile, datetime(2026, 11, 1, tzinfo=UTC), stock)

    def by_slug(self, slug: str) -> Dealership | None:
        return self.dealership if slug == "harbour" else None

    def by_domain(self, domain: str) -> Dealership | None:
        return None


@pytest.fixture(scope="module")
def outcomes() -> dict[str, tuple[Outcome, tuple[str, ...]]]:
    agents = DealerAgents(OneDealer(), public_url=HOME)
    dealer = DealerUnderTest(f"{HOME}/dealers/harbour", InProcessFetch(agents))
    report = asyncio.run(check_dealer(dealer))
    return {finding.rule.id: (finding.outcome, finding.notes) for finding in report.findings}


@pytest.mark.parametrize(
    "rule", [pytest.param(rule, id=rule.id, marks=pytest.mark.requirement(rule.id)) for rule in AAP_RULES]
)
def test_our_dealer_keeps(rule: Rule, outcomes):
    if "lead.submit" in rule.needs or rule.id in CHOSEN_BY_STAGE:
        pytest.skip("lead.submit is not behind this agent")
    assert outcomes[rule.id] == (Outcome.KEPT, ())


def test_the_stock_of_this_dealer_is_valid_itself():
    for number in range(10):
        assert failures("vehicle", vehicle(number)) == []
