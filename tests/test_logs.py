"""What a log may say."""

import io
import json
import logging

import pytest

from forecourt.logs import set_up_logging


@pytest.fixture(params=["text", "json"])
def log(request: pytest.FixtureRequest) -> io.StringIO:
    stream = io.StringIO()
    set_up_logging(level="info", form=request.param, stream=stream)
    return stream


@pytest.mark.parametrize(
    "secret",
    ["ada@example.com", "1FBNE3BE1CD000147", "+1 555 010 0199", "Bearer abc.def", "au_live_0123456789abcdef"],
)
def test_personal_data_and_secrets_are_taken_out(log: io.StringIO, secret: str) -> None:
    logging.getLogger("forecourt.test").warning("about %s", secret, extra={"subject": secret})

    assert secret not in log.getvalue()


def look_up(name: str) -> str:
    return {}[f"{name}\n  {name}"]


def test_a_traceback_shows_where_but_not_the_text_of_the_exception(log: io.StringIO) -> None:
    name = "A" + "da"
    try:
        look_up(name)
    except LookupError:
        logging.getLogger("forecourt.test").exception("failed")

    assert name not in log.getvalue()
    assert "KeyError" in log.getvalue()
    assert "test_logs.py" in log.getvalue()


def test_a_json_line_holds_the_given_fields() -> None:
    stream = io.StringIO()
    set_up_logging(level="info", form="json", stream=stream)

    logging.getLogger("forecourt.test").info("imported", extra={"rows": 12})

    entry = json.loads(stream.getvalue())
    assert (entry["message"], entry["rows"], entry["level"]) == ("imported", "12", "info")


def test_ordinary_numbers_dates_and_addresses_stay(log: io.StringIO) -> None:
    logging.getLogger("forecourt.test").info("2026-11-30 26780 rows for 127.0.0.1:8080")

    assert "2026-11-30 26780 rows for 127.0.0.1:8080" in log.getvalue()
