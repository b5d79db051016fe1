"""What a caller is told about a payload that does not fit its schema."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forecourt.aap.schemas import schema_names
from forecourt.aap.validation import Failure, failures, is_valid

SEARCH = {"type": "inventory.search.request"}
VIN = "1HGCV1F30NA000000"


def keywords_by_location(schema_name: str, payload: object) -> set[tuple[str, str]]:
    return {(failure.instance_location, failure.keyword) for failure in failures(schema_name, payload)}


@pytest.mark.requirement("aap.errors.all-failures")
def test_every_failure_of_a_search_is_listed_at_once():
    filters = {"vin": VIN.lower(), "condition": ["fair"], "year_min": "2020", "colour": "red", "zip": 1}
    payload = {
        **SEARCH,
        "filters": filters,
        "pagination": {"limit": 5000, "skip": -1},
        "sort": {"field": "age"},
    }
    assert keywords_by_location("inventory-search-request", payload) == {
        ("/filters/vin", "pattern"),
        ("/filters/condition/0", "enum"),
        ("/filters/year_min", "type"),
        ("/filters", "additionalProperties"),
        ("/pagination/limit", "maximum"),
        ("/pagination/skip", "minimum"),
        ("/sort/field", "enum"),
        ("/sort", "required"),
    }
    texts = {failure.error for failure in failures("inventory-search-request", payload)}
    assert {'"colour" is not known here.', '"zip" is not known here.'} <= texts


def test_a_lower_case_vin_is_refused_with_its_pointer():
    payload = {**SEARCH, "filters": {"vin": VIN.lower()}}
    assert failures("inventory-search-request", payload) == [
        Failure("/filters/vin", "pattern", "Must match the pattern ^[A-HJ-NPR-Z0-9]{17}$")
    ]


def test_min_above_max_and_empty_lists_are_no_failures():
    payload = {**SEARCH, "filters": {"price_min": 9, "price_max": 1, "make": []}}
    assert failures("inventory-search-request", payload) == []


@pytest.mark.parametrize("value", [2020, 2020.0])
def test_a_whole_number_is_an_integer_however_it_is_written(value):
    assert is_valid("inventory-search-request", {**SEARCH, "filters": {"year_min": value}})


def test_a_vehicle_request_without_identifier_names_the_three():
    assert failures("vehicle-detail-request", {"type": "inventory.vehicle.request"}) == [
        Failure("", "anyOf", 'At least one of "vin", "stock", "vehicle_id" is needed.')
    ]


def test_wrong_opening_hours_point_at_the_hour_not_at_the_union():
    rooftop = {"name": "North", "schedules": [{"value": {"monday": {"open": "9:00", "close": "18:00"}}}]}
    assert keywords_by_location("dealer-information", {"name": "Group", "rooftops": [rooftop]}) == {
        ("/rooftops/0/schedules/0/value/monday/open", "pattern")
    }


def test_a_day_that_is_neither_hours_nor_closed_names_both_types():
    rooftop = {"name": "North", "schedules": [{"value": {"monday": "closed"}}]}
    (failure,) = failures("dealer-information", {"name": "Group", "rooftops": [rooftop]})
    assert failure.error == "Must be of type object or null."


@pytest.mark.parametrize(
    ("value", "error"),
    [
        (None, "Must be of type string or number or boolean or array."),
        ([1, "a"], "Fits none of the allowed forms."),
        ([{}], "Fits none of the allowed forms."),
    ],
)
def test_other_attributes_take_scalars_and_lists_of_one_kind(value, error):
    (failure,) = failures("vehicle", {"other_attributes": {"final_drive": value}})
    assert failure == Failure("/other_attributes/final_drive", "anyOf", error)


def test_a_condition_from_the_wrong_vocabulary_points_at_the_condition():
    lead = {"vehicle_of_interest": {"condition": "good"}, "trade_in": {"condition": "new"}}
    found = keywords_by_location("lead-submit-request", lead)
    assert {("/vehicle_of_interest/condition", "enum"), ("/trade_in/condition", "enum")} <= found


@pytest.mark.requirement("aap.errors.no-personal-data")
@pytest.mark.parametrize(
    ("member", "value"),
    [("email", "ada at example.com"), ("phone", "(415) 555-0123"), ("email", "ada b@example.com")],
)
def test_no_failure_repeats_what_a_customer_typed(member, value):
    customer = {"first_name": "Ada", "last_name": "Doe", "email": "ada@example.com", member: value}
    (failure,) = failures("customer", customer)
    assert failure.instance_location == f"/{member}"
    assert value not in failure.error


@pytest.mark.requirement("aap.errors.no-personal-data")
def test_a_member_name_that_is_personal_data_is_not_repeated():
    customer = {"first_name": "Ada", "last_name": "Doe", "ada@example.com": 1, "+14155550123": 1}
    found = failures("customer", customer)
    assert not any("example" in failure.error or "555" in failure.error for failure in found)


@pytest.mark.requirement("aap.errors.pointer")
def test_a_pointer_escapes_slash_and_tilde():
    (failure,) = failures("vehicle", {"other_attributes": {"a/b~c": None}})
    assert failure.instance_location == "/other_attributes/a~1b~0c"


@pytest.mark.parametrize("number", [float("nan"), float("inf"), 10**400, -(10**400)])
def test_numbers_beyond_json_are_no_reason_to_crash(number):
    failures("vehicle", {"price": number, "battery_kwh": number})


def test_half_a_character_is_a_failure_or_harmless_but_never_a_crash():
    payload = {"type": "dealer.information.response", "data": {}, "message": "\ud800" * 3000}
    assert not is_valid("dealer-information-response", payload)
    assert failures("dealer-information-response", payload)


def test_an_unknown_schema_is_a_mistake_of_the_program():
    with pytest.raises(KeyError):
        failures("inventory-vehicle-request", {})


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from(schema_names()), json_values)
def test_any_json_gets_a_verdict_that_agrees_with_its_failures(schema_name, payload):
    found = failures(schema_name, payload)
    assert is_valid(schema_name, payload) == (not found)
    json.dumps([failure.as_json() for failure in found])
