"""Adverts have a history, and a car that is advertised again stays one car."""

from datetime import date

import pytest
from tests.market.listings import row

from forecourt.market.errors import SimulatedMarketMixed
from forecourt.market.importing import Market, Terms
from forecourt.market.sighting import Sighting, table_of

SIGHTING = Sighting("a", "9", date(2026, 5, 1), 9000, "Kia", "Ceed", 2018, 60_000)


def adverts(market: Market) -> list[dict]:
    return market.warehouse.adverts("DE").to_pylist()


def test_an_advert_has_its_days_and_its_prices(market, take) -> None:
    take([row(), row(seen_on="2026-04-01", price="15490"), row(seen_on="2026-05-01", price="15490")])
    (advert,) = adverts(market)
    assert (advert["first_seen"], advert["last_seen"]) == (date(2026, 3, 2), date(2026, 5, 1))
    assert (advert["first_price"], advert["price"], advert["price_changes"]) == (15990, 15490, 1)
    assert advert["prices"] == [
        {"on": date(2026, 3, 2), "price": 15990},
        {"on": date(2026, 4, 1), "price": 15490},
    ]


def test_the_day_that_a_site_says_it_listed_a_car_counts_as_first(market, take) -> None:
    take([row(listed="2026-01-15")])
    assert adverts(market)[0]["first_seen"] == date(2026, 1, 15)


def test_a_later_file_extends_the_history_and_an_earlier_one_too(market, take) -> None:
    take([row(seen_on="2026-04-01")])
    take([row(seen_on="2026-06-01", price="14990")])
    imported = take([row(seen_on="2026-02-01", price="16990")])
    assert imported.new_sightings == 1
    (advert,) = adverts(market)
    assert [told["price"] for told in advert["prices"]] == [16990, 15990, 14990]


def test_importing_the_same_file_again_changes_nothing(market, take) -> None:
    take([row(), row(id="A-2", mileage="70111")])
    before = market.warehouse.manifest("DE")
    again = take([row(), row(id="A-2", mileage="70111")])
    assert (again.changed, again.new_sightings) == (False, 0)
    assert market.warehouse.manifest("DE") == before


def test_rows_without_an_id_are_known_again_by_what_they_say(market, take) -> None:
    bare = [{name: text for name, text in row().items() if name != "id"}]
    take(bare)
    assert not take(bare).changed
    assert len(adverts(market)) == 1


def test_a_corrected_row_takes_the_place_of_the_one_before(market, take) -> None:
    take([row(price="1599")])
    take([row(price="15990")])
    assert [advert["price"] for advert in adverts(market)] == [15990]


def test_a_repost_under_another_id_is_the_same_car_and_only_the_newest_counts(market, take) -> None:
    take([row(), row(id="B-7", seen_on="2026-03-20", price="15490", mileage="61290")])
    one, other = sorted(adverts(market), key=lambda advert: advert["first_seen"])
    assert one["car_id"] == other["car_id"]
    assert (one["newest_of_car"], other["newest_of_car"]) == (False, True)


def test_the_same_car_at_two_sites_is_one_car(market, take) -> None:
    take([row(url="https://one.example/1"), row(url="https://two.example/9", id="9", price="16190")])
    assert len({advert["car_id"] for advert in adverts(market)}) == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"mileage": "64321"},
        {"colour": "red"},
        {"first_registration": "06/2019"},
        {"gearbox": "Automatic"},
        {"power_kw": "81"},
        {"price": "9990"},
        {"seen_on": "2026-09-20"},
        {"mileage": "61234", "vin": "WVWZZZ1KZ6W000002"},
    ],
)
def test_a_car_that_differs_stays_another_car(market, take, changes) -> None:
    first = row(vin="WVWZZZ1KZ6W000001") if "vin" in changes else row()
    take([first, row(**{"id": "B-1", "seen_on": "2026-03-20", **changes})])
    assert len({advert["car_id"] for advert in adverts(market)}) == 2


def test_a_vin_joins_what_else_would_stay_apart_and_is_not_kept(market, take) -> None:
    vin = "WVWZZZ1KZ6W000001"
    take([row(vin=vin), row(vin=vin, id="B-1", mileage="66000", price="14000", seen_on="2026-04-20")])
    assert len({advert["car_id"] for advert in adverts(market)}) == 1
    assert vin not in str(adverts(market))


def test_two_almost_new_cars_of_one_delivery_stay_two(market, take) -> None:
    take([row(mileage="10"), row(id="B-1", mileage="10", seen_on="2026-03-20")])
    assert len({advert["car_id"] for advert in adverts(market)}) == 2


def test_drivetrains_are_learned_and_adverts_get_theirs(market, take) -> None:
    imported = take([row(id=str(number), mileage=str(50_000 + 3_333 * number)) for number in range(5)])
    assert imported.learned_drivetrains == 1
    assert imported.totals.with_drivetrain == imported.totals.with_model == 5


def test_a_market_is_real_or_simulated_and_never_both(take) -> None:
    take([row()], terms=Terms(simulated=True))
    with pytest.raises(SimulatedMarketMixed):
        take([row()])


def test_an_interrupted_import_leaves_the_market_as_it_was(market, take) -> None:
    take([row()])
    before, table = market.warehouse.manifest("DE"), adverts(market)
    market.warehouse.with_sightings(before, table_of([SIGHTING]))  # written, and then the process ends
    assert market.warehouse.manifest("DE") == before
    assert adverts(market) == table
    assert take([row(id="A-2", mileage="80111")]).totals.adverts == 2


def test_files_that_no_manifest_names_are_removed(market, take, tmp_path) -> None:
    for day in ("01", "02", "03", "04"):
        take([row(seen_on=f"2026-03-{day}")])
    folder = tmp_path / "market" / "DE"
    kept = {path.relative_to(folder).as_posix() for path in folder.rglob("*.parquet")}
    assert market.warehouse.manifest("DE").paths() <= kept
    assert len(kept) == 4


def test_a_market_that_is_worked_out_again_from_the_same_is_the_same(market, take) -> None:
    take([row(), row(id="B-7", seen_on="2026-03-20", price="15490")])
    before = adverts(market)
    market.rebuild("DE")
    assert adverts(market) == before
