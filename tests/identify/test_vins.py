"""VINs, as a caller of the decoder and of the command line sees them."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from forecourt.base.vin_form import check_digit_fits, years_of_code
from forecourt.catalogue.core import core_catalogue
from forecourt.cli.main import cli
from forecourt.contract.errors import InvalidVin, VinNotFound
from forecourt.contract.validation import failures
from forecourt.identify.vin_answer import decode_vin
from forecourt.identify.vin_decoding import DecodedVin, decode, decode_many
from forecourt.identify.vin_makers import maker_of, origin_of, rows_of
from forecourt.identify.vin_types import types_of

THIS_YEAR = 2026
VIN_CHARACTERS = "ABCDEFGHJKLMNPRSTUVWXYZ0123456789"
DACIAS_SOLD_AS_RENAULT = {("Renault", "Duster"), ("Renault", "Logan"), ("Renault", "Sandero")}
vins = st.text(VIN_CHARACTERS, min_size=17, max_size=17)


def read(vin: str) -> DecodedVin:
    """Decode in a fixed year."""
    return decode(vin, this_year=THIS_YEAR)


def answer(vin: str, **arguments: Any) -> dict[str, Any]:
    """Answer with the core of the catalogue."""
    return decode_vin(core_catalogue(), {"vin": vin, **arguments}, this_year=THIS_YEAR)


def codes(remarks: list[dict[str, str]]) -> set[str]:
    """Return the codes of warnings or hints."""
    return {remark["code"] for remark in remarks}


def test_a_european_vin_with_z_at_position_9_is_read_down_to_the_generation() -> None:
    told = answer("WVWZZZAUZH8000189")
    assert told["match"] == {"status": "matched", "confidence": 0.95, "level": "generation", "method": "vin"}
    assert told["fields"]["make"]["value"] == "Volkswagen"
    assert told["fields"]["model"] == {"value": "Golf", "confidence": 0.95, "source": "vin", "raw": "ZZZAU"}
    assert told["model_year"]["value"] == 2017
    assert told["catalogue"] == {"model_id": "md_c430f4k1zn", "generation_id": "gn_73dj22wnch"}
    assert told["wmi"] == {
        "code": "WVW",
        "manufacturer": "Volkswagen AG",
        "country": "DE",
        "region": "europe",
    }
    assert told["checks"]["check_digit"] == {
        "expected": "0",
        "actual": "Z",
        "applies": False,
        "passed": None,
    }
    assert codes(told["warnings"]) == {"filler_characters"}


@pytest.mark.parametrize("vin", ["WVGZZZ5NZEW000098", "WF0KXXGCBKB000105", "WVGZZZ5NZJM000112"])
def test_a_vin_without_a_check_digit_is_decoded_outside_north_america(vin: str) -> None:
    assert read(vin).check.passed is None
    assert "model" in read(vin).facts


@pytest.mark.parametrize(
    ("vin", "make"),
    [
        ("W1V44770513000119", "Mercedes-Benz"),
        ("NM35600006T000126", "Fiat"),
        ("NMTDM26R30R000133", "Toyota"),
        ("WBA71DC010C000140", "BMW"),
    ],
)
def test_form_and_check_digit_are_two_answers(vin: str, make: str) -> None:
    told = answer(vin)
    assert (told["checks"]["length"], told["checks"]["characters"]) == (True, True)
    assert told["checks"]["check_digit"]["applies"] is False
    assert told["fields"]["make"]["value"] == make


def test_a_north_american_vin_with_a_wrong_check_digit_is_decoded_with_a_warning_and_a_suggestion() -> None:
    told = answer("1FBNE3BE1CD000147")
    assert told["checks"]["check_digit"]["passed"] is False
    assert "check_digit_mismatch" in codes(told["warnings"])
    assert told["fields"]["make"]["value"] == "Ford"
    suggestion = next(hint["suggestion"] for hint in told["hints"] if hint["code"] == "check_vin")
    assert len(suggestion) == 17


def test_a_check_digit_of_ten_is_written_as_x() -> None:
    told = answer("1HGBH41JXMN000002")
    assert told["checks"]["check_digit"] == {
        "expected": "X",
        "actual": "X",
        "applies": True,
        "passed": True,
    }
    assert told["model_year"]["value"] == 1991


def test_the_model_of_an_american_truck_is_the_one_that_all_its_characters_fit() -> None:
    pytest.importorskip("ultravin")
    decoded = read("1FTFW5L82RF000077")
    assert decoded.facts["model"].value == "F-150"
    assert [candidate.model for candidate in decoded.candidates] == ["F-150"]


def test_position_7_does_not_decide_the_year_of_a_bus() -> None:
    decoded = read("4DRBUC8N1GB000001")
    assert set(decoded.year.possible) == {1986, 2016}
    assert decoded.year.confidence < 0.85
    assert "year_ambiguous" in decoded.warnings


@pytest.mark.parametrize(("vin", "year"), [("1HGCM82633A000000", 2003), ("1HGCR2F30HA000000", 2017)])
def test_position_7_tells_the_cycle_of_an_american_car(vin: str, year: int) -> None:
    assert read(vin).year.value == year
    assert read(vin).year.alternatives == ()


def test_a_maker_that_writes_no_year_gets_none() -> None:
    year = read("WDD2470031J000084").year
    assert (year.value, year.alternatives, year.reason) == (None, (), "not_encoded")


def test_the_letter_l_is_2020() -> None:
    assert years_of_code("L") == (1990, 2020)
    assert read("5YJ3E1EA7LF000000").year.value == 2020


def test_a_year_that_is_not_told_is_null_with_a_reason() -> None:
    told = answer("WBAUD910X0P000091")
    assert told["model_year"] == {"value": None, "confidence": 0.0, "alternatives": []}
    assert "year_not_encoded" in codes(told["warnings"])
    assert "add_first_registration_month" in codes(told["hints"])


def test_a_zero_in_position_10_stops_nothing() -> None:
    told = answer("WBAVP31060V000000")
    assert told["fields"]["model"]["value"] == "X1"
    assert told["model_year"]["value"] is None


@pytest.mark.parametrize("code", ["U", "Z", "0"])
def test_a_sign_that_is_no_year_is_a_warning(code: str) -> None:
    decoded = read(f"WVWZZZAUZ{code}8000000")
    assert decoded.year.value is None
    assert decoded.warnings[-1] == "year_code_invalid"
    assert decoded.facts["model"].value == "Golf"


def test_two_years_that_both_fit_are_both_told() -> None:
    decoded = read("WVWZZZ16ZFM000000")
    assert decoded.year.possible == (2015, 1985)
    assert decoded.year.confidence < 0.85
    assert "year_ambiguous" in decoded.warnings


def test_years_in_which_the_model_was_not_built_are_only_alternatives() -> None:
    decoded = read("WVWZZZE1Z58000000")
    assert decoded.year.value is None
    assert decoded.year.alternatives == (2005,)
    assert decoded.warnings[-1] == "year_outside_production"


def test_a_year_in_the_future_is_never_told() -> None:
    assert read("WVWZZZAUZW8000000").year.possible == (1998,)


def test_a_code_of_two_models_names_none_and_lists_both() -> None:
    told = answer("TMBGC4NW0N3000000")
    assert "model" not in told["fields"]
    assert told["match"]["status"] == "ambiguous"
    assert {one["label"].split(" I ")[0] for one in told["candidates"]} == {"Škoda Scala", "Škoda Kamiq"}
    assert told["catalogue"] is None
    assert "confirm_candidate" in codes(told["hints"])


def test_a_car_is_called_what_its_market_calls_it() -> None:
    assert answer("W0L0AHL4882000000", country="GB")["fields"]["make"]["value"] == "Vauxhall"
    assert answer("W0L0AHL4882000000", country="DE")["fields"]["make"]["value"] == "Opel"
    assert answer("VF1HJD40268000000", country="DE")["fields"]["make"]["value"] == "Dacia"


def test_blanks_hyphens_and_small_letters_do_not_count() -> None:
    assert read(" wvwzzz-auz h8000189 ").vin == "WVWZZZAUZH8000189"


@pytest.mark.parametrize("text", ["", "WVWZZZAUZH800018", "WVWZZZAUZH80001890", "WVWZZZAUZH800018Ä"])
def test_what_is_no_vin_is_refused(text: str) -> None:
    with pytest.raises(InvalidVin) as refused:
        read(text)
    assert refused.value.details == {}


def test_misread_letters_are_suggested_never_assumed() -> None:
    with pytest.raises(InvalidVin) as refused:
        read("WVWZZZAUZH8OOOI89")
    assert refused.value.details == {"suggestion": "WVWZZZAUZH8000189"}


def test_a_number_is_refused_like_any_other_text_that_is_no_vin() -> None:
    with pytest.raises(InvalidVin):
        read(12345678901234567)


def test_an_unknown_manufacturer_is_not_found() -> None:
    with pytest.raises(VinNotFound):
        read("GZZ00000000000000")


def test_one_bad_vin_harms_no_other_of_a_batch() -> None:
    read_all = decode_many(
        ["1HGBH41JXMN000002", "nonsense", "GZZ00000000000000", "WVWZZZAUZH8000189"], this_year=THIS_YEAR
    )
    assert [type(one) for one in read_all] == [DecodedVin, InvalidVin, VinNotFound, DecodedVin]
    assert read_all[0] == read("1HGBH41JXMN000002")
    assert read_all[3] == read("WVWZZZAUZH8000189")


@given(vins)
def test_every_text_in_the_form_of_a_vin_gets_an_answer_or_is_not_found(vin: str) -> None:
    try:
        told = answer(vin)
    except VinNotFound:
        assert maker_of(vin) is None
        return
    assert told["vin"] == vin
    assert all(0 <= field["confidence"] <= 1 for field in told["fields"].values())
    assert all(1980 <= year <= THIS_YEAR + 1 for year in read(vin).year.possible)
    json.dumps(told)


@given(vins)
def test_one_exchanged_character_is_seen_by_the_check_digit(vin: str) -> None:
    right = next(
        candidate for digit in "0123456789X" if check_digit_fits(candidate := vin[:8] + digit + vin[9:])
    )
    exchanged = ("1" if right[16] == "0" else "0").join([right[:16], ""])
    assert not check_digit_fits(exchanged)


def test_every_line_of_the_tables_can_be_reached_and_names_a_country() -> None:
    headers = [cells for cells in rows_of("vin_types.csv") if cells[0].startswith("@")]
    codes = {code for cells in headers for code in cells[0][1:].split()}
    assert {code for code in codes if maker_of(code) is None} == set()
    assert {code for code in codes if origin_of(code).country is None} == set()


def test_generations_of_the_tables_are_those_of_the_catalogue() -> None:
    """A generation that the catalogue does not know under the name or type code would be dropped silently."""
    catalogue = core_catalogue()
    known = {
        (catalogue.make_of(model).name, model.name): {
            name
            for generation in catalogue.generations_of(model.id)
            for name in (generation.name, generation.code)
        }
        for model in catalogue.models.values()
    }
    make, unknown = "", []
    for cells in rows_of("vin_types.csv"):
        if cells[0].startswith("@"):
            make = cells[2]
        elif (make, cells[1]) not in known:
            if (make, cells[1]) not in DACIAS_SOLD_AS_RENAULT:
                unknown.append(f"{make} {cells[1]}")
        elif cells[2] and cells[2] not in known[make, cells[1]]:
            unknown.append(f"{make} {cells[1]} {cells[2]}")
    assert unknown == []


def test_the_longest_code_wins() -> None:
    assert {car.model for car in types_of("WDC1648221A000000")} == {"GL-Class"}
    assert {car.model for car in types_of("WDC1641221A000000")} == {"M-Class"}


@pytest.mark.parametrize("vin", ["WVWZZZAUZH8000189", "WBAUD910X0P000091", "1FBNE3BE1CD000147"])
def test_the_answer_has_the_shape_of_the_contract(vin: str) -> None:
    assert failures("decoded-vin", answer(vin)) == []


@pytest.fixture
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FORECOURT_DATA_DIR", str(tmp_path))
    return tmp_path


def test_the_command_prints_one_answer_a_line(data_dir: Path) -> None:
    arguments = ["decode", "vin", "WVWZZZAUZH8000189", "wvgzzz5nzew000098", "--json"]
    done = CliRunner().invoke(cli, arguments, standalone_mode=False)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["fields"]["model"]["value"] for one in told] == ["Golf", "Tiguan"]
    assert done.return_value == 0


def test_the_command_says_what_cannot_be_read_and_goes_on(data_dir: Path) -> None:
    arguments = ["decode", "vin", "WVWZZZAUZH8OOOI89", "WVWZZZAUZH8000189"]
    done = CliRunner().invoke(cli, arguments, standalone_mode=False)
    assert "Did you mean WVWZZZAUZH8000189?" in done.stderr
    assert "Golf" in done.stdout
    assert done.return_value == 1
