"""`forecourt market` as a person types it."""

import json
from pathlib import Path

import pytest
from tests.market.listings import row, write_listings

from forecourt.cli.main import main


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FORECOURT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    return int(ended.value.code or 0)


def test_an_import_tells_what_became_of_every_row(folder, capsys) -> None:
    file = write_listings(folder / "a.csv", [row(), row(id="A-2", price="")])
    assert run("market", "import", file, "--country", "de", "--report", folder / "report.json") == 0
    told = capsys.readouterr().out
    assert "2 rows: 1 kept, 1 dropped; 1 sightings are new." in told
    assert "1 no_price: no price, or a price on request" in told
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert report["rows_in"] == report["kept"] + report["dropped"]
    assert [drop["line"] for drop in report["drops"]] == [3]


def test_what_a_market_holds_is_shown_with_its_imports(folder, capsys) -> None:
    assert run("market", "import", write_listings(folder / "a.csv", [row()]), "--country", "DE") == 0
    capsys.readouterr()
    assert run("market", "show", "--country", "DE", "--json") == 0
    (shown,) = json.loads(capsys.readouterr().out)
    assert (shown["adverts"], shown["currency"], shown["simulated"]) == (1, "EUR", False)
    assert [line["source"] for line in shown["imports"]] == ["a.csv"]


def test_a_market_without_listings_is_told_from_an_unknown_country(folder, capsys) -> None:
    assert run("market", "show", "--country", "SE") == 1
    assert "market_empty" in capsys.readouterr().err
    assert run("market", "show", "--country", "Sweden") == 1
    assert "country_invalid" in capsys.readouterr().err


def test_an_import_takes_a_file_or_the_dealers_but_not_both(folder) -> None:
    file = write_listings(folder / "a.csv", [row()])
    assert run("market", "import", "--country", "DE") == 2
    assert run("market", "import", file, "--country", "DE", "--from-dealers") == 2


def test_a_simulated_market_is_called_simulated(folder, capsys) -> None:
    assert run("market", "simulate", folder / "gb.csv", "--country", "GB", "--adverts", "50") == 0
    assert run("market", "import", folder / "gb.csv", "--country", "GB", "--simulated") == 0
    assert run("market", "show") == 0
    assert capsys.readouterr().out.count("simulated") >= 3


DEALER = 'name = "Larkfield"\n[[rooftops]]\nname = "North"\naddress = { country = "DE" }\n'


def test_the_stock_of_hosted_dealers_can_be_a_source(folder, capsys) -> None:
    (folder / "larkfield.toml").write_text(DEALER, encoding="utf-8")
    assert run("dealer", "add", "larkfield", "--profile", folder / "larkfield.toml") == 0
    stock = write_listings(
        folder / "stock.csv", [row(condition="used"), row(id="A-2", price="", condition="used")]
    )
    assert run("feed", "import", "larkfield", stock) == 0
    assert run("market", "import", "--from-dealers", "--country", "DE") == 0
    assert "2 rows: 1 kept, 1 dropped" in capsys.readouterr().out
    assert run("market", "import", "--from-dealers", "--country", "DE") == 0
    assert "all of it was known" in capsys.readouterr().out
