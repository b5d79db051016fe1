"""What a dealer may write into the profile about leads, and what it is told when it is wrong."""

import pytest
from tests.leads.desk import dealer_profile

from forecourt.cli.main import main
from forecourt.dealer.profile import build_profile
from forecourt.leads.destinations import Folder, Mail, Post, Webhook, WrongDestinations, parse_destinations

MAIL = {
    "kind": "adf-email",
    "name": "crm",
    "host": "smtp.example.com",
    "from": "a@example.com",
    "to": "crm@example.com",
}
LOGIN = {**MAIL, "username": "u", "password_env": "PASSWORD"}
HOOK = {"kind": "webhook", "name": "hook", "url": "https://crm.example.com/hook", "secret_env": "HOOK_SECRET"}
POST = {"kind": "adf-https", "name": "post", "url": "https://crm.example.com/adf"}
FOLDER = {"kind": "folder", "name": "files", "path": "/var/leads"}


def parsed(*entries):
    return parse_destinations(dealer_profile(destinations=entries))


def test_the_four_kinds_of_destination_are_read_in_order():
    mail, hook, post, folder = parsed(MAIL, HOOK, POST, FOLDER)

    assert isinstance(mail, Mail)
    assert (mail.port, mail.security, mail.subject) == (587, "starttls", "New lead for Larkfield Auto Group")
    assert isinstance(hook, Webhook)
    assert isinstance(post, Post)
    assert isinstance(folder, Folder)
    assert folder.format == "adf"


def test_tls_from_the_first_byte_has_its_own_port():
    assert parsed({**MAIL, "security": "tls"})[0].port == 465


def test_a_crm_profile_brings_its_subject_and_the_dealer_can_have_another():
    assert parsed({**MAIL, "crm": "eleads"})[0].subject == "Larkfield Auto Group - Internet lead"
    assert parsed({**MAIL, "subject": "{dealer}: lead"})[0].subject == "Larkfield Auto Group: lead"


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ({**MAIL, "kind": "pigeon"}, "destinations[0].kind must be one of"),
        ({**MAIL, "name": "My CRM"}, "destinations[0].name cannot be used"),
        ({**MAIL, "password": "secret-word"}, "destinations[0].password is not known here"),
        ({**MAIL, "username": "u"}, "password_env belong together"),
        (
            {**MAIL, "username": "u", "password_env": "PASSWORD", "security": "none"},
            "security must not be none",
        ),
        ({**MAIL, "password_env": "hunter 2", "username": "u"}, "password_env cannot be used"),
        ({**MAIL, "port": 0}, "port must be a number"),
        ({**MAIL, "to": "a@example.com, b@example.com"}, "to cannot be used"),
        ({**MAIL, "crm": "other"}, "crm must be one of"),
        ({**HOOK, "url": "ftp://crm.example.com"}, "url cannot be used"),
        ({**HOOK, "secret_env": "whsec_abc"}, "secret_env cannot be used"),
        ({"kind": "folder", "name": "files"}, "path is missing"),
    ],
)
def test_a_wrong_entry_is_named_without_its_value(entry, told):
    with pytest.raises(WrongDestinations) as raised:
        parsed(entry)

    assert told in raised.value.message
    assert "secret-word" not in raised.value.message


def test_every_problem_is_told_at_once():
    with pytest.raises(WrongDestinations) as raised:
        parsed({**MAIL, "port": 0, "crm": "x"}, MAIL, {**MAIL, "host": ""})

    assert len(raised.value.details["problems"]) == 4


def test_adf_needs_a_rooftop_that_can_be_reached_unless_it_goes_by_mail():
    bare = {"name": "X", "rooftops": [{"name": "Bare"}]}

    assert parse_destinations(build_profile("x", {**bare, "destinations": [MAIL]}))
    with pytest.raises(WrongDestinations, match="Bare needs an e-mail address"):
        parse_destinations(build_profile("x", {**bare, "destinations": [POST]}))


def test_destinations_that_are_no_tables_are_refused():
    with pytest.raises(WrongDestinations, match=r"\[\[destinations\]\]"):
        parse_destinations(
            build_profile("x", {"name": "X", "rooftops": [{"name": "Y"}], "destinations": "crm"})
        )


@pytest.mark.parametrize(
    ("section", "told"),
    [
        ('[[destinations]]\nkind = "pigeon"', "wrong_destinations"),
        ("[appointments]\ncapacity = 0", "wrong_appointment_rules"),
        ("[leads]\nretention_days = 0", "wrong_retention"),
    ],
)
def test_a_dealer_is_not_hosted_with_a_wrong_section(tmp_path, monkeypatch, capsys, section, told):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FORECOURT_DATA_DIR", str(tmp_path))
    file = tmp_path / "dealer.toml"
    file.write_text(f'name = "X"\n[[rooftops]]\nname = "Y"\n{section}\n')

    with pytest.raises(SystemExit) as ended:
        main(["dealer", "add", "x", "--profile", str(file)])

    assert ended.value.code == 1
    assert told in capsys.readouterr().err


def test_dates_without_quotation_marks_are_holidays_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FORECOURT_DATA_DIR", str(tmp_path))
    file = tmp_path / "dealer.toml"
    file.write_text(
        'name = "X"\n[[rooftops]]\nname = "Y"\n[appointments]\nholidays = [2026-12-24, "12-25"]\n'
    )

    with pytest.raises(SystemExit) as ended:
        main(["dealer", "add", "x", "--profile", str(file)])

    assert ended.value.code == 0
