"""The lead of the tour: for a day that can be had, and into a mailbox that takes what real senders send."""

import smtplib
import socket
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from forecourt.aap.validation import failures
from forecourt.demo.lead import lead_request, next_saturday
from forecourt.demo.mailbox import open_mailbox
from forecourt.demo.stock import simulated_stock

MAIL = b"Message-ID: <lead_1@example.com>\r\nSubject: New lead\r\n\r\n<adf>\r\n..\r\n.hidden\r\n</adf>\r\n"


@pytest.mark.parametrize(
    ("now", "day"),
    [
        ("2026-11-30T12:00:00+00:00", "2026-12-05T11:00:00-08:00"),
        ("2026-12-04T12:00:00+00:00", "2026-12-12T11:00:00-08:00"),  # tomorrow is too soon
        ("2026-06-30T12:00:00+00:00", "2026-07-11T11:00:00-07:00"),  # the fourth of July is a Saturday
        ("2026-10-26T12:00:00+00:00", "2026-10-31T11:00:00-07:00"),
        ("2026-11-01T12:00:00+00:00", "2026-11-07T11:00:00-08:00"),  # the clocks have changed
    ],
)
def test_the_wish_is_a_saturday_that_is_no_holiday_by_the_rooftops_clock(now, day):
    wished = next_saturday(datetime.fromisoformat(now), "America/Los_Angeles")
    assert wished.isoformat() == day


def test_the_request_is_a_valid_one():
    car = simulated_stock({"motors": 0, "electric": 0, "cycles": 0})[0]
    vehicle = {"vin": car.vin, "stock": car.stock, "year": car.year, "make": car.model.make} | {
        "model": car.model.model,
        "condition": car.condition,
    }
    wished = datetime.now(ZoneInfo("America/Denver")) + timedelta(days=3)
    assert failures("lead-submit-request", lead_request(vehicle, wished, consent_text="I agree.")) == []


def test_a_mail_arrives_whole_and_stays_as_a_file(tmp_path):
    with open_mailbox(tmp_path / "mail") as mailbox:
        with smtplib.SMTP("127.0.0.1", mailbox.port, timeout=10) as sender:
            sender.sendmail("a@example.com", ["b@example.com"], MAIL)
        mail = mailbox.wait(10)
        assert mail["Subject"] == "New lead"
        assert mail.get_content() == "<adf>\r\n..\r\n.hidden\r\n</adf>\r\n"
        assert mailbox.wait(0) is None
    assert (tmp_path / "mail" / "lead_1.eml").read_bytes() == MAIL


def test_half_a_mail_is_no_mail(tmp_path):
    with open_mailbox(tmp_path / "mail") as mailbox:
        with socket.create_connection(("127.0.0.1", mailbox.port), timeout=10) as sender:
            sender.sendall(b"DATA\r\nSubject: New lead\r\n\r\n<adf>\r\n")
            sender.shutdown(socket.SHUT_WR)
            while sender.recv(1000):
                pass
        assert mailbox.wait(0) is None
    assert not (tmp_path / "mail").exists()


def test_a_command_that_is_not_known_is_refused(tmp_path):
    with open_mailbox(tmp_path / "mail") as mailbox, smtplib.SMTP("127.0.0.1", mailbox.port) as sender:
        assert sender.docmd("VRFY", "somebody")[0] == 500
