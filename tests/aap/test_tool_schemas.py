"""The input schemas that MCP clients get: what each known client refuses is not in them."""

import jsonschema_rs
import pytest

from forecourt.aap.skills import skill_of_tool, skills
from forecourt.aap.tool_schemas import inline_input_schema, reference_input_schema, tool_meta

each_skill = pytest.mark.parametrize("skill", skills(), ids=lambda skill: skill.id)
COMPOSITION = {"anyOf", "oneOf", "allOf", "not", "if", "then", "else"}


def schemas_in(node):
    """Every schema node with its place, the root first."""
    pending = [("", node)]
    while pending:
        place, schema = pending.pop()
        yield place, schema
        for name, child in schema.get("properties", {}).items():
            pending.append((f"{place}/{name}", child))
        for key in ("items", "additionalProperties"):
            if isinstance(schema.get(key), dict):
                pending.append((f"{place}/{key}", schema[key]))
        for index, option in enumerate(schema.get("anyOf", ())):
            pending.append((f"{place}/anyOf/{index}", option))


@pytest.mark.requirement("mcp.tool-schema.root")
@each_skill
def test_the_root_is_a_plain_object(skill):
    root = inline_input_schema(skill)
    assert root["type"] == "object"
    assert not COMPOSITION & root.keys()
    assert root["required"][0] == "type"
    assert root["properties"]["type"]["enum"] == [skill.request_type]


@pytest.mark.requirement("mcp.tool-schema.references")
@each_skill
def test_no_reference_and_no_dialect_is_left_anywhere(skill):
    for place, schema in schemas_in(inline_input_schema(skill)):
        assert not {"$schema", "$ref", "$defs", "$id"} & schema.keys(), place


@pytest.mark.requirement("mcp.tool-schema.types")
@each_skill
def test_every_value_has_one_type_and_every_list_its_items(skill):
    for place, schema in schemas_in(inline_input_schema(skill)):
        assert isinstance(schema.get("type", ""), str), place
        assert "type" in schema or "anyOf" in schema, place
        assert schema.get("type") != "array" or "items" in schema, place


@pytest.mark.requirement("mcp.tool-schema.descriptions")
@each_skill
def test_every_property_is_described(skill):
    for place, schema in schemas_in(inline_input_schema(skill)):
        for name, child in schema.get("properties", {}).items():
            assert child.get("description"), f"{place}/{name}"


def test_a_wanted_vehicle_and_a_trade_in_have_their_own_conditions():
    properties = inline_input_schema(skill_of_tool("aap_lead_submit"))["properties"]
    wanted, trade_in = properties["vehicle_of_interest"], properties["trade_in"]
    assert wanted["properties"]["condition"]["enum"] == ["new", "used", "cpo"]
    assert trade_in["properties"]["condition"]["enum"] == ["excellent", "good", "fair", "poor"]


def test_facets_take_the_filters_of_a_search():
    facets = inline_input_schema(skill_of_tool("aap_inventory_facets"))["properties"]["filters"]["properties"]
    search = inline_input_schema(skill_of_tool("aap_inventory_search"))["properties"]["filters"]["properties"]
    assert facets == search
    assert len(search) == 26


def test_a_tool_schema_still_refuses_an_unknown_filter_and_a_wrong_type():
    schema = inline_input_schema(skill_of_tool("aap_inventory_search"))
    for filters in ({"colour": ["red"]}, {"make": "Honda"}, {"vin": "1hgcv1f30na000000"}, {"year_min": 1}):
        request = {"type": "inventory.search.request", "filters": filters}
        assert not jsonschema_rs.is_valid(schema, request)


@pytest.mark.requirement("mcp.tool-schema.reference-form")
@each_skill
def test_the_short_form_is_an_object_that_points_at_the_official_schema(skill):
    url = f"https://autoagentprotocol.org/v1.3/schemas/{skill.request_schema}"
    assert reference_input_schema(skill) == {"type": "object", "$ref": url}


@pytest.mark.requirement("aap.mcp.meta")
def test_meta_carries_the_annotations_and_addresses_under_one_prefix():
    base = "https://autoagentprotocol.org/v1.3/schemas/"
    assert tool_meta(skill_of_tool("aap_inventory_vehicle")) == {
        "org.autoagentprotocol/aap_skill_id": "inventory.vehicle",
        "org.autoagentprotocol/aap_request_type": "inventory.vehicle.request",
        "org.autoagentprotocol/aap_response_type": "inventory.vehicle.response",
        "org.autoagentprotocol/aap_response_schema": f"{base}vehicle-detail-response.schema.json",
        "org.autoagentprotocol/aap_request_schema": f"{base}vehicle-detail-request.schema.json",
    }
