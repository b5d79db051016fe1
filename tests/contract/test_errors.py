"""Every error of the contract is a leaf, a row of the table and a page, and they agree."""

import inspect
from pathlib import Path

import pytest

import forecourt.accounts.errors as account_errors
import forecourt.contract.errors as contract_errors
from forecourt.base.errors import ForecourtError
from forecourt.contract.errors import InternalError
from forecourt.contract.problems import PROBLEMS, codes, problem_document
from forecourt.operations.table import OPERATIONS, problem_codes

PAGE = Path(__file__).resolve().parents[2] / "docs" / "api" / "errors.md"


def leaves() -> dict[str, type[ForecourtError]]:
    defined = (
        leaf
        for module in (contract_errors, account_errors)
        for _, leaf in inspect.getmembers(module, inspect.isclass)
        if leaf.__module__ == module.__name__
    )
    return {leaf.code: leaf for leaf in defined if leaf.code in PROBLEMS}


def test_every_code_of_a_request_has_one_error_and_every_error_of_the_contract_a_code():
    assert set(leaves()) == set(codes("request"))
    for _, leaf in inspect.getmembers(contract_errors, inspect.isclass):
        if leaf.__module__ == contract_errors.__name__:
            assert leaf.code in PROBLEMS


@pytest.mark.parametrize("code", codes("request"))
def test_an_error_and_the_table_agree_whether_a_retry_helps(code):
    assert leaves()[code].retryable == PROBLEMS[code].retryable


@pytest.mark.parametrize("code", PROBLEMS)
def test_every_code_is_documented(code):
    assert f"| `{code}` | {PROBLEMS[code].status} |" in PAGE.read_text(encoding="utf-8")


def test_every_code_of_an_operation_is_one_of_the_table_and_every_code_is_of_an_operation():
    routes = [(operation, route) for operation in OPERATIONS for route in operation.routes]
    answered = {code for operation, route in routes for code in problem_codes(operation, route)}
    assert answered == set(codes("request"))


def test_an_error_that_the_contract_does_not_know_says_nothing_of_itself():
    class Secret(ForecourtError):
        code = "disk_full"

    problem = problem_document(
        Secret("/var/lib/secret is full", details={"path": "/var"}),
        request_id="req_1",
        public_url="https://x",
    )
    assert (problem["code"], problem["status"]) == ("internal_error", 500)
    assert "/var" not in str(problem)


@pytest.mark.parametrize(
    ("details", "seconds"),
    [
        ({"retry_after": 3}, 3),
        ({"retry_after_ms": 1}, 1),
        ({"retry_after_ms": 1001}, 2),
        ({}, 5),
        ({"retry_after": 0}, 1),
    ],
)
def test_waiting_is_said_in_whole_seconds(details, seconds):
    error = contract_errors.EngineBusy("Busy.", details=details)
    problem = problem_document(error, request_id="req_1", public_url="https://x", retry_with="same_key")
    assert problem["retry_after"] == seconds
    assert problem["retry_with"] == "same_key"


def test_our_own_failure_may_be_tried_again_but_does_not_say_when():
    problem = problem_document(InternalError("Oops."), request_id="req_1", public_url="https://x")
    assert problem["retryable"]
    assert "retry_after" not in problem
