"""What is wrong with a message or its payload is said in AAP's own errors, all of it at once."""

import json
import logging
from datetime import datetime
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from tests.agent.conftest import (
    CIVIC,
    INFORMATION_REQUEST,
    Site,
    aap_error,
    answer_of,
    call,
    pointers,
)

from forecourt.agent.rpc import Strictness
from forecourt.guard.addresses import TrustedProxies
from forecourt.guard.limits import Rate, RateLimiter
from forecourt.retail.dealership import Dealership


@pytest.mark.parametrize(
    ("message", "wrong"),
    [
        ({"messageId": None}, {"/params/message"}),
        ({"messageId": ""}, {"/params/message"}),
        ({"messageId": 7}, {"/params/message/messageId"}),
        ({"role": None}, {"/params/message"}),
        ({"role": "ROLE_AGENT"}, {"/params/message/role"}),
        ({"role": "user"}, {"/params/message/role"}),
        ({"role": 1}, {"/params/message/role"}),
        ({"parts": None}, {"/params/message"}),
        ({"parts": []}, {"/params/message/parts"}),
        ({"parts": {"data": INFORMATION_REQUEST}}, {"/params/message/parts"}),
        ({"parts": ["text", {"data": INFORMATION_REQUEST}]}, {"/params/message/parts/0"}),
        ({"parts": [{"text": "a", "data": INFORMATION_REQUEST}]}, {"/params/message/parts/0"}),
        ({"parts": [{"text": "a", "url": "https://x.example.com"}]}, {"/params/message/parts/0"}),
        ({"parts": [{"data": INFORMATION_REQUEST, "mediaType": 1}]}, {"/params/message/parts/0/mediaType"}),
        ({"parts": [{"text": "only words"}]}, {"/params/message/parts"}),
        ({"parts": [{}]}, {"/params/message/parts"}),
        ({"parts": [{"data": INFORMATION_REQUEST}] * 2}, {"/params/message/parts"}),
        ({"parts": [{"data": [1]}]}, {"/params/message/parts/0/data"}),
        ({"parts": [{"data": "s"}]}, {"/params/message/parts/0/data"}),
        ({"parts": [{"text": "hi"}, {"data": 1.5}]}, {"/params/message/parts/1/data"}),
        ({"contextId": 1}, {"/params/message/contextId"}),
        ({"metadata": []}, {"/params/message/metadata"}),
        (
            {"messageId": None, "role": "x", "extensions": "y", "parts": [3]},
            {
                "/params/message",
                "/params/message/role",
                "/params/message/extensions",
                "/params/message/parts/0",
            },
        ),
    ],
)
def test_a_message_of_the_wrong_form_is_told_everything_that_is_wrong_with_it(
    site: Site, message: dict[str, Any], wrong: set[str]
) -> None:
    answer = answer_of(site.post(call(**message)))
    assert answer["error"]["code"] == -32602
    assert pointers(aap_error(answer, answer["error"]["data"]["code"])) == wrong


def test_a_data_part_that_is_null_is_refused(site: Site) -> None:
    request = call()
    request["params"]["message"]["parts"] = [{"data": None}]
    error = aap_error(answer_of(site.post(request)), "SCHEMA_VALIDATION_FAILED")
    assert pointers(error) == {"/params/message/parts/0/data"}


@pytest.mark.parametrize("params", [None, {}, [1], {"message": None}, {"message": "hello"}, {"message": []}])
def test_params_without_a_message_are_refused(site: Site, params: object) -> None:
    answer = answer_of(site.post(call() | {"params": params}))
    assert pointers(aap_error(answer, answer["error"]["data"]["code"])) <= {"/params", "/params/message"}


def test_a_configuration_of_the_wrong_type_is_refused(site: Site) -> None:
    request = call()
    request["params"]["configuration"] = "fast"
    assert pointers(aap_error(answer_of(site.post(request)), "SCHEMA_VALIDATION_FAILED")) == {
        "/params/configuration"
    }


@pytest.mark.parametrize(
    "request_type", ["lead.submit.request", "inventory.valuation.request", "aap.event", ""]
)
def test_a_skill_that_is_not_implemented_is_refused_with_those_that_are(
    site: Site, request_type: str
) -> None:
    error = aap_error(site.send({"type": request_type, "email": "a@example.com"}), "UNSUPPORTED_SKILL")
    assert "dealer.information" in error["details"]["supported_skills"]
    assert not error["retryable"]


@pytest.mark.parametrize("payload", [{}, {"filters": {}}])
def test_a_payload_without_type_misses_a_required_field(site: Site, payload: object) -> None:
    assert pointers(aap_error(site.send(payload), "MISSING_REQUIRED_FIELD")) == {""}


@pytest.mark.parametrize("request_type", [None, 7, ["inventory.search.request"], {}])
def test_a_type_that_is_no_text_is_refused(site: Site, request_type: object) -> None:
    assert pointers(aap_error(site.send({"type": request_type}), "SCHEMA_VALIDATION_FAILED")) == {"/type"}


def test_the_payload_is_checked_against_its_schema(site: Site) -> None:
    error = aap_error(site.send({**INFORMATION_REQUEST, "verbose": True}), "SCHEMA_VALIDATION_FAILED")
    (failure,) = error["details"]["errors"]
    assert failure["keyword"] == "additionalProperties"
    assert datetime.fromisoformat(error["created_at"]).tzinfo is not None


def test_whole_numbers_leave_without_a_point_and_data_is_not_wrapped_twice(site: Site) -> None:
    response = site.post(call({"type": "inventory.search.request"}))
    assert b'"price":21500' in response.content
    (part,) = response.json()["result"]["message"]["parts"]
    assert part["data"]["data"]["vehicles"] == [CIVIC]


def test_a_vehicle_that_is_not_there_is_an_error_of_aap(site: Site) -> None:
    error = aap_error(site.send({"type": "inventory.vehicle.request", "stock": "H-9"}), "VEHICLE_NOT_FOUND")
    assert not error["retryable"]


def test_errors_fit_the_official_schema(site: Site, shared: Path) -> None:
    official = json.loads((shared / "aap-v1.3/schemas/error.schema.json").read_bytes())
    for payload in ({}, {"type": "other.request"}, {**INFORMATION_REQUEST, "a": 1}):
        jsonschema.validate(
            site.send(payload)["error"]["data"], official, format_checker=jsonschema.FormatChecker()
        )


def test_too_many_calls_are_told_when_to_come_back(site_with: Any) -> None:
    limited = site_with(limiter=RateLimiter(Rate(per_minute=1, burst=2)))
    assert all("result" in answer_of(limited.post(call())) for _ in range(2))
    answer = answer_of(limited.post(call()))
    error = aap_error(answer, "RATE_LIMITED")
    assert error["retryable"] is True
    assert 0 < error["details"]["retry_after_ms"] <= 60_001
    assert answer["id"] == "r-1"


def test_callers_behind_a_trusted_proxy_have_limits_of_their_own(site_with: Any) -> None:
    from ipaddress import ip_network

    limited = site_with(
        limiter=RateLimiter(Rate(per_minute=1, burst=1)), proxies=TrustedProxies([ip_network("127.0.0.1")])
    )
    assert "result" in answer_of(limited.post(call(), x_forwarded_for="198.51.100.1"))
    aap_error(answer_of(limited.post(call(), x_forwarded_for="198.51.100.1")), "RATE_LIMITED")
    aap_error(answer_of(limited.post(call(), x_forwarded_for="9.9.9.9, 198.51.100.1")), "RATE_LIMITED")
    assert "result" in answer_of(limited.post(call(), x_forwarded_for="198.51.100.2"))


async def broken(dealership: Dealership, request: dict[str, Any]) -> bytes:
    raise RuntimeError(f"secret of {request} in /srv/private")


async def slovenly(dealership: Dealership, request: dict[str, Any]) -> bytes:
    return b'{"type":"dealer.information.response","data":{"name":7}}'


def test_a_bug_is_an_internal_error_that_tells_nothing(
    site_with: Any, caplog: pytest.LogCaptureFixture
) -> None:
    site = site_with(answers={"dealer.information": broken})
    with caplog.at_level(logging.ERROR):
        response = site.post(call())
    error = aap_error(answer_of(response), "INTERNAL_ERROR")
    assert error["retryable"] is True
    assert b"secret" not in response.content
    assert b"RuntimeError" not in response.content
    (record,) = caplog.records
    assert record.error_id == error["error_id"]
    assert "secret" not in record.getMessage()


def test_an_answer_that_breaks_its_schema_is_caught_when_answers_are_checked(site_with: Any) -> None:
    unchecked = site_with(answers={"dealer.information": slovenly})
    assert "result" in answer_of(unchecked.post(call()))
    checked = site_with(answers={"dealer.information": slovenly}, strictness=Strictness(checks_answers=True))
    aap_error(answer_of(checked.post(call())), "INTERNAL_ERROR")
    assert "result" in answer_of(site_with(strictness=Strictness(checks_answers=True)).post(call()))
