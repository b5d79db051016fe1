"""What a client says in one `SendMessage`: the one AAP payload among the parts of its message.

Members are read by their camelCase names, as A2A writes them (section 5.5); unknown ones are ignored, and
null counts as absent, as in ProtoJSON. The payload itself is left to its schema.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from forecourt.aap.errors import ContentTypeNotSupported, refusal
from forecourt.aap.validation import Failure
from forecourt.agent.operations import task_not_found

_MESSAGE = "/params/message"
_PARTS = f"{_MESSAGE}/parts"
_OPTIONAL_MEMBERS: dict[str, type] = {
    "contextId": str,
    "metadata": dict,
    "extensions": list,
    "referenceTaskIds": list,
}
_TYPE_NAMES: dict[type, str] = {str: "string", dict: "object", list: "array"}
_UNREAD_CONTENT = ("text", "raw", "url")
_UNDERSTOOD = re.compile(r"application/(?:json|vnd\.autoagent\.[a-z0-9.-]+\+json)\s*(?:;.*)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class UserMessage:
    """The payload of a message, and the conversation it belongs to when the client named one."""

    payload: dict[str, Any]
    context_id: str | None


def read_message(params: object) -> UserMessage:
    """Read the `params` of SendMessage.

    Raises `TaskNotFound` when a task is to be continued, `ContentTypeNotSupported` for a part of a media type
    that AAP does not use, and the validation errors of AAP with every failure (pointers from the JSON-RPC
    request's root).
    """
    members = params if isinstance(params, dict) else {}
    message = members.get("message")
    if not isinstance(message, dict):
        raise refusal([_wrong_type(_MESSAGE, dict) if message is not None else _missing(_MESSAGE)])
    if message.get("taskId"):
        raise task_not_found()
    wrong = [*_wrong_request_members(members), *_wrong_message_members(message), *_wrong_parts(message)]
    if wrong:
        raise refusal(wrong)
    return UserMessage(_payload(message["parts"]), message.get("contextId") or None)


def _wrong_request_members(params: dict[str, Any]) -> Iterator[Failure]:
    for name in ("configuration", "metadata"):
        value = params.get(name)
        if value is not None and not isinstance(value, dict):
            yield _wrong_type(f"/params/{name}", dict)


def _wrong_message_members(message: dict[str, Any]) -> Iterator[Failure]:
    message_id = message.get("messageId")
    if message_id is None or message_id == "":
        yield _missing(f"{_MESSAGE}/messageId")
    elif not isinstance(message_id, str):
        yield _wrong_type(f"{_MESSAGE}/messageId", str)
    role = message.get("role")
    if role is None:
        yield _missing(f"{_MESSAGE}/role")
    elif role != "ROLE_USER":
        yield Failure(f"{_MESSAGE}/role", "const", 'Must be "ROLE_USER".')
    for name, expected in _OPTIONAL_MEMBERS.items():
        value = message.get(name)
        if value is not None and not isinstance(value, expected):
            yield _wrong_type(f"{_MESSAGE}/{name}", expected)


def _wrong_parts(message: dict[str, Any]) -> Iterator[Failure]:
    parts = message.get("parts")
    if parts is None:
        yield _missing(_PARTS)
    elif not isinstance(parts, list):
        yield _wrong_type(_PARTS, list)
    elif not parts:
        yield Failure(_PARTS, "minItems", "Must have at least 1 entries.")
    else:
        for number, part in enumerate(parts):
            yield from _wrong_part(f"{_PARTS}/{number}", part)


def _wrong_part(pointer: str, part: object) -> Iterator[Failure]:
    if not isinstance(part, dict):
        yield _wrong_type(pointer, dict)
        return
    media_type = part.get("mediaType")
    if media_type is not None and not isinstance(media_type, str):
        yield _wrong_type(f"{pointer}/mediaType", str)
    contents = [name for name in _UNREAD_CONTENT if part.get(name) is not None]
    if len(contents) + ("data" in part) > 1:
        yield Failure(pointer, "oneOf", 'A part holds one of "text", "raw", "url" and "data".')


def _payload(parts: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the payload of the one data part; parts without data mean nothing in AAP and are passed over."""
    numbers = [number for number, part in enumerate(parts) if "data" in part]
    _refuse_other_media_types([parts[number] for number in numbers] or parts)
    if len(numbers) != 1:
        keyword = "minContains" if not numbers else "maxContains"
        raise refusal([Failure(_PARTS, keyword, "Exactly one part must hold data: the AAP request.")])
    payload = parts[numbers[0]]["data"]
    if not isinstance(payload, dict):
        raise refusal([_wrong_type(f"{_PARTS}/{numbers[0]}/data", dict)])
    return payload


def _refuse_other_media_types(parts: Iterable[dict[str, Any]]) -> None:
    for part in parts:
        media_type = part.get("mediaType")
        if media_type and not _UNDERSTOOD.fullmatch(media_type):
            raise ContentTypeNotSupported(
                "Send a part with data of media type application/json or an AAP type."
            )


def _missing(pointer: str) -> Failure:
    owner, _, name = pointer.rpartition("/")
    return Failure(owner, "required", f'"{name}" is missing.')


def _wrong_type(pointer: str, expected: type) -> Failure:
    return Failure(pointer, "type", f"Must be of type {_TYPE_NAMES[expected]}.")
