"""The endpoint as clients meet it, in both eras: who is let in, what is listed, what a call returns."""

import json
from ipaddress import ip_network

import httpx2
import pytest
from mcp_types import methods
from tests.mcp_data.service import ENVELOPE, LEGACY, MODERN, URL, ask, call, post

from forecourt.accounts import store
from forecourt.base.clock import SYSTEM_CLOCK
from forecourt.contract.validation import failures

pytestmark = pytest.mark.anyio

INITIALIZE = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
TOOLS = [
    "valuate_car",
    "normalize_vehicle",
    "decode_vin",
    "decode_hsn_tsn",
    "lookup_plate",
    "search_vehicles",
    "get_valuation",
    "get_account",
]
ERAS = [LEGACY, "2025-11-25", MODERN]
METADATA = f'resource_metadata="{URL}/.well-known/oauth-protected-resource/mcp"'
PING = '{"jsonrpc":"2.0","id":"a","method":"ping"}'


# Identity and lists


@pytest.mark.parametrize("asked", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
async def test_initialize_answers_the_version_that_is_asked_for(service, asked):
    answer = await ask(
        service.app, "initialize", {**INITIALIZE, "protocolVersion": asked}, key=service.test_key
    )
    assert answer.json()["result"]["protocolVersion"] == asked


@pytest.mark.parametrize("asked", ["2026-07-28", "2099-01-01", ""])
@pytest.mark.requirement("data.mcp.version")
async def test_initialize_answers_2025_06_18_to_a_version_that_has_no_handshake(service, asked):
    answer = await ask(
        service.app, "initialize", {**INITIALIZE, "protocolVersion": asked}, key=service.test_key
    )
    assert answer.json()["result"]["protocolVersion"] == "2025-06-18"


@pytest.mark.requirement("data.mcp.name")
async def test_the_server_has_the_name_of_the_reference_and_says_the_five_steps_at_once(service):
    answer = await ask(service.app, "initialize", INITIALIZE, key=service.test_key)
    result = answer.json()["result"]
    assert result["serverInfo"]["name"] == "autouncle_data"
    assert set(result["capabilities"]) == {"tools", "prompts"}
    essence = result["instructions"][:512]
    for step in ("get_account", "search_vehicles", "idempotency_key", "ask the user", "attribution_text"):
        assert step in essence
    assert "mcp-session-id" not in answer.headers


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.requirement("data.mcp.tools")
async def test_all_eight_tools_are_listed_for_a_key_that_may_use_one(service, era):
    key = service.new_key(scopes=("account:read",))
    tools = (await ask(service.app, "tools/list", era=era, key=key)).json()["result"]["tools"]
    assert [tool["name"] for tool in tools] == TOOLS
    for tool in tools:
        hints = tool["annotations"]
        assert set(hints) == {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
        assert hints["readOnlyHint"] is (tool["name"] != "valuate_car")
        assert not hints["destructiveHint"]
    assert tools[0]["annotations"]["idempotentHint"]
    assert tools[0]["annotations"]["openWorldHint"]


def _nodes(schema):
    yield schema
    children = list(schema.get("properties", {}).values()) + [
        schema[key] for key in ("items",) if key in schema
    ]
    for child in children:
        yield from _nodes(child)


async def test_schemas_are_plain_objects_that_every_known_client_reads(service):
    tools = (await ask(service.app, "tools/list", key=service.test_key)).json()["result"]["tools"]
    for tool in tools:
        schema = tool["inputSchema"]
        assert schema["type"] == "object"
        assert schema["additionalProperties"] is False
        for node in _nodes(schema):
            assert node, "an empty schema"
            assert isinstance(node.get("type"), str)
            assert not {"$ref", "$schema", "$defs", "oneOf", "allOf", "anyOf", "not", "if"} & set(node)
        for name, node in schema.get("properties", {}).items():
            assert node.get("description"), name


@pytest.mark.parametrize("era", ERAS)
async def test_the_prompt_is_listed_and_filled_in(service, era):
    (prompt,) = (await ask(service.app, "prompts/list", era=era, key=service.test_key)).json()["result"][
        "prompts"
    ]
    assert prompt["name"] == "value_a_car"
    arguments = {"vehicle": 'Golf "GTI"', "country": "DE"}
    params = {"name": "value_a_car", "arguments": arguments}
    answer = await ask(service.app, "prompts/get", params, era=era, key=service.test_key)
    assert '- vehicle: "Golf \\"GTI\\""' in answer.json()["result"]["messages"][0]["content"]["text"]


@pytest.mark.parametrize(
    "params", [{"name": "other"}, {"name": "value_a_car", "arguments": {"vehicle": "Golf"}}]
)
async def test_an_unknown_prompt_or_a_missing_argument_is_a_protocol_error(service, params):
    answer = await ask(service.app, "prompts/get", params, key=service.test_key)
    assert answer.json()["error"]["code"] == -32602


# Who is let in


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    "method", ["initialize", "ping", "tools/list", "tools/call", "prompts/list", "nonsense"]
)
@pytest.mark.requirement("data.mcp.unauthenticated")
async def test_without_a_key_every_message_is_answered_401_with_a_challenge_and_a_problem(
    service, method, era
):
    answer = await ask(service.app, method, {"name": "get_account"}, era=era)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == f"Bearer {METADATA}"
    body = answer.json()
    assert (body["jsonrpc"], body["id"], body["error"]["code"]) == ("2.0", 7, -32001)
    problem = body["error"]["data"]
    assert problem["code"] == "missing_credentials"
    assert failures("problem", problem) == []
    assert answer.headers["x-request-id"] == problem["request_id"]


@pytest.mark.parametrize(
    ("bearer", "code"),
    [
        ("au_test_nonsense", "invalid_api_key"),
        ("au_live_" + "0" * 38, "invalid_api_key"),
        ("au_ü", "invalid_api_key"),
        ("something", "invalid_token"),
    ],
)
@pytest.mark.requirement("data.mcp.key-prefix")
async def test_a_wrong_token_is_401_and_says_so_in_the_challenge(service, bearer, code):
    answer = await post(service.app, PING, authorization=f"Bearer {bearer}".encode())
    assert answer.status_code == 401
    assert answer.json()["error"]["data"]["code"] == code
    assert answer.json()["id"] == "a"
    assert answer.headers["www-authenticate"] == f'Bearer {METADATA}, error="invalid_token"'
    assert bearer not in answer.text


@pytest.mark.requirement("data.mcp.recheck")
async def test_a_key_that_is_revoked_between_two_calls_does_not_get_in_again(service):
    key = service.new_key()
    account = await call(service, "get_account", key=key)
    key_id = account["structuredContent"]["key"]["id"]
    service.services.database.write_sync(
        lambda connection: store.revoke_key(connection, key_id, at=SYSTEM_CLOCK.now())
    )
    assert (await post(service.app, PING, key=key)).status_code == 401


async def test_a_key_of_another_address_is_refused_with_its_problem(service):
    key = service.new_key(networks=(ip_network("198.51.100.0/24"),))
    answer = await post(service.app, PING, key=key)
    assert (answer.status_code, answer.json()["error"]["data"]["code"]) == (403, "ip_not_allowed")
    assert "www-authenticate" not in answer.headers


@pytest.mark.requirement("data.mcp.one-credential")
async def test_a_second_credential_does_not_hide_the_first(service):
    headers = [("content-type", "application/json"), ("authorization", "Bearer au_test_nonsense")]
    headers.append(("authorization", f"Bearer {service.test_key}"))
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(service.app), base_url=URL) as client:
        answer = await client.post("/mcp", content=PING, headers=headers)
    assert answer.status_code == 401


@pytest.mark.parametrize(
    ("accept", "status"),
    [
        ("application/json", 200),
        ("text/event-stream, application/json;q=0.5", 200),
        ("*/*", 200),
        ("", 200),
        ("text/html", 406),
        ("text/event-stream", 406),
        ("application/json;q=0", 406),
    ],
)
@pytest.mark.requirement("data.mcp.accept")
async def test_whoever_accepts_no_json_is_told(service, accept, status):
    assert (await post(service.app, PING, key=service.test_key, accept=accept)).status_code == status


async def test_a_message_that_is_no_json_is_401_first(service):
    assert (await post(service.app, "{")).status_code == 401
    assert (await post(service.app, "{", key=service.test_key)).status_code == 400


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.requirement("data.mcp.scopes")
async def test_a_tool_without_its_scope_answers_a_problem_and_which_scope_to_ask_for(service, tool):
    scopes = {
        "valuate_car": "valuations:write",
        "get_valuation": "valuations:read",
        "search_vehicles": "catalogue:read",
        "get_account": "account:read",
    }
    needed = scopes.get(tool, "vehicles:read")
    others = tuple(scope for scope in {*scopes.values(), "vehicles:read"} if scope != needed)
    result = await call(service, tool, ARGUMENTS[tool], key=service.new_key(scopes=others))
    assert result["isError"]
    problem = result["structuredContent"]
    assert (problem["code"], problem["required_scope"]) == ("insufficient_scope", needed)
    (challenge,) = result["_meta"]["mcp/www_authenticate"]
    assert challenge == f'Bearer {METADATA}, error="insufficient_scope", scope="{needed}"'


ARGUMENTS = {
    "valuate_car": {
        "country": "DE",
        "vehicle": {
            "make": "Skoda",
            "model": "Octavia",
            "first_registration": "2021-03",
            "mileage_km": 60000,
        },
        "idempotency_key": "k1",
    },
    "normalize_vehicle": {"text": "Golf"},
    "decode_vin": {"vin": "TESTVN00000000200"},
    "decode_hsn_tsn": {"hsn": "9999", "tsn": "200"},
    "lookup_plate": {"country": "GB", "number": "TE20AAA"},
    "search_vehicles": {"level": "search", "query": "golf"},
    "get_valuation": {"idempotency_key": "nothing-under-this"},
    "get_account": {},
}


# The edge


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "HEAD"])
@pytest.mark.requirement("data.mcp.post-only")
async def test_only_post_is_answered(service, method):
    answer = await post(service.app, b"", method=method, key=service.test_key, accept="text/event-stream")
    assert answer.status_code == 405
    assert answer.headers["allow"] == "POST"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ("{", 400, -32700),
        ('{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', 400, -32700),
        (f"[{PING}]", 400, -32600),
        ('{"jsonrpc":"2.0","id":1,"method":"nonsense"}', 200, -32601),
        ('{"jsonrpc":"2.0","id":1,"method":"resources/list"}', 200, -32601),
        ('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"other"}}', 200, -32602),
        (
            '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_account","arguments":[]}}',
            200,
            -32602,
        ),
        ("x" * 65_537, 413, -32600),
    ],
)
@pytest.mark.requirement("data.mcp.batch")
async def test_what_is_no_request_is_refused(service, body, status, code):
    answer = await post(service.app, body, key=service.test_key)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


async def test_an_unknown_tool_of_the_modern_era_is_a_protocol_error(service):
    answer = await ask(service.app, "tools/call", {"name": "other"}, era=MODERN, key=service.test_key)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32602)


async def test_an_unknown_version_is_refused_with_those_there_are(service):
    answer = await ask(service.app, "ping", era="2031-01-01", key=service.test_key)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32022)


async def test_a_notification_is_accepted_without_an_answer(service):
    body = '{"jsonrpc":"2.0","method":"notifications/initialized"}'
    answer = await post(service.app, body, key=service.test_key)
    assert (answer.status_code, answer.content) == (202, b"")


@pytest.mark.requirement("data.mcp.stateless")
async def test_a_call_needs_neither_initialize_nor_session_nor_version(service):
    body = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_account"}}'
    answer = await post(service.app, body, key=service.test_key)
    assert answer.json()["result"]["structuredContent"]["object"] == "account"
    assert answer.headers["content-type"] == "application/json"


async def test_a_web_page_may_ask_before_it_calls_and_read_the_challenge(service):
    wanted = "authorization, content-type, mcp-protocol-version, mcp-method, mcp-name"
    headers = {
        "origin": "https://app.example.com",
        "access_control_request_method": "POST",
        "access_control_request_headers": wanted,
    }
    answer = await post(service.app, b"", method="OPTIONS", **headers)
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in answer.headers
    allowed = answer.headers["access-control-allow-headers"].lower()
    assert all(name in allowed for name in ("authorization", "mcp-name", "idempotency-key"))
    answer = await post(service.app, PING, origin="https://app.example.com")
    assert answer.status_code == 401
    exposed = answer.headers["access-control-expose-headers"]
    assert all(name in exposed for name in ("WWW-Authenticate", "MCP-Protocol-Version", "Retry-After"))


# Calls


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("tool", [tool for tool in TOOLS if tool != "get_valuation"])
async def test_every_tool_answers_the_same_as_structure_and_as_text(service, tool, era):
    result = await call(service, tool, ARGUMENTS[tool], era=era)
    assert not result["isError"], result
    assert methods.serialize_server_result("tools/call", era, result) == result
    assert ("resultType" in result) is (era == MODERN)


async def test_a_valuation_of_the_published_vector(service):
    car = {"hsn_tsn": {"hsn": "0603", "tsn": "BJM"}, "first_registration": "2019-05", "mileage_km": 85000}
    arguments = {"country": "DE", "vehicle": car, "idempotency_key": "vector-1"}
    value = (await call(service, "valuate_car", arguments))["structuredContent"]
    assert (value["price"], value["interval"]["low"], value["interval"]["high"]) == (15500, 13800, 17200)
    assert (value["status"], value["mode"], value["replayed"]) == ("completed", "test", False)
    again = (await call(service, "valuate_car", arguments, era=MODERN))["structuredContent"]
    assert (again["id"], again["replayed"]) == (value["id"], True)
    by_id = await call(service, "get_valuation", {"valuation_id": value["id"]})
    assert by_id["structuredContent"] == value
    by_key = await call(service, "get_valuation", {"idempotency_key": "vector-1"})
    assert by_key["structuredContent"] == value
    changed = {**arguments, "vehicle": {**car, "mileage_km": 85001}}
    reused = await call(service, "valuate_car", changed)
    assert reused["structuredContent"]["code"] == "idempotency_key_reused"


MAGIC = {
    990010: "insufficient_market_data",
    990011: "vehicle_ambiguous",
    990012: "vehicle_not_identified",
    990013: "vehicle_too_old",
    990014: "mileage_out_of_range",
    990015: "interval_too_wide",
    990020: "engine_error",
    990021: "engine_timeout",
    990040: "insufficient_credits",
    990041: "insufficient_scope",
    990042: "country_not_enabled",
    990050: "rate_limited",
    990051: "concurrency_limited",
    990052: "engine_busy",
    990060: "idempotency_in_progress",
    990070: "internal_error",
}
WAITS = {990050: 2, 990051: 1, 990052: 3}


@pytest.mark.parametrize("era", [LEGACY, MODERN])
@pytest.mark.parametrize("mileage", MAGIC)
@pytest.mark.requirement("data.mcp.is-error")
async def test_every_magic_mileage_is_an_error_with_its_code_and_wait(service, mileage, era):
    car = {"make": "Skoda", "model": "Octavia", "first_registration": "2021-03", "mileage_km": mileage}
    arguments = {"country": "DE", "vehicle": car, "idempotency_key": f"magic-{mileage}"}
    result = await call(service, "valuate_car", arguments, era=era)
    body = result["structuredContent"]
    problem = body.get("error") or body
    assert result["isError"]
    assert problem["code"] == MAGIC[mileage]
    if mileage < 990040:
        assert (body["object"], body["price"]) == ("valuation", None)
        again = await call(service, "get_valuation", {"valuation_id": body["id"]}, era=era)
        assert again["isError"]
    if mileage in WAITS:
        assert (problem["retry_after"], problem["retry_with"]) == (WAITS[mileage], "same_key")


@pytest.mark.requirement("data.mcp.retry")
async def test_a_busy_engine_is_waited_out_with_one_key(service):
    car = {"make": "Skoda", "model": "Octavia", "first_registration": "2021-03", "mileage_km": 990053}
    arguments = {"country": "DE", "vehicle": car, "idempotency_key": "patient"}
    results = [await call(service, "valuate_car", arguments) for _ in range(3)]
    assert [result["isError"] for result in results] == [True, True, False]
    assert results[0]["structuredContent"]["retry_after"] == 1


async def test_a_live_call_says_that_there_is_no_model_yet(service):
    result = await call(service, "valuate_car", ARGUMENTS["valuate_car"], key=service.live_key)
    problem = result["structuredContent"]
    assert result["isError"]
    assert problem["code"] == "service_unavailable"
    assert problem["retry_after"] >= 1


@pytest.mark.requirement("data.isolation")
async def test_what_a_test_key_made_is_hidden_from_live_keys_and_other_organisations(service):
    value = (await call(service, "valuate_car", ARGUMENTS["valuate_car"]))["structuredContent"]
    for key in (service.live_key, service.new_organization().test_key):
        result = await call(service, "get_valuation", {"valuation_id": value["id"]}, key=key)
        assert result["structuredContent"]["code"] == "valuation_not_found"


@pytest.mark.parametrize("era", [LEGACY, MODERN])
async def test_arguments_that_do_not_fit_are_a_result_with_pointers(service, era):
    arguments = {**ARGUMENTS["valuate_car"], "colour": "red"}
    result = await call(service, "valuate_car", arguments, era=era)
    problem = result["structuredContent"]
    assert result["isError"]
    assert problem["code"] == "invalid_request"
    assert [error["pointer"] for error in problem["errors"]] == ["/colour"]
    result = await call(service, "search_vehicles", {"level": "search", "model_id": "md_0001"}, era=era)
    assert result["structuredContent"]["code"] == "validation_failed"


@pytest.mark.parametrize("key", [None, ""])
async def test_a_valuation_without_a_usable_key_says_so(service, key):
    arguments = {**ARGUMENTS["valuate_car"], "idempotency_key": key}
    if key is None:
        del arguments["idempotency_key"]
    result = await call(service, "valuate_car", arguments)
    assert result["structuredContent"]["code"] == f"idempotency_key_{'missing' if key is None else 'invalid'}"


async def test_the_modern_envelope_is_no_argument(service):
    body = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "get_account", "_meta": {**ENVELOPE, "traceparent": "00-1-2-01"}},
    }
    headers = {"mcp_protocol_version": MODERN, "mcp_method": "tools/call", "mcp_name": "get_account"}
    answer = await post(service.app, json.dumps(body), key=service.test_key, **headers)
    assert answer.json()["result"]["isError"] is False
