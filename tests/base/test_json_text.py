"""Parts of a document keep the form in which they were written."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forecourt.base.json_text import ANY, read_with_texts
from forecourt.base.strict_json import MalformedJson

NUMBERS = "26780, 26780.0, 1e3, 0.10, -0, 12345678901234567890123, 1.2345678901234567890"


def test_numbers_keep_their_form():
    _, texts = read_with_texts(b'{"a": {"data": [' + NUMBERS.encode() + b"]}}", ("a", "data"))
    assert texts == {("a", "data"): f"[{NUMBERS}]"}


def test_every_entry_of_an_array_is_found():
    document, texts = read_with_texts(
        b'{"parts":[{"data":1 },{"text":"x"},2,{"data":{"b" : 2}}]}', ("parts", ANY, "data")
    )
    assert texts == {("parts", 0, "data"): "1", ("parts", 3, "data"): '{"b" : 2}'}
    assert document["parts"][3] == {"data": {"b": 2}}


def test_the_whole_document_can_be_asked_for():
    assert read_with_texts(b" [1.0] ", ()) == ([1.0], {(): "[1.0]"})


@pytest.mark.parametrize("body", [b'{"a":[]}', b'{"a":{}}', b'{"a":null}', b'{"b":{"data":1}}', b"[]", b"3"])
def test_a_part_that_is_not_there_has_no_text(body):
    document, texts = read_with_texts(body, ("a", ANY, "data"))
    assert document == json.loads(body)
    assert texts == {}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abc") | st.text(), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(JSON, st.lists(st.sampled_from(["a", "b", "c", ANY]), max_size=4), st.sampled_from([None, 2]))
def test_the_document_is_what_the_standard_parser_reads(value, pattern, indent):
    text = json.dumps(value, indent=indent)
    document, texts = read_with_texts(text.encode(), pattern)
    assert document == json.loads(text)
    for path, part in texts.items():
        node = document
        for step in path:
            node = node[step]
        assert json.loads(part) == node
        assert part in text


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "bad_syntax"),
        (b"{", "bad_syntax"),
        (b'{"a"', "bad_syntax"),
        (b'{"a":', "bad_syntax"),
        (b'{"a":1', "bad_syntax"),
        (b'{"a":1,}', "bad_syntax"),
        (b'{"a":1,2:3}', "bad_syntax"),
        (b"{'a':1}", "bad_syntax"),
        (b'{"a":[1', "bad_syntax"),
        (b'{"a":[1,]}', "bad_syntax"),
        (b'{"a":1} 2', "bad_syntax"),
        (b"\xef\xbb\xbf{}", "bad_syntax"),
        (b'{"a":"\xff"}', "not_utf8"),
        ("{}".encode("utf-16"), "not_utf8"),
        (b'{"a":NaN}', "not_a_number"),
        (b'{"a":[-Infinity]}', "not_a_number"),
        (b'{"a":1e400}', "number_out_of_range"),
        (b'{"a":' + b"9" * 5000 + b"}", "number_out_of_range"),
        (b"[" * 100_000, "too_deep"),
        (b'{"a":' * 100_000, "too_deep"),
        (b'{"a":[' + b"[" * 80 + b"]" * 80 + b"]}", "too_deep"),
    ],
)
def test_what_is_not_json_is_refused_with_one_word(body, reason):
    with pytest.raises(MalformedJson) as failure:
        read_with_texts(body, ("a", ANY))
    assert failure.value.reason == reason


@given(st.binary(max_size=40) | st.text(alphabet='{}[]":,0a\\ ', max_size=20).map(str.encode))
def test_no_other_error_ever_leaves(body):
    try:
        document, _ = read_with_texts(body, ("a", ANY))
    except MalformedJson:
        return
    assert document == json.loads(body)
