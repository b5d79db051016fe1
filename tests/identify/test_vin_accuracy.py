"""How often VINs are read right: the figures of `docs/vin.md` may not get worse."""

from pathlib import Path

import pytest
from benchmarks.identity import vins


@pytest.fixture(scope="module")
def vectors(shared: Path) -> Path:
    """The test VINs of other projects."""
    return shared / "data" / "vin_test_vectors.csv"


def test_north_american_vins_are_read_better_than_by_vpic_alone(vectors: Path) -> None:
    pytest.importorskip("ultravin")
    shares = vins.north_american(vins.ours, vins.vectors("us_market"))
    assert shares["make"] >= 99.7
    assert shares["year"] == 100
    assert shares["model"] >= 98


def test_codes_of_model_years_are_all_right(vectors: Path) -> None:
    codes = vins.vectors("year_code")
    assert vins.year_codes_right(codes) == len(codes) == 36


def test_manufacturers_are_known(vectors: Path) -> None:
    cars = vins.vectors("wmi_to_make")
    assert sum(vins.contains(vins.ours(car.vin).make, car.make) for car in cars) >= 216


@pytest.mark.parametrize(
    ("name", "least"), [("european_vins.csv", 0.97), ("european_vins_later.csv", 0.9)], ids=["first", "later"]
)
def test_european_vins_tell_their_model_and_never_a_wrong_year_with_confidence(
    name: str, least: float
) -> None:
    cars = vins.european(name)
    score = vins.score_european(vins.ours, cars)
    assert score.right >= least * len(cars), score.failures
    assert score.wrong <= 0.03 * len(cars), score.failures
    assert score.wrong_confident_years == 0, score.failures


def test_european_vins_have_a_source_and_no_serial_number() -> None:
    for name in ("european_vins.csv", "european_vins_later.csv"):
        assert all(car.vin.endswith("000000") for car in vins.european(name))
