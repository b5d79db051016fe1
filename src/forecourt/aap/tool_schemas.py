"""Input schemas of the five MCP tools, in the form that every known client understands.

The published manifest points at AAP's schemas by URL. A served tool must not: clients refuse a whole tool
list for one `inputSchema` without `type: object`, and none fetches a URL. So the AAP request schema is
inlined and brought into the subset that all clients share: a plain object at the root, no `$schema`, `$id`,
`$ref` or `$defs`, no composition at the root, one `type` per value, a description on every property. What the
subset cannot say (one of several identifiers, an e-mail or a phone) is left to validation; the descriptions
tell it.
"""

from collections.abc import Mapping
from typing import Any

from forecourt.aap.schemas import Schema, schema, schema_name
from forecourt.aap.skills import Skill, catalogue

#: Prefix of our keys in a tool's `_meta`: AAP's domain, reversed (MCP, `_meta` key format).
META_PREFIX = "org.autoagentprotocol/"

#: Said otherwise (`type`, `const`), said nowhere (composition), or of no use to a client.
_LEFT_OUT = frozenset({"$schema", "$id", "$defs", "title", "type", "const", "allOf", "anyOf"})


def inline_input_schema(skill: Skill) -> Schema:
    """Return the portable input schema of a skill's tool.

    It accepts whatever the request schema accepts, and a little more.
    """
    root = schema(skill.request_schema_name)
    plain = _portable(root, file=skill.request_schema)
    for condition in root.get("allOf", ()):
        _narrow(plain, condition["then"])
    return {key: value for key, value in plain.items() if key != "description"}


def reference_input_schema(skill: Skill) -> Schema:
    """Return the input schema that only points at the published request schema.

    `type` stands beside `$ref` because MCP demands it of every tool's `inputSchema`.
    """
    return {"type": "object", "$ref": catalogue().schema_url(skill.request_schema)}


def tool_meta(skill: Skill) -> dict[str, str]:
    """Return the `_meta` of a served tool: its AAP annotations and the address of its request schema.

    MCP servers and clients drop unknown keys of `annotations`; `_meta` reaches the client.
    """
    facts = {
        **catalogue().annotations(skill),
        "aap_request_schema": catalogue().schema_url(skill.request_schema),
    }
    return {f"{META_PREFIX}{key}": value for key, value in facts.items()}


def _portable(node: Mapping[str, Any], *, file: str) -> Schema:
    """Rewrite a schema node of `file` for clients: references inlined, one type per value."""
    if "$ref" in node:
        target, target_file = _resolved(node["$ref"], file=file)
        beside = {key: value for key, value in node.items() if key != "$ref"}
        return _portable({**target, **beside}, file=target_file)
    kept = {
        key: _portable_member(key, value, file=file)
        for key, value in node.items()
        if key not in _LEFT_OUT and (key, value) != ("additionalProperties", True)
    }
    return {**_typed(node), **kept}


def _typed(node: Mapping[str, Any]) -> Schema:
    """Say a constant and a list of types in words that every client knows."""
    if "const" in node:
        return {"type": "string", "enum": [node["const"]]}
    types = node.get("type")
    return {"anyOf": [{"type": name} for name in types]} if isinstance(types, list) else {"type": types}


def _portable_member(key: str, value: Any, *, file: str) -> Any:
    match key:
        case "properties":
            return {name: _portable(child, file=file) for name, child in value.items()}
        case "items":
            return _portable(value, file=file)
        case "additionalProperties" if isinstance(value, dict):
            return _of_any_type(value, file=file)
        case _:
            return value


def _of_any_type(node: Mapping[str, Any], *, file: str) -> Schema:
    """Keep a union of types, which a property may have although a root may not."""
    return {"anyOf": [_portable(option, file=file) for option in node["anyOf"]]}


def _resolved(reference: str, *, file: str) -> tuple[Mapping[str, Any], str]:
    """Find what a relative reference of `file` points at, and in which file that stands."""
    target_file, _, pointer = reference.partition("#")
    target_file = target_file.removeprefix("./") or file
    node: Any = schema(schema_name(target_file))
    for step in filter(None, pointer.split("/")):
        node = node[step]
    return node, target_file


def _narrow(node: Schema, then: Mapping[str, Any]) -> None:
    """Lay the narrower values of a condition's `then` over the properties they speak of."""
    for name, rule in then.get("properties", {}).items():
        child = node["properties"][name]
        child.update({key: value for key, value in rule.items() if key != "properties"})
        _narrow(child, rule)
