"""RFC 8785: equal values have equal bytes."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forecourt.base.canonical_json import canonical_json

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1.0, "1"),
        (-0.0, "0"),
        (0.1, "0.1"),
        (1e21, "1e+21"),
        (1e20, "100000000000000000000"),
        (333333333.33333329, "333333333.3333333"),
        (1e-6, "0.000001"),
        (1e-7, "1e-7"),
        (1.5e-5, "0.000015"),
        (-1.5e-5, "-0.000015"),
        (5e-324, "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (4.5e15, "4500000000000000"),
        (123456789012345680.0, "123456789012345680"),
    ],
)
def test_numbers_are_written_as_ecmascript_writes_them(number, text):
    assert canonical_json(number).decode() == text


def test_members_are_sorted_by_utf_16_code_units():
    # RFC 8785, 3.2.3: U+1F600 is a surrogate pair and so comes before U+FB33.
    members = {"\ufb33": 1, "\U0001f600": 2, "€": 3, "1": 4, "\r": 5, "ö": 6}
    assert list(json.loads(canonical_json(members))) == ["\r", "1", "ö", "€", "\U0001f600", "\ufb33"]


@given(JSON)
def test_the_text_holds_the_value_and_its_own_text(value):
    text = canonical_json(value)
    assert json.loads(text, parse_int=float) == value
    assert canonical_json(json.loads(text)) == text


@given(st.dictionaries(st.text(), st.integers(-(2**53), 2**53)))
def test_order_and_the_form_of_numbers_do_not_matter(members):
    other = {name: float(value) for name, value in reversed(members.items())}
    assert canonical_json(other) == canonical_json(members)
