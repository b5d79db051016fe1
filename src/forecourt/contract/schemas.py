"""The JSON Schemas of the vehicle-data contract, version 1, as files beside this module.

A schema is named by its file without the ending: `valuate-car-input`, `valuation`, `problem`. Files are read
when they are first asked for; nobody changes what is handed out.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

Schema = dict[str, Any]

ENDING: Final = ".schema.json"
_FOLDER: Final = Path(__file__).resolve().parent / "v1"
_RULES: Final = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"})
_OF_DOCUMENTS: Final = frozenset({"$schema", "$id", "$defs", "title"})


@cache
def schema_names() -> tuple[str, ...]:
    """Return the names of all schemas, sorted."""
    return tuple(sorted(path.name.removesuffix(ENDING) for path in _FOLDER.glob(f"*{ENDING}")))


@cache
def schema(name: str) -> Schema:
    """Return the schema of that name as it stands in its file; raises KeyError when there is none."""
    if name not in schema_names():
        raise KeyError(name)
    document: Schema = json.loads((_FOLDER / f"{name}{ENDING}").read_bytes())
    return document


@cache
def tool_input_schema(name: str) -> Schema:
    """Return an input schema in the form that every known MCP client reads.

    A plain object without references and compositions. It accepts what the schema accepts and a little more:
    what it cannot say (one of several identities) is left to validation; the descriptions tell it.
    """
    plain: Schema = _without(inlined(name), _RULES)
    return plain


def inlined(name: str) -> Schema:
    """Return a schema with everything that it refers to in its place."""
    whole: Schema = _inlined(schema(name), file=name)
    return whole


def _inlined(node: Any, *, file: str) -> Any:
    if isinstance(node, list):
        return [_inlined(item, file=file) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        target, target_file = resolved(node["$ref"], file=file)
        beside = {key: value for key, value in node.items() if key != "$ref"}
        return _inlined({**target, **beside}, file=target_file)
    return {
        key: _inlined(value, file=file)
        for key, value in node.items()
        if key not in _OF_DOCUMENTS or not isinstance(value, str | dict)
    }


def resolved(reference: str, *, file: str) -> tuple[Mapping[str, Any], str]:
    """Find what a reference in the schema `file` points at, and in which schema that stands."""
    target, _, pointer = reference.partition("#")
    name = target.removesuffix(ENDING) or file
    node: Any = schema(name)
    for step in filter(None, pointer.split("/")):
        node = node[step]
    return node, name


def _without(node: Any, keywords: frozenset[str]) -> Any:
    """Leave keywords out of a schema and of those of its members, whose names may be the same words."""
    kept = {key: value for key, value in node.items() if key not in keywords}
    if "properties" in kept:
        kept["properties"] = {name: _without(child, keywords) for name, child in kept["properties"].items()}
    if isinstance(kept.get("items"), dict):
        kept["items"] = _without(kept["items"], keywords)
    return kept
