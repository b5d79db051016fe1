"""Organisations, people, keys and credits from a terminal."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from forecourt.cli.main import main

Run = Callable[..., str]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command and return what it printed; the exit code is that which `exits` says."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FORECOURT_DATA_DIR", str(tmp_path / "data"))

    def run(*arguments: str, exits: int = 0) -> str:
        with pytest.raises(SystemExit) as ended:
            main([*arguments])
        printed = capsys.readouterr()
        assert ended.value.code == exits, printed.err
        return printed.out.strip() if exits == 0 else printed.err.strip()

    return run


@pytest.fixture
def org(run: Run) -> str:
    return run("org", "create", "Harbour Data", "--countries", "de,GB")


def listed(run: Run, *arguments: str) -> Any:
    return json.loads(run(*arguments, "--json"))


def test_an_organisation_is_created_and_listed(run: Run, org: str) -> None:
    [found] = listed(run, "org", "list")

    assert found == {
        "id": org,
        "name": "Harbour Data",
        "countries": ["DE", "GB"],
        "credits": 0,
        "suspended_at": None,
    }
    assert org in run("org", "list")


def test_whoever_makes_an_organisation_without_a_country_is_told_what_is_missing(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    del run  # it has made the surroundings
    with pytest.raises(SystemExit):
        main(["org", "create", "Harbour Data"])
    printed = capsys.readouterr()
    assert f"forecourt org set {printed.out.strip()} --countries" in printed.err


def test_countries_and_suspension_are_set(run: Run, org: str) -> None:
    run("org", "set", org, "--countries", "all", "--suspend")
    [found] = listed(run, "org", "list")
    assert len(found["countries"]) == 14
    assert found["suspended_at"]

    run("org", "set", org, "--countries", "", "--resume")
    [found] = listed(run, "org", "list")
    assert (found["countries"], found["suspended_at"]) == ([], None)


def test_what_cannot_be_set_is_refused(run: Run, org: str) -> None:
    assert "US" in run("org", "set", org, "--countries", "DE,US", exits=1)
    assert "organization_not_found" in run("org", "set", "org_x", "--suspend", exits=1)
    assert "Say what to change" in run("org", "set", org, exits=2)
    assert "--warn-below" in run(
        "org", "set", org, "--webhook", "https://hooks.example.com", "--webhook-secret-env", "S", exits=2
    )
    assert "belong together" in run("org", "set", org, "--warn-below", "5", "--webhook", "https://x", exits=2)
    assert "wrong_warning_hook" in run(
        "org", "set", org, "--warn-below", "5", "--webhook", "ftp://x", "--webhook-secret-env", "S", exits=1
    )


def test_people_are_added_listed_and_removed(run: Run, org: str) -> None:
    run("user", "add", "Ada@Example.com", "--org", org, "--role", "owner")
    [member] = listed(run, "user", "list", "--org", org)
    assert (member["email"], member["role"]) == ("ada@example.com", "owner")

    run("user", "remove", "ada@example.com", "--org", org)
    assert run("user", "list", "--org", org) == "None."


def test_a_key_is_printed_once_and_listed_without_its_secret(run: Run, org: str) -> None:
    bearer = run(
        *("key", "create", "--org", org, "--mode", "live", "--name", "CI", "--scope", "account:read"),
        *("--ip", "192.0.2.0/24", "--expires", "2099-03-31", "--monthly-cap", "100"),
    )
    [found] = listed(run, "key", "list", "--org", org)

    assert bearer.startswith("au_live_")
    assert len(bearer) == 46
    assert found["key"] == f"au_live_…{bearer[-4:]}"
    assert (found["scopes"], found["networks"], found["monthly_cap"]) == (
        ["account:read"],
        ["192.0.2.0/24"],
        100,
    )
    assert found["expires_at"] == "2099-03-31T23:59:59+00:00"
    assert bearer not in run("key", "list", "--org", org)


def test_a_key_is_rotated_and_revoked(run: Run, org: str) -> None:
    first = listed(run, "key", "create", "--org", org, "--mode", "test")
    second = listed(run, "key", "rotate", first["id"], "--overlap-hours", "1")
    assert second["key"] != first["key"]

    run("key", "revoke", second["id"])

    old, new = listed(run, "key", "list", "--org", org)
    assert (old["id"], new["id"]) == (first["id"], second["id"])
    assert new["revoked_at"] < old["revoked_at"]
    assert "key_not_found" in run("key", "rotate", second["id"], exits=1)


def test_the_server_secret_is_readable_by_its_owner_alone(run: Run, org: str, tmp_path: Path) -> None:
    run("key", "create", "--org", org, "--mode", "test")

    assert (tmp_path / "data" / "secret.key").stat().st_mode & 0o777 == 0o600


def test_credits_are_granted_once_for_each_reference(run: Run, org: str) -> None:
    for _ in range(2):
        run("credits", "grant", org, "500", "--reference", "invoice 1", "--expires", "2099-12-31")
    run("credits", "adjust", org, "-20", "--reference", "note 1")

    assert "reference_used" in run("credits", "grant", org, "501", "--reference", "invoice 1", exits=1)
    assert "not_captured" in run("credits", "refund", "val_x", exits=1)
    newest, oldest = listed(run, "credits", "ledger", org)
    assert (newest["type"], newest["amount"], newest["available"]) == ("adjustment", -20, 480)
    assert (oldest["type"], oldest["reference"]) == ("grant", "invoice 1")
    assert listed(run, "org", "list")[0]["credits"] == 480


def test_the_books_are_checked(run: Run, org: str, tmp_path: Path) -> None:
    run("credits", "grant", org, "500", "--reference", "invoice 1")
    assert run("credits", "check") == "The books add up."

    database = sqlite3.connect(tmp_path / "data" / "forecourt.db")
    with database:
        database.execute("UPDATE credit_accounts SET available = 501")
    database.close()
    assert org in run("credits", "check", exits=1)
