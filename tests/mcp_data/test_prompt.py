"""The prompt `value_a_car`: what the person typed stands in it as data, and the steps are the contract's."""

import json

import mcp_types as types
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.shared.exceptions import MCPError

from forecourt.mcp_data.prompt import LONGEST_ARGUMENT, PROMPT, value_a_car

CAR = {"vehicle": "Golf 1.5 TSI", "country": "DE"}


def text_of(arguments):
    (message,) = value_a_car(arguments).messages
    assert message.role == "user"
    return message.content.text


def test_the_steps_come_in_the_order_in_which_they_are_taken():
    text = text_of(CAR)
    steps = [
        "get_account",
        "normalize_vehicle",
        "Never invent",
        "ask for a yes",
        "Call valuate_car",
        "word for word",
    ]
    places = [text.index(step) for step in steps]
    assert places == sorted(places)
    assert "retry_after" in text
    assert "same arguments" in text
    assert "not an offer" in text


def test_what_is_not_given_is_not_mentioned_as_a_fact():
    text = text_of({**CAR, "mileage": " "})
    assert '- vehicle: "Golf 1.5 TSI"\n- country: "DE"\n\n' in text
    assert "- mileage" not in text


@given(st.text(min_size=1, max_size=LONGEST_ARGUMENT).filter(str.strip))
def test_whatever_a_person_types_stays_one_quoted_line(words):
    text = text_of({**CAR, "vehicle": words})
    line = next(line for line in text.split("\n") if line.startswith("- vehicle: "))
    assert json.loads(line.removeprefix("- vehicle: ")) == words.strip()
    assert text.split("\n\n")[-1] == text_of(CAR).split("\n\n")[-1]


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"vehicle": "Golf"},
        {"vehicle": "  ", "country": "DE"},
        {**CAR, "colour": "red"},
        {**CAR, "mileage": "1" * (LONGEST_ARGUMENT + 1)},
    ],
)
def test_a_missing_unknown_or_endless_argument_is_an_error(arguments):
    with pytest.raises(MCPError) as caught:
        value_a_car(arguments)
    assert caught.value.code == types.INVALID_PARAMS


def test_five_arguments_are_offered_and_two_of_them_needed():
    needed = {argument.name: argument.required for argument in PROMPT.arguments}
    assert needed == {
        "vehicle": True,
        "country": True,
        "mileage": False,
        "first_registration": False,
        "price_basis": False,
    }
