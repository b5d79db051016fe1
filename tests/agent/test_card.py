"""What a dealer's agent card says, and how HTTP caches may keep it."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest
from a2a.client import A2ACardResolver
from a2a.types import AgentCard
from google.protobuf.json_format import MessageToDict, ParseDict
from tests.agent.conftest import AAP_URI, CARD, Site, TwoDealers

from forecourt.aap.skills import skills
from forecourt.aap.validation import failures
from forecourt.agent.card import build_card
from forecourt.agent.rpc import Strictness

ALL_SKILLS = [skill.id for skill in skills()]


def card(site: Site, path: str = CARD, **options: Any) -> Any:
    response = site.request("GET", path, **options)
    assert response.status_code == 200
    return response.json()


def whole_card(**options: Any) -> dict[str, Any]:
    profile = TwoDealers().harbour.profile
    return build_card(profile, endpoint_url="https://a.example.com/a2a", skill_ids=ALL_SKILLS, **options)


def extension_of(card: dict[str, Any]) -> Any:
    (extension,) = card["capabilities"]["extensions"]
    return extension


def test_a_card_names_the_dealer_and_one_absolute_json_rpc_address(site: Site) -> None:
    found = card(site)
    assert found["name"] == "Harbour Motors"
    assert found["provider"] == {"organization": "Example Hosting", "url": "https://hosting.example.com"}
    assert found["supportedInterfaces"] == [
        {
            "url": "https://agents.example.com/dealers/harbour-motors/a2a",
            "protocolBinding": "JSONRPC",
            "protocolVersion": "1.0",
        }
    ]


def test_a_dealers_own_domain_serves_a_card_with_that_domains_address(site: Site) -> None:
    for host in ("cars.example.com", "CARS.example.com.:8443"):
        found = card(site, "/.well-known/agent-card.json", headers={"host": host})
        assert found["supportedInterfaces"][0]["url"] == "https://cars.example.com/a2a"


def test_the_host_header_of_a_stranger_never_reaches_a_card(site: Site) -> None:
    found = card(site, headers={"host": "evil.example.net", "x-forwarded-host": "evil.example.net"})
    assert "evil" not in json.dumps(found)
    response = site.request("GET", "/.well-known/agent-card.json", headers={"host": "evil.example.net"})
    assert response.status_code == 404


def test_only_implemented_skills_are_on_the_card(site: Site) -> None:
    found = card(site)
    listed = [skill["id"] for skill in found["skills"]]
    assert "lead.submit" not in listed
    assert list(extension_of(found)["params"]["skills"]) == listed
    assert "lead-submit" not in json.dumps(found)


def test_the_whole_card_has_the_shape_of_the_official_example(shared: Path) -> None:
    example = json.loads((shared / "aap-v1.3/examples/agent-card.example.json").read_bytes())
    ours = whole_card()
    assert ours.keys() == example.keys()
    assert [skill["id"] for skill in ours["skills"]] == [skill["id"] for skill in example["skills"]]
    extension, official = extension_of(ours), extension_of(example)
    assert extension.keys() == official.keys()
    assert {**extension["params"], "id": 0} == {**official["params"], "id": 0}


def test_cards_list_plain_json_and_the_media_types_of_their_skills(site: Site) -> None:
    found = card(site)
    assert found["defaultInputModes"][0] == found["defaultOutputModes"][0] == "application/json"
    assert "application/vnd.autoagent.dealer-information-request+json" in found["defaultInputModes"]
    (information,) = [skill for skill in found["skills"] if skill["id"] == "dealer.information"]
    assert information["outputModes"] == [
        "application/vnd.autoagent.dealer-information-response+json",
        "application/json",
    ]


def test_cards_fit_our_schema_and_the_official_one(site: Site, shared: Path) -> None:
    official = json.loads((shared / "aap-v1.3/schemas/agent-card.schema.json").read_bytes())
    for found in (card(site), whole_card(), whole_card(requires_extension=True)):
        assert failures("agent-card", found) == []
        jsonschema.validate(found, official, format_checker=jsonschema.FormatChecker())


def test_a_strict_a2a_parser_reads_a_card_and_writes_it_back_equal(site: Site) -> None:
    for found in (card(site), whole_card(), whole_card(requires_extension=True)):
        parsed = ParseDict(found, AgentCard(), ignore_unknown_fields=False)
        assert MessageToDict(parsed) == found


def test_the_a2a_sdk_resolves_a_card(site: Site) -> None:
    async def resolve() -> AgentCard:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(site.app)) as client:
            resolver = A2ACardResolver(client, "https://agents.example.com/dealers/harbour-motors")
            return await resolver.get_agent_card()

    assert asyncio.run(resolve()).name == "Harbour Motors"


def test_the_card_requires_the_extension_exactly_when_the_endpoint_does(site: Site, site_with: Any) -> None:
    assert "required" not in extension_of(card(site))
    strict = site_with(strictness=Strictness(requires_extension=True))
    assert extension_of(card(strict))["required"] is True


def test_the_id_of_a_card_stays_until_anything_on_it_changes() -> None:
    profile = TwoDealers().harbour.profile
    renamed = replace(profile, information={**profile.information, "name": "Harbour Cars"})
    arguments: dict[str, Any] = {"endpoint_url": "https://a.example.com/a2a", "skill_ids": ALL_SKILLS}
    ids = {
        extension_of(changed)["params"]["id"]
        for changed in (
            build_card(profile, **arguments),
            build_card(profile, **arguments),
            build_card(renamed, **arguments),
            build_card(profile, **{**arguments, "endpoint_url": "https://b.example.com/a2a"}),
            build_card(profile, **{**arguments, "skill_ids": ALL_SKILLS[:4]}),
        )
    }
    assert len(ids) == 4
    assert extension_of(build_card(profile, **arguments))["uri"] == AAP_URI


def test_a_changed_profile_is_on_the_next_card(site: Site) -> None:
    before = site.request("GET", CARD)
    profile = site.dealers.harbour.profile
    renamed = replace(profile, information={**profile.information, "name": "Harbour Cars"})
    site.dealers.harbour = replace(site.dealers.harbour, profile=renamed)
    after = site.request("GET", CARD, headers={"if-none-match": before.headers["etag"]})
    assert after.status_code == 200
    assert after.json()["name"] == "Harbour Cars"


def test_a_card_can_be_cached_for_minutes_and_then_asked_for_cheaply(site: Site) -> None:
    response = site.request("GET", CARD)
    assert response.headers["cache-control"] == "public, max-age=300"
    assert response.headers["content-type"] == "application/json"
    for condition in (
        {"if-none-match": response.headers["etag"]},
        {"if-none-match": f"W/{response.headers['etag']}"},
        {"if-none-match": f'"other", {response.headers["etag"]}'},
        {"if-none-match": "*"},
        {"if-modified-since": response.headers["last-modified"]},
    ):
        again = site.request("GET", CARD, headers=condition)
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == response.headers["etag"]
        assert "content-type" not in again.headers


@pytest.mark.parametrize(
    "condition",
    [
        {"if-none-match": '"other"'},
        {"if-none-match": '"other"', "if-modified-since": "Fri, 31 Dec 2100 00:00:00 GMT"},
        {"if-modified-since": "Sat, 01 Jan 2000 00:00:00 GMT"},
        {"if-modified-since": "yesterday"},
        {"if-modified-since": ""},
    ],
)
def test_an_outdated_or_senseless_condition_gets_the_whole_card(
    site: Site, condition: dict[str, str]
) -> None:
    assert site.request("GET", CARD, headers=condition).status_code == 200


def test_head_tells_the_length_without_the_card(site: Site) -> None:
    whole, head = site.request("GET", CARD), site.request("HEAD", CARD)
    assert head.status_code == 200
    assert head.content == b""
    assert head.headers == whole.headers


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_a_card_is_only_read(site: Site, method: str) -> None:
    response = site.request(method, CARD)
    assert response.status_code == 405
    assert response.headers["allow"] == "GET, HEAD"


@pytest.mark.parametrize(
    "path",
    [
        "/dealers/nobody/.well-known/agent-card.json",
        "/dealers/harbour-motors",
        "/dealers/harbour-motors/",
        "/dealers/harbour-motors/.well-known/agent.json",
        "/dealers//a2a",
        "/a2a",
        "/",
    ],
)
def test_other_addresses_are_not_found(site: Site, path: str) -> None:
    assert site.request("GET", path).status_code == 404
