"""The leads inbox from a terminal: list, show, resend, export, erase, test."""

import json

import pytest
from tests.leads.desk import Desk, HeldClock, dealer_profile
from tests.leads.leads_made_up import VIN, lead_request
from tests.leads.receivers import free_port, mail_server

from forecourt.cli.main import main
from forecourt.storage.database import open_database


@pytest.fixture
def port():
    return free_port()


@pytest.fixture
def lead_id(tmp_path, monkeypatch, port):
    """A lead in the database of the settings, for a dealer whose mail server listens at `port`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FORECOURT_DATA_DIR", str(tmp_path))
    database = open_database(f"sqlite:///{tmp_path / 'forecourt.db'}")
    database.upgrade()
    destination = {
        "kind": "adf-email", "name": "crm", "host": "127.0.0.1", "port": port, "security": "none",
        "from": "leads@agent.example.com", "to": "crm@dealer.example.com",
    }  # fmt: skip
    desk = Desk.hosting(database, dealer_profile(destinations=[destination]), HeldClock())
    lead_id = desk.submit(lead_request(vehicle_of_interest={"vin": VIN}))["data"]["lead_id"]
    database.close()
    return lead_id


@pytest.fixture
def run(capsys):
    def run(*arguments):
        with pytest.raises(SystemExit) as ended:
            main(["leads", *arguments])
        return ended.value.code, capsys.readouterr().out

    return run


def test_the_list_says_who_wants_what_and_whether_it_arrived(lead_id, run):
    code, text = run("list", "--json")

    assert code == 0
    [row] = json.loads(text)
    assert row["lead"] == lead_id
    assert (row["customer"], row["vehicle"], row["delivery"]) == (
        "Ada Example",
        "2024 Honda CR-V",
        "crm: pending",
    )
    assert run("list")[0] == 0
    assert json.loads(run("list", "--dealer", "nobody", "--json")[1]) == []


def test_show_begins_with_the_consent_and_ends_with_the_mail_as_it_goes_out(lead_id, run):
    code, text = run("show", lead_id)

    assert code == 0
    assert text.index("I agree that Larkfield") < text.index("Message-ID") < text.index("</adf>")


def test_a_lead_can_be_sent_again_by_hand(lead_id, run):
    assert run("resend", lead_id)[0] == 0
    assert "resend" in run("show", lead_id)[1]
    assert run("resend", "--undelivered", "larkfield") == (0, "0 leads wait to be sent again.\n")
    assert run("resend")[0] == 2
    assert run("resend", "lead_unknown")[0] == 1


def test_a_test_lead_says_which_destination_took_it(lead_id, run, port):
    code, text = run("test", "larkfield")
    assert code == 1
    assert "connection_failed" in text

    with mail_server(port=port) as box:
        code, text = run("test", "larkfield")

    assert code == 0
    assert "delivered" in text
    assert box.mails[0]["Subject"].startswith("[TEST]")


def test_a_person_can_be_exported_and_erased(lead_id, run, tmp_path):
    assert run("export", "ada@example.com", "--out", str(tmp_path / "ada.json"))[0] == 0
    assert json.loads((tmp_path / "ada.json").read_text())[0]["lead"]["id"] == lead_id
    assert (tmp_path / "ada.json").stat().st_mode & 0o777 == 0o600
    (tmp_path / "ada.json").unlink()

    assert run("erase", "ada@example.com", "--yes") == (0, "1 leads erased.\n")
    assert json.loads(run("export", "ada@example.com")[1]) == []
    assert b"ada@example.com" not in b"".join(file.read_bytes() for file in tmp_path.iterdir())
