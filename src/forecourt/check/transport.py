"""Rules about bytes and headers: broken bodies, content types, paths, protocol versions, extensions."""

from collections.abc import Collection

from forecourt.aap.versions import SERVED
from forecourt.base.strict_json import encode_json
from forecourt.check.dealer import DealerUnderTest, Reply, send_params
from forecourt.check.expectations import code, json_rpc, typed_refusal
from forecourt.check.rule import Level, Rule

_PARSE_ERROR = -32700
_INVALID_REQUEST = -32600
_VERSION_NOT_SUPPORTED = -32009
_CONTENT_TYPE_NOT_SUPPORTED = -32005
_DEPTH = 100_000


async def _refuses_broken_json(dealer: DealerUnderTest) -> Collection[str]:
    found: list[str] = []
    for what, body in {"{bad": b"{bad", "an empty body": b"", "half a text": b'{"id":"'}.items():
        reply = Reply(await dealer.request(body))
        sentences = code(reply, _PARSE_ERROR) + _null_id(reply)
        found += [f"{what}: {sentence}" for sentence in sentences]
    return found


def _null_id(reply: Reply) -> list[str]:
    return [] if reply.document.get("id", "absent") is None else ["The id is not null."]


async def _survives_deep_nesting(dealer: DealerUnderTest) -> Collection[str]:
    nested = b"[" * _DEPTH + b"]" * _DEPTH
    return typed_refusal(await _send_raw(dealer, nested))


async def _survives_a_huge_integer(dealer: DealerUnderTest) -> Collection[str]:
    return typed_refusal(await _send_raw(dealer, b"9" * 5_000))


async def _survives_a_number_that_is_none(dealer: DealerUnderTest) -> Collection[str]:
    found: list[str] = []
    for number in (b"NaN", b"1e400"):
        found += [f"{number.decode()}: {each}" for each in typed_refusal(await _send_raw(dealer, number))]
    return found


async def _send_raw(dealer: DealerUnderTest, value: bytes) -> Reply:
    """Send a request whose filters hold a value that no encoder would write."""
    payload = {"type": "inventory.search.request", "filters": "VALUE"}
    call = {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": send_params(payload)}
    return Reply(await dealer.request(encode_json(call).replace(b'"VALUE"', value)))


async def _refuses_utf_16(dealer: DealerUnderTest) -> Collection[str]:
    call = {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": send_params(dealer.read_request())}
    text = encode_json(call).decode()
    return code(Reply(await dealer.request(text.encode("utf-16"))), _PARSE_ERROR)


async def _refuses_other_content_types(dealer: DealerUnderTest) -> Collection[str]:
    answer = await dealer.request(_read_call(dealer), headers={"content-type": "text/plain"})
    return [] if answer.status == 415 else code(Reply(answer), _CONTENT_TYPE_NOT_SUPPORTED)


async def _takes_content_type_parameters(dealer: DealerUnderTest) -> Collection[str]:
    headers = {"content-type": "application/json; charset=utf-8"}
    return json_rpc(Reply(await dealer.request(_read_call(dealer), headers=headers)), call_id="check")


def _read_call(dealer: DealerUnderTest) -> bytes:
    params = send_params(dealer.read_request())
    return encode_json({"jsonrpc": "2.0", "id": "check", "method": "SendMessage", "params": params})


async def _takes_a_final_slash(dealer: DealerUnderTest) -> Collection[str]:
    url = dealer.endpoint
    other = url.removesuffix("/") if url.endswith("/") else f"{url}/"
    answer = await dealer.request(_read_call(dealer), url=other)
    if 300 <= answer.status < 400:
        return [f"HTTP {answer.status}: clients that do not follow redirects of POST get no answer."]
    return json_rpc(Reply(answer), call_id="check")


async def _refuses_get(dealer: DealerUnderTest) -> Collection[str]:
    answer = await dealer.request(b"", method="GET")
    return [] if answer.status == 405 else [f"HTTP status {answer.status} instead of 405."]


async def _takes_version_1_0(dealer: DealerUnderTest) -> Collection[str]:
    found: list[str] = []
    for version in ("1.0", "1.0.1"):
        reply = await dealer.send(dealer.read_request(), headers={"a2a-version": version})
        found += [f"{version}: {each}" for each in json_rpc(reply, call_id="check") + _no_error(reply)]
    return found


def _no_error(reply: Reply) -> list[str]:
    return ["It is refused."] if "error" in reply.document else []


async def _refuses_other_versions(dealer: DealerUnderTest) -> Collection[str]:
    found: list[str] = []
    for version in ("0.3", "1.1", "2.0", "99.0", "garbage"):
        reply = await dealer.send(dealer.read_request(), headers={"a2a-version": version})
        sentences = code(reply, _VERSION_NOT_SUPPORTED) if "error" in reply.document else ["It is answered."]
        found += [f"{version}: {sentence}" for sentence in sentences]
    return found


async def _reads_the_version_from_the_query(dealer: DealerUnderTest) -> Collection[str]:
    headers = {"a2a-version": None}
    url = f"{dealer.endpoint}?A2A-Version=99.0"
    reply = Reply(await dealer.request(_read_call(dealer), url=url, headers=headers))
    return code(reply, _VERSION_NOT_SUPPORTED) if "error" in reply.document else ["Version 99.0 is answered."]


async def _needs_no_extra_headers(dealer: DealerUnderTest) -> Collection[str]:
    headers = {"a2a-version": None, "a2a-extensions": None}
    return _no_error(await dealer.send(dealer.read_request(), headers=headers))


async def _names_the_active_extension(dealer: DealerUnderTest) -> Collection[str]:
    headers = (await dealer.send(dealer.read_request())).answer.headers
    named = [uri.strip() for uri in headers.get("a2a-extensions", "").split(",")]
    return [] if SERVED.extension_uri in named else ["A2A-Extensions does not name AAP 1.3."]


MUST, SHOULD = Level.MUST, Level.SHOULD
_READ = ("dealer.information", "inventory.search", "inventory.facets")
_HOSTILE = "AAP 1.3, errors (no crash, no stack trace)"

RULES = (
    Rule(
        "body.broken",
        MUST,
        "JSON-RPC 2.0",
        "A body that is no JSON is refused with -32700 and id null.",
        _refuses_broken_json,
    ),
    Rule(
        "body.deep",
        MUST,
        _HOSTILE,
        "JSON 100,000 levels deep is refused in good form.",
        _survives_deep_nesting,
    ),
    Rule(
        "body.huge-integer",
        MUST,
        _HOSTILE,
        "An integer of 5,000 digits is refused in good form.",
        _survives_a_huge_integer,
    ),
    Rule(
        "body.no-number",
        MUST,
        _HOSTILE,
        "NaN and 1e400 are refused in good form.",
        _survives_a_number_that_is_none,
    ),
    Rule(
        "body.utf-16",
        SHOULD,
        "RFC 8259, section 8.1",
        "A body in UTF-16 is refused with -32700.",
        _refuses_utf_16,
        _READ,
    ),
    Rule(
        "http.content-type",
        SHOULD,
        "A2A 1.0, section 9.1",
        "A body that is not declared as JSON is refused with -32005 or HTTP 415.",
        _refuses_other_content_types,
        _READ,
    ),
    Rule(
        "http.charset",
        MUST,
        "RFC 9110, section 8.3",
        "application/json may carry parameters.",
        _takes_content_type_parameters,
        _READ,
    ),
    Rule(
        "http.final-slash",
        SHOULD,
        "A2A 1.0, section 9.1",
        "The endpoint answers with and without a slash at its end, never by a redirect.",
        _takes_a_final_slash,
        _READ,
    ),
    Rule("http.get", SHOULD, "RFC 9110, section 15.5.6", "GET on the endpoint is HTTP 405.", _refuses_get),
    Rule(
        "version.1-0",
        MUST,
        "A2A 1.0, section 3.6",
        "A2A 1.0 is accepted, with any patch.",
        _takes_version_1_0,
        _READ,
    ),
    Rule(
        "version.other",
        MUST,
        "A2A 1.0, section 3.6",
        "Any other A2A version is refused with -32009.",
        _refuses_other_versions,
        _READ,
    ),
    Rule(
        "version.query",
        SHOULD,
        "A2A 1.0, section 3.6.1",
        "The version is read from the query too.",
        _reads_the_version_from_the_query,
        _READ,
    ),
    Rule(
        "version.absent",
        SHOULD,
        "AAP 1.3, JSON-RPC binding",
        "A client that sends no header but Content-Type is answered, as AAP asks for no other.",
        _needs_no_extra_headers,
        _READ,
    ),
    Rule(
        "extension.echo",
        SHOULD,
        "A2A 1.0, extensions",
        "An answer names the active extension in A2A-Extensions.",
        _names_the_active_extension,
        _READ,
    ),
)
