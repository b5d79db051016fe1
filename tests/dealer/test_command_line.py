"""`forecourt dealer` and `forecourt feed` as a person types them."""

import json
from pathlib import Path

import pytest
from tests.dealer.feeds import CAR, cars, csv_text

from forecourt.cli.main import main

PROFILE = 'name = "Larkfield"\n[[rooftops]]\nname = "North"\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FORECOURT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "200")
    (tmp_path / "larkfield.toml").write_text(PROFILE, encoding="utf-8")
    return tmp_path


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    return int(ended.value.code or 0)


def feed(folder: Path, rows: list[dict[str, str]]) -> Path:
    path = folder / "stock.csv"
    path.write_text(csv_text(rows), encoding="utf-8", newline="")
    return path


def test_a_dealer_is_added_listed_and_has_a_card(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("dealer", "add", "larkfield", "--profile", folder / "larkfield.toml") == 0
    assert run("dealer", "add", "larkfield", "--profile", folder / "larkfield.toml") == 1
    assert run("dealer", "add", "larkfield", "--profile", folder / "larkfield.toml", "--replace") == 0
    assert capsys.readouterr().out.splitlines() == [
        "Larkfield is hosted as larkfield, with 1 rooftop.",
        "Larkfield has a new profile as larkfield, with 1 rooftop.",
    ]

    assert run("dealer", "list", "--json") == 0
    (listed,) = json.loads(capsys.readouterr().out)
    assert run("dealer", "card", "larkfield") == 0
    card = json.loads(capsys.readouterr().out)

    assert (listed["slug"], listed["name"], listed["vehicles"]) == ("larkfield", "Larkfield", 0)
    assert card["supportedInterfaces"][0]["url"].endswith("/dealers/larkfield/a2a")


def test_an_import_tells_its_account_and_writes_a_report(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("dealer", "add", "larkfield", "--profile", folder / "larkfield.toml")
    path = feed(folder, [*cars(3), CAR | {"Status": "Sold", "VIN": "1FADP3K25EL000099"}])

    assert run("feed", "import", "larkfield", path, "--report", folder / "report.json") == 0

    told = capsys.readouterr().out
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert "4 rows in = 3 accepted + 1 rejected" in told
    assert (report["rows_in"], report["accepted"], report["rejected_by_rule"]) == (4, 3, {"sold": 1})
    assert [finding["line"] for finding in report["findings"]] == [5]
    assert [listing["stock"] for listing in report["listings"]] == ["A0", "A1", "A2"]


def test_a_refusal_is_one_line_and_exit_code_1(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("dealer", "add", "larkfield", "--profile", folder / "larkfield.toml")
    run("feed", "import", "larkfield", feed(folder, cars(10)))
    capsys.readouterr()

    assert run("feed", "import", "larkfield", feed(folder, cars(2))) == 1
    assert capsys.readouterr().err.strip().endswith("(stock_would_shrink)")
    assert run("feed", "import", "larkfield", feed(folder, cars(2)), "--allow-shrink") == 0
    assert run("feed", "rollback", "larkfield") == 0
    assert "10 vehicles" in capsys.readouterr().out


def test_a_proposed_mapping_file_is_taken_as_it_is(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("dealer", "add", "larkfield", "--profile", folder / "larkfield.toml")
    path = feed(folder, [row | {"Mystery": "x"} for row in cars(2)])
    capsys.readouterr()

    assert run("feed", "map", path) == 0
    proposal = capsys.readouterr().out
    (folder / "mapping.toml").write_text(proposal, encoding="utf-8")

    assert "# Mystery" in proposal
    assert run("feed", "import", "larkfield", path, "--mapping", folder / "mapping.toml") == 0


def test_a_wrong_mapping_file_names_its_keys(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("dealer", "add", "larkfield", "--profile", folder / "larkfield.toml")
    (folder / "mapping.toml").write_text(
        'mileage_unit = "furlong"\n[columns]\ncolour = "Color"\n', encoding="utf-8"
    )

    assert (
        run("feed", "import", "larkfield", feed(folder, cars(1)), "--mapping", folder / "mapping.toml") == 1
    )
    told = capsys.readouterr().err
    assert "mileage_unit" in told
    assert "columns.colour" in told


def test_a_feed_is_scheduled_listed_and_removed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("dealer", "add", "larkfield", "--profile", folder / "larkfield.toml")

    assert run("feed", "schedule", "larkfield", "https://feeds.example.com/a.csv", "--every", "30") == 0
    assert run("feed", "schedules") == 0
    assert "feeds.example.com" in capsys.readouterr().out
    assert run("feed", "schedule", "larkfield", "--remove") == 0
    assert run("feed", "schedule", "larkfield", "relative/path.csv") == 1
