"""Numbers, prices and odometers as several countries write them."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forecourt.tables.amounts import Amount, NoAmount, Reading, Unreadable, read_mileage, read_price
from forecourt.tables.numbers import AmbiguousNumber, NumberStyle, read_number, style_of_column

POINT, COMMA = NumberStyle.POINT, NumberStyle.COMMA

whole_amounts = st.integers(min_value=1_000, max_value=9_999_999)
cents = st.integers(min_value=0, max_value=99)
GROUPS = {POINT: ",", COMMA: "."}


def written(whole: int, fraction: int | None, style: NumberStyle, *, grouped: bool) -> str:
    text = f"{whole:,}".replace(",", GROUPS[style]) if grouped else str(whole)
    return text if fraction is None else f"{text}{style.value}{fraction:02d}"


@given(whole_amounts, cents, st.sampled_from(NumberStyle), st.booleans())
def test_an_amount_with_cents_is_read_alike_whatever_the_declared_style(
    whole: int, fraction: int, style: NumberStyle, grouped: bool
) -> None:
    text = written(whole, fraction, style, grouped=grouped)

    readings = {read_number(text, declared) for declared in (None, POINT, COMMA)}

    assert readings == {Decimal(whole) + Decimal(fraction) / 100}


@given(whole_amounts, st.sampled_from(NumberStyle))
def test_a_grouped_number_is_never_read_a_thousandfold_wrong(whole: int, style: NumberStyle) -> None:
    text = written(whole, None, style, grouped=True)

    for declared in (None, POINT, COMMA):
        try:
            assert read_number(text, declared) == whole
        except AmbiguousNumber:
            assert declared is not style


@given(st.text(max_size=40))
def test_no_text_crashes_the_readers(text: str) -> None:
    for style in (None, POINT, COMMA):
        assert isinstance(read_price(text, style), Amount | NoAmount | Unreadable)
        assert isinstance(read_mileage(text, style), Reading | NoAmount | Unreadable)


@given(st.lists(whole_amounts, min_size=3, max_size=20, unique=True), st.sampled_from(NumberStyle))
def test_a_column_of_grouped_numbers_shows_its_style(amounts: list[int], style: NumberStyle) -> None:
    texts = [written(amount, None, style, grouped=True) for amount in amounts]

    assert style_of_column(texts) is style


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("$26,780", Amount(2_678_000, None)),
        ("26780.00 USD", Amount(2_678_000, "USD")),
        ("10,499.00 USD", Amount(1_049_900, "USD")),
        ("US$ 9,950", Amount(995_000, "USD")),
        ("CHF 12'500.-", Amount(1_250_000, "CHF")),
        ("€ 12.345,67", Amount(1_234_567, "EUR")),
        ("33 500 €", Amount(3_350_000, "EUR")),
        ("105950 SEK", Amount(10_595_000, "SEK")),
        ("24 995:-", Amount(2_499_500, None)),
        ("C$18,995*", Amount(1_899_500, "CAD")),
        ("1.234.500 Ft", Amount(123_450_000, "HUF")),
        ("Now only £8,995", Amount(899_500, "GBP")),
    ],
)
def test_a_price_is_read_with_its_currency(text: str, amount: Amount) -> None:
    assert read_price(text, POINT) == amount


@pytest.mark.parametrize(
    "text", ["0", "0.00", "$0", "", "N/A", "-", "99999999", "12345678", "11111111", "1", "1.00"]
)
def test_what_stands_for_no_price_is_no_price(text: str) -> None:
    assert isinstance(read_price(text, POINT), NoAmount)


@pytest.mark.parametrize(
    "text",
    [
        "Call for price",
        "Preis auf Anfrage",
        "POA",
        "Prix sur demande",
        "Please inquire",
        "Trattativa riservata",
    ],
)
def test_words_that_ask_to_call_are_no_price(text: str) -> None:
    assert read_price(text, POINT) == NoAmount("call_for_price")


@pytest.mark.parametrize("text", ["abc", "-5", "12 apples", "620000000000000", "1.2.3"])
def test_what_claims_a_price_and_is_none_is_unreadable(text: str) -> None:
    assert isinstance(read_price(text, POINT), Unreadable)


def test_a_dollar_sign_means_the_declared_dollar() -> None:
    assert read_price("$9,500", POINT, currency="CAD") == Amount(950_000, "CAD")


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("73,556", Reading(73_556, None)),
        ("12,777 miles", Reading(12_777, "mi")),
        ("150,000km", Reading(150_000, "km")),
        ("45k", Reading(45_000, None)),
        ("1 234 mil", Reading(12_340, "km")),
        ("88800", Reading(88_800, None)),
        ("0", Reading(0, None)),
        ("31.9 mi", Reading(32, "mi")),
    ],
)
def test_an_odometer_is_read_with_its_unit(text: str, reading: Reading) -> None:
    assert read_mileage(text, POINT) == reading


@pytest.mark.parametrize("text", ["", "TMU", "exempt", "unknown", "999999"])
def test_what_stands_for_no_reading_is_no_reading(text: str) -> None:
    assert isinstance(read_mileage(text, POINT), NoAmount)
