"""`/openapi.json`: OpenAPI 3.1 of every REST route, made from the table of operations and the contract."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from forecourt.contract.problems import MEDIA_TYPE, PROBLEMS, ProblemKind
from forecourt.contract.schemas import ENDING, Schema, schema, schema_names
from forecourt.operations.operation import Operation, RestRoute
from forecourt.operations.table import OPERATIONS, problem_codes
from forecourt.rest.arguments import schema_name

API_VERSION: Final = "1.0.0"

_REFERENCE: Final = re.compile(rf"(?P<file>[\w-]*){re.escape(ENDING)}(#/\$defs/(?P<definition>\w+))?")
_PARAMETER: Final = re.compile(r"\{(\w+)\}")
_HEADERS: Final = {
    "X-Request-Id": "Id of the request; quote it to the operator.",
    "RateLimit-Limit": "Calls per minute.",
    "RateLimit-Remaining": "Calls that are left at once.",
    "RateLimit-Reset": "Seconds until all calls are there again.",
}
_DONE: Final = {
    200: "Done.",
    201: "The car was valued.",
    204: "Done; there is nothing to say.",
    422: "The car is not priced (`status: refused`), or the request is a Problem.",
    500: "The valuation failed (`status: failed`), or something went wrong here.",
}


def openapi(*, public_url: str, service_name: str) -> dict[str, Any]:
    """Return the document for a server at `public_url`."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": f"{service_name}: vehicle data",
            "version": API_VERSION,
            "description": "What a car is and what it is worth, with an honest interval. Guides: /docs.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": public_url}],
        "security": [{"api_key": []}],
        "tags": [{"name": tag} for tag in ("valuations", "vehicles", "catalogue", "account", "service")],
        "paths": _paths(),
        "components": {
            "securitySchemes": {
                "api_key": {"type": "http", "scheme": "bearer", "description": "An API key, test or live."}
            },
            "headers": {name: _header(name) for name in _HEADERS},
            "schemas": _schemas(),
        },
    }


def _paths() -> dict[str, Any]:
    paths: dict[str, Any] = {}
    for operation in OPERATIONS:
        for route in operation.routes:
            paths.setdefault(route.path, {})[route.method.lower()] = _operation(operation, route)
    return paths


def _operation(operation: Operation, route: RestRoute) -> dict[str, Any]:
    document: dict[str, Any] = {
        "operationId": route.id,
        "tags": [_tag(route.path)],
        "summary": route.summary,
        "description": f"{operation.description}\n\nCost: {operation.cost}{_scope(operation)}",
        "parameters": _parameters(operation, route),
        "responses": _responses(operation, route),
    }
    if operation.scope is None:
        document["security"] = []
    if route.has_body:
        document["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": _body_schema(operation, route)}},
        }
    return document


def _tag(path: str) -> str:
    room = path.split("/")[2]
    return room if room in {"valuations", "vehicles", "catalogue", "account"} else "service"


def _scope(operation: Operation) -> str:
    return f"\n\nScope: `{operation.scope}`." if operation.scope else ""


def _body_schema(operation: Operation, route: RestRoute) -> Schema:
    name = "valuation-request" if route.idempotency_header else schema_name(operation, route)
    return _component_ref(name)


def _parameters(operation: Operation, route: RestRoute) -> list[dict[str, Any]]:
    properties = schema(schema_name(operation, route))["properties"]
    required = schema(schema_name(operation, route)).get("required", [])
    needed = {*required, "query"}  # the level `search` cannot do without it
    in_path = _PARAMETER.findall(route.path)
    path = [_parameter(name, "path", properties[name], required=True) for name in in_path]
    query = [
        _parameter(name, "query", properties[member], required=member in needed)
        for name, member in route.query.items()
    ]
    header = [_idempotency_key()] if route.idempotency_header else []
    return path + query + header


def _parameter(name: str, place: str, rule: Mapping[str, Any], *, required: bool) -> dict[str, Any]:
    document = {"name": name, "in": place, "required": required, "schema": _rewritten(rule)}
    return {**document, "description": rule["description"]} if "description" in rule else document


def _idempotency_key() -> dict[str, Any]:
    return {
        "name": "Idempotency-Key",
        "in": "header",
        "required": True,
        "description": "One key per car that you value; the same key and body again is the same valuation.",
        "schema": _component_ref("definitions", "idempotency_key"),
    }


def _responses(operation: Operation, route: RestRoute) -> dict[str, Any]:
    problems = _by_status(operation, route)
    statuses = sorted({*route.statuses, *problems})
    return {str(status): _response(status, operation, route, problems.get(status, [])) for status in statuses}


def _by_status(operation: Operation, route: RestRoute) -> dict[int, list[ProblemKind]]:
    kinds: dict[int, list[ProblemKind]] = {}
    for code in problem_codes(operation, route):
        kinds.setdefault(PROBLEMS[code].status, []).append(PROBLEMS[code])
    return kinds


def _response(
    status: int, operation: Operation, route: RestRoute, problems: list[ProblemKind]
) -> dict[str, Any]:
    content: dict[str, Any] = {}
    if status in route.statuses and operation.output:
        content["application/json"] = {"schema": _component_ref(operation.output)}
    if problems:
        content[MEDIA_TYPE] = {"schema": _component_ref("problem")}
    said = [_DONE[status]] if status in route.statuses else []
    said += [f"`{kind.code}`: {kind.title}." for kind in problems]
    response: dict[str, Any] = {"description": "\n\n".join(said), "headers": _response_headers(problems)}
    return {**response, "content": content} if content else response


def _response_headers(problems: list[ProblemKind]) -> dict[str, Any]:
    headers: dict[str, Any] = {name: {"$ref": f"#/components/headers/{name}"} for name in _HEADERS}
    if any(kind.waits for kind in problems):
        headers["Retry-After"] = {
            "description": "Seconds to wait, where `retry_after` stands in the body.",
            "schema": {"type": "integer", "minimum": 1},
        }
    return headers


def _header(name: str) -> dict[str, Any]:
    text = name == "X-Request-Id"
    return {"description": _HEADERS[name], "schema": {"type": "string" if text else "integer"}}


@cache
def _schemas() -> dict[str, Any]:
    """Return every schema of the contract as a component, references pointing at components."""
    components = {
        _component(name): _rewritten(_bare(schema(name))) for name in schema_names() if name != "definitions"
    }
    for name, definition in schema("definitions")["$defs"].items():
        components[_component("definitions", name)] = _rewritten(definition)
    return components


def _bare(document: Schema) -> Schema:
    return {key: value for key, value in document.items() if key not in {"$schema", "$id"}}


def _component_ref(file: str, definition: str | None = None) -> Schema:
    return {"$ref": f"#/components/schemas/{_component(file, definition)}"}


def _component(file: str, definition: str | None = None) -> str:
    name = definition or file
    return "".join(part.capitalize() for part in re.split(r"[-_]", name))


def _rewritten(node: Any) -> Any:
    if isinstance(node, list):
        return [_rewritten(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        key: _component_reference(value) if key == "$ref" else _rewritten(value)
        for key, value in node.items()
    }


def _component_reference(reference: str) -> str:
    match = _REFERENCE.fullmatch(reference)
    if match is None:
        raise ValueError(f"not a reference of the contract: {reference}")
    return f"#/components/schemas/{_component(match['file'], match['definition'])}"
