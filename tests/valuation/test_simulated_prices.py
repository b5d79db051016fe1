"""The published formula of test mode."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forecourt.valuation.request import read_request
from forecourt.valuation.test_mode import SimulatedPrice, simulated_price

GOLF = {"hsn_tsn": {"hsn": "0603", "tsn": "BJM"}, "first_registration": "2019-05", "mileage_km": 85000}
OCTAVIA = {
    "make": "Skoda",
    "model": "Octavia",
    "fuel": "diesel",
    "first_registration": "2021-03",
    "mileage_km": 60000,
}
MODEL_3 = {
    "make": "Tesla",
    "model": "Model 3",
    "fuel": "electric",
    "first_registration": "2022-09",
    "mileage_km": 45000,
}
BY_ID = {
    "catalogue": {"drivetrain_id": "dt_0001"},
    "first_registration": "2018-11",
    "mileage_km": 96561,
}


def price_of(country: str, basis: str, vehicle: dict) -> SimulatedPrice:
    return simulated_price(
        read_request(
            {"country": country, "price_basis": basis, "vehicle": vehicle, "idempotency_key": "k"},
            valuation_id="val_test_0",
            organization_id="org_0",
            mode="test",
        )
    )


@pytest.mark.parametrize(
    ("country", "basis", "vehicle", "price", "interval", "grade", "digest"),
    [
        ("DE", "retail_asking", GOLF, 15500, (13800, 17200), "C", "ccca3233a2"),
        ("DE", "retail_asking", {**GOLF, "mileage_km": 120000}, 14200, (12650, 15750), "C", "ccca3233a2"),
        ("DK", "retail_asking", OCTAVIA, 162700, (133400, 192000), "D", "cd5fd02e77"),
        ("NL", "trade_in", MODEL_3, 25200, (22450, 27950), "C", "f086aec0f6"),
        ("GB", "private_asking", BY_ID, 8600, (8000, 9200), "B", "8ea9d57945"),
    ],
)
def test_the_published_vectors_come_out(country, basis, vehicle, price, interval, grade, digest):
    simulated = price_of(country, basis, vehicle)
    assert (simulated.price, (simulated.low, simulated.high), simulated.grade) == (price, interval, grade)
    assert simulated.digest.startswith(digest)


@given(st.integers(0, 500_000), st.integers(0, 500_000))
def test_more_mileage_never_raises_a_simulated_price(one, other):
    less, more = sorted((one, other))
    cheaper, dearer = (price_of("DE", "retail_asking", {**GOLF, "mileage_km": km}) for km in (more, less))
    assert cheaper.price <= dearer.price


@given(st.integers(0, 500_000), st.sampled_from(["DE", "DK", "GB"]), st.text(min_size=1, max_size=20))
def test_a_simulated_price_lies_in_its_interval(mileage_km, country, model):
    vehicle = {"make": "Skoda", "model": model, "first_registration": "2015-01", "mileage_km": mileage_km}
    simulated = price_of(country, "retail_asking", vehicle)
    assert 0 < simulated.low <= simulated.price <= simulated.high
    assert simulated.price % 50 == 0
