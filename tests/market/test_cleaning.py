"""Every row of a file is kept, or dropped with a reason."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.market.listings import row

from forecourt.market.cleaning import DROPPED, reason_in_age, reason_in_price
from forecourt.market.countries import country_of
from forecourt.market.errors import CountryInvalid, NoMarketListings
from forecourt.market.importing import Terms
from forecourt.tables.errors import NoVehicleTable


@pytest.mark.parametrize(
    ("reason", "cells"),
    [
        ("no_price", {"price": ""}),
        ("no_price", {"price": "on request"}),
        ("placeholder_price", {"price": "123456"}),
        ("price_too_low", {"price": "180"}),
        ("price_unreadable", {"price": "cheap"}),
        ("price_without_tax", {"price": "13.437 € netto"}),
        ("instalment", {"price": "249 €/Monat"}),
        ("instalment", {"price": "249", "title": "VW Golf, Leasing 249 mtl."}),
        ("other_currency", {"price": "15.990 PLN"}),
        ("wanted", {"title": "Suche Golf bis 10.000"}),
        ("damaged", {"title": "VW Golf Motorschaden"}),
        ("no_mileage", {"mileage": ""}),
        ("mileage_unreadable", {"mileage": "low"}),
        ("mileage_out_of_range", {"mileage": "1450000"}),
        ("no_year", {"first_registration": ""}),
        ("too_old", {"first_registration": "05/1968"}),
        ("registered_in_future", {"first_registration": "05/2031"}),
        ("date_in_future", {"seen_on": "2027-01-01"}),
        ("no_make_or_model", {"make": "", "model": ""}),
        ("not_a_car", {"vehicle_type": "Motorrad"}),
    ],
)
def test_a_row_that_is_no_evidence_is_dropped_with_its_reason(take, reason, cells) -> None:
    imported = take([row(), row(id="A-2", **cells)])
    assert imported.account.dropped == {reason: 1}
    assert imported.account.kept == imported.totals.adverts == 1
    assert imported.account.drops[0].line == 3
    assert reason in DROPPED


def test_an_advert_twice_in_a_file_on_one_day_is_kept_once(take) -> None:
    imported = take([row(), row(price="1"), row()])
    assert imported.account.dropped == {"duplicate_row": 1, "placeholder_price": 1}


def test_words_about_a_loan_beside_a_whole_price_do_not_drop_the_row(take) -> None:
    assert take([row(title="VW Golf, auch 149 €/Monat")]).account.kept == 1


def test_a_price_far_from_alike_cars_is_set_aside_and_kept(take) -> None:
    alike = [row(id=f"A-{number}", mileage=str(60_000 + 777 * number)) for number in range(9)]
    imported = take([*alike, row(id="odd", price="1200", mileage="91500")])
    assert imported.totals.adverts == 10
    assert imported.totals.set_aside == {"price_far_from_alike": 1}


def test_prices_are_in_the_currency_of_the_market(take) -> None:
    imported = take([row(price="189.900")], country="DK")
    assert (imported.country.currency, imported.account.kept) == ("DKK", 1)
    assert imported.country.tax_basis() == "25 % VAT and registration tax included"


def test_a_mixed_file_is_a_market_of_its_own_in_euro(take) -> None:
    assert take([row()], country="eu").country == country_of("EU")


def test_any_country_code_may_be_data_and_nothing_else(take) -> None:
    assert take([row()], country="KZ").country.code == "KZ"
    with pytest.raises(CountryInvalid):
        take([row()], country="Germany")


def test_a_file_of_something_else_is_refused_as_a_whole(take) -> None:
    with pytest.raises(NoVehicleTable):
        take([{"name": "Ann", "city": "Ulm"}])


def test_a_file_with_a_header_alone_is_refused(market, tmp_path) -> None:
    file = tmp_path / "empty.csv"
    file.write_text(",".join(row()) + "\n", encoding="utf-8")
    with pytest.raises(NoMarketListings):
        market.import_file(file, "DE", terms=Terms())


def test_undated_rows_count_for_the_day_that_is_given(take) -> None:
    undated = {name: text for name, text in row().items() if name != "seen on"}
    imported = take([undated], terms=Terms(as_of=date(2024, 2, 3)))
    assert (imported.as_of, imported.as_of_reason) == (date(2024, 2, 3), "given")
    assert imported.totals.last_day == date(2024, 2, 3)


def test_without_any_date_the_middle_of_the_newest_model_year_is_assumed_and_said(take) -> None:
    known = {"make": "Kia", "model": "Ceed", "mileage": "30000", "price": "9000"}
    undated = [{"id": str(year), "year": str(year), **known} for year in range(2017, 2021)]
    imported = take(undated)
    assert imported.as_of == date(2020, 7, 1)
    assert imported.as_of_reason.startswith("assumed")


@given(price=st.integers(0, 10**9), currency=st.sampled_from(["EUR", "DKK", "GBP", "HUF"]))
def test_a_price_is_too_low_too_high_or_neither_but_never_both(price, currency) -> None:
    reason = reason_in_price(price, currency, words="")
    assert reason in {None, "price_too_low", "price_too_high"}
    if reason == "price_too_low":
        assert reason_in_price(price // 2, currency, words="") == "price_too_low"


@given(st.integers(1900, 2100), st.integers(0, 2_000_000))
def test_more_kilometres_never_make_a_row_fit_again(year, mileage) -> None:
    day = date(2026, 6, 1)
    if reason_in_age(year, mileage, day) is not None:
        assert reason_in_age(year, mileage + 1_000, day) is not None
