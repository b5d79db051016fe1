"""What a dealer answers to the four skills that need no customer."""

import asyncio
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest
from tests.retail.conftest import CIVIC, INFORMATION, ask, search, stock_numbers

from forecourt.aap.errors import (
    MissingRequiredField,
    SchemaValidationFailed,
    VehicleNotFound,
    VehicleUnavailable,
)
from forecourt.aap.skills import skill_of_request_type
from forecourt.retail.dealership import Dealership
from forecourt.retail.skills import READ_SKILLS

VALID_REQUESTS: list[tuple[str, dict[str, Any]]] = [
    ("dealer.information.request", {}),
    ("inventory.facets.request", {}),
    ("inventory.facets.request", {"filters": {"condition": ["used"]}}),
    ("inventory.facets.request", {"filters": {"make": ["Lada"]}}),
    ("inventory.search.request", {}),
    ("inventory.search.request", {"filters": {"make": ["Lada"]}}),
    (
        "inventory.search.request",
        {"filters": {"price_min": 9, "price_max": 8}, "privacy": {"anonymous": True}},
    ),
    ("inventory.search.request", {"sort": {"field": "price", "order": "desc"}, "pagination": {"limit": 1}}),
    ("inventory.vehicle.request", {"stock": "H-3"}),
    ("inventory.vehicle.request", {"vin": CIVIC["vin"]}),
]


@pytest.mark.parametrize(("request_type", "members"), VALID_REQUESTS)
def test_every_answer_fits_the_official_schema(
    dealer: Dealership,
    official_validator: Callable[[str], jsonschema.Draft202012Validator],
    request_type: str,
    members: dict[str, Any],
) -> None:
    payload = ask(dealer, request_type, **members)
    skill = skill_of_request_type(request_type)
    assert skill is not None
    assert payload["type"] == skill.response_type
    official_validator(skill.response_schema).validate(payload)


def test_information_is_the_profile_as_written(dealer: Dealership) -> None:
    payload = ask(dealer, "dealer.information.request")
    assert payload == {"type": "dealer.information.response", "data": INFORMATION}


def test_a_search_without_wishes_shows_the_first_twenty(dealer: Dealership) -> None:
    data = search(dealer)["data"]
    assert (data["total"], data["skip"], data["limit"]) == (3, 0, 20)
    assert len(data["vehicles"]) == 3
    assert "facets" not in data


def test_a_list_shows_vehicles_in_short_form_and_the_detail_everything(dealer: Dealership) -> None:
    (listed,) = search(dealer, filters={"stock": "H-1"})["data"]["vehicles"]
    assert "description" not in listed
    assert len(listed["photos"]) == 3
    assert ask(dealer, "inventory.vehicle.request", stock="H-1")["data"] == CIVIC


def test_vehicles_without_the_price_sorted_by_come_last_both_ways(dealer: Dealership) -> None:
    assert stock_numbers(search(dealer, sort={"field": "price", "order": "asc"})) == ["H-1", "H-2", "H-3"]
    assert stock_numbers(search(dealer, sort={"field": "price", "order": "desc"})) == ["H-2", "H-1", "H-3"]


@pytest.mark.parametrize(("asked", "effective"), [(1, 1), (100, 100), (101, 100), (1_000, 100)])
def test_the_limit_in_the_answer_is_the_one_that_counted(
    dealer: Dealership, asked: int, effective: int
) -> None:
    assert search(dealer, pagination={"limit": asked})["data"]["limit"] == effective


@pytest.mark.parametrize("limit", [0, 1_001, 5_000, -1, 2.5, "20", None, True])
def test_a_limit_that_makes_no_sense_is_refused(dealer: Dealership, limit: object) -> None:
    with pytest.raises(SchemaValidationFailed) as refusal:
        search(dealer, pagination={"limit": limit})
    (failure,) = refusal.value.details["errors"]
    assert failure["instanceLocation"] == "/pagination/limit"


def test_whole_numbers_written_with_a_point_are_whole_numbers(dealer: Dealership) -> None:
    payload = search(
        dealer, filters={"year_min": 2022.0, "price_max": 30_000.0}, pagination={"skip": 0.0, "limit": 2.0}
    )
    assert stock_numbers(payload) == ["H-1"]
    assert (payload["data"]["skip"], payload["data"]["limit"]) == (0, 2)


@pytest.mark.parametrize("skip", [3, 10**6, 10**18, 10**30, 1e300])
def test_a_page_behind_the_end_is_empty(dealer: Dealership, skip: float) -> None:
    data = search(dealer, pagination={"skip": skip})["data"]
    assert (data["total"], data["vehicles"]) == (3, [])


def test_a_value_that_no_vehicle_has_finds_nothing_and_is_named(dealer: Dealership) -> None:
    payload = search(dealer, filters={"make": ["Lada"]})
    assert payload["data"]["total"] == 0
    assert "make" in payload["message"]


def test_a_lower_bound_above_the_upper_one_finds_nothing_and_says_so(dealer: Dealership) -> None:
    payload = search(dealer, filters={"price_min": 30_000, "price_max": 20_000})
    assert payload["data"]["total"] == 0
    assert "price_min" in payload["message"]


def test_empty_lists_and_a_false_flag_ask_for_nothing(dealer: Dealership) -> None:
    filters = {"make": [], "model": [], "rooftops": [], "dc_fast_charge": False}
    assert search(dealer, filters=filters)["data"]["total"] == 3


def test_a_price_in_another_currency_is_left_out_and_the_answer_says_so(dealer: Dealership) -> None:
    for payload in (
        search(dealer, filters={"make": ["VW"]}),
        ask(dealer, "inventory.vehicle.request", stock="H-3"),
    ):
        assert "EUR" in payload["message"]
    assert "message" not in search(dealer, filters={"make": ["Honda"]})


def test_facets_count_the_stock_and_its_filtered_parts(dealer: Dealership) -> None:
    whole = ask(dealer, "inventory.facets.request")["data"]
    used = ask(dealer, "inventory.facets.request", filters={"condition": ["used"]})["data"]
    assert {entry["value"]: entry["count"] for entry in whole["conditions"]} == {"used": 2, "new": 1}
    assert {entry["value"]: entry["count"] for entry in used["makes"]} == {"Honda": 1, "Volkswagen": 1}
    assert used["price_range"] == {"min": 21_500, "max": 21_500}


@pytest.mark.parametrize(
    ("request_type", "members", "pointer"),
    [
        ("dealer.information.request", {"filters": {}}, ""),
        ("inventory.search.request", {"filters": {"colour": ["red"]}}, "/filters"),
        ("inventory.search.request", {"filters": {"make": "Honda"}}, "/filters/make"),
        ("inventory.search.request", {"filters": {"vin": "2hgfe2f5000000001"}}, "/filters/vin"),
        ("inventory.search.request", {"filters": {"year_min": "2020"}}, "/filters/year_min"),
        ("inventory.search.request", {"sort": {"field": "color", "order": "asc"}}, "/sort/field"),
        ("inventory.search.request", {"filters": None}, "/filters"),
        ("inventory.search.request", {"filters": {"query": "x" * 201}}, "/filters/query"),
        ("inventory.facets.request", {"pagination": {"limit": 1}}, ""),
        ("inventory.vehicle.request", {"vin": "short"}, "/vin"),
        ("inventory.vehicle.request", {"stock": 7}, "/stock"),
    ],
)
def test_a_request_that_breaks_its_schema_is_refused_where_it_does(
    dealer: Dealership, request_type: str, members: dict[str, Any], pointer: str
) -> None:
    with pytest.raises(SchemaValidationFailed) as refusal:
        ask(dealer, request_type, **members)
    assert pointer in {failure["instanceLocation"] for failure in refusal.value.details["errors"]}


def test_every_failure_is_listed_and_none_repeats_what_was_sent(dealer: Dealership) -> None:
    wrong = {"vin": "secret-vin", "make": "secret-make", "year_min": 1, "colour": ["secret"]}
    with pytest.raises(SchemaValidationFailed) as refusal:
        search(dealer, filters=wrong, pagination={"limit": 5_000})
    assert len(refusal.value.details["errors"]) == 5
    assert "secret" not in str(refusal.value.details)


def test_a_vehicle_is_found_by_the_most_specific_identifier(dealer: Dealership) -> None:
    found = ask(dealer, "inventory.vehicle.request", vin=CIVIC["vin"], stock="H-2", vehicle_id="v-3")
    assert found["data"]["vehicle_id"] == "v-1"
    assert ask(dealer, "inventory.vehicle.request", stock="none", vehicle_id="v-3")["data"]["stock"] == "H-3"


def test_a_vehicle_request_without_any_identifier_is_refused(dealer: Dealership) -> None:
    with pytest.raises((SchemaValidationFailed, MissingRequiredField)):
        ask(dealer, "inventory.vehicle.request")


def test_a_vehicle_that_was_listed_is_told_apart_from_one_that_never_was(dealer: Dealership) -> None:
    with pytest.raises(VehicleUnavailable):
        ask(dealer, "inventory.vehicle.request", stock="H-0")
    with pytest.raises(VehicleUnavailable):
        ask(dealer, "inventory.vehicle.request", vin="2HGFE2F5000000000", stock="unknown")
    with pytest.raises(VehicleNotFound) as refusal:
        ask(dealer, "inventory.vehicle.request", vin="2HGFE2F5000000009")
    assert "2HGFE2F5000000009" not in f"{refusal.value.message}{refusal.value.details}"


def test_numbers_leave_in_the_form_in_which_json_writes_whole_numbers(dealer: Dealership) -> None:
    request = {"type": "inventory.search.request", "filters": {"stock": "H-1"}}
    encoded = asyncio.run(READ_SKILLS["inventory.search"](dealer, request))
    assert b'"price":21500,' in encoded
    assert b'"amount":300}' in encoded
