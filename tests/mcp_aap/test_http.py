"""The endpoint as MCP clients and strangers meet it, in both eras of the protocol."""

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_types import methods
from tests.mcp_aap.asking import ENVELOPE, LEGACY, MODERN, adapter, ask, call, http_client, post
from tests.mcp_aap.dealers import FOUND, SEARCH, Dealer, wrapped

from forecourt.base.errors import NotFound
from forecourt.mcp_aap.streamable_http import MAX_BODY_BYTES, create_adapter_app
from forecourt.mcp_edge.door import Door

pytestmark = pytest.mark.anyio

INITIALIZE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "t", "version": "1"},
}
TOOLS = [
    "aap_dealer_information",
    "aap_inventory_facets",
    "aap_inventory_search",
    "aap_inventory_vehicle",
    "aap_lead_submit",
]


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
async def test_initialize_answers_the_version_that_is_asked_for(version):
    answer = await ask(adapter(Dealer().client()), "initialize", {**INITIALIZE, "protocolVersion": version})
    assert answer.json()["result"]["protocolVersion"] == version


@pytest.mark.parametrize("version", ["2026-07-28", "2099-01-01", "1.0", ""])
async def test_initialize_answers_the_manifest_s_version_to_one_that_has_no_handshake(version):
    answer = await ask(adapter(Dealer().client()), "initialize", {**INITIALIZE, "protocolVersion": version})
    assert answer.json()["result"]["protocolVersion"] == "2025-06-18"


async def test_the_server_is_the_one_of_the_manifest():
    answer = await ask(adapter(Dealer().client()), "initialize", INITIALIZE)
    result = answer.json()["result"]
    assert result["serverInfo"]["name"] == "auto-agent-protocol"
    assert result["serverInfo"]["version"] == "1.3.0"
    assert result["capabilities"] == {"tools": {"listChanged": False}}
    assert "never follow" in result["instructions"][:512]
    assert answer.headers["content-type"] == "application/json"
    assert "mcp-session-id" not in answer.headers


async def test_discovery_names_the_modern_version():
    result = (await ask(adapter(Dealer().client()), "server/discover", era=MODERN)).json()["result"]
    assert result["supportedVersions"] == [MODERN]
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "auto-agent-protocol"
    assert result["ttlMs"] > 0


@pytest.mark.parametrize("era", [LEGACY, MODERN])
async def test_five_tools_are_listed_whatever_the_dealer_offers(era):
    dealer = Dealer()
    dealer.card["skills"] = dealer.card["skills"][:1]
    tools = (await ask(adapter(dealer.client()), "tools/list", era=era)).json()["result"]["tools"]
    assert [tool["name"] for tool in tools] == TOOLS
    for tool in tools:
        assert tool["inputSchema"]["type"] == "object"
        assert not {"$ref", "$schema", "anyOf", "oneOf", "allOf"} & set(tool["inputSchema"])
        assert "outputSchema" not in tool
        assert set(tool["annotations"]) == {
            "readOnlyHint",
            "destructiveHint",
            "idempotentHint",
            "openWorldHint",
        }
        assert tool["_meta"]["org.autoagentprotocol/aap_request_schema"].startswith(
            "https://autoagentprotocol.org/v1.3/"
        )
        assert tool["_meta"]["org.autoagentprotocol/aap_skill_id"]
    hints = {tool["name"]: tool["annotations"] for tool in tools}
    assert [name for name in TOOLS if not hints[name]["readOnlyHint"]] == ["aap_lead_submit"]
    assert hints["aap_lead_submit"]["destructiveHint"]
    told = {tool["name"]: tool["description"] for tool in tools}
    assert [name for name in TOOLS if "ask the person: show the whole consent text" in told[name]] == [
        "aap_lead_submit"
    ]
    assert "$ref" not in json.dumps(tools)


async def test_schemas_can_be_given_by_reference():
    tools = (await ask(adapter(Dealer().client(), form="ref"), "tools/list")).json()["result"]["tools"]
    assert tools[2]["inputSchema"] == {
        "type": "object",
        "$ref": "https://autoagentprotocol.org/v1.3/schemas/inventory-search-request.schema.json",
    }


@pytest.mark.parametrize("era", [LEGACY, MODERN])
async def test_a_call_is_answered_with_the_payload_as_structure_and_as_text(era):
    dealer = Dealer()
    result = await call(adapter(dealer.client()), "aap_inventory_search", SEARCH, era=era)
    assert result["structuredContent"] == json.loads(FOUND)
    assert result["content"] == [{"type": "text", "text": FOUND}]
    assert result["isError"] is False
    assert result["_meta"]["forecourt/content"]["supplied_by"] == "dealer.example.com"
    assert result["_meta"]["forecourt/content"]["trust"] == "untrusted"
    assert dealer.calls[0]["params"]["message"]["parts"][0]["data"] == SEARCH


@pytest.mark.parametrize(("era", "version"), [(LEGACY, LEGACY), (MODERN, MODERN), (LEGACY, "2025-11-25")])
async def test_the_direct_answer_is_what_the_sdk_would_write(era, version):
    result = await call(adapter(Dealer().client()), "aap_inventory_search", SEARCH, era=era)
    assert methods.serialize_server_result("tools/call", version, result) == result
    assert ("resultType" in result) is (era == MODERN)
    assert ("io.modelcontextprotocol/serverInfo" in result["_meta"]) is (era == MODERN)


NUMBERS = '"a":26780,"b":26780.0,"c":1e3,"d":12345678901234567890123,"e":0.10,"f":-0.0'


@pytest.mark.parametrize("era", [LEGACY, MODERN])
async def test_numbers_keep_their_form_both_ways(era):
    dealer = Dealer(
        reply=lambda call: wrapped(f'{{"type":"x.response","data":{{{NUMBERS}}}}}', request_id=call["id"])
    )
    app = adapter(dealer.client(), validate=False)
    meta = f',"_meta":{json.dumps(ENVELOPE)}' if era == MODERN else ""
    arguments = f'{{"type":"inventory.search.request",{NUMBERS}}}'
    params = f'{{"name":"aap_inventory_search","arguments":{arguments}{meta}}}'
    body = f'{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}'
    headers = {"mcp-protocol-version": era, "mcp-method": "tools/call", "mcp-name": "aap_inventory_search"}
    answer = await post(app, body, headers)
    assert f'"data":{arguments}'.encode() in dealer.bodies[0]
    assert f'"structuredContent":{{"type":"x.response","data":{{{NUMBERS}}}}}' in answer.text
    assert (
        json.loads(answer.text)["result"]["content"][0]["text"]
        == f'{{"type":"x.response","data":{{{NUMBERS}}}}}'
    )


@pytest.mark.parametrize("request_id", ["1", '"a\\"b"', "12345678901234567890", "-1", '""'])
async def test_the_id_is_echoed_exactly(request_id):
    for method in ("ping", "tools/call", "nonsense"):
        params = '{"name":"aap_dealer_information","arguments":{"type":"dealer.information.request"}}'
        body = f'{{"jsonrpc":"2.0","id":{request_id},"method":"{method}","params":{params}}}'
        answer = await post(adapter(Dealer().client()), body)
        assert f'"id":{request_id}' in answer.text


async def test_arguments_may_be_left_out():
    dealer = Dealer()
    result = await call(adapter(dealer.client(), validate=False), "aap_inventory_facets")
    assert not result["isError"]
    assert b'"data":{},' in dealer.bodies[0]


# The edge


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "HEAD", "OPTIONS"])
async def test_only_post_is_answered(method):
    async with http_client(adapter(Dealer().client())) as client:
        answer = await client.request(method, "/mcp", headers={"accept": "text/event-stream"})
    assert answer.status_code == 405
    assert answer.headers["allow"] == "POST"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ("{", 400, -32700),
        ("", 400, -32700),
        (b"\xff\xfe{\x00}\x00", 400, -32700),
        ("[" * 100_000, 400, -32700),
        ('{"a":NaN}', 400, -32700),
        ('{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', 400, -32700),
        ('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\\ud800"}}', 400, -32700),
        ('{"jsonrpc":"2.0","id":' + "9" * 5000 + ',"method":"ping"}', 400, -32700),
        ("[]", 400, -32600),
        ('[{"jsonrpc":"2.0","id":1,"method":"ping"}]', 400, -32600),
        ("null", 400, -32600),
        ("{}", 400, -32600),
        ('{"id":1,"method":"ping"}', 400, -32600),
        ('{"jsonrpc":"1.0","id":1,"method":"ping"}', 400, -32600),
        ('{"jsonrpc":"2.0","id":null,"method":"ping"}', 400, -32600),
        ('{"jsonrpc":"2.0","id":1.5,"method":"ping"}', 400, -32600),
        ('{"jsonrpc":"2.0","id":true,"method":"ping"}', 400, -32600),
        ('{"jsonrpc":"2.0","id":{},"method":"ping"}', 400, -32600),
        ('{"jsonrpc":"2.0","id":1,"method":5}', 400, -32600),
        ('{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', 400, -32600),
        ("x" * (MAX_BODY_BYTES + 1), 413, -32600),
        ('{"jsonrpc":"2.0","id":1,"method":"nonsense"}', 200, -32601),
        ('{"jsonrpc":"2.0","id":1,"method":"prompts/list"}', 200, -32601),
        ('{"jsonrpc":"2.0","id":1,"method":"tools/call"}', 200, -32602),
        ('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}', 200, -32602),
        ('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"other"}}', 200, -32602),
        (
            '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"aap_lead_submit","arguments":[]}}',
            200,
            -32602,
        ),
        ('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}', 200, -32602),
    ],
)
async def test_what_is_no_request_is_refused_without_a_call(body, status, code):
    dealer = Dealer()
    answer = await post(adapter(dealer.client()), body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert answer.headers["content-type"] == "application/json"
    assert dealer.calls == []


@pytest.mark.parametrize(
    "body",
    [
        '{"jsonrpc":"2.0","method":"notifications/initialized"}',
        '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"aap_lead_submit","arguments":{}}}',
        '{"jsonrpc":"2.0","id":1,"result":{}}',
        '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}',
    ],
)
async def test_what_waits_for_no_answer_is_accepted_and_dropped(body):
    dealer = Dealer()
    answer = await post(adapter(dealer.client()), body)
    assert (answer.status_code, answer.content) == (202, b"")
    assert dealer.calls == []


@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""]
)
async def test_another_content_type_is_refused(content_type):
    answer = await post(adapter(Dealer().client()), "{}", {"content-type": content_type})
    assert answer.status_code == 415


async def test_a_request_without_version_or_accept_is_served():
    async with http_client(adapter(Dealer().client())) as client:
        client.headers.pop("accept")
        content = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
        answer = await client.post(
            "/", content=content, headers={"content-type": "Application/JSON; charset=utf-8"}
        )
    assert len(answer.json()["result"]["tools"]) == 5


async def test_an_unknown_version_is_told_which_ones_there_are():
    answer = await ask(adapter(Dealer().client()), "ping", era="2031-01-01")
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32022)
    assert answer.json()["error"]["data"]["requested"] == "2031-01-01"
    assert MODERN in answer.json()["error"]["data"]["supported"]


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"mcp_method": "tools/list"}, -32020),
        ({"mcp_name": "aap_lead_submit"}, -32020),
        ({"mcp_protocol_version": "2025-06-18"}, -32020),
        ({"mcp_protocol_version": "2031-01-01"}, -32020),
    ],
)
async def test_headers_that_contradict_the_body_are_refused(headers, code):
    params = {"name": "aap_inventory_search", "arguments": SEARCH}
    answer = await ask(adapter(Dealer().client()), "tools/call", params, era=MODERN, **headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, code)


async def test_white_space_around_a_header_does_not_count():
    answers = []
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {}}).encode()

    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message):
        answers.append(message)

    headers = [(b"content-type", b" application/json "), (b"mcp-protocol-version", b"\t2025-06-18  ")]
    await adapter(Dealer().client())({"type": "http", "method": "POST", "headers": headers}, receive, send)
    assert answers[0]["status"] == 200


async def test_a_routing_header_given_twice_is_refused():
    dealer = Dealer()
    async with http_client(adapter(dealer.client())) as client:
        headers = [("content-type", "application/json"), ("mcp-method", "ping"), ("mcp-method", "tools/call")]
        answer = await client.post("/", content="{}", headers=headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32020)


async def test_an_unknown_tool_of_the_modern_era_is_a_protocol_error():
    answer = await ask(
        adapter(Dealer().client()), "tools/call", {"name": "other", "arguments": {}}, era=MODERN
    )
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32602)
    answer = await ask(adapter(Dealer().client()), "nonsense", era=MODERN)
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, -32601)


LOCAL = Door(hosts=frozenset({"127.0.0.1:9"}), origins=frozenset({"https://app.example.com"}))


@pytest.mark.parametrize(
    ("headers", "admitted"),
    [
        ({"host": "127.0.0.1:9"}, True),
        ({"host": "127.0.0.1:9", "origin": "http://127.0.0.1:9"}, True),
        ({"host": "127.0.0.1:9", "origin": "https://app.example.com"}, True),
        ({"host": "127.0.0.1:9", "origin": "https://evil.example.com"}, False),
        ({"host": "127.0.0.1:9", "origin": "null"}, False),
        ({"host": "evil.example.com:9", "origin": "http://evil.example.com:9"}, False),
        ({"host": "127.0.0.1:10"}, False),
    ],
)
async def test_a_page_of_another_site_does_not_get_in(headers, admitted):
    answer = await post(
        adapter(Dealer().client(), door=LOCAL), '{"jsonrpc":"2.0","id":1,"method":"ping"}', headers
    )
    assert answer.status_code == (200 if admitted else 403)


async def test_one_application_serves_many_dealers():
    dealers = {f"/dealers/d{number}/mcp": Dealer() for number in range(3)}
    for number, dealer in enumerate(dealers.values()):
        dealer.reply = lambda call, number=number: wrapped(
            f'{{"type":"x.y","data":{number}}}', request_id=call["id"]
        )
    clients = {path: dealer.client() for path, dealer in dealers.items()}

    async def by_path(scope):
        if scope["path"] not in clients:
            raise NotFound("no such dealer")
        return clients[scope["path"]]

    params = {"name": "aap_inventory_search", "arguments": SEARCH}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    async with http_client(create_adapter_app(by_path)) as client:
        for number, path in enumerate(dealers):
            answer = await client.post(path, content=body, headers={"content-type": "application/json"})
            assert answer.json()["result"]["structuredContent"]["data"] == number
        answer = await client.post(
            "/dealers/none/mcp", content=body, headers={"content-type": "application/json"}
        )
        assert answer.status_code == 404


async def test_a_bug_is_an_internal_error_without_a_word_of_its_own(caplog):
    class Broken:
        async def card(self):
            raise RuntimeError("secret path")

    answer = await ask(adapter(Broken()), "tools/call", {"name": "aap_inventory_search", "arguments": SEARCH})
    assert answer.json()["error"] == {"code": -32603, "message": "Internal server error"}


@given(st.binary(max_size=60) | st.text('{}[]":,0a\\', max_size=30).map(str.encode))
def test_no_body_ever_breaks_the_endpoint(body):
    answer = asyncio.run(post(adapter(Dealer().client()), body))
    assert answer.status_code in (200, 202, 400)
