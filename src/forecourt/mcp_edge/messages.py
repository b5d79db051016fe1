"""One MCP message in the body of an HTTP request: its shape and era, and how answers to it are written.

The handshake era (2025-03-26 to 2025-11-25) and the per-request era (2026-07-28) share one endpoint. A
version of the second in the header, or its envelope in `params._meta`, makes a request modern.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import mcp_types as types
from mcp.shared.inbound import (
    ERROR_CODE_HTTP_STATUS,
    MCP_PROTOCOL_VERSION_HEADER,
    InboundLadderRejection,
    InboundModernRoute,
    classify_inbound_request,
)
from mcp_types.version import (
    HANDSHAKE_PROTOCOL_VERSIONS,
    KNOWN_PROTOCOL_VERSIONS,
    MODERN_PROTOCOL_VERSIONS,
)

from forecourt.base.strict_json import MalformedJson, parse_json

ASSUMED_VERSION: Final = "2025-03-26"
"""The version of a request without the header, as the specification has it."""

RequestId = str | int


@dataclass(frozen=True, slots=True)
class Request:
    """A JSON-RPC request, or a notification when `id` is None."""

    id: RequestId | None
    method: str
    params: Mapping[str, Any] | None
    route: InboundModernRoute | None = None

    @property
    def is_modern(self) -> bool:
        """Whether the request is of the per-request era."""
        return self.route is not None


class Rejected(Exception):
    """The request is answered with an error before it is handled."""

    def __init__(
        self,
        error: types.ErrorData,
        *,
        request_id: RequestId | None = None,
        status: int = 400,
        headers: tuple[tuple[bytes, bytes], ...] = (),
    ) -> None:
        super().__init__(error.message)
        self.error = error
        self.request_id = request_id
        self.status = status
        self.headers = headers


def refusal(status: int, message: str, *, headers: tuple[tuple[bytes, bytes], ...] = ()) -> Rejected:
    """Return what a request that is not even looked at is answered with."""
    error = types.ErrorData(code=types.INVALID_REQUEST, message=message)
    return Rejected(error, status=status, headers=headers)


def read_message(message: object, headers: Mapping[str, str]) -> Request | None:
    """Return the request in a parsed body; None for an answer, which nobody waits for. Raises `Rejected`."""
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        raise _invalid("The body is not one JSON-RPC 2.0 message.")
    if "method" not in message and ("result" in message or "error" in message):
        return None
    method, params, request_id = message.get("method"), message.get("params"), message.get("id")
    if not isinstance(method, str) or not isinstance(params, dict | None):
        raise _invalid("The method is not a text, or its params are not an object.", _valid_id(request_id))
    if "id" not in message:
        return Request(None, method, params)
    if _valid_id(request_id) is None:
        raise _invalid("The id is neither a text nor an integer.")
    return Request(request_id, method, params, _route(message, headers))


def request_id_in(body: bytes) -> RequestId | None:
    """Return the id of a request that is refused before it is read, when it has one."""
    try:
        message = parse_json(body)
    except MalformedJson:
        return None
    return _valid_id(message.get("id")) if isinstance(message, dict) else None


def error_body(error: types.ErrorData, request_id: RequestId | None) -> bytes:
    """Write a JSON-RPC error."""
    member = error.model_dump(mode="json", by_alias=True, exclude_none=True)
    return _compact({"jsonrpc": "2.0", "id": request_id, "error": member})


def result_body(result: Mapping[str, Any], request_id: RequestId) -> bytes:
    """Write a JSON-RPC result."""
    return _compact({"jsonrpc": "2.0", "id": request_id, "result": result})


def error_status(error: types.ErrorData, *, modern: bool) -> int:
    """Return the HTTP status of an error: 200 in the handshake era, by table since (2026-07-28)."""
    return ERROR_CODE_HTTP_STATUS.get(error.code, 200) if modern else 200


def _route(message: Mapping[str, Any], headers: Mapping[str, str]) -> InboundModernRoute | None:
    """Return the modern route of a request, None in the handshake era; raises `Rejected`."""
    version = headers.get(MCP_PROTOCOL_VERSION_HEADER)
    if version not in MODERN_PROTOCOL_VERSIONS and not _has_envelope(message.get("params")):
        if version is not None and version not in HANDSHAKE_PROTOCOL_VERSIONS:
            raise Rejected(_unsupported(version), request_id=message["id"])
        return None
    verdict = classify_inbound_request(message, headers=headers)
    if isinstance(verdict, InboundLadderRejection):
        error = types.ErrorData(code=verdict.code, message=verdict.message, data=verdict.data)
        raise Rejected(error, request_id=message["id"], status=error_status(error, modern=True))
    return verdict


def _has_envelope(params: Any) -> bool:
    meta = params.get("_meta") if isinstance(params, dict) else None
    return isinstance(meta, dict) and types.PROTOCOL_VERSION_META_KEY in meta


def _unsupported(version: str) -> types.ErrorData:
    data = {"supported": list(KNOWN_PROTOCOL_VERSIONS), "requested": version[:64]}
    return types.ErrorData(
        code=types.UNSUPPORTED_PROTOCOL_VERSION, message="Unsupported protocol version", data=data
    )


def _valid_id(value: object) -> RequestId | None:
    return (
        value if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)) else None
    )


def _invalid(message: str, request_id: RequestId | None = None) -> Rejected:
    return Rejected(types.ErrorData(code=types.INVALID_REQUEST, message=message), request_id=request_id)


def _compact(document: Mapping[str, Any]) -> bytes:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
