"""Seven files as dealers and vendors really publish them, each with the answers written by eye beside it."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.dealer.feeds import NOW, Outcome, dealer_profile, read_file
from tests.dealer.vehicles import aap_vehicle

from forecourt.aap.validation import failures
from forecourt.dealer.chunk import aap_columns, decoded_chunk, left_out_column
from forecourt.dealer.feed.reading import read_stock
from forecourt.dealer.listing import Listing, miles
from forecourt.tables.mapping import NOTHING_DECLARED, build_mapping
from forecourt.tables.opening import open_table

FEEDS = (
    "01-omni-website-export.csv",
    "03-cdemo-records-export.json",
    "05-google-vehicle-ads-rss.xml",
    "06-meta-automotive-dealerinspire.xml",
    "08-meta-automotive-se.csv",
    "11-autoscout24-stx3-it.xml",
    "13-dms-stock-report.xlsx",
)


@pytest.fixture(params=FEEDS)
def feed(request: pytest.FixtureRequest, shared: Path) -> Path:
    return shared / "feeds" / str(request.param)


def expected(feed: Path) -> dict[str, Any]:
    answers: dict[str, Any] = json.loads(
        (feed.parent / f"{feed.stem}.expect.json").read_text(encoding="utf-8")
    )
    return answers


def by_key(outcome: Outcome, key: str) -> Listing:
    return next(
        listing
        for listing in outcome.listings
        if key in {listing.get("vin"), listing.get("stock"), listing["vehicle_id"]}
    )


def told(listing: Listing) -> dict[str, Any]:
    """Return a listing in the words of the answer files."""
    amounts = {name: listing.get(name) for name in ("price", "list_price", "msrp")}
    told: dict[str, Any] = {
        name: listing.get(name) for name in ("stock", "vin", "year", "condition", "registration")
    }
    told |= {name: listing[name].casefold() for name in ("make", "model")}
    told |= {name: None if amount is None else amount[0] / 100 for name, amount in amounts.items()}
    told["currency"] = None if amounts["price"] is None else amounts["price"][1]
    told["mileage"] = None if "mileage" not in listing else miles(listing["mileage"])
    told["photos"] = len(listing.get("photos", []))
    return told


def answers(row: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in row.items():
        if name in {"make", "model"}:
            yield name, value.casefold()
        elif name == "mileage" and value is not None:
            yield name, pytest.approx(value, abs=1)
        else:
            yield name, value


def test_a_real_feed_gives_the_rows_that_a_careful_reader_finds(feed: Path) -> None:
    outcome = read_file(feed)
    wanted = expected(feed)

    assert outcome.report.rows_in == wanted["rows_in_file"]
    assert outcome.report.accepted == wanted["rows_accept"]
    for row in wanted["rows"]:
        found = told(by_key(outcome, row["key"]))
        assert found == found | {name: value for name, value in answers(row) if name in found}, row["key"]


def test_what_a_real_feed_becomes_is_valid_aap(feed: Path) -> None:
    for listing in read_file(feed).listings:
        vehicle = aap_vehicle(listing, NOW).vehicle
        response = {"type": "inventory.vehicle.response", "data": vehicle}

        assert failures("vehicle-detail-response", response) == []


def test_columns_and_rows_make_the_same_vehicles(feed: Path) -> None:
    with open_table(feed) as table:
        reading = read_stock(table, dealer_profile(), mapping=NOTHING_DECLARED, now=NOW)
        chunks = list(reading.chunks)

    for chunk in chunks:
        stored = decoded_chunk(chunk.encoded())
        assert list(stored.listings()) == list(chunk.listings())
        left_out = map(frozenset, left_out_column(stored).expanded())
        columns = {name: column.expanded() for name, column in aap_columns(stored, NOW).items()}
        vehicles = [
            {name: values[place] for name, values in columns.items() if values[place] is not None}
            for place in range(stored.size)
        ]
        listed = zip(vehicles, left_out, strict=True)
        assert list(listed) == [aap_vehicle(listing, NOW) for listing in stored.listings()]


def test_unpriced_cars_are_taken_without_a_price(shared: Path) -> None:
    feed = shared / "feeds" / FEEDS[0]

    priced = sum("price" in listing for listing in read_file(feed).listings)

    assert priced == expected(feed)["rows_accept_with_price"]


def test_a_mapping_file_says_what_a_feed_does_not(shared: Path) -> None:
    mapping = build_mapping({"country": "CA", "currency": "CAD", "mileage_unit": "km"})

    outcome = read_file(shared / "feeds" / FEEDS[0], mapping=mapping)

    assert told(by_key(outcome, "UV-031")) | {"mileage": 56236} == told(by_key(outcome, "UV-031"))
    assert "bare prices in CAD (declared)" in outcome.reading.conventions.reasons


def test_a_motorcycle_is_taken_when_a_rooftop_says_it_sells_them(shared: Path) -> None:
    feed = shared / "feeds" / "11-autoscout24-stx3-it.xml"

    cars_only = read_file(feed)
    all_kinds = read_file(feed, profile=dealer_profile(capabilities=["motorcycle_sales"]))

    assert cars_only.report.rejected == {"vehicle_type": 1}
    assert by_key(all_kinds, "335220775")["vehicle_type"] == "motorcycle"


def test_a_market_file_with_homenet_columns_imports_as_stock(shared: Path, tmp_path: Path) -> None:
    with gzip.open(shared / "data" / "listings_us_mercedes_2021.csv.gz", "rt", encoding="utf-8") as source:
        header, *lines = source.read().splitlines()
    names = {
        "price": "SellingPrice",
        "mileage_mi": "Miles",
        "gearbox": "Transmission",
        "paint_color": "ExteriorColor",
    }
    columns = ["Stock", "VIN", *(names.get(name, name.title()) for name in header.split(","))]
    rows = [f"S{number:05d},4JGDA5HB7HA{number:06d},{line}" for number, line in enumerate(lines)]
    path = tmp_path / "stock.csv"
    path.write_text("\n".join([",".join(columns), *rows, ""]), encoding="utf-8")

    outcome = read_file(path)

    assert outcome.report.rows_in == len(rows)
    assert outcome.report.accepted > 0.99 * len(rows)
    assert {listing["make"] for listing in outcome.listings} == {"Mercedes-Benz"}
