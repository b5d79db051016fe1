"""Our input schemas accept what the proposal of the contract accepts, and our answers are its answers."""

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forecourt.contract.problems import PROBLEMS, codes
from forecourt.contract.schemas import schema
from forecourt.contract.validation import is_valid

INPUTS = {
    "valuation-request": "valuation_request",
    "valuate-car-input": "valuate_car_input",
    "get-valuation-input": "get_valuation_input",
    "normalize-vehicle-input": "normalize_vehicle_input",
    "decode-vin-input": "decode_vin_input",
    "decode-hsn-tsn-input": "decode_hsn_tsn_input",
    "lookup-plate-input": "lookup_plate_input",
    "search-vehicles-input": "search_vehicles_input",
    "get-account-input": "get_account_input",
}

VALUES: dict[str, st.SearchStrategy[Any]] = {
    "country": st.sampled_from(["DE", "de", "DEU", 1]),
    "catalogue": st.sampled_from([{}, {"drivetrain_id": "dt_0001"}, {"model_id": "x"}, {"year": 1}]),
    "hsn_tsn": st.sampled_from(
        [{"hsn": "0603", "tsn": "BJM"}, {"hsn": "603", "tsn": "BJM"}, {"hsn": "0603"}]
    ),
    "plate": st.sampled_from([{"country": "GB", "number": "AB12CDE"}, {"number": "AB"}]),
    "vin": st.sampled_from(["W" * 17, "W" * 16, "W" * 24, 17]),
    "make": st.sampled_from(["Skoda", "", 5]),
    "model": st.sampled_from(["Octavia", "x" * 61]),
    "first_registration": st.sampled_from(["2019-05", "2019-13", "1899-01", "2019-05-31", 2019]),
    "year": st.sampled_from([2019, 1979, 2101, 2019.0, "2019"]),
    "mileage_km": st.sampled_from([0, 999_999, 1_000_000, -1, 5.0, 5.5, True]),
    "mileage_miles": st.sampled_from([0, 310_001]),
    "power_kw": st.sampled_from([10, 9, 1501]),
    "power_hp": st.sampled_from([13, 12]),
    "fuel": st.sampled_from(["petrol", "gas"]),
    "equipment": st.sampled_from([[], ["x"] * 60, ["x"] * 61, ["x" * 81], "x"]),
    "unknown": st.just(1),
    "vehicle": st.deferred(lambda: objects(VEHICLE)),
    "price_basis": st.sampled_from(["trade", "auction"]),
    "asking_price": st.sampled_from([100, 99, 15_000]),
    "include": st.sampled_from([[], ["comparables"], ["comparables", "comparables"], ["all"]]),
    "language": st.sampled_from(["en", "de-AT", "x" * 17]),
    "external_reference": st.sampled_from(["", "x" * 64, "x" * 65]),
    "idempotency_key": st.sampled_from(["k", "", "a b", "k" * 256]),
    "valuation_id": st.sampled_from(["val_0001", "val_test_0001", "0001"]),
    "text": st.sampled_from(["Golf", "G", "x" * 301]),
    "hsn": st.sampled_from(["0603", "x" * 9]),
    "tsn": st.sampled_from(["BJM", "x" * 13]),
    "code": st.sampled_from(["0603/BJM", "x" * 25]),
    "number": st.sampled_from(["AB12CDE", "A", "x" * 16]),
    "level": st.sampled_from(["search", "generations", "drivetrains", "makes"]),
    "query": st.sampled_from(["golf", "g", "x" * 81]),
    "model_id": st.sampled_from(["md_0001", "gn_0001"]),
    "generation_id": st.sampled_from(["gn_0001", "gn_1"]),
    "limit": st.sampled_from([1, 50, 0, 51]),
    "cursor": st.sampled_from(["x", "x" * 201]),
}
VEHICLE = (
    *("catalogue", "hsn_tsn", "plate", "vin", "make", "model", "first_registration", "year"),
    *("mileage_km", "mileage_miles", "power_kw", "power_hp", "fuel", "equipment", "unknown"),
)
MEMBERS = {
    "valuation-request": (
        "country",
        "vehicle",
        "price_basis",
        "asking_price",
        "include",
        "language",
        "unknown",
    ),
    "valuate-car-input": ("country", "vehicle", "idempotency_key", "external_reference", "unknown"),
    "get-valuation-input": ("valuation_id", "idempotency_key", "unknown"),
    "normalize-vehicle-input": ("country", "text", "vehicle", "unknown"),
    "decode-vin-input": ("vin", "country", "unknown"),
    "decode-hsn-tsn-input": ("hsn", "tsn", "code", "unknown"),
    "lookup-plate-input": ("country", "number", "unknown"),
    "search-vehicles-input": (
        *("level", "query", "model_id", "generation_id", "year", "country", "limit", "cursor"),
        "unknown",
    ),
    "get-account-input": ("unknown",),
}


def objects(members: tuple[str, ...]) -> st.SearchStrategy[dict[str, Any]]:
    """Objects with any of these members; most values are good, so that combinations are looked at."""
    return st.fixed_dictionaries({}, optional={name: VALUES[name] for name in members})


@pytest.fixture(scope="session")
def proposal(shared) -> dict[str, Any]:
    return json.loads((shared / "design" / "valuation-contract.schema.json").read_text())


@pytest.mark.parametrize("name", INPUTS)
def test_an_input_is_valid_for_us_when_it_is_for_the_proposal(name, proposal):
    validator = jsonschema.Draft202012Validator(
        {"$ref": f"#/$defs/{INPUTS[name]}", "$defs": proposal["$defs"]}
    )

    @settings(max_examples=300, deadline=None)
    @given(objects(MEMBERS[name]))
    def agree(arguments: dict[str, Any]) -> None:
        assert is_valid(name, arguments) == validator.is_valid(arguments)

    agree()


def test_the_codes_are_those_of_the_proposal(proposal):
    for kind, name in (
        ("request", "request_error_code"),
        ("refusal", "refusal_code"),
        ("failure", "failure_code"),
    ):
        assert set(codes(kind)) == set(proposal["$defs"][name]["enum"])
    waiting = proposal["$defs"]["problem"]["allOf"][0]["if"]["properties"]["code"]["enum"]
    assert {kind.code for kind in PROBLEMS.values() if kind.waits} == set(waiting)


def test_every_member_of_a_valuation_is_one_of_the_proposal(proposal):
    assert set(schema("valuation")["properties"]) == set(proposal["$defs"]["valuation"]["properties"])
