"""Public bug reports about inventory feeds, each with its input: section D of the list of known bugs."""

import asyncio
from datetime import timedelta
from pathlib import Path

import openpyxl
import pytest
from tests.dealer.feeds import (
    CAR,
    NOW,
    SLUG,
    VIN,
    add_dealer,
    cars,
    csv_text,
    dealer_profile,
    read_file,
    read_json,
    read_rows,
    read_text,
)

from forecourt.dealer.feed.importing import import_feed
from forecourt.dealer.listing import Distance, Money
from forecourt.dealer.stock import Stock
from forecourt.dealer.store import import_history
from forecourt.storage.database import Database
from forecourt.tables.errors import EmptyFile


def test_d1_an_ended_sale_over_an_asking_price_of_0_leaves_no_price(tmp_path: Path) -> None:
    row = CAR | {"SellingPrice": "0", "Sale Price": "11000", "Sale Price End Date": "2026-01-31"}

    outcome = read_rows(tmp_path, row)

    assert "price" not in outcome.listing
    assert outcome.report.notes == {"sale_price_ended": 1}


def test_a_sale_within_its_dates_is_the_price_and_the_regular_one_stands_beside(tmp_path: Path) -> None:
    outcome = read_rows(tmp_path, CAR | {"Sale Price": "11000", "Sale Price End Date": "2026-12-31"})

    assert outcome.listing["price"] == Money(1100000, "USD")
    assert outcome.listing["list_price"] == Money(1250000, "USD")


@pytest.mark.parametrize("fee", ["Documentation fee", "Delivery price", "price", "Dealer", "Retail", "0"])
def test_a_fee_is_never_the_price(tmp_path: Path, fee: str) -> None:
    row = {name: value for name, value in CAR.items() if name != "SellingPrice"}

    outcome = read_rows(tmp_path, row | {"List Price": "12500", f"fees.{fee}.amount": "150"})

    assert "price" not in outcome.listing
    assert outcome.listing["list_price"] == Money(1250000, "USD")
    assert outcome.listing["fees"] == [{"name": fee, "amount": (15000, "USD")}]


def test_d3_one_vin_under_26_rooftops_is_one_vehicle_with_all_its_rooftops(tmp_path: Path) -> None:
    names = [f"Larkfield {number}" for number in range(26)]
    rows = [CAR | {"Dealer Name": name, "Stock": f"A{number}"} for number, name in enumerate(names)]

    outcome = read_rows(tmp_path, *rows, profile=dealer_profile(*names))

    assert outcome.listing["rooftop"] == names[0]
    assert outcome.reading.amendments() == {"also_at": {"0": names[1:]}}
    assert outcome.report.rejected == {"duplicate_vin": 25}


@pytest.mark.parametrize("size", [3])
def test_d5_cars_just_uploaded_are_found_by_a_search(database: Database, tmp_path: Path, size: int) -> None:
    add_dealer(database)
    path = tmp_path / "feed.csv"
    path.write_text(csv_text(cars(size)), encoding="utf-8")
    stock = Stock(database)

    async def upload_then_search() -> int:
        await asyncio.to_thread(import_feed, database, SLUG, path)
        index = await stock.index(SLUG)
        return index.search({"filters": {"make": ["Ford"]}}).total

    assert asyncio.run(upload_then_search()) == size


def test_d4_each_vehicle_says_when_the_feed_confirmed_it(database: Database, tmp_path: Path) -> None:
    add_dealer(database)
    path = tmp_path / "feed.csv"
    path.write_text(csv_text(cars(1)), encoding="utf-8")
    import_feed(database, SLUG, path)

    index = asyncio.run(Stock(database).index(SLUG))
    (record,) = database.read_sync(lambda connection: import_history(connection, SLUG))

    found = index.find({"stock": "A0"})
    assert found is not None
    assert found.vehicle["updated_at"] >= record.started_at.isoformat().replace("+00:00", "Z")
    assert record.source == "feed.csv"


def test_d6_spellings_become_one_value_and_the_feed_s_own_word_is_kept(tmp_path: Path) -> None:
    words = ("GASOLINE", "Gas", "gasoline fuel", "Benzin")
    rows = [row | {"Fuel_Type": word} for row, word in zip(cars(4), words, strict=True)]

    listings = read_rows(tmp_path, *rows).listings

    assert {listing["fuel"] for listing in listings} == {"gas"}
    assert [listing["raw"]["fuel"] for listing in listings] == list(words)


def test_d7_a_missing_optional_field_drops_no_row(tmp_path: Path) -> None:
    rows = [
        row | ({"DateInStock": "2026-11-01"} if number < 2 else {}) for number, row in enumerate(cars(25))
    ]

    assert read_rows(tmp_path, *rows).report.accepted == 25


def test_d8_zeros_of_a_new_car_are_no_prices_and_its_delivery_miles_stay(tmp_path: Path) -> None:
    photos = ["https://img.example.com/1.jpg", "https://img.example.com/no-image.png"]
    car = {"vin": VIN, "type": "New", "make": "Audi", "model": "A4", "year": 2026}
    audi = car | {"MSRP": 0, "InternetPrice": 0, "Mileage": 10, "photos": photos}

    listing = read_json(tmp_path, [audi]).listing

    assert not {"price", "msrp", "list_price"} & set(listing)
    assert listing["mileage"] == Distance(10, "mi")
    assert listing["photos"] == photos[:1]


def test_d9_a_flag_that_hides_the_price_wins_over_an_amount(tmp_path: Path) -> None:
    outcome = read_rows(tmp_path, CAR | {"Call For Price": "true"})

    assert "price" not in outcome.listing
    assert outcome.report.notes == {"price_hidden": 1}


def test_d11_a_german_semicolon_file_with_thousands_points_is_read_as_it_is_meant(tmp_path: Path) -> None:
    german = dealer_profile(country="DE")
    header = "Fahrgestellnr;Marke;Modell;Erstzulassung;Kilometerstand;Preis"
    text = f"{header}\r\nWVWZZZ1KZAW000011;VW;Golf;09.09.2011;9.135;8.990,00 €\r\n"

    outcome = read_text(tmp_path, text, profile=german)

    assert outcome.reading.detected.delimiter == "semicolon"
    assert outcome.listing["mileage"] == Distance(9135, "km")
    assert outcome.listing["price"] == Money(899000, "EUR")
    assert outcome.listing["year"] == 2011


def test_a_number_that_can_mean_a_thousandfold_refuses_its_row(tmp_path: Path) -> None:
    outcome = read_rows(tmp_path, CAR | {"Miles": "9.135"})

    (finding,) = outcome.report.findings
    assert (finding.line, finding.column, finding.value) == (2, "Miles", "9.135")
    assert finding.as_json()["effect"] == "rejected"
    assert finding.rule == "number_ambiguous"


@pytest.mark.parametrize("junk", ["#REF!", "12x4%", "lots", "-5"])
def test_d12_a_corrupt_odometer_refuses_its_row_with_the_line_number(tmp_path: Path, junk: str) -> None:
    rows = cars(3)
    rows[1]["Miles"] = junk

    outcome = read_rows(tmp_path, *rows)

    (finding,) = outcome.report.findings
    assert outcome.report.accepted == 2
    assert (finding.line, finding.value, finding.rule) == (3, junk, "mileage_unreadable")


def test_d13_leading_zeros_of_ids_are_kept(tmp_path: Path) -> None:
    assert read_rows(tmp_path, CAR | {"Stock": "00042"}).listing["stock"] == "00042"


def test_d13_a_spreadsheet_s_number_format_keeps_the_leading_zeros_that_it_shows(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(list(CAR))
    sheet.append([int(value) if value.isdecimal() else value for value in (CAR | {"Stock": "42"}).values()])
    sheet["B2"].number_format = "00000"
    book.save(tmp_path / "stock.xlsx")

    assert read_file(tmp_path / "stock.xlsx").listing["stock"] == "00042"


def test_d14_a_byte_order_mark_does_not_hide_the_first_column(tmp_path: Path) -> None:
    (tmp_path / "feed.csv").write_bytes(b"\xef\xbb\xbf" + csv_text([{" Stock ": "A1"} | CAR]).encode())

    outcome = read_file(tmp_path / "feed.csv")

    assert outcome.listing["stock"] == "A1"
    assert "byte order mark" in (outcome.reading.detected.charset or "")


def test_d16_a_description_that_names_another_price_is_noted_and_the_field_counts(tmp_path: Path) -> None:
    outcome = read_rows(tmp_path, CAR | {"Description": "Yours for $11,900 only"})

    assert outcome.listing["price"] == Money(1250000, "USD")
    assert outcome.report.notes == {"text_price_differs": 1}


def test_d17_a_refusal_names_line_column_value_and_rule(tmp_path: Path) -> None:
    outcome = read_rows(tmp_path, CAR | {"SellingPrice": "see sticker, maybe 12"})

    (finding,) = outcome.report.findings
    assert finding.as_json() == {
        "line": 2,
        "column": "SellingPrice",
        "value": "see sticker, maybe 12",
        "rule": "price_unreadable",
        "effect": "rejected",
        "meaning": "the price is no amount of money",
    }


def test_d18_an_unknown_code_becomes_no_condition_and_is_counted(tmp_path: Path) -> None:
    rows = cars(20)
    rows[0]["Type"] = "A"

    outcome = read_rows(tmp_path, *rows)

    assert "condition" not in outcome.listings[0]
    assert outcome.report.notes == {"condition_unknown": 1}


def test_d20_a_misspelt_header_is_understood_and_numbers_may_be_text(tmp_path: Path) -> None:
    row = {
        "vin": VIN,
        "make": "Ford",
        "model": "Focus",
        "Tranmission": "Auto",
        "price": "12500",
        "mileage": "55000",
        "year": "2014",
    }

    listing = read_json(tmp_path, {"vehicles": [row]}).listing

    assert listing["transmission"] == "automatic"
    assert (listing["price"], listing["year"]) == (Money(1250000, "USD"), 2014)


def test_a_header_that_the_exporter_cut_off_is_understood(tmp_path: Path) -> None:
    listing = read_rows(tmp_path, CAR | {"Transmissi": "Manual", "Vehicle De": "Clean."}).listing

    assert listing["transmission"] == "manual"
    assert listing["description"] == "Clean."


def test_c18_a_price_beyond_any_vehicle_refuses_its_row(tmp_path: Path) -> None:
    outcome = read_rows(tmp_path, CAR | {"SellingPrice": "620000000000000"})

    assert outcome.report.rejected == {"price_out_of_range": 1}


def test_an_empty_file_never_empties_the_stock(database: Database, tmp_path: Path) -> None:
    add_dealer(database)
    path = tmp_path / "feed.csv"
    path.write_text(csv_text(cars(2)), encoding="utf-8")
    import_feed(database, SLUG, path)
    path.write_bytes(b"")

    with pytest.raises(EmptyFile):
        import_feed(database, SLUG, path)

    newest, _ = database.read_sync(lambda connection: import_history(connection, SLUG))
    assert (newest.outcome, newest.report["code"]) == ("refused", "empty_file")
    assert newest.started_at - NOW > -timedelta(days=365)
