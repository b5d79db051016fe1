"""Plates as people write them."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forecourt.contract.errors import InvalidPlate
from forecourt.identify.plates import plate_countries, read_plate

MARKETS = {"DE", "AT", "DK", "IT", "ES", "PL", "PT", "SE", "FI", "RO", "GB", "NL", "CH", "FR"}


def is_usual(country: str, text: str) -> bool:
    try:
        plate = read_plate(country, text)
    except InvalidPlate:
        return False
    return plate.kind == "series" and plate.as_written


def test_plates_of_every_market_and_of_norway_can_be_read() -> None:
    assert MARKETS | {"NO"} <= set(plate_countries())


def test_every_plate_that_was_written_for_this_project_is_judged_rightly(shared: Path) -> None:
    with (shared / "data" / "plate_test_vectors.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["source"].startswith("written for")]
    wrong = [row["plate"] for row in rows if is_usual(row["country"], row["plate"]) != (row["valid"] == "1")]
    assert len(rows) == 75
    assert wrong == []


def test_every_dutch_sidecode_is_read(shared: Path) -> None:
    with (shared / "data" / "plate_test_vectors.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["source"].startswith("rdw-kenteken-check")]
    assert len(rows) == 14
    assert all(is_usual("NL", row["plate"]) for row in rows)


@pytest.mark.parametrize(
    ("country", "written", "number", "usual"),
    [
        ("NL", " 11-zkz-3 ", "11ZKZ3", "11-ZKZ-3"),
        ("DE", "lö·r 12 e", "LÖR12E", "LÖ-R 12E"),
        ("DE", "B AB 1234", "BAB1234", "B-AB 1234"),
        ("GB", "ab12cde", "AB12CDE", "AB12 CDE"),
        ("NO", "EL12345", "EL12345", "EL 12345"),
        ("FR", "AB.123.CD", "AB123CD", "AB-123-CD"),
        ("RO", "b-123-abc", "B123ABC", "B 123 ABC"),
        ("CH", "zh 123.456", "ZH123456", "ZH 123456"),
    ],
)
def test_separators_and_case_do_not_matter(country: str, written: str, number: str, usual: str) -> None:
    plate = read_plate(country, written)
    assert (plate.number, plate.usual, plate.as_written) == (number, usual, True)


def test_a_separator_in_an_unusual_place_is_told_and_does_not_refuse_the_plate() -> None:
    plate = read_plate("NL", "11-ZK-Z3")
    assert plate.number == "11ZKZ3"
    assert not plate.as_written


@pytest.mark.parametrize("district", ["B", "Ö", "LÖ", "WÜM", "ABG", "ABI"])
def test_a_german_district_has_one_to_three_letters(district: str) -> None:
    assert read_plate("DE", f"{district}-AB 12").usual == f"{district}-AB 12"


@pytest.mark.parametrize("written", ["WOBXY-A 1", "ABC-DE 12", "1-A 12", "-A 12"])
def test_what_is_no_german_district_is_refused(written: str) -> None:
    with pytest.raises(InvalidPlate):
        read_plate("DE", written)


def test_a_german_plate_without_separators_is_read_though_its_district_is_open() -> None:
    assert read_plate("DE", "bab1234").number == "BAB1234"


def test_a_german_plate_has_at_most_eight_characters() -> None:
    assert read_plate("DE", "WOB-AB 123").number == "WOBAB123"
    with pytest.raises(InvalidPlate):
        read_plate("DE", "WOB-AB 1234")


def test_a_personal_plate_is_told_from_a_series() -> None:
    assert read_plate("SE", "LASSE").kind == "personal"
    assert read_plate("SE", "ABC 12A").kind == "series"


@pytest.mark.parametrize(
    ("country", "written", "meant"),
    [("GB", "ABI2 CDE", "AB12CDE"), ("NO", "EL 1234O", "EL12340"), ("IT", "AB 1O3 CD", "AB103CD")],
)
def test_letters_that_look_like_digits_give_a_suggestion(country: str, written: str, meant: str) -> None:
    with pytest.raises(InvalidPlate) as refused:
        read_plate(country, written)
    assert refused.value.details == {"suggestion": meant}


@given(st.sampled_from(plate_countries()), st.text(max_size=20))
def test_any_text_is_read_or_refused(country: str, text: str) -> None:
    try:
        plate = read_plate(country, text)
    except InvalidPlate:
        return
    assert read_plate(country, plate.usual).number == plate.number
