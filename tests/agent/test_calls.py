"""The A2A endpoint over HTTP and JSON-RPC: one call in, one answer out, and never a 500."""

import json
from typing import Any

import pytest
from a2a.types import SendMessageResponse
from google.protobuf.json_format import ParseDict
from tests.agent.conftest import (
    A2A,
    AAP_URI,
    CARD,
    INFORMATION_REQUEST,
    Site,
    TwoDealers,
    a2a_error,
    aap_error,
    answer_of,
    call,
)

from forecourt.agent.rpc import MAX_BODY_BYTES
from forecourt.retail.dealership import Dealership


def test_a_message_is_answered_by_one_message_with_one_typed_data_part(site: Site) -> None:
    answer = answer_of(site.post(call()))
    message = answer["result"]["message"]
    assert answer["id"] == "r-1"
    assert message["role"] == "ROLE_AGENT"
    assert message["messageId"] != "m-1"
    (part,) = message["parts"]
    assert part["mediaType"] == "application/vnd.autoagent.dealer-information-response+json"
    assert part["data"]["type"] == "dealer.information.response"
    assert part["data"]["data"]["welcome_message"] == "Welcome to Harbour Motors – “ahoy”"
    ParseDict(answer["result"], SendMessageResponse(), ignore_unknown_fields=False)


@pytest.mark.parametrize("path", [A2A, f"{A2A}/"])
def test_the_endpoint_answers_with_and_without_a_slash_at_the_end(site: Site, path: str) -> None:
    assert "result" in answer_of(site.post(call(), path=path))


@pytest.mark.parametrize("path", ["/a2a", "/a2a/"])
def test_a_dealers_own_domain_answers_for_that_dealer(site: Site, path: str) -> None:
    answer = answer_of(site.post(call(), path=path, host="cars.example.com"))
    assert answer["result"]["message"]["parts"][0]["data"]["data"]["name"] == "Harbour Motors"


def test_each_dealer_answers_for_itself(site: Site) -> None:
    answer = answer_of(site.post(call(), path="/dealers/hill-cars/a2a"))
    assert answer["result"]["message"]["parts"][0]["data"]["data"]["name"] == "Hill Cars"


def test_an_unknown_dealer_is_not_found(site: Site) -> None:
    assert site.post(call(), path="/dealers/nobody/a2a").status_code == 404


def test_a_conversation_is_echoed_and_otherwise_begun(site: Site) -> None:
    echoed = answer_of(site.post(call(contextId="talk “7”")))["result"]["message"]
    assert echoed["contextId"] == "talk “7”"
    first, second = (answer_of(site.post(call(contextId="")))["result"]["message"] for _ in range(2))
    assert first["contextId"] != second["contextId"]
    assert first["messageId"] != second["messageId"]


@pytest.mark.parametrize(
    "message",
    [
        {"futureField": 1, "kind": "message"},
        {"contextId": None, "taskId": None, "metadata": None},
        {"taskId": ""},
        {"metadata": {"a": [1]}, "extensions": [AAP_URI], "referenceTaskIds": []},
        {"parts": [{"text": "hello"}, {"data": INFORMATION_REQUEST}]},
        {"parts": [{"data": INFORMATION_REQUEST}, {"raw": "dGNr", "mediaType": "image/png"}, {}]},
        {"parts": [{"data": INFORMATION_REQUEST, "text": None, "metadata": {}, "filename": "a"}]},
        {"parts": [{"data": INFORMATION_REQUEST, "mediaType": "application/json; charset=utf-8"}]},
        {"parts": [{"data": INFORMATION_REQUEST, "mediaType": "application/vnd.autoagent.anything+json"}]},
        {"parts": [{"data": INFORMATION_REQUEST, "mediaType": None}]},
    ],
)
def test_what_a2a_lets_a_client_add_is_passed_over(site: Site, message: dict[str, Any]) -> None:
    request = call()
    request["params"]["message"] |= message
    assert "result" in answer_of(site.post(request))


def test_members_around_the_message_are_passed_over(site: Site) -> None:
    request = call() | {"future": 1}
    request["params"] |= {"configuration": {"acceptedOutputModes": ["text/plain"]}, "tenant": "x", "next": 2}
    assert "result" in answer_of(site.post(request))


@pytest.mark.parametrize(
    "id_text",
    [
        b'"text"',
        b'""',
        b"1",
        b"0",
        b"-7",
        b"1.5",
        b"null",
        b"12345678901234567890",
        b'"\xc3\xa9 \\" \\\\"',
        b"9" * 100,
    ],
)
def test_the_id_comes_back_exactly(site: Site, id_text: bytes) -> None:
    body = json.dumps(call()).encode().replace(b'"r-1"', id_text)
    response = site.post(body)
    assert "result" in answer_of(response)
    assert response.content.startswith(b'{"jsonrpc":"2.0","id":' + id_text + b",")


@pytest.mark.parametrize("content_type", ["application/json", "Application/JSON ; charset=utf-8"])
def test_json_is_taken_whatever_its_parameters(site: Site, content_type: str) -> None:
    assert "result" in answer_of(site.post(call(), content_type=content_type))


@pytest.mark.parametrize(
    "content_type",
    ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", "application/a2a+json", ""],
)
def test_another_content_type_is_refused_before_parsing(site: Site, content_type: str) -> None:
    answer = answer_of(site.post(b"{'not': 'json'}", content_type=content_type))
    a2a_error(answer, -32005, "CONTENT_TYPE_NOT_SUPPORTED")
    assert answer["id"] is None


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_only_post_is_allowed(site: Site, method: str) -> None:
    response = site.request(method, A2A)
    assert response.status_code == 405
    assert response.headers["allow"] == "POST"
    assert not any(name.startswith("access-control") for name in response.headers)


def test_answers_are_not_stored_by_caches_nor_shared_across_origins(site: Site) -> None:
    headers = site.post(call(), origin="https://page.example.net").headers
    assert headers["cache-control"] == "no-store"
    assert headers["x-content-type-options"] == "nosniff"
    assert not any(name.startswith("access-control") for name in headers)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{bad",
        b"null junk",
        "[1]".encode("utf-16"),
        b"\xef\xbb\xbf{}",
        b"[" * 100_000,
        b"[" * 100_000 + b"]" * 100_000,
        b'{"a":' * 20_000,
        b'{"id":' + b"1" * 5_000 + b"}",
        b'{"id":NaN}',
        b'{"id":1e400}',
        b'{"id":1,"id":2}',
        rb'{"id":"\ud800"}',
        rb'{"id":"\u0000"}',
        b"{'jsonrpc': '2.0'}",
    ],
)
def test_what_is_no_json_is_a_parse_error_without_id(site: Site, body: bytes) -> None:
    answer = answer_of(site.post(body))
    a2a_error(answer, -32700, "PARSE_ERROR")
    assert answer["id"] is None


def test_a_body_over_the_limit_is_refused(site: Site) -> None:
    a2a_error(answer_of(site.post(b" " * (MAX_BODY_BYTES + 1))), -32600, "INVALID_REQUEST")


@pytest.mark.parametrize(
    ("body", "answered_id"),
    [
        (None, None),
        (1, None),
        ("SendMessage", None),
        ([], None),
        ([call()], None),
        ([call(), call()], None),
        ({}, None),
        ({"jsonrpc": "2.0", "method": 1, "params": "bar"}, None),
        (call() | {"jsonrpc": "1.0"}, "r-1"),
        (call() | {"jsonrpc": 2.0}, "r-1"),
        (call() | {"method": None}, "r-1"),
        (call() | {"params": "text"}, "r-1"),
        (call() | {"params": 7}, "r-1"),
        (call() | {"id": True}, None),
        (call() | {"id": {}}, None),
        (call() | {"id": ["r-1"]}, None),
    ],
)
def test_what_is_no_call_is_one_invalid_request(site: Site, body: object, answered_id: object) -> None:
    answer = answer_of(site.post(body))
    a2a_error(answer, -32600, "INVALID_REQUEST")
    assert answer["id"] == answered_id


@pytest.mark.parametrize("method", ["SendMessage", "GetTask", "anything"])
def test_a_notification_gets_no_reply(site: Site, method: str) -> None:
    request = call() | {"method": method}
    del request["id"]
    response = site.post(request)
    assert (response.status_code, response.content) == (204, b"")


class LostDatabase(TwoDealers):
    """Dealers that cannot be looked up at the moment."""

    async def by_slug(self, slug: str) -> Dealership | None:
        raise OSError("disk of /srv/private is gone")


def test_a_dealer_that_cannot_be_looked_up_is_a_passing_failure() -> None:
    site = Site(LostDatabase())
    response = site.post(call())
    answer = answer_of(response)
    assert aap_error(answer, "INTERNAL_ERROR")["retryable"] is True
    assert answer["id"] == "r-1"
    assert b"private" not in response.content
    card = site.request("GET", CARD)
    assert (card.status_code, card.headers["retry-after"]) == (503, "1")
