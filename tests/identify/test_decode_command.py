"""`forecourt decode hsn-tsn` and `decode plate` as somebody types them."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from forecourt.cli.main import cli

KEYS = "hsn,hersteller,tsn,handelsname\n0603,VOLKSWAGEN-VW,ADT,GOLF\n0588,AUDI,AB0,AUDI A4;AUDI A6\n"
PLATES = "country,plate,make,model,first_registration\nDE,B-AB 123,Volkswagen,Golf,2017-05\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of its own, with a list of keys and a register in files."""
    monkeypatch.setenv("FORECOURT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("FORECOURT_REGISTER_FILE", str(tmp_path / "register.csv"))
    monkeypatch.setenv("FORECOURT_REGISTER_RDW", "false")
    (tmp_path / "register.csv").write_text(PLATES, "utf-8")
    (tmp_path / "keys.csv").write_text(KEYS, "utf-8")
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["decode", *arguments])


def test_a_type_key_is_decoded_from_the_list_that_was_imported(folder: Path) -> None:
    CliRunner().invoke(cli, ["catalogue", "import-kba", str(folder / "keys.csv")])
    shown = run("hsn-tsn", "0588/AB0")
    assert "Audi A4" in shown.stdout
    assert "Audi A6" in shown.stdout
    assert "Kraftfahrt-Bundesamt" in shown.stdout
    assert json.loads(run("hsn-tsn", "0603/ADT", "--json").stdout)["trade_name"] == "GOLF"


@pytest.mark.usefixtures("folder")
def test_a_key_that_lost_its_zero_is_asked_back() -> None:
    shown = run("hsn-tsn", "603/ADT")
    assert "Did you mean 0603/ADT?" in shown.stderr


@pytest.mark.usefixtures("folder")
def test_a_plate_is_looked_up_in_the_register_of_the_settings() -> None:
    shown = run("plate", "de", "bab123")
    assert "Volkswagen Golf VII" in shown.stdout
    assert "own register" in shown.stdout
    assert json.loads(run("plate", "DE", "B-AB 123", "--json").stdout)["plate"] == "BAB123"


@pytest.mark.usefixtures("folder")
def test_a_plate_that_cannot_be_looked_up_says_why() -> None:
    assert "No register is connected" in run("plate", "NL", "11-ZKZ-3").stderr
    refused = json.loads(run("plate", "NL", "11-ZKZ-3", "--json").stdout)
    assert refused["code"] == "plate_country_not_supported"
    assert refused["supported_plate_countries"] == ["DE"]
