"""What becomes of the rows of listing files, and how well cars are told apart in the simulated market.

    FORECOURT_SHARED=… python -m benchmarks.market.imports

The listing files are not part of the project; without them only the simulated market is measured.
"""

import os
import sys
import tempfile
import time
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

from forecourt.demo.market import ADVERTS, COUNTRIES, simulated_rows, write_simulated_market
from forecourt.market.importing import Imported, Market, Terms
from forecourt.market.store import Warehouse
from forecourt.storage.database import open_database

FILES = {
    "GB": "listings_uk_2020.train.csv.gz",
    "DE": "listings_de_2021.train.csv.gz",
    "PT": "listings_pt_2023_2024.train.csv.gz",
    "EU": "listings_eu_as24_2023_2024.csv.gz",
    "DK": "listings_dk_2022.csv.gz",
    "US": "listings_us_mercedes_2021.csv.gz",
}


def main() -> None:
    shared = Path(os.environ.get("FORECOURT_SHARED", "../shared")) / "data"
    with tempfile.TemporaryDirectory() as folder:
        if shared.is_dir() and "--simulated" not in sys.argv:
            print("| market | rows in | kept | dropped | with model | with drivetrain | reposts | rows/s |")
            print("|---|---|---|---|---|---|---|---|")
            market = opened(Path(folder) / "real")
            for country, name in FILES.items():
                print(line(market, country, shared / name))
        market = opened(Path(folder) / "simulated")
        print("\n| simulated | adverts | reposts | found | alike pairs | merged | cars mixed up |")
        print("|---|---|---|---|---|---|---|")
        for country in COUNTRIES:
            print(told_apart(market, country, Path(folder)))


def opened(folder: Path) -> Market:
    folder.mkdir()
    database = open_database(f"sqlite:///{folder / 'forecourt.db'}")
    database.upgrade()
    return Market(database, Warehouse(folder / "market"))


def line(market: Market, country: str, path: Path) -> str:
    began = time.perf_counter()
    imported = market.import_file(path, country, terms=Terms())
    seconds = time.perf_counter() - began
    totals, account = imported.totals, imported.account
    return (
        f"| {country} | {account.rows_in:,} | {account.kept:,} | {dropped(imported)} "
        f"| {totals.with_model / totals.adverts:.2%} | {totals.with_drivetrain / totals.adverts:.1%} "
        f"| {totals.reposts:,} | {account.rows_in / seconds:,.0f} |"
    )


def dropped(imported: Imported) -> str:
    return (
        ", ".join(f"{count:,} {reason}" for reason, count in imported.account.dropped.most_common()) or "none"
    )


def told_apart(market: Market, country: str, folder: Path) -> str:
    path = folder / f"{country}.csv"
    write_simulated_market(path, country)
    market.import_file(path, country, terms=Terms(simulated=True))
    rows = [row for row in simulated_rows(country) if row.car is not None]
    truth = {(row.cells["url"].split("/")[2].removeprefix("www."), row.cells["ad id"]): row for row in rows}
    found: defaultdict[str, Counter] = defaultdict(Counter)
    names: defaultdict[int, set[str]] = defaultdict(set)
    for advert in market.warehouse.adverts(country).to_pylist():
        car = truth[advert["site"], advert["advert_id"]].car
        found[advert["car_id"]][car] += 1
        names[car].add(advert["car_id"])
    again = ADVERTS - len(names)
    joined = sum(count - 1 for cars in found.values() for count in cars.values())
    looks = {row.car: tuple(row.cells[name] for name in _ALIKE) for row in truth.values()}
    twins = [(one, other) for one, other in pairwise(sorted(names)) if looks[one] == looks[other]]
    merged = sum(not names[one].isdisjoint(names[other]) for one, other in twins)
    mixed = sum(len(cars) > 1 for cars in found.values())
    return (
        f"| {country} | {ADVERTS:,} | {again:,} | {joined / again:.1%} | {len(twins):,} "
        f"| {merged / len(twins):.2%} | {mixed / len(found):.2%} |"
    )


_ALIKE = ("make", "model", "version", "fuel", "gearbox", "power kW", "postcode", "seller")
"""Twins of one fleet are alike in these; only odometer and price set them apart."""


if __name__ == "__main__":
    main()
