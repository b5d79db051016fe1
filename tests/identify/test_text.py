"""Cars read out of free text and partial fields."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from forecourt.catalogue.core import core_catalogue
from forecourt.catalogue.entries import Drivetrain, Years
from forecourt.cli.main import cli
from forecourt.contract.errors import CatalogueConflict, CatalogueIdNotFound
from forecourt.identify.text import normalize_vehicle

GOLF_VII = "gn_73dj22wnch"


def read(text: str, **arguments: Any) -> dict[str, Any]:
    """Normalise a text with the core."""
    return normalize_vehicle(core_catalogue(), {"text": text, **arguments})


def values(answer: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of an answer without where they are from."""
    return {name: fact["value"] for name, fact in answer["fields"].items()}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "Golf VII 1.5 TSI 150PS EZ 05/2019",
            {"model": "Golf", "power_kw": 110, "displacement_cc": 1500, "first_registration": "2019-05"},
        ),
        ("TRP KOM 150HK TDI DSG", {"make": "Volkswagen", "model": "Transporter", "fuel": "diesel"}),
        ("Skoda Octavia stc. 2,0 TDI 110 kW aut., årg. 2018", {"year": 2018, "transmission": "automatic"}),
        (
            "Volvo V70 D4 AWD fyrhjulsdrift, 12 000 mil, årsmodell 2014",
            {"mileage_km": 120_000, "drive": "awd"},
        ),
        (
            "Toyota Avensis stasjonsvogn 2.0 D-4D, 98.000 km, 2012",
            {"body_type": "estate", "mileage_km": 98_000},
        ),
        ("Opel Corsa 1.2 handgeschakeld benzine bouwjaar 2016", {"transmission": "manual", "fuel": "petrol"}),
        (
            "Renault Clio essence boîte manuelle, 1ère mise en circulation 03/2015, 5 portes",
            {"fuel": "petrol", "transmission": "manual", "first_registration": "2015-03", "doors": 5},
        ),
        ("Fiat Panda benzina cambio manuale immatricolazione 06/2018", {"first_registration": "2018-06"}),
        ("Seat León gasolina automático año 2017 53.000 kms", {"year": 2017, "mileage_km": 53_000}),
        (
            "Peugeot 308 SW gasóleo caixa manual, janeiro 2016",
            {"first_registration": "2016-01", "fuel": "diesel"},
        ),
        (
            "Opel Astra K benzyna, skrzynia manualna, rok produkcji 2017, 98 tys. km",
            {"fuel": "petrol", "transmission": "manual", "mileage_km": 98_000, "year": 2017},
        ),
        (
            "BMW 320d xDrive Touring 53k miles 2016",
            {"mileage_miles": 53_000, "fuel": "diesel", "drive": "awd"},
        ),
        ("VW Passat Variant 85 tkm 4Motion 5-türig", {"mileage_km": 85_000, "doors": 5, "drive": "awd"}),
        ("Renault Zoe 52 kWh elektrisch", {"battery_kwh": 52.0, "fuel": "electric"}),
        ("Ford Kuga PHEV 2.5", {"fuel": "plugin_hybrid"}),
        ("Mercedes-Benz C 220 d T-Modell 9G-Tronic", {"fuel": "diesel", "body_type": "estate"}),
        ("BMW X5 xDrive30d M Sport", {"drive": "awd"}),
        ("Ford Focus 1.0 EcoBoost 5dr 68 plate", {"year": 2018, "doors": 5}),
        ("Mazda CX-5 165hk -19", {"year": 2019, "power_kw": 121}),
    ],
)
def test_what_adverts_say_in_eleven_languages_is_read(text: str, said: dict[str, Any]) -> None:
    assert said.items() <= values(read(text)).items()


@pytest.mark.parametrize(
    ("text", "make", "model"),
    [
        ("up!", "Volkswagen", "up!"),
        ("Mazda 3", "Mazda", "3"),
        ("Tesla X", "Tesla", "Model X"),
        ("Audi RS 6 Avant", "Audi", "A6"),
        ("C220d", "Mercedes-Benz", "C-Class"),
        ("Mercedes A", "Mercedes-Benz", "A-Class"),
        ("RAV 4", "Toyota", "RAV4"),
        ("MINI Cooper S Countryman", "MINI", "Countryman"),
        ("Range Rover Evoque", "Land Rover", "Range Rover Evoque"),
        ("Passat CC", "Volkswagen", "CC"),
        ("i30", "Hyundai", "i30"),
        ("BMW i3", "BMW", "i3"),
        ("Saet Ateca", "SEAT", "Ateca"),
        ("Volkswagen Golff", "Volkswagen", "Golf"),
    ],
)
def test_a_model_is_found_by_its_names_whole_and_in_any_spelling(text: str, make: str, model: str) -> None:
    said = values(read(text))
    assert (said["make"], said["model"]) == (make, model)


def test_a_make_that_is_not_written_is_inferred_and_says_so() -> None:
    make = read("Octavia Combi")["fields"]["make"]
    assert (make["value"], make["source"], make["raw"]) == ("Škoda", "inferred", None)


def test_words_that_say_nothing_are_given_back() -> None:
    assert read("VW Golf Winterpaket 150 PS Blumenvase")["unparsed"] == ["Winterpaket", "Blumenvase"]


def test_the_name_2008_is_no_year() -> None:
    assert "year" not in values(read("Peugeot 2008 PureTech"))
    assert values(read("Peugeot 2008 PureTech 2021"))["year"] == 2021


def test_horsepower_of_poland_is_no_distance_there() -> None:
    said = values(read("VW Golf 122 KM, przebieg 150 000 km", country="PL"))
    assert (said["power_kw"], said["mileage_km"]) == (90, 150_000)
    assert values(read("Opel Astra 150 KM", country="PL"))["power_kw"] == 110


@pytest.mark.parametrize("text", ["VW Golf Mk7", "VW Golf 7", "VW Golf VII", "Golf, 03/2015"])
def test_a_generation_is_known_by_its_number_or_the_year(text: str) -> None:
    answer = read(text)
    assert answer["match"]["level"] == "generation"
    assert answer["catalogue"]["generation_id"] == GOLF_VII


def test_a_letter_right_after_the_model_names_its_generation() -> None:
    label = read("Astra H Caravan 1.9 CDTI")["candidates"][0]["label"]
    assert label == "Opel Astra H (2004–2010)"


def test_an_engine_that_one_drivetrain_has_leads_down_to_it() -> None:
    engine = {"generation_id": GOLF_VII, "fuel": "petrol", "power_kw": 110, "years": Years(2017, 2020)}
    manual = Drivetrain(id="dt_manual0000", transmission="manual", **engine)
    automatic = Drivetrain(id="dt_auto000000", transmission="automatic", **engine)
    catalogue = core_catalogue().with_more([manual, automatic])
    answer = normalize_vehicle(catalogue, {"text": "Golf VII 1.5 TSI 150 PS DSG 2019"})
    assert answer["match"]["level"] == "drivetrain"
    assert answer["catalogue"]["drivetrain_id"] == automatic.id
    unsaid = normalize_vehicle(catalogue, {"text": "Golf VII 1.5 TSI 150 PS 2019"})
    assert unsaid["match"]["level"] == "generation"


def test_a_name_of_two_makes_is_ambiguous_until_the_make_is_said() -> None:
    unsaid = read("Ateca 1.5 TSI")
    assert unsaid["match"]["status"] == "ambiguous"
    assert [one["label"].split()[0] for one in unsaid["candidates"]] == ["SEAT", "Cupra"]
    said = read("1.5 TSI", vehicle={"make": "Cupra", "model": "Ateca"})
    assert said["match"]["status"] == "matched"
    assert values(said)["make"] == "Cupra"


def test_nonsense_is_an_unmatched_answer_not_an_error() -> None:
    answer = read("lorem dolor amet")
    assert answer["match"] == {"status": "unmatched", "confidence": 0.0, "level": None, "method": None}
    assert answer["candidates"] == []
    assert answer["catalogue"] is None


def test_a_make_alone_is_no_match() -> None:
    answer = read("Volkswagen")
    assert (answer["match"]["status"], answer["match"]["level"]) == ("unmatched", "make")


def test_fields_count_more_than_text() -> None:
    said = values(read("VW Golf diesel 2015", vehicle={"fuel": "petrol", "year": 2016}))
    assert (said["fuel"], said["year"]) == ("petrol", 2016)


def test_power_in_horsepower_becomes_kilowatts() -> None:
    answer = normalize_vehicle(
        core_catalogue(), {"vehicle": {"make": "VW", "model": "Golf", "power_hp": 150}}
    )
    assert answer["fields"]["power_kw"]["value"] == 110
    assert answer["fields"]["power_kw"]["source"] == "inferred"


def test_ids_settle_the_car_and_wrong_ones_are_refused() -> None:
    answer = normalize_vehicle(core_catalogue(), {"vehicle": {"catalogue": {"generation_id": GOLF_VII}}})
    assert (answer["match"]["status"], answer["match"]["method"]) == ("matched", "catalogue")
    assert values(answer)["model"] == "Golf"
    with pytest.raises(CatalogueIdNotFound):
        normalize_vehicle(core_catalogue(), {"vehicle": {"catalogue": {"model_id": "md_0000000000"}}})
    other = {"model_id": "md_qn197wse8n", "generation_id": GOLF_VII}
    with pytest.raises(CatalogueConflict):
        normalize_vehicle(core_catalogue(), {"vehicle": {"catalogue": other}})


def test_a_car_older_than_its_model_is_warned_of() -> None:
    codes = [warning["code"] for warning in read("VW T-Roc 1999")["warnings"]]
    assert codes == ["identity_mismatch"]


@given(st.text(max_size=300))
def test_any_text_gets_an_answer_with_honest_numbers(text: str) -> None:
    answer = read(text)
    assert answer["object"] == "normalized_vehicle"
    assert 0 <= answer["match"]["confidence"] <= 1
    assert len(answer["candidates"]) <= 5
    assert all(chunk in text for chunk in answer["unparsed"])
    assert all(fact["raw"] is None or fact["raw"] in text for fact in answer["fields"].values())
    assert answer == read(text)


def test_the_command_prints_the_answer_for_machines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORECOURT_DATA_DIR", str(tmp_path))
    printed = CliRunner().invoke(cli, ["normalize", "VW Golf 1,4 TSI", "--json"])
    assert json.loads(printed.output)["fields"]["model"]["value"] == "Golf"
    shown = CliRunner().invoke(cli, ["normalize", "VW Golf 1,4 TSI Blumenvase"])
    assert "Volkswagen Golf" in shown.output
    assert "Not understood: Blumenvase" in shown.output
