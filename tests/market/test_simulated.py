"""The simulated market of the demo: what is known about it is what the import finds."""

from collections import Counter, defaultdict
from pathlib import Path

import pytest

from forecourt.demo.market import SimulatedRow, simulated_rows, write_simulated_market
from forecourt.market.importing import Terms

ADVERTS = 2_000


def advert_of(row: SimulatedRow) -> tuple[str, str]:
    return row.cells["url"].split("/")[2].removeprefix("www."), row.cells["ad id"]


@pytest.fixture
def rows() -> list[SimulatedRow]:
    return list(simulated_rows("GB", adverts=ADVERTS))


def test_the_same_seed_gives_the_same_market(tmp_path: Path) -> None:
    for name in ("one", "other"):
        write_simulated_market(tmp_path / name, "DE", adverts=100)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_junk_is_dropped_for_what_it_is_and_nothing_else_is_dropped(market, tmp_path, rows) -> None:
    write_simulated_market(tmp_path / "gb.csv", "GB", adverts=ADVERTS)
    imported = market.import_file(tmp_path / "gb.csv", "GB", terms=Terms(simulated=True))
    assert imported.account.dropped == Counter(row.junk for row in rows if row.junk)
    assert imported.totals.adverts == imported.totals.with_model == ADVERTS


def test_reposts_are_found_and_alike_cars_stay_apart(market, tmp_path, rows) -> None:
    write_simulated_market(tmp_path / "gb.csv", "GB", adverts=ADVERTS)
    market.import_file(tmp_path / "gb.csv", "GB", terms=Terms(simulated=True))
    truth = {advert_of(row): row.car for row in rows if row.car is not None}
    found: defaultdict[str, Counter] = defaultdict(Counter)
    for advert in market.warehouse.adverts("GB").to_pylist():
        found[advert["car_id"]][truth[advert["site"], advert["advert_id"]]] += 1
    again = ADVERTS - len(set(truth.values()))
    joined = sum(count - 1 for cars in found.values() for count in cars.values())
    mixed = sum(len(cars) > 1 for cars in found.values())
    assert joined >= 0.95 * again > 100
    assert mixed <= 0.01 * len(found)
