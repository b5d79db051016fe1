"""JSON from strangers: every body that comes in over the network is read here.

The standard library's parser accepts more than RFC 8259 and I-JSON (RFC 7493) allow, and falls over on the
rest: it takes the last of two equal keys, reads NaN and 1e400, keeps half a surrogate pair, guesses UTF-16,
and in some versions raises `RecursionError` on deep nesting. What leaves this module is plain data that any
database and any other JSON parser can hold.
"""

import json
import re
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from math import isfinite
from typing import Any, Never

from forecourt.base.errors import InvalidInput, Unreachable

MAX_DEPTH = 64
MAX_NUMBER_LENGTH = 100
"""Characters of one number; identifiers of 20 digits are seen in the wild, thousands are an attack."""

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]

_LONG_NUMBER = re.compile(rb"[0-9]{%d}" % MAX_NUMBER_LENGTH)

# A string (or the rest of the text, when its closing quote is missing), an opening or a closing bracket.
# The possessive repetitions keep the scan linear whatever the input.
_STRUCTURE = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)


class MalformedJson(InvalidInput):
    """The bytes are not JSON that we accept; `reason` is one stable word."""

    code = "malformed_json"

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message, details={"reason": reason})
        self.reason = reason


class BodyTooLarge(InvalidInput):
    """More bytes came than the endpoint takes."""

    code = "body_too_large"

    def __init__(self, limit: int) -> None:
        super().__init__(f"The request body is larger than {limit} bytes.", details={"max_bytes": limit})
        self.limit = limit


class ClientGone(Unreachable):
    """The client closed the connection before its request was complete: nobody reads an answer."""

    code = "client_gone"


async def read_body(receive: Receive, limit: int) -> bytes:
    """Return the whole body of an ASGI request, never holding more than `limit` bytes and one chunk.

    Raises `BodyTooLarge` as soon as the limit is passed and `ClientGone` on a disconnect.
    """
    chunks: list[bytes] = []
    size = 0
    more = True
    while more:
        event = await receive()
        if event["type"] == "http.disconnect":
            raise ClientGone("The client left before its request was complete.")
        chunk = event.get("body", b"")
        size += len(chunk)
        if size > limit:
            raise BodyTooLarge(limit)
        chunks.append(chunk)
        more = event.get("more_body", False)
    return b"".join(chunks)


def parse_json(body: bytes, *, max_depth: int = MAX_DEPTH) -> Any:
    """Return the value that `body` holds: UTF-8 without mark, unique keys, finite numbers, whole text.

    Arrays and objects nest at most `max_depth` levels, a number has at most `MAX_NUMBER_LENGTH` characters,
    strings hold neither half a surrogate pair nor U+0000 (PostgreSQL stores neither). Raises `MalformedJson`.
    """
    try:
        text = body.decode()
    except UnicodeDecodeError:
        raise MalformedJson("not_utf8", "The body is not valid UTF-8.") from None
    _refuse_deep_nesting(body, max_depth)
    decode = _UNSURE_DECODE if _LONG_NUMBER.search(body) else _DECODE
    try:
        value = decode(text)
    except json.JSONDecodeError as error:
        raise MalformedJson("bad_syntax", f"The body is not JSON: see character {error.pos}.") from None
    if b"\\u" in body:
        _refuse_unstorable_text(value)
    return value


def encode_json(value: Any) -> bytes:
    """Write a JSON value as UTF-8 in the fewest bytes. Raises ValueError for NaN and infinities."""
    return _ENCODE(value).encode()


def _refuse_deep_nesting(body: bytes, max_depth: int) -> None:
    """Count brackets outside strings, before the recursive parser sees them."""
    if body.count(b"[") + body.count(b"{") <= max_depth:
        return
    depth = 0
    for match in _STRUCTURE.finditer(body):
        first = body[match.start()]
        if first in b"[{":
            depth += 1
            if depth > max_depth:
                raise MalformedJson("too_deep", f"The body nests deeper than {max_depth} levels.")
        elif first in b"]}":
            depth -= 1


def _refuse_unstorable_text(value: Any) -> None:
    for text in _strings(value):
        if "\x00" in text:
            raise MalformedJson("nul_character", "A string holds the character U+0000.")
        if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
            raise MalformedJson("lone_surrogate", "A string holds half of a surrogate pair.")


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _strings(item)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise MalformedJson("duplicate_key", "An object names the same member twice.")
    return members


def _integer(text: str) -> int:
    _refuse_long_number(text)
    return int(text)


def _real(text: str) -> float:
    _refuse_long_number(text)
    number = float(text)
    if not isfinite(number):
        raise MalformedJson("number_out_of_range", "A number is too large.")
    return number


def _refuse_long_number(text: str) -> None:
    if len(text) > MAX_NUMBER_LENGTH:
        raise MalformedJson("number_out_of_range", f"A number has more than {MAX_NUMBER_LENGTH} characters.")


def _no_constant(text: str) -> Never:
    raise MalformedJson("not_a_number", f"{text} is not JSON.")


_DECODE = json.JSONDecoder(object_pairs_hook=_object, parse_float=_real, parse_constant=_no_constant).decode
_UNSURE_DECODE = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_real, parse_constant=_no_constant
).decode
"""Looks at every integer, which costs time; for bodies with as many digits in a row somewhere."""
_ENCODE = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
