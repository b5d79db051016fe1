"""One payload out, one payload back: what is sent, and what every kind of answer becomes."""

import json

import pytest
from tests.mcp_aap.dealers import BASE, FOUND, Dealer, card, wrapped

from forecourt.aap.client import read_answer
from forecourt.aap.dealer_errors import (
    AnswerMalformed,
    AnswerMismatched,
    AnswerNotJson,
    BareResult,
    CallFailed,
    CallRefused,
    CredentialsRequired,
    CredentialsUnsupported,
    DealerBusy,
    DealerRefusedCall,
    DealerUnavailable,
    TaskReturned,
)
from forecourt.aap.skills import skill_of_request_type
from forecourt.fetch.client import Answer

pytestmark = pytest.mark.anyio

SEARCH = skill_of_request_type("inventory.search.request")
VEHICLE = skill_of_request_type("inventory.vehicle.request")
ERROR = {
    "type": "aap.error",
    "error_id": "e-1",
    "code": "VEHICLE_NOT_FOUND",
    "message": "Not here.",
    "retryable": False,
    "details": {"vin": "1HGCY2F57RA000001", "more": [1.5]},
    "created_at": "2030-01-01T00:00:00Z",
}


@pytest.fixture
def anyio_backend():
    return "asyncio"


def answer(body: str | bytes, *, status: int = 200, **headers: str) -> Answer:
    fields = {"content-type": "application/json", **{n.replace("_", "-"): v for n, v in headers.items()}}
    return Answer(status, fields, body if isinstance(body, bytes) else body.encode(), BASE)


def read(body: str | bytes, **more):
    return read_answer(answer(body, **more), request_id="r-1")


def error(code: int, *, data=None, request_id: str | None = "r-1", **more):
    member = {"code": code, "message": "x"} | ({} if data is None else {"data": data})
    return read(json.dumps({"jsonrpc": "2.0", "id": request_id, "error": member}), **more)


# What goes out


async def test_exactly_one_send_message_goes_to_the_endpoint_of_the_card():
    dealer = Dealer(card=card(f"{BASE}/a2a"))
    await dealer.client().send(SEARCH, '{"type":"inventory.search.request"}')
    assert dealer.paths == ["/.well-known/agent-card.json", "/a2a"]
    call = dealer.calls[0]
    assert (call["jsonrpc"], call["method"]) == ("2.0", "SendMessage")
    assert call["params"] == {
        "message": {
            "messageId": call["id"],
            "role": "ROLE_USER",
            "parts": [
                {
                    "data": {"type": "inventory.search.request"},
                    "mediaType": "application/vnd.autoagent.inventory-search-request+json",
                }
            ],
            "extensions": ["https://autoagentprotocol.org/extensions/aap/v1.3"],
        },
        "configuration": {
            "acceptedOutputModes": [
                "application/vnd.autoagent.inventory-search-response+json",
                "application/json",
            ]
        },
    }


async def test_version_and_extension_of_the_card_stand_in_the_headers():
    dealer = Dealer(card=card(extension="https://autoagentprotocol.org/extensions/aap/v1.1"))
    await dealer.client().send(SEARCH, "{}")
    headers = dealer.call_headers[0]
    assert headers["a2a-version"] == "1.0"
    assert headers["a2a-extensions"] == "https://autoagentprotocol.org/extensions/aap/v1.1"
    assert headers["content-type"] == "application/json"
    assert "authorization" not in headers


async def test_the_media_type_of_a_vehicle_is_named_after_its_schema():
    dealer = Dealer()
    await dealer.client().send(VEHICLE, "{}")
    part = dealer.calls[0]["params"]["message"]["parts"][0]
    assert part["mediaType"] == "application/vnd.autoagent.vehicle-detail-request+json"


async def test_every_message_has_an_id_of_its_own():
    dealer = Dealer()
    client = dealer.client()
    for _ in range(3):
        await client.send(SEARCH, "{}")
    assert len({call["params"]["message"]["messageId"] for call in dealer.calls}) == 3
    assert len(dealer.card_requests) == 1


async def test_a_tenant_is_repeated():
    interface = {
        "url": f"{BASE}/a2a",
        "protocolBinding": "JSONRPC",
        "protocolVersion": "1.0",
        "tenant": 'l"ä',
    }
    dealer = Dealer(card=card(supportedInterfaces=[interface]))
    await dealer.client().send(SEARCH, "{}")
    assert dealer.calls[0]["params"]["tenant"] == 'l"ä'


async def test_numbers_go_out_in_their_form():
    dealer = Dealer()
    text = '{"a":26780,"b":26780.0,"c":1e3,"d":12345678901234567890123,"e":0.10}'
    await dealer.client().send(SEARCH, text)
    assert f'"data":{text},'.encode() in dealer.bodies[0]


# Credentials

BEARER = {
    "securitySchemes": {"b": {"httpAuthSecurityScheme": {"scheme": "Bearer"}}},
    "securityRequirements": [{"schemes": {"b": {"list": []}}}],
}


async def test_a_token_is_sent_only_to_a_dealer_that_asks_for_one():
    asking, open_to_all = Dealer(card=card(**BEARER)), Dealer()
    await asking.client(token="s3cret").send(SEARCH, "{}")
    await open_to_all.client(token="s3cret").send(SEARCH, "{}")
    assert asking.call_headers[0]["authorization"] == "Bearer s3cret"
    assert "authorization" not in open_to_all.call_headers[0]
    assert all("authorization" not in headers for headers in asking.card_requests)


async def test_a_dealer_that_asks_for_a_token_is_not_called_without_one():
    dealer = Dealer(card=card(**BEARER))
    with pytest.raises(CredentialsRequired):
        await dealer.client().send(SEARCH, "{}")
    assert dealer.calls == []


async def test_a_token_does_not_go_over_an_open_line():
    dealer = Dealer(card=card("http://dealer.example.com/a2a", **BEARER))
    with pytest.raises(CredentialsUnsupported):
        await dealer.client(token="s3cret").send(SEARCH, "{}")
    local = Dealer(card=card("http://127.0.0.1:9/a2a", **BEARER))
    await local.client(token="s3cret").send(SEARCH, "{}")
    assert local.call_headers[0]["authorization"] == "Bearer s3cret"


async def test_another_kind_of_credentials_is_said_to_be_unsupported():
    members = {
        "securitySchemes": {"k": {"apiKeySecurityScheme": {"location": "header", "name": "X"}}},
        "securityRequirements": [{"schemes": {"k": {"list": []}}}],
    }
    with pytest.raises(CredentialsUnsupported):
        await Dealer(card=card(**members)).client(token="s3cret").send(SEARCH, "{}")


# What comes back


@pytest.mark.parametrize(
    "media_type", ["application/json", "application/json; charset=utf-8", "application/a2a+json"]
)
def test_the_payload_comes_back_as_it_was_written(media_type):
    text = (
        '{ "type" : "inventory.search.response", "data": {"price": 26780.0, "big": 123456789012345678901} }'
    )
    got = read(wrapped(text, request_id="r-1"), content_type=media_type)
    assert got.text == text
    assert got.payload["data"]["price"] == 26780
    assert not got.is_error


def test_an_inner_data_member_is_not_unwrapped():
    got = read(wrapped('{"type":"x.y","data":{"data":{"data":1}}}', request_id="r-1"))
    assert got.payload == {"type": "x.y", "data": {"data": {"data": 1}}}


def test_parts_without_a_payload_are_passed_over():
    parts = f'[{{"text":"hello"}},{{"data":[1]}},{{"data":"s"}},{{"data":null}},7,{{"data":{FOUND}}}]'
    body = f'{{"jsonrpc":"2.0","id":"r-1","result":{{"message":{{"parts":{parts}}}}}}}'
    assert read(body).text == FOUND


def test_an_error_that_is_null_beside_a_result_is_none():
    body = wrapped(FOUND, request_id="r-1")[:-1] + ',"error":null}'
    assert read(body).text == FOUND


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ('{"jsonrpc":"2.0","id":"r-1","result":{"messageId":"m","parts":[]}}', BareResult),
        (
            f'{{"jsonrpc":"2.0","id":"r-1","result":{{"role":"ROLE_AGENT","parts":[{{"data":{FOUND}}}]}}}}',
            BareResult,
        ),
        ('{"jsonrpc":"2.0","id":"r-1","result":{"task":{"id":"t"}}}', TaskReturned),
        (
            '{"jsonrpc":"2.0","id":"r-1","result":{"id":"t","status":{"state":"TASK_STATE_WORKING"}}}',
            TaskReturned,
        ),
        ('{"jsonrpc":"2.0","id":"r-1","result":{"message":{"parts":[]}}}', AnswerMalformed),
        ('{"jsonrpc":"2.0","id":"r-1","result":{"message":{"parts":[{"text":"hi"}]}}}', AnswerMalformed),
        ('{"jsonrpc":"2.0","id":"r-1","result":{"message":{"parts":[{"data":{}}]}}}', AnswerMalformed),
        (
            '{"jsonrpc":"2.0","id":"r-1","result":{"message":{"parts":[{"data":{"type":5}}]}}}',
            AnswerMalformed,
        ),
        ('{"jsonrpc":"2.0","id":"r-1","result":{"message":null}}', AnswerMalformed),
        ('{"jsonrpc":"2.0","id":"r-1","result":null}', AnswerMalformed),
        ('{"jsonrpc":"2.0","id":"r-1","result":[1]}', AnswerMalformed),
        ('{"jsonrpc":"2.0","id":"r-1"}', AnswerMalformed),
        ('{"jsonrpc":"2.0","id":"r-1","error":"text"}', AnswerMalformed),
        ("[]", AnswerMalformed),
        ("null", AnswerMalformed),
        ("", AnswerMalformed),
        ("<html>", AnswerMalformed),
        ("[" * 100_000, AnswerMalformed),
        ('{"a":NaN}', AnswerMalformed),
        (b'{"a":"\xff"}', AnswerMalformed),
        (wrapped('{"type":"x.y","price":' + "9" * 5000 + "}", request_id="r-1"), AnswerMalformed),
        (wrapped('{"type":"x.y","price":1e999}', request_id="r-1"), AnswerMalformed),
        (wrapped(FOUND, request_id="r-2"), AnswerMismatched),
        (wrapped(FOUND, request_id="r-1").replace('"r-1"', "null"), AnswerMismatched),
        (wrapped(FOUND, request_id="r-1").replace('"r-1"', "1"), AnswerMismatched),
    ],
)
def test_an_answer_that_is_none_has_an_error_of_its_own_kind(body, kind):
    with pytest.raises(kind) as failure:
        read(body)
    assert not failure.value.retryable
    assert failure.value.may_have_arrived


@pytest.mark.parametrize("content_type", ["text/plain", "text/html", "application/jsonp", ""])
def test_json_under_another_name_is_not_taken(content_type):
    with pytest.raises(AnswerNotJson):
        read(wrapped(FOUND, request_id="r-1"), content_type=content_type)


@pytest.mark.parametrize("status", [200, 400, 404, 429, 500])
@pytest.mark.parametrize("code", [-32000, -32002, -32601, -32602, -32603])
def test_an_aap_error_survives_whole_whatever_its_code_and_status(status, code):
    got = error(code, data=ERROR, status=status)
    assert got.is_error
    assert got.payload == ERROR
    assert json.loads(got.text) == ERROR


@pytest.mark.parametrize(
    "data",
    [
        [ERROR],
        [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "VEHICLE_NOT_FOUND"}, ERROR],
        [{"@type": "type.googleapis.com/google.protobuf.Struct", "value": ERROR}],
    ],
)
def test_an_aap_error_in_an_array_survives_whole(data):
    assert error(-32000, data=data).payload == ERROR


def test_an_aap_error_in_a_message_is_an_error():
    got = read(wrapped(json.dumps(ERROR), request_id="r-1"))
    assert got.is_error
    assert got.payload == ERROR


def test_an_error_may_come_without_the_request_s_id():
    assert error(-32000, data=ERROR, request_id=None).payload == ERROR
    with pytest.raises(AnswerMismatched):
        error(-32000, data=ERROR, request_id="other")


@pytest.mark.parametrize("data", [None, {"k": 1}, [{"@type": "x", "reason": "Y"}], "text", []])
@pytest.mark.parametrize(
    ("code", "kind"),
    [(-32001, CallRefused), (-32005, CallRefused), (-32009, CallRefused), (-32601, CallRefused),
     (-32603, CallFailed), (-32000, CallFailed)],
)  # fmt: skip
def test_an_error_that_is_not_aap_s_survives_in_the_details(data, code, kind):
    with pytest.raises(kind) as failure:
        error(code, data=data)
    member = {"code": code, "message": "x"} | ({} if data is None else {"data": data})
    assert failure.value.details == {"jsonrpc_error": member}
    assert failure.value.retryable is (kind is CallFailed)


@pytest.mark.parametrize(
    ("status", "kind", "retryable"),
    [
        (500, DealerUnavailable, True),
        (502, DealerUnavailable, True),
        (503, DealerUnavailable, True),
        (408, DealerUnavailable, True),
        (429, DealerBusy, True),
        (400, DealerRefusedCall, False),
        (404, DealerRefusedCall, False),
        (204, DealerRefusedCall, False),
        (302, DealerRefusedCall, False),
    ],
)
@pytest.mark.parametrize(
    ("body", "content_type"), [("<h1>no</h1>", "text/html"), ('{"detail":"no"}', "application/json")]
)
def test_a_status_speaks_where_the_body_does_not(status, kind, retryable, body, content_type):
    with pytest.raises(kind) as failure:
        read(body, status=status, content_type=content_type)
    assert failure.value.retryable is retryable
    assert failure.value.details == {"http_status": status}


def test_a_result_under_a_status_of_failure_is_not_taken():
    with pytest.raises(DealerUnavailable):
        read(wrapped(FOUND, request_id="r-1"), status=500)


def test_how_long_to_wait_is_passed_on():
    with pytest.raises(DealerBusy) as failure:
        read("", status=429, content_type="text/plain", retry_after="7")
    assert failure.value.details["retry_after_ms"] == 7000


@pytest.mark.parametrize("status", [401, 403])
def test_refused_credentials_are_said_to_be_that(status):
    with pytest.raises(CredentialsRequired):
        read("", status=status, content_type="text/plain")
    with pytest.raises(CredentialsRequired):
        error(-32000, status=status)
