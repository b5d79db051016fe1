"""Makes and models: one spelling, and nothing in them that belongs elsewhere."""

import pytest

from forecourt.tables.names import is_make, make_at_start, make_name, model_continued, model_name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("JAGUAR", "Jaguar"),
        ("seat", "SEAT"),
        ("VW", "Volkswagen"),
        ("MERCEDES-BENZ", "Mercedes-Benz"),
        ("Citroen", "Citroën"),
        ("ŠKODA", "Skoda"),
        ("Land-Rover", "Land Rover"),
        ("FOOBAR MOTORS", "Foobar Motors"),
        (" bmw ", "BMW"),
    ],
)
def test_a_make_has_one_spelling(text: str, name: str) -> None:
    assert make_name(text) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("TONALE EAWD (PHEV)", "Tonale"),
        ("ALL-NEW TONALE", "Tonale"),
        ("Golf-Serie", "Golf"),
        ("SILVERADO 1500", "Silverado 1500"),
        ("4500 HG LCF GAS", "4500 HG LCF GAS"),
        ("EQUINOX EV", "Equinox EV"),
        ("GLA-CLASS", "GLA-Class"),
        ("208", "208"),
    ],
)
def test_a_model_is_only_the_model(text: str, name: str) -> None:
    assert model_name(text).name == name


def test_a_cut_off_model_is_completed_by_the_title() -> None:
    assert model_continued("3", "Used 2021 BMW 3 Series 330i") == "3 Series"
    assert model_continued("Silverado 3500", "2026 Chevrolet Silverado 3500 HD") is None


def test_a_title_tells_the_make_after_a_year_and_the_like() -> None:
    assert make_at_start("Pre-Owned 2022 Land Rover Range Rover Sport") == ("Land Rover", "Range Rover Sport")
    assert not is_make("2022")
