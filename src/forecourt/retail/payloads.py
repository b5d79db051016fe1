"""AAP payloads at the border of the use cases: requests that fit their schema, responses as bytes."""

from collections.abc import Mapping
from typing import Any

from forecourt.aap.errors import refusal
from forecourt.aap.validation import failures
from forecourt.base.strict_json import encode_json


def refuse_invalid(schema_name: str, request: Mapping[str, Any]) -> None:
    """Raise the validation error of AAP with every failure when a request does not fit its schema."""
    wrong = failures(schema_name, request)
    if wrong:
        raise refusal(wrong)


def encode_response(response_type: str, data: Any, *, message: str | None = None) -> bytes:
    """Encode a response whose data is plain."""
    return wrap_response(response_type, encode_json(data), message=message)


def wrap_response(response_type: str, data: bytes, *, message: str | None = None) -> bytes:
    """Put encoded data into a response of that type, with a note for the buyer when there is one."""
    note = b',"message":' + encode_json(message) if message else b""
    return b"".join((b'{"type":"', response_type.encode(), b'","data":', data, note, b"}"))
