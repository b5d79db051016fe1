"""German type keys: how they are written and which cars they mean."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forecourt.base.errors import ForecourtError
from forecourt.catalogue.catalogue import Catalogue
from forecourt.catalogue.core import core_catalogue
from forecourt.catalogue.entries import Drivetrain
from forecourt.catalogue.kba import with_models
from forecourt.catalogue.kba_store import TypeKey, save_keys
from forecourt.contract.errors import HsnTsnNotFound, InvalidHsn, InvalidTsn
from forecourt.identify.hsn_tsn import WrittenKey, read_type_key
from forecourt.identify.hsn_tsn_lookup import TypeKeyLookup
from forecourt.storage.database import Database

NOTICE = "© Kraftfahrt-Bundesamt, Flensburg, FZ 6"
GOLF_VII = "gn_73dj22wnch"
LISTED = (
    TypeKey("0603", "ADT", "VOLKSWAGEN-VW", "GOLF"),
    TypeKey("0588", "AB0", "AUDI", "AUDI A4;AUDI A6"),
    TypeKey("0005", "CLI", "BAYER.MOT.WERKE-BMW", "3ER REIHE"),
    TypeKey("0005", "UNB", "BAYER.MOT.WERKE-BMW", "UNBEKANNT"),
    TypeKey("0005", "AHT", "BAYER.MOT.WERKE-BMW", "320D"),
    TypeKey("1000", "001", "ZUENDAPP-WERKE", "K 500"),
)


@pytest.fixture
def listed(database: Database) -> Database:
    """A database with a few keys."""
    keys = list(with_models(core_catalogue(), LISTED))
    now = datetime(2026, 1, 1, tzinfo=UTC)
    database.write_sync(lambda c: save_keys(c, keys, notice=NOTICE, as_of=date(2025, 1, 1), now=now))
    return database


def decode(database: Database, catalogue: Catalogue | None = None, **arguments: str) -> dict[str, Any]:
    async def current() -> Catalogue:
        return catalogue or core_catalogue()

    return asyncio.run(TypeKeyLookup(database, catalogue=current).decode_hsn_tsn(arguments))


def labels(answer: Mapping[str, Any]) -> Sequence[str]:
    return [candidate["label"] for candidate in answer["candidates"]]


@pytest.mark.parametrize(
    ("arguments", "code", "cut"),
    [
        ({"code": "0603/BJM"}, "0603/BJM", False),
        ({"code": "0005-AHT"}, "0005/AHT", False),
        ({"code": "0588/ALD00035"}, "0588/ALD", True),
        ({"code": "8004404"}, "8004/404", False),
        ({"code": " 0603 bjm "}, "0603/BJM", False),
        ({"code": "0603 / bjm000521"}, "0603/BJM", True),
        ({"hsn": "0603", "tsn": "AAA000021"}, "0603/AAA", True),
        ({"hsn": "0600", "tsn": "599 0445"}, "0600/599", True),
        ({"hsn": " 0603 ", "tsn": " bjm "}, "0603/BJM", False),
    ],
)
def test_every_written_form_is_read(arguments: Mapping[str, str], code: str, *, cut: bool) -> None:
    key = read_type_key(arguments)
    assert (key.code, key.cut) == (code, cut)


@pytest.mark.parametrize(
    ("arguments", "error", "suggestion"),
    [
        ({"hsn": "603", "tsn": "BJM"}, InvalidHsn, "0603"),
        ({"hsn": "O603", "tsn": "BJM"}, InvalidHsn, None),
        ({"hsn": "06030", "tsn": "BJM"}, InvalidHsn, None),
        ({"hsn": "٠٦٠٣", "tsn": "BJM"}, InvalidHsn, None),
        ({"hsn": "0603", "tsn": "BJ"}, InvalidTsn, None),
        ({"hsn": "0603", "tsn": "BJ/"}, InvalidTsn, None),
        ({"code": "603/BJM"}, InvalidHsn, "0603/BJM"),
        ({"code": "0603/BJ"}, InvalidTsn, None),
        ({"code": "HSN: 0603, TSN: BJM"}, InvalidHsn, "0603/BJM"),
        ({"code": "zu 2: 0600 zu 3: 599 0445"}, InvalidHsn, "0600/599"),
        ({"code": "Golf"}, InvalidHsn, None),
        ({"code": ""}, InvalidHsn, None),
    ],
)
def test_what_is_no_key_is_refused_and_asked_back_when_it_is_plain_what_is_meant(
    arguments: Mapping[str, str], error: type[ForecourtError], suggestion: str | None
) -> None:
    with pytest.raises(error) as refused:
        read_type_key(arguments)
    assert refused.value.details.get("suggestion") == suggestion


@pytest.mark.parametrize("code", ["0800/ABC", "0801/ABC", "0900/ABC", "0901/123", "0603/000"])
def test_a_collective_key_stands_for_no_car(code: str) -> None:
    with pytest.raises(HsnTsnNotFound) as refused:
        read_type_key({"code": code})
    assert refused.value.details == {"reason": "collective_key"}


def test_a_key_of_the_list_leads_to_its_model_and_carries_the_licence_notice(listed: Database) -> None:
    answer = decode(listed, code="0603/ADT")
    assert answer["manufacturer"] == "VOLKSWAGEN-VW"
    assert labels(answer) == ["Volkswagen Golf"]
    assert answer["match"] == {"status": "matched", "confidence": 0.95, "level": "model", "method": "hsn_tsn"}
    assert [hint["code"] for hint in answer["hints"]] == ["add_drivetrain"]
    assert answer["attribution_text"] == NOTICE


def test_a_name_that_lists_two_models_gives_both(listed: Database) -> None:
    answer = decode(listed, code="0588/AB0")
    assert labels(answer) == ["Audi A4", "Audi A6"]
    assert answer["match"]["status"] == "ambiguous"
    assert [hint["code"] for hint in answer["hints"]] == ["confirm_candidate"]


def test_a_line_of_models_is_a_model(listed: Database) -> None:
    answer = decode(listed, code="0005/CLI")
    assert labels(answer) == ["BMW 3 Series"]
    assert answer["match"]["confidence"] < 0.95


def test_a_trade_name_that_tells_the_fuel_gives_it_to_the_candidate(listed: Database) -> None:
    candidate = decode(listed, code="0005/AHT")["candidates"][0]
    assert (candidate["label"], candidate["fuel"]) == ("BMW 3 Series", "diesel")


@pytest.mark.parametrize(
    ("code", "warning", "level"),
    [("0005/UNB", "trade_name_unknown", "make"), ("1000/001", "model_not_in_catalogue", None)],
)
def test_a_key_without_a_model_is_an_answer_that_says_so(
    listed: Database, code: str, warning: str, level: str | None
) -> None:
    answer = decode(listed, code=code)
    assert answer["candidates"] == []
    assert answer["match"]["status"] == "unmatched"
    assert answer["match"]["level"] == level
    assert [one["code"] for one in answer["warnings"]] == [warning]


def test_a_key_with_two_gearboxes_has_two_candidates(listed: Database) -> None:
    gearboxes = {"dt_manual0001": "manual", "dt_automatic1": "automatic"}
    catalogue = core_catalogue().with_more(
        Drivetrain(
            id=one,
            generation_id=GOLF_VII,
            fuel="petrol",
            transmission=gearbox,
            power_kw=110,
            displacement_cc=1498,
            hsn_tsn=("0603/ADT",),
        )
        for one, gearbox in gearboxes.items()
    )
    answer = decode(listed, catalogue, code="0603/ADT")
    assert {one["transmission"] for one in answer["candidates"]} == {"manual", "automatic"}
    assert {one["power_kw"] for one in answer["candidates"]} == {110}
    assert answer["match"]["status"] == "ambiguous"
    assert answer["match"]["level"] == "drivetrain"


def test_a_misread_key_is_not_found_with_what_may_be_meant(listed: Database) -> None:
    with pytest.raises(HsnTsnNotFound) as missed:
        decode(listed, hsn="0005", tsn="CL1")
    assert missed.value.details == {"suggestion": "0005/CLI"}
    with pytest.raises(HsnTsnNotFound) as missed:
        decode(listed, hsn="0588", tsn="ABO")
    assert missed.value.details == {"suggestion": "0588/AB0"}


def test_an_unknown_key_is_not_found(listed: Database) -> None:
    with pytest.raises(HsnTsnNotFound) as missed:
        decode(listed, code="0603/QQQ")
    assert missed.value.details == {}


def test_without_a_list_every_key_is_not_found_and_the_reason_is_said(database: Database) -> None:
    with pytest.raises(HsnTsnNotFound) as missed:
        decode(database, code="0603/ADT")
    assert missed.value.details == {"reason": "no_list"}


def test_characters_behind_the_tsn_are_left_out_with_a_warning(listed: Database) -> None:
    answer = decode(listed, code="0603/ADT000521")
    assert (answer["hsn"], answer["tsn"], answer["code"]) == ("0603", "ADT", "0603/ADT")
    assert [one["code"] for one in answer["warnings"]] == ["tsn_truncated"]


@given(st.text(max_size=24))
def test_any_text_is_read_or_refused(code: str) -> None:
    try:
        key = read_type_key({"code": code})
    except (InvalidHsn, InvalidTsn, HsnTsnNotFound):
        return
    assert read_type_key({"code": key.code}) == WrittenKey(key.hsn, key.tsn)
