"""Every requirement is cited by a test, and every cited requirement exists."""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from forecourt.check.rules import AAP_RULES

TESTS = Path(__file__).resolve().parents[1]
LISTED = tomllib.loads((TESTS / "conformance/requirements.toml").read_text(encoding="utf-8"))


def cited_ids(source: str) -> Iterator[object]:
    """The arguments of every `pytest.mark.requirement(…)` in a module; of a computed one its expression."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("mark.requirement"):
            for argument in node.args:
                yield argument.value if isinstance(argument, ast.Constant) else ast.unparse(argument)


def all_cited_ids() -> set[object]:
    files = (file for file in TESTS.rglob("*.py") if "node_modules" not in file.parts)
    return {each for file in files for each in cited_ids(file.read_text(encoding="utf-8"))}


def test_every_requirement_is_cited_by_a_test():
    assert LISTED.keys() - all_cited_ids() == set()


def test_every_cited_requirement_exists():
    computed = {"rule.id"}
    assert all_cited_ids() - LISTED.keys() - {rule.id for rule in AAP_RULES} == computed


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
    assert list(cited_ids(source)) == ["a", "b", "c", "rule.id"]
