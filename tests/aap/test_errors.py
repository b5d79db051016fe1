"""How failures are written on the wire."""

import inspect
import json
import uuid
from datetime import UTC, datetime

import pytest

from forecourt.aap import errors
from forecourt.aap.schemas import schema
from forecourt.aap.validation import Failure, failures
from forecourt.base.errors import ForecourtError, NotFound, Unreachable


class HeldClock:
    def now(self):
        return datetime(2030, 1, 31, 9, 30, tzinfo=UTC)

    def monotonic(self):
        return 0.0


LEAVES = [
    leaf
    for _, leaf in inspect.getmembers(errors, inspect.isclass)
    if issubclass(leaf, ForecourtError) and leaf.__module__ == errors.__name__
]
each_leaf = pytest.mark.parametrize("leaf", LEAVES, ids=lambda leaf: leaf.code)


@pytest.mark.requirement("aap.errors.codes")
@each_leaf
def test_every_leaf_has_its_number_in_exactly_one_table(leaf):
    assert (leaf in errors.AAP_CODES) != (leaf in errors.A2A_CODES)


@pytest.mark.requirement("aap.errors.codes")
def test_the_twelve_codes_are_those_of_the_error_schema():
    codes = {leaf.code for leaf in errors.AAP_CODES}
    assert codes == set(schema("error")["properties"]["code"]["enum"])
    assert len(errors.AAP_CODES) == 12


@pytest.mark.requirement("aap.errors.object")
@pytest.mark.parametrize(
    ("leaf", "number", "retryable"),
    [
        (errors.UnsupportedSkill, -32601, False),
        (errors.SchemaValidationFailed, -32602, False),
        (errors.VehicleNotFound, -32000, False),
        (errors.IdempotencyConflict, -32000, False),
        (errors.RateLimited, -32002, True),
        (errors.InternalError, -32603, True),
    ],
)
def test_an_aap_error_is_the_bare_object_under_its_number(leaf, number, retryable):
    written = errors.json_rpc_error(leaf("Sorry."), clock=HeldClock())
    assert written["code"] == number
    assert written["message"] == written["data"]["message"] == "Sorry."
    assert written["data"]["retryable"] is retryable
    assert written["data"]["created_at"] == "2030-01-31T09:30:00Z"
    assert failures("error", written["data"]) == []
    assert uuid.UUID(written["data"]["error_id"])


@each_leaf
def test_every_written_error_is_json_and_has_the_shape_of_its_family(leaf):
    written = errors.json_rpc_error(leaf("Sorry."))
    json.dumps(written)
    if leaf in errors.AAP_CODES:
        assert failures("error", written["data"]) == []
    else:
        assert [info["@type"] for info in written["data"]] == ["type.googleapis.com/google.rpc.ErrorInfo"]
        assert written["data"][0]["reason"] == leaf.code


@pytest.mark.requirement("a2a.errors.error-info")
def test_an_a2a_error_carries_error_info_with_texts_only():
    error = errors.VersionNotSupported("Only 1.0.", details={"supported": "1.0", "asked": 99.0})
    assert errors.json_rpc_error(error) == {
        "code": -32009,
        "message": "Only 1.0.",
        "data": [
            {
                "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                "reason": "VERSION_NOT_SUPPORTED",
                "domain": "a2a-protocol.org",
                "metadata": {"supported": "1.0", "asked": "99.0"},
            }
        ],
    }


@pytest.mark.requirement("aap.errors.no-internals")
@pytest.mark.parametrize(
    "stranger",
    [ValueError("secret path /srv"), NotFound("secret"), Unreachable("secret", details={"a": "secret"})],
)
def test_any_other_exception_is_an_internal_error_that_tells_nothing(stranger):
    written = errors.json_rpc_error(stranger)
    assert (written["code"], written["data"]["code"]) == (-32603, "INTERNAL_ERROR")
    assert "secret" not in json.dumps(written)


def test_details_reach_the_caller_and_are_left_out_when_there_are_none():
    limited = errors.error_payload(errors.RateLimited("Slow down.", details={"retry_after_ms": 1500}))
    assert limited["details"] == {"retry_after_ms": 1500}
    assert "details" not in errors.error_payload(errors.VehicleNotFound("No such vehicle."))


@pytest.mark.requirement("aap.errors.id")
def test_two_errors_never_share_an_id():
    ids = {errors.error_payload(errors.InternalError())["error_id"] for _ in range(100)}
    assert len(ids) == 100


def refusal_of(schema_name, payload):
    return errors.refusal(failures(schema_name, payload))


@pytest.mark.requirement("aap.errors.missing-field")
def test_one_absent_field_is_told_as_such():
    refusal = refusal_of("customer", {"first_name": "Ada", "email": "ada@example.com"})
    assert isinstance(refusal, errors.MissingRequiredField)
    assert refusal.details["errors"] == [
        {"instanceLocation": "", "keyword": "required", "error": '"last_name" is missing.'}
    ]


@pytest.mark.requirement("aap.errors.all-failures")
def test_several_failures_are_one_schema_failure_that_lists_them_all():
    refusal = refusal_of("customer", {"first_name": 1})
    assert isinstance(refusal, errors.SchemaValidationFailed)
    assert [failure["keyword"] for failure in refusal.details["errors"]] == ["required", "type", "anyOf"]


@pytest.mark.requirement("aap.errors.condition")
def test_a_condition_from_the_wrong_vocabulary_comes_first():
    lead = {"type": "lead.submit.request", "trade_in": {"condition": "cpo"}}
    refusal = refusal_of("lead-submit-request", lead)
    assert isinstance(refusal, errors.InvalidCondition)
    assert len(refusal.details["errors"]) == 4


def test_a_condition_of_the_wrong_type_is_no_vocabulary_matter():
    refusal = errors.refusal([Failure("/trade_in/condition", "type", "Must be of type string.")])
    assert isinstance(refusal, errors.SchemaValidationFailed)
