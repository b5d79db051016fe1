"""The TypeScript MCP SDK lists the five tools and calls them, over HTTP and over stdio."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from forecourt.demo.dealer import dealer_stock, group_name
from forecourt.demo.processes import forecourt_command
from forecourt.demo.workspace import Workspace

PRICED = next(vehicle for vehicle in dealer_stock() if vehicle.price is not None)
CALLS = [
    ("aap_dealer_information", {"type": "dealer.information.request"}),
    ("aap_inventory_facets", {"type": "inventory.facets.request"}),
    ("aap_inventory_search", {"type": "inventory.search.request", "pagination": {"limit": 3}}),
    ("aap_inventory_vehicle", {"type": "inventory.vehicle.request", "vin": PRICED.vin}),
    ("aap_inventory_vehicle", {"type": "inventory.vehicle.request", "vin": PRICED.vin.lower()}),
    ("aap_lead_submit", {"type": "lead.submit.request"}),
]


@pytest.fixture(params=["http", "stdio"])
def session(
    request: pytest.FixtureRequest, ask_node: Callable[..., Any], demo_dealer: Workspace
) -> dict[str, Any]:
    """What one client session over either transport has seen."""
    local = forecourt_command("mcp", "aap", "--dealer", demo_dealer.dealer_url)
    target = [demo_dealer.endpoints()["dealer_mcp_url"]] if request.param == "http" else local
    output: dict[str, Any] = ask_node("mcp_client.mjs", json.dumps(CALLS), *target)
    return output


def test_the_client_lists_and_calls_all_five_tools(session: dict[str, Any]) -> None:
    assert session["server"]["name"] == "auto-agent-protocol"
    assert [tool["name"] for tool in session["tools"]] == [
        "aap_dealer_information",
        "aap_inventory_facets",
        "aap_inventory_search",
        "aap_inventory_vehicle",
        "aap_lead_submit",
    ]
    information, facets, search, vehicle, lower_case, lead = session["results"]
    assert information["structuredContent"]["data"]["name"] == group_name()
    assert facets["structuredContent"]["type"] == "inventory.facets.response"
    assert search["structuredContent"]["data"]["total"] == len(dealer_stock())
    assert vehicle["structuredContent"]["data"]["price"] == PRICED.price
    assert json.loads(vehicle["content"][0]["text"]) == vehicle["structuredContent"]
    for refused in (lower_case, lead):
        assert refused["isError"]
        assert json.loads(refused["content"][0]["text"])["type"] == "aap.error"
