"""Layouts of vendors and marketplaces, with the dirt that they are known for."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.dealer.feeds import (
    CAR,
    NOW,
    VIN,
    cars,
    csv_text,
    dealer_profile,
    read_file,
    read_json,
    read_rows,
    read_text,
)
from tests.dealer.vehicles import aap_vehicle

from forecourt.aap.validation import failures
from forecourt.dealer.listing import Distance, Money
from forecourt.tables.mapping import build_mapping

MOBILE_DE = {
    0: "4711", 1: "G-0815", 2: "Limousine", 3: "BMW", 4: "320d", 5: "135", 8: "03.2018", 9: "84500",
    10: "21990", 14: "WBA8C31010K000014", 16: "schwarz", 21: "0", 24: "0",
    25: '17"" Felgen und Radio "Gamma"', 28: "EUR",
}  # fmt: skip


def mobile_de_row(changes: dict[int, str]) -> str:
    cells = MOBILE_DE | changes
    return ";".join('"' + cells.get(number, "").replace('"', '""') + '"' for number in range(230))


def test_mobile_de_needs_no_header_row(tmp_path: Path) -> None:
    rows = [mobile_de_row({}), mobile_de_row({1: "G-0816", 14: "", 24: "1"})]
    path = tmp_path / "fahrzeuge.csv"
    path.write_bytes("\r\n".join([*rows, ""]).encode("iso8859-15"))

    first, second = read_file(path, profile=dealer_profile(country="DE")).listings

    assert (first["make"], first["model"], first["year"], first["vin"]) == (
        "BMW",
        "320d",
        2018,
        MOBILE_DE[14],
    )
    assert first["price"] == Money(2199000, "EUR")
    assert first["mileage"] == Distance(84500, "km")
    assert (second["status"], second["stock"]) == ("pending", "G-0816")


def test_mobile_de_seller_ads_are_read_from_their_attributes(tmp_path: Path) -> None:
    text = """<?xml version="1.0" encoding="UTF-8"?>
<seller-ads xmlns="http://services.mobile.de/schema/seller/seller-ads-1.1">
<ad key="230"><vehicle>
<class key="Car"/><category key="EstateCar"/><make key="AUDI"/><model key="A4"/>
<specifics><mileage value="52000"/><exterior-color key="GREY"/><fuel key="DIESEL"/>
<gearbox key="AUTOMATIC_GEAR"/>
<first-registration value="2019-05"/><condition key="USED"/></specifics></vehicle>
<price type="FIXED"><consumer-price-amount>23990.00</consumer-price-amount>
<dealer-price-amount>20000.00</dealer-price-amount>
<currency>EUR</currency></price><internal-number>A-77</internal-number>
<images><image><representation size="XL" url="https://img.example.com/1.jpg"/></image></images></ad></seller-ads>"""

    listing = read_text(tmp_path, text).listing

    assert (listing["make"], listing["model"], listing["year"], listing["stock"]) == (
        "Audi",
        "A4",
        2019,
        "A-77",
    )
    assert (listing["price"], listing["mileage"]) == (Money(2399000, "EUR"), Distance(52000, "km"))
    assert (listing["fuel"], listing["transmission"], listing["condition"]) == ("diesel", "automatic", "used")
    assert listing["photos"] == ["https://img.example.com/1.jpg"]


def test_schema_org_cars_are_read(tmp_path: Path) -> None:
    car = {
        "@type": "Car",
        "vehicleIdentificationNumber": VIN,
        "name": "2014 Ford Focus SE",
        "brand": {"@type": "Brand", "name": "Ford"},
        "model": "Focus",
        "vehicleModelDate": "2014",
        "mileageFromOdometer": {"@type": "QuantitativeValue", "value": "88800", "unitCode": "KMT"},
        "itemCondition": "https://schema.org/UsedCondition",
        "offers": {"price": 12500, "priceCurrency": "CAD", "availability": "https://schema.org/InStock"},
        "vehicleTransmission": "Automatic",
        "image": ["https://img.example.com/1.jpg", "https://img.example.com/2.jpg"],
    }

    listing = read_json(tmp_path, {"@context": "https://schema.org", "@graph": [car]}).listing

    assert (listing["make"], listing["model"], listing["year"], listing["condition"]) == (
        "Ford",
        "Focus",
        2014,
        "used",
    )
    assert (listing["price"], listing["mileage"]) == (Money(1250000, "CAD"), Distance(88800, "km"))
    assert len(listing["photos"]) == 2


def test_cells_of_json_are_columns_of_their_own(tmp_path: Path) -> None:
    row = {
        "vehicle_id": "A1", "title": "Ford Focus", "make": "Ford", "model": "Focus", "year": "2014",
        "price": "12500 USD", "mileage": '{"unit": "MI", "value": "55000"}',
        "image": '[{"url": "https://img.example.com/1.jpg", "tag": ["front"]}]',
    }  # fmt: skip

    listing = read_rows(tmp_path, row).listing

    assert listing["mileage"] == Distance(55000, "mi")
    assert listing["photos"] == ["https://img.example.com/1.jpg"]


def test_a_swedish_mil_is_ten_kilometres(tmp_path: Path) -> None:
    text = "Regnr;Märke;Modell;Årsmodell;Miltal;Pris\nABC12D;Volvo;V60;2020;8 450;219 900 kr\n"

    listing = read_text(tmp_path, text, profile=dealer_profile(country="SE")).listing

    assert listing["mileage"] == Distance(84500, "km")
    assert listing["price"] == Money(21990000, "SEK")
    assert listing["registration"] == "ABC12D"


@pytest.mark.parametrize(
    ("status", "told"),
    [
        ("In Transit", "intransit"),
        ("Sale Pending", "pending"),
        ("Reserviert", "pending"),
        ("on lot", "available"),
        ("", "available"),
    ],
)
def test_a_status_becomes_one_of_the_three_of_aap(tmp_path: Path, status: str, told: str) -> None:
    assert read_rows(tmp_path, CAR | {"Status": status}).listing["status"] == told


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"Status": "SOLD"}, "sold"),
        ({"Status": "Verkauft"}, "sold"),
        ({"Sold": "yes"}, "sold"),
        ({"SellingPrice": "SOLD"}, "sold"),
        ({"Status": "In Prep"}, "not_for_sale"),
        ({"Status": "wholesale"}, "not_for_sale"),
        ({"Make": "TEST", "Model": "DO NOT USE"}, "placeholder_row"),
        ({"Make": "", "Model": "", "VIN": "", "Stock": "Total"}, "not_a_vehicle"),
        ({"Make": "Make", "Model": "Model", "Stock": "Stock", "VIN": "VIN", "Year": "Year",
          "Type": "Type", "Miles": "Miles", "SellingPrice": "SellingPrice"}, "header_again"),
        ({"VIN": "", "Stock": ""}, "no_identity"),
        ({"Vehicle Type": "motorcycle"}, "vehicle_type"),
    ],
)  # fmt: skip
def test_a_row_that_is_no_car_to_sell_is_left_out_with_the_reason(
    tmp_path: Path, change: dict[str, str], rule: str
) -> None:
    outcome = read_rows(tmp_path, CAR | {"Stock": "GOOD", "VIN": "1FADP3K25EL000099"}, CAR | change)

    assert outcome.report.rejected == {rule: 1}
    assert outcome.report.accepted == 1


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"VIN": VIN.lower()}, "vin_cleaned"),
        ({"VIN": VIN[:5] + "-" + VIN[5:]}, "vin_cleaned"),
        ({"VIN": "12345"}, "vin_length"),
        ({"VIN": "11111111111111111"}, "vin_placeholder"),
        ({"VIN": "1FADP3K25EL00O0Q7"}, "vin_characters"),
        ({"Make": "Toyota"}, "vin_make_differs"),
        ({"Year": "2019"}, "vin_year_differs"),
        ({"Year": "9999"}, "year_unreadable"),
        ({"Make": ""}, "make_from_vin"),
        ({"SellingPrice": "99999999"}, "placeholder_price"),
        ({"SellingPrice": "Call for price"}, "call_for_price"),
        ({"Miles": "0"}, "zero_mileage"),
        ({"Miles": "TMU"}, "no_reading"),
        ({"Type": "New", "Miles": "30000"}, "condition_doubtful"),
        ({"Miles": "10"}, "condition_doubtful"),
        ({"Stock": VIN}, "stock_is_vin"),
        ({"MSRP": "abc"}, "other_price_unreadable"),
        ({"DateInStock": "03/04/2026"}, "date_ambiguous"),
        ({"Description": "Only 41,000 miles on it"}, "text_mileage_differs"),
    ],
)
def test_dirt_is_noted_and_the_row_is_taken(tmp_path: Path, change: dict[str, str], rule: str) -> None:
    home = dealer_profile(country="MT") if rule == "date_ambiguous" else dealer_profile()
    mapping = build_mapping({"currency": "USD", "mileage_unit": "mi", "decimal_mark": "."})
    outcome = read_rows(tmp_path, CAR | change, profile=home, mapping=mapping)

    assert outcome.report.accepted == 1
    assert rule in outcome.report.notes or rule == "date_ambiguous"


def test_only_an_msrp_becomes_the_list_price_and_never_the_price(tmp_path: Path) -> None:
    row = {name: text for name, text in CAR.items() if name != "SellingPrice"} | {"MSRP": "36000"}

    listing = read_rows(tmp_path, row).listing

    assert "price" not in listing
    assert listing["list_price"] == listing["msrp"] == Money(3600000, "USD")


@pytest.mark.parametrize(
    "photos", ["{0}|{1}", "{0},{1}", "{0};{1}", "{0} {1}", "{{{0}, {1}}}", '["{0}", "{1}"]']
)
def test_photo_lists_are_read_whatever_separates_them(tmp_path: Path, photos: str) -> None:
    addresses = ["https://img.example.com/1.jpg", "https://img.example.com/2.jpg"]

    assert read_rows(tmp_path, CAR | {"ImageList": photos.format(*addresses)}).listing["photos"] == addresses


def test_markup_and_invisible_characters_leave_texts(tmp_path: Path) -> None:
    text = "<p>One owner&nbsp;&amp; clean</p><script>alert(1)</script><br>ABS\u202e\u200b"

    assert (
        read_rows(tmp_path, CAR | {"Description": text}).listing["description"] == "One owner & clean\n\nABS"
    )


def test_another_currency_is_kept_in_the_record_and_left_out_of_answers(tmp_path: Path) -> None:
    listing = read_rows(tmp_path, CAR | {"SellingPrice": "12500 CAD"}).listing

    vehicle, left_out = aap_vehicle(listing, NOW)

    assert listing["price"] == Money(1250000, "CAD")
    assert "price" not in vehicle
    assert left_out == {"CAD"}


CELLS = st.one_of(
    st.sampled_from(
        [
            "",
            "0",
            "N/A",
            "-",
            "call",
            "$0",
            "9.135",
            "9,135",
            "12x",
            "SOLD",
            "new",
            "99999999",
            "=1+1",
            '"',
            "\x00",
            "\ufeff",
            "1e9",
        ]
    ),
    st.text(max_size=12),
    st.integers(-10, 10**7).map(str),
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.fixed_dictionaries(
            dict.fromkeys([*CAR, "Status", "MSRP", "ImageList", "Description", "Body", "DateInStock"], CELLS)
        ),
        min_size=1,
        max_size=8,
    )
)
def test_whatever_dirt_stands_in_the_cells_every_row_is_accounted_for(
    tmp_path: Path, rows: list[dict[str, Any]]
) -> None:
    path = tmp_path / "dirt.csv"
    path.write_text(csv_text([*cars(2), *rows]), encoding="utf-8", errors="surrogatepass", newline="")

    outcome = read_file(path)

    assert outcome.report.rows_in + outcome.report.blank_rows >= 2
    for listing in outcome.listings:
        vehicle = aap_vehicle(listing, NOW).vehicle
        assert (
            failures("vehicle-detail-response", {"type": "inventory.vehicle.response", "data": vehicle}) == []
        )


def test_stock_of_a_british_marketplace_is_read_from_its_nested_json(tmp_path: Path) -> None:
    vehicle = {"registration": "AB12CDE", "make": "JAGUAR", "model": "XF", "odometerReadingMiles": 45210}
    car = {
        "vehicle": vehicle | {"yearOfManufacture": "2014", "ownershipCondition": "Used"},
        "adverts": {"retailAdverts": {"totalPrice": {"amountGBP": 9995}}},
        "metadata": {"stockId": "8a42", "lifecycleState": "FORECOURT"},
        "media": {"images": [{"href": "https://img.example.com/1.jpg"}]},
    }
    sold = car | {"metadata": {"stockId": "8a43", "lifecycleState": "SOLD"}}

    outcome = read_json(tmp_path, {"results": [car, sold], "totalResults": 2})

    assert outcome.report.rejected == {"sold": 1}
    assert (outcome.listing["make"], outcome.listing["price"]) == ("Jaguar", Money(999500, "GBP"))
    assert outcome.listing["mileage"] == Distance(45210, "mi")
    assert len(outcome.listing["photos"]) == 1


def test_german_column_names_mean_euros_when_nothing_else_says(tmp_path: Path) -> None:
    text = "Interne Nr.;Hersteller;Modell;EZ;VK brutto;Kraftstoff\n4711;VW;Golf;03/2017;13.490,00;Benzin\n"

    assert read_text(tmp_path, text).listing["price"] == Money(1349000, "EUR")


def test_spanish_prices_with_marks_are_euros(tmp_path: Path) -> None:
    car = {"marca": "Seat", "modelo": "León", "anio": 2018}
    rows = [
        car | {"matricula": "1234BCD", "kilometros": "85.000", "precio": "12.990 €"},
        car | {"matricula": "5678FGH", "kilometros": "30.500", "precio": "21.500 €"},
        car | {"matricula": "9012JKL", "kilometros": "41.200", "precio": "Consultar"},
    ]

    listings = read_json(tmp_path, rows).listings

    assert [listing.get("price") for listing in listings] == [
        Money(1299000, "EUR"),
        Money(2150000, "EUR"),
        None,
    ]
    assert listings[0]["mileage"] == Distance(85000, "km")
