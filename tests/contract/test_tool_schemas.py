"""Tool schemas are what every known client reads."""

from collections.abc import Iterator
from typing import Any

import pytest

from forecourt.contract.schemas import tool_input_schema
from forecourt.operations.table import TOOLS

COMPOSITION = {"$ref", "$defs", "$schema", "$id", "allOf", "anyOf", "oneOf", "not", "if", "dependentSchemas"}


def nodes(rule: Any) -> Iterator[dict[str, Any]]:
    yield rule
    for child in rule.get("properties", {}).values():
        yield from nodes(child)
    if "items" in rule:
        yield from nodes(rule["items"])


@pytest.mark.parametrize("tool", TOOLS)
def test_an_input_schema_is_a_plain_object_that_describes_every_member(tool):
    root = tool_input_schema(TOOLS[tool].input)
    assert root["type"] == "object"
    for node in nodes(root):
        assert not COMPOSITION & set(node)
        assert isinstance(node["type"], str)
        for child in node.get("properties", {}).values():
            assert child["description"]
