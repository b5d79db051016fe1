"""The JavaScript A2A SDK reads the card and asks the dealer: integers stay integers, errors stay whole."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from forecourt.demo.dealer import dealer_stock, group_name
from forecourt.demo.expected import used_hybrid_suvs
from forecourt.demo.workspace import Workspace

EXTENSION = "https://autoagentprotocol.org/extensions/aap/v1.3"
PRICED = next(vehicle for vehicle in dealer_stock() if vehicle.price is not None)

QUESTIONS = {
    "information": {"type": "dealer.information.request"},
    "facets": {"type": "inventory.facets.request"},
    "search": {
        "type": "inventory.search.request",
        "filters": {"body": ["suv"], "fuel": ["hybrid"], "condition": ["used", "cpo"], "price_max": 30_000},
        "sort": {"field": "price", "order": "asc"},
    },
    "vehicle": {"type": "inventory.vehicle.request", "vin": PRICED.vin},
    "unknown vehicle": {"type": "inventory.vehicle.request", "stock": "99999"},
}


@pytest.fixture(scope="module")
def client(ask_node: Callable[..., Any], demo_dealer: Workspace) -> dict[str, Any]:
    """The card, and the answers by the name of their question."""
    output = ask_node("a2a_client.mjs", f"{demo_dealer.dealer_url}/", json.dumps([*QUESTIONS.values()]))
    return {"card": output["card"], **dict(zip(QUESTIONS, output["answers"], strict=True))}


def test_the_card_names_the_protocol_the_endpoint_and_the_read_skills(
    client: dict[str, Any], demo_dealer: Workspace
) -> None:
    card = client["card"]
    interface = card["supportedInterfaces"][0]
    assert interface["url"] == f"{demo_dealer.dealer_url}/a2a"
    assert (interface["protocolBinding"], interface["protocolVersion"]) == ("JSONRPC", "1.0")
    assert EXTENSION in [extension["uri"] for extension in card["capabilities"]["extensions"]]
    read_skills = {"dealer.information", "inventory.facets", "inventory.search", "inventory.vehicle"}
    assert read_skills <= {skill["id"] for skill in card["skills"]}


def test_the_dealer_says_who_it_is(client: dict[str, Any]) -> None:
    payload = client["information"]["payload"]
    assert payload["type"] == "dealer.information.response"
    assert payload["data"]["name"] == group_name()


def test_the_facets_count_the_whole_stock(client: dict[str, Any]) -> None:
    payload = client["facets"]["payload"]
    assert payload["type"] == "inventory.facets.response"
    assert sum(make["count"] for make in payload["data"]["makes"]) == len(dealer_stock())


def test_a_search_finds_exactly_what_the_dealer_has(client: dict[str, Any]) -> None:
    page = client["search"]["payload"]["data"]
    expected = used_hybrid_suvs(dealer_stock(), price_max=30_000)
    assert page["total"] == len(expected)
    assert [vehicle["price"] for vehicle in page["vehicles"]] == [vehicle.price for vehicle in expected][:20]


def test_a_vehicle_comes_with_its_price_as_an_integer(client: dict[str, Any]) -> None:
    vehicle = client["vehicle"]["payload"]["data"]
    assert (vehicle["vin"], vehicle["price"], vehicle["mileage"]) == (
        PRICED.vin,
        PRICED.price,
        PRICED.mileage,
    )


def test_an_unknown_vehicle_is_an_error_with_the_whole_aap_object(client: dict[str, Any]) -> None:
    error = client["unknown vehicle"]["error"]["data"]
    assert (error["type"], error["code"], error["retryable"]) == ("aap.error", "VEHICLE_NOT_FOUND", False)
