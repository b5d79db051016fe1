"""Cards of all versions and makers, read for what a client needs."""

import json

import pytest
from tests.mcp_aap.dealers import AAP_1_3, card

from forecourt.aap.card_reading import endpoints, read_card
from forecourt.aap.dealer_errors import CardUnusable
from forecourt.fetch.errors import UrlRefused

HOME = "https://autoagentprotocol.org/extensions"


def test_the_official_card_is_read(shared):
    document = json.loads((shared / "aap-v1.3/examples/agent-card.example.json").read_bytes())
    read = read_card(document)
    assert (read.name, read.endpoint, read.host) == (
        "Demo Toyota", "https://demo-toyota.example.com/a2a", "demo-toyota.example.com",
    )  # fmt: skip
    assert read.version.label == "v1.3"
    assert len(read.skills) == 5
    assert read.credentials == "none"


@pytest.mark.parametrize(
    ("uri", "label"),
    [
        (f"{HOME}/a2a-automotive-retail/v1.0", "v1.0"),
        (f"{HOME}/aap/v1.1", "v1.1"),
        (f"{HOME}/aap/v1.2", "v1.2"),
        (AAP_1_3, "v1.3"),
    ],
)
def test_every_published_version_is_known(uri, label):
    assert read_card(card(extension=uri)).version.label == label


def test_the_newest_of_several_versions_is_used():
    extensions = [
        {"uri": f"{HOME}/aap/v1.1"},
        {"uri": AAP_1_3, "required": True},
        {"uri": f"{HOME}/aap/v1.2"},
    ]
    assert read_card(card(capabilities={"extensions": extensions})).version.label == "v1.3"


def _interfaces(*interfaces: tuple[str, str, str]) -> list[dict[str, str]]:
    return [
        {"url": f"https://d.example.com{path}", "protocolBinding": binding, "protocolVersion": version}
        for path, binding, version in interfaces
    ]


@pytest.mark.parametrize(
    "interfaces",
    [
        [("/grpc", "GRPC", "1.0"), ("/old", "JSONRPC", "0.3"), ("/a2a", "JSONRPC", "1.0")],
        [("/rest", "HTTP+JSON", "1.0"), ("/a2a", "JSONRPC", "1.0.1")],
        [("/a2a", "JSONRPC", "1.0"), ("/later", "JSONRPC", "1.0")],
    ],
)
def test_the_first_json_rpc_interface_of_version_one_is_used(interfaces):
    document = card(supportedInterfaces=_interfaces(*interfaces))
    assert read_card(document).endpoint == "https://d.example.com/a2a"
    assert len(endpoints(document)) == len(interfaces)


def test_the_endpoint_keeps_its_last_character():
    assert read_card(card("https://d.example.com/a2a/")).endpoint == "https://d.example.com/a2a/"
    assert read_card(card("https://d.example.com/a2a")).endpoint == "https://d.example.com/a2a"


def test_a_tenant_is_kept():
    interface = {**_interfaces(("/a2a", "JSONRPC", "1.0"))[0], "tenant": "larkfield"}
    assert read_card(card(supportedInterfaces=[interface])).tenant == "larkfield"


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ([], "not_an_object"),
        ("card", "not_an_object"),
        (None, "not_an_object"),
        ({"name": "old", "url": "https://d.example.com/a2a", "protocolVersion": "0.3.0"}, "a2a_0_3"),
        ({}, "no_interface"),
        (card(supportedInterfaces=[]), "no_interface"),
        (card(supportedInterfaces="https://d.example.com"), "no_interface"),
        (card(supportedInterfaces=_interfaces(("/a2a", "GRPC", "1.0"))), "no_interface"),
        (card(supportedInterfaces=_interfaces(("/a2a", "JSONRPC", "0.3"))), "no_interface"),
        (card(supportedInterfaces=_interfaces(("/a2a", "JSONRPC", "10.0"))), "no_interface"),
        (
            card(supportedInterfaces=[{"url": 5, "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]),
            "no_interface",
        ),
        (card(extension=None), "not_an_aap_dealer"),
        (card(extension="https://example.com/extensions/other"), "not_an_aap_dealer"),
        (card(capabilities=None), "not_an_aap_dealer"),
        (card(capabilities={"extensions": {"uri": AAP_1_3}}), "not_an_aap_dealer"),
        (card(extension=f"{HOME}/aap/v2.0"), "unknown_aap_version"),
        (card(extension=f"{HOME}/aap/v1.4"), "unknown_aap_version"),
    ],
)
def test_an_unusable_card_says_why_and_is_no_reason_to_try_again(document, reason):
    with pytest.raises(CardUnusable) as failure:
        read_card(document)
    assert failure.value.details == {"reason": reason}
    assert not failure.value.retryable


@pytest.mark.parametrize(
    "url", ["https://u:p@d.example.com/a2a", "/a2a", "file:///etc/passwd", "https://0x7f.1/a2a"]
)
def test_an_endpoint_that_no_request_may_go_to_is_refused(url):
    with pytest.raises(UrlRefused):
        read_card(card(url))


def _a2a(name: str, scheme: dict) -> dict:
    return {
        "securitySchemes": {name: scheme},
        "securityRequirements": [{"schemes": {name: {"list": []}}}],
    }


BEARER = {"httpAuthSecurityScheme": {"scheme": "Bearer"}}
API_KEY = {"apiKeySecurityScheme": {"location": "header", "name": "X-Key"}}


def _alternatives(*alternatives: dict) -> dict:
    requirements = [{"schemes": schemes} for schemes in alternatives]
    return {"securityRequirements": requirements, "securitySchemes": {"b": BEARER, "k": API_KEY}}


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({}, "none"),
        ({"securitySchemes": {"b": BEARER}}, "none"),
        ({"securityRequirements": []}, "none"),
        (_a2a("b", BEARER), "bearer"),
        (_a2a("o", {"oauth2SecurityScheme": {"flows": {}}}), "bearer"),
        (_a2a("i", {"openIdConnectSecurityScheme": {"openIdConnectUrl": "https://d.example.com"}}), "bearer"),
        (_a2a("b", {"httpAuthSecurityScheme": {"scheme": "Basic"}}), "unsupported"),
        (_a2a("k", API_KEY), "unsupported"),
        (_a2a("m", {"mtlsSecurityScheme": {}}), "unsupported"),
        ({"securityRequirements": [{"schemes": {"unknown": {"list": []}}}]}, "unsupported"),
        (_alternatives({"b": {}}, {}), "none"),
        (_alternatives({"b": {}, "k": {}}), "unsupported"),
        (_alternatives({"k": {}}, {"b": {}}), "bearer"),
        ({"security": [{"b": []}], "securitySchemes": {"b": {"type": "http", "scheme": "bearer"}}}, "bearer"),
        ({"security": [{"o": []}], "securitySchemes": {"o": {"type": "oauth2"}}}, "bearer"),
        ({"security": [{"k": []}], "securitySchemes": {"k": {"type": "apiKey"}}}, "unsupported"),
        ({"security": [{}]}, "none"),
    ],
)  # fmt: skip
def test_the_card_says_whether_a_bearer_token_opens_the_dealer(members, expected):
    assert read_card(card(**members)).credentials == expected
