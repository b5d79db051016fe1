"""What the entry parser takes and refuses."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forecourt.base.strict_json import BodyTooLarge, ClientGone, MalformedJson, parse_json, read_body

HOSTILE = {
    "empty body": (b"", "bad_syntax"),
    "trailing junk": (b"[1] x", "bad_syntax"),
    "single quotes": (b"{'a':1}", "bad_syntax"),
    "leading zero": (b"01", "bad_syntax"),
    "trailing comma": (b"[1,]", "bad_syntax"),
    "comment": (b"[1] // one", "bad_syntax"),
    "raw control character in a string": (b'"a\x01"', "bad_syntax"),
    "byte order mark": (b"\xef\xbb\xbf[]", "bad_syntax"),
    "UTF-16 with mark": ("[1]".encode("utf-16"), "not_utf8"),
    "UTF-16 without mark": ("[1]".encode("utf-16-le"), "bad_syntax"),
    "UTF-32": ("[1]".encode("utf-32-le"), "bad_syntax"),
    "Latin-1": ('"é"'.encode("latin-1"), "not_utf8"),
    "surrogate in UTF-8": (b'"\xed\xa0\x80"', "not_utf8"),
    "overlong UTF-8": (b'"\xc0\xaf"', "not_utf8"),
    "half a pair in a value": (rb'["\ud800"]', "lone_surrogate"),
    "half a pair in a key": (rb'{"\udc00": 1}', "lone_surrogate"),
    "reversed pair": (rb'"\ude00\ud83d"', "lone_surrogate"),
    "NUL in a value": (rb'{"a": ["b\u0000"]}', "nul_character"),
    "NUL in a key": (rb'{"\u0000": 1}', "nul_character"),
    "equal keys": (b'{"a": 1, "a": 1}', "duplicate_key"),
    "equal keys, one escaped": (rb'{"a": 1, "\u0061": 2}', "duplicate_key"),
    "equal keys deep inside": (b'[{"b": {"a": 1, "a": 2}}]', "duplicate_key"),
    "NaN": (b"[NaN]", "not_a_number"),
    "Infinity": (b"[Infinity]", "not_a_number"),
    "-Infinity": (b"[-Infinity]", "not_a_number"),
    "1e400": (b"[1e400]", "number_out_of_range"),
    "-1e400": (b"[-1e400]", "number_out_of_range"),
    "5,000 digits": (b"9" * 5_000, "number_out_of_range"),
    "5,000 decimals": (b"0." + b"1" * 5_000, "number_out_of_range"),
    "100,000 open arrays": (b"[" * 100_000, "too_deep"),
    "100,000 nested arrays": (b"[" * 100_000 + b"]" * 100_000, "too_deep"),
    "100,000 nested objects": (b'{"a":' * 100_000, "too_deep"),
    "nesting behind a string full of quotes": (b'["' + b'\\"' * 100_000 + b'",' + b"[" * 64, "too_deep"),
    "one string that never ends": (b'"' + b'\\"[' * 100_000, "bad_syntax"),
}


@pytest.mark.parametrize(("body", "reason"), HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_json_is_refused_with_a_stable_reason(body: bytes, reason: str) -> None:
    with pytest.raises(MalformedJson) as refusal:
        parse_json(body)
    assert refusal.value.reason == reason
    assert refusal.value.details == {"reason": reason}
    assert not refusal.value.retryable


@pytest.mark.parametrize(
    ("body", "value"),
    [
        (b"12345678901234567890", 12345678901234567890),
        (b"-0", 0),
        (b"26780.0", 26780.0),
        (rb'"\ud83d\ude97"', "🚗"),
        ('"🚗 é"'.encode(), "🚗 é"),
        (rb'"\\ud800 \\u0000"', r"\ud800 \u0000"),
        (b'{"a": "[[[[{{{{"}', {"a": "[[[[{{{{"}),
        (b" \t\r\n[null, true]\n", [None, True]),
    ],
)
def test_good_json_keeps_its_value(body: bytes, value: object) -> None:
    parsed = parse_json(body)
    assert parsed == value
    assert type(parsed) is type(value)


def test_exactly_the_allowed_depth_is_read() -> None:
    assert parse_json(b"[" * 64 + b"]" * 64)
    assert parse_json(b"[" + b"[],{}," * 500 + b"1]")
    with pytest.raises(MalformedJson, match="deeper than 64"):
        parse_json(b"[" * 65 + b"]" * 65)


TEXT = st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(TEXT, inner, max_size=5),
    max_leaves=40,
)


@given(VALUES, st.booleans())
def test_what_json_writes_is_read_back_unchanged(value: Any, ascii_only: bool) -> None:
    assert parse_json(json.dumps(value, ensure_ascii=ascii_only).encode()) == value


@given(st.binary(max_size=200))
def test_any_bytes_give_a_value_or_a_typed_refusal(body: bytes) -> None:
    try:
        value = parse_json(body)
    except MalformedJson:
        return
    json.dumps(value, allow_nan=False, ensure_ascii=False).encode()


def body_of(*chunks: bytes, gone: bool = False) -> Any:
    """Return an ASGI `receive` that delivers the chunks, then a disconnect or nothing."""
    events: Iterator[dict[str, Any]] = iter(
        [{"type": "http.request", "body": chunk, "more_body": True} for chunk in chunks]
        + [{"type": "http.disconnect"} if gone else {"type": "http.request"}]
    )

    async def receive() -> dict[str, Any]:
        return next(events)

    return receive


def test_a_body_in_pieces_is_read_whole() -> None:
    assert asyncio.run(read_body(body_of(b"[1", b",", b"2]"), 100)) == b"[1,2]"


def test_a_body_over_the_limit_is_refused_before_the_rest_is_read() -> None:
    receive = body_of(b"12345", b"67890", b"never read")
    with pytest.raises(BodyTooLarge) as refusal:
        asyncio.run(read_body(receive, 9))
    assert refusal.value.details == {"max_bytes": 9}
    assert asyncio.run(receive())["body"] == b"never read"


def test_a_client_that_leaves_is_told_apart_from_an_empty_body() -> None:
    assert asyncio.run(read_body(body_of(), 10)) == b""
    with pytest.raises(ClientGone):
        asyncio.run(read_body(body_of(b"12", gone=True), 10))
