"""Every requirement is cited by a test, and every cited requirement exists."""

import tomllib

import pytest
from tests.conformance.citations import TESTS, cited_by, cited_ids

from forecourt.check.rules import AAP_RULES

LISTED = tomllib.loads((TESTS / "conformance/requirements.toml").read_text(encoding="utf-8"))


def test_every_requirement_is_cited_by_a_test():
    assert LISTED.keys() - cited_by("requirement") == set()


def test_every_cited_requirement_exists():
    computed = {"rule.id"}
    assert cited_by("requirement") - LISTED.keys() - {rule.id for rule in AAP_RULES} == computed


def test_no_requirement_has_the_id_of_a_rule_that_is_checked():
    assert LISTED.keys() & {rule.id for rule in AAP_RULES} == set()


@pytest.mark.parametrize("name", LISTED)
def test_a_requirement_says_what_it_asks_and_where_it_stands(name):
    requirement = LISTED[name]
    assert requirement.keys() == {"source", "says"}
    assert requirement["says"].endswith(".")


def test_citations_are_found_on_functions_parameters_and_modules():
    source = """
pytestmark = pytest.mark.requirement("a")
@pytest.mark.requirement("b", "c")
def test(): ...
cases = [pytest.param(1, marks=pytest.mark.requirement(rule.id))]
"""
    assert list(cited_ids(source, "requirement")) == ["a", "b", "c", "rule.id"]
