"""German type keys: the list as XLSX and CSV, and the models that its names mean."""

from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner
from openpyxl import Workbook

from forecourt.catalogue.core import core_catalogue
from forecourt.catalogue.errors import KbaFileUnusable
from forecourt.catalogue.kba import makes_of, models_of, read_kba, with_models
from forecourt.catalogue.kba_store import find_key, licence_notice, save_keys
from forecourt.cli.main import cli
from forecourt.storage.database import Database

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ROWS = [
    ("0603", "VOLKSWAGEN-VW", "ADT", "GOLF"),
    ("0005", "BAYER.MOT.WERKE-BMW", "AHT", "320D"),
    ("0708", "DAIMLERCHRYSLER (D)", "012", "C 220 CDI"),
    ("1000", "ZUENDAPP-WERKE", "001", "K 500"),
]


def csv_list(path: Path, *, delimiter: str = ",") -> Path:
    """Write the list as a table of text."""
    lines = [("hsn", "hersteller", "tsn", "handelsname"), *ROWS]
    path.write_text("\n".join(delimiter.join(line) for line in lines), encoding="cp1252")
    return path


def workbook(path: Path) -> Path:
    """Write the list as the KBA does: a cover, a title, the header further down, numbers as numbers."""
    book = Workbook(write_only=True)
    book.create_sheet("Deckblatt").append(["Statistik", "Stand: 1. Januar 2025"])
    sheet = book.create_sheet("FZ 6.1")
    sheet.append([None, "Verzeichnis"])
    sheet.append([None, "HSN", "Hersteller-\nklartext", "TSN", "Handelsname", "Anzahl"])
    for hsn, maker, tsn, name in ROWS:
        sheet.append([None, int(hsn), maker, tsn, name, 7])
    book.save(path)
    return path


def names(model_ids: tuple[str, ...]) -> list[str]:
    """Return make and model of ids."""
    core = core_catalogue()
    return [f"{core.make_of(core.models[one]).name} {core.models[one].name}" for one in model_ids]


@pytest.mark.parametrize("delimiter", [",", ";"])
def test_a_csv_list_is_read_whole(tmp_path: Path, delimiter: str) -> None:
    read = read_kba(csv_list(tmp_path / "fz6.csv", delimiter=delimiter))
    assert [(key.hsn, key.tsn, key.maker, key.name) for key in read.keys] == [
        (hsn, tsn, maker, name) for hsn, maker, tsn, name in ROWS
    ]
    assert read.as_of is None


def test_the_workbook_of_the_kba_is_read_with_its_day_and_leading_zeros(tmp_path: Path) -> None:
    read = read_kba(workbook(tmp_path / "fz6.xlsx"))
    assert [key.hsn for key in read.keys] == ["0603", "0005", "0708", "1000"]
    assert read.as_of == date(2025, 1, 1)
    assert "Kraftfahrt-Bundesamt" in read.notice()
    assert "Stand 01.01.2025" in read.notice()


def test_another_file_is_no_list_of_keys(tmp_path: Path) -> None:
    path = tmp_path / "cars.csv"
    path.write_text("make,model\nVW,Golf\n", encoding="utf-8")
    with pytest.raises(KbaFileUnusable):
        read_kba(path)


@pytest.mark.parametrize(
    ("maker", "name", "models"),
    [
        ("VOLKSWAGEN-VW", "GOLF VARIANT", ["Volkswagen Golf"]),
        ("BAYER.MOT.WERKE-BMW", "330D,3ER REIHE", ["BMW 3 Series"]),
        ("BAYER.MOT.WERKE-BMW", "R 1250 GS ADVENTURE,R 125", []),
        ("DAIMLER (D)", "A 220 CDI", ["Mercedes-Benz A-Class"]),
        ("FCA ITALY (I)", "COMPASS", ["Jeep Compass"]),
        ("FORD (D)", "TRANSIT CONNECT,MONDEO", ["Ford Transit Connect", "Ford Mondeo"]),
        ("OPEL", "LS,GL,GLS,GT", []),
        ("DAIMLER TRUCK", "ACTROS;AROCS", []),
        ("FORD (D)", "UNBEKANNT", []),
    ],
)
def test_a_trade_name_leads_to_the_models_it_means(maker: str, name: str, models: list[str]) -> None:
    makes = makes_of(core_catalogue(), maker)
    assert names(models_of(core_catalogue(), name, makes)) == models


def test_a_new_list_takes_the_place_of_the_one_before_with_its_notice(
    database: Database, tmp_path: Path
) -> None:
    read = read_kba(workbook(tmp_path / "fz6.xlsx"))
    keys = list(with_models(core_catalogue(), read.keys))
    for listed in (keys, keys[:2]):
        database.write_sync(
            lambda connection, listed=listed: save_keys(
                connection, listed, notice=read.notice(), as_of=read.as_of, now=NOW
            )
        )
    key = database.read_sync(lambda connection: find_key(connection, "0603", "ADT"))
    assert key is not None
    assert names(key.model_ids) == ["Volkswagen Golf"]
    assert database.read_sync(lambda connection: find_key(connection, "0708", "012")) is None
    assert database.read_sync(licence_notice) == read.notice()


def test_the_command_shows_the_licence_notice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORECOURT_DATA_DIR", str(tmp_path))
    file = csv_list(tmp_path / "fz6.csv")
    done = CliRunner().invoke(cli, ["catalogue", "import-kba", str(file), "--as-of", "2025-01-01"])
    assert done.exit_code == 0, done.output
    assert "4 keys are in place, 3 of them lead to a model" in done.output
    assert "dl-de/by-2-0" in done.output


def test_most_keys_of_car_makers_lead_to_a_model(shared: Path) -> None:
    read = read_kba(shared / "data" / "kba_fz6_2025_hsn_tsn.csv.gz")
    of_cars = [key for key in read.keys if makes_of(core_catalogue(), key.maker)][::10]
    resolved = sum(bool(key.model_ids) for key in with_models(core_catalogue(), of_cars))
    assert resolved / len(of_cars) >= 0.75
