"""JSON-RPC 2.0 around a message: reading a call, writing its result or error."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from forecourt.aap.errors import InvalidRequest
from forecourt.base.strict_json import encode_json

RequestId = str | int | float | None
_ID_TYPES = (str, int, float)
_STRUCTURED = (dict, list)


@dataclass(frozen=True, slots=True)
class Call:
    """A well-formed call. A notification has no id and gets no answer (JSON-RPC 2.0, section 4.1)."""

    method: str
    params: Any
    is_notification: bool


def request_id(value: object) -> RequestId:
    """Return the id to answer under: the request's own, or None when it has none that is allowed."""
    found = value.get("id") if isinstance(value, dict) else None
    return found if _is_id(found) else None


def read_call(value: object) -> Call:
    """Read a JSON value as one call. Raises `InvalidRequest`, also for a batch: A2A has none."""
    if not isinstance(value, dict):
        raise InvalidRequest("Send one JSON-RPC 2.0 request object; A2A has no batches.")
    problems = list(_problems(value))
    if problems:
        raise InvalidRequest(f"Not a JSON-RPC 2.0 request: {'; '.join(problems)}.")
    return Call(value["method"], value.get("params"), is_notification="id" not in value)


def _problems(value: dict[str, Any]) -> Iterator[str]:
    if value.get("jsonrpc") != "2.0":
        yield 'jsonrpc must be "2.0"'
    if not isinstance(value.get("method"), str):
        yield "method must be a string"
    if not _is_id(value.get("id")):
        yield "id must be a string, a number or null"
    params = value.get("params")
    if not (params is None or isinstance(params, _STRUCTURED)):
        yield "params must be an object"


def _is_id(value: object) -> bool:
    return value is None or (isinstance(value, _ID_TYPES) and not isinstance(value, bool))


def result_body(answered_id: RequestId, result: Iterable[bytes]) -> bytes:
    """Write the answer to a call whose result is encoded already, in parts that are copied only here."""
    return b"".join((b'{"jsonrpc":"2.0","id":', encode_json(answered_id), b',"result":', *result, b"}"))


def error_body(answered_id: RequestId, error: dict[str, Any]) -> bytes:
    """Write the answer to a call that failed; `error` has `code`, `message` and `data`."""
    return b'{"jsonrpc":"2.0","id":%b,"error":%b}' % (encode_json(answered_id), encode_json(error))
