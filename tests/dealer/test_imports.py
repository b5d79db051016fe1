"""Imports are atomic: whatever happens, readers see the old stock or the new one, whole."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.dealer.feeds import NOW, SLUG, add_dealer, cars, csv_text, dealer_profile

from forecourt.base.errors import ForecourtError
from forecourt.dealer import store
from forecourt.dealer.errors import DealerUnknown, NoListings, NothingToRollBack, StockWouldShrink
from forecourt.dealer.feed.importing import Imported, Terms, import_feed
from forecourt.dealer.search import SearchIndex
from forecourt.dealer.stock import Stock, load_stock
from forecourt.storage.database import Database, open_database
from forecourt.tables.errors import NoVehicleTable, TruncatedFile

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(rows: list[dict[str, Any]], name: str = "feed.csv") -> Path:
        path = tmp_path / name
        path.write_text(csv_text(rows), encoding="utf-8", newline="")
        return path

    return write


def stocks(database: Database) -> set[str]:
    """Return the stock numbers that a search finds."""
    index = load_stock(database, SLUG, None).index
    return {vehicle["stock"] for vehicle in all_vehicles(index)}


def all_vehicles(index: SearchIndex) -> list[Mapping[str, Any]]:
    pages = (index.search({"pagination": {"skip": skip, "limit": 100}}) for skip in range(0, len(index), 100))
    return [vehicle for page in pages for vehicle in page.data()["vehicles"]]


def import_rows(database: Database, path: Path, **terms: Any) -> Imported:
    return import_feed(database, SLUG, path, terms=Terms(**terms))


def test_a_second_import_replaces_the_stock(database: Database, write: Write) -> None:
    add_dealer(database)
    import_rows(database, write(cars(4)))
    import_rows(database, write(cars(6)[2:]))

    assert stocks(database) == {"A2", "A3", "A4", "A5"}


def test_a_rollback_brings_the_stock_before_back_and_a_second_one_undoes_it(
    database: Database, write: Write
) -> None:
    add_dealer(database)
    import_rows(database, write(cars(4)))
    import_rows(database, write(cars(3)))

    database.write_sync(lambda connection: store.rollback_stock(connection, SLUG, now=NOW))
    after_first = stocks(database)
    database.write_sync(lambda connection: store.rollback_stock(connection, SLUG, now=NOW))

    assert len(after_first) == 4
    assert len(stocks(database)) == 3


def test_without_an_earlier_stock_there_is_nothing_to_roll_back_to(database: Database, write: Write) -> None:
    add_dealer(database)
    import_rows(database, write(cars(1)))

    with pytest.raises(NothingToRollBack):
        database.write_sync(lambda connection: store.rollback_stock(connection, SLUG, now=NOW))


def test_only_the_live_stock_and_the_one_before_are_kept(database: Database, write: Write) -> None:
    add_dealer(database)
    for _ in range(4):
        import_rows(database, write(cars(2)))

    kept = database.read_sync(lambda connection: connection.execute(store.VERSIONS.select()).all())

    assert len(kept) == 2


def test_a_file_with_fewer_than_half_of_the_vehicles_is_refused(database: Database, write: Write) -> None:
    add_dealer(database)
    import_rows(database, write(cars(10)))

    with pytest.raises(StockWouldShrink):
        import_rows(database, write(cars(4)))

    assert len(stocks(database)) == 10


def test_a_shrinking_that_is_allowed_happens(database: Database, write: Write) -> None:
    add_dealer(database)
    import_rows(database, write(cars(10)))
    import_rows(database, write(cars(4)), allow_shrink=True)

    assert len(stocks(database)) == 4


def test_a_page_of_many_does_not_sell_the_other_cars(
    database: Database, tmp_path: Path, write: Write
) -> None:
    add_dealer(database)
    import_rows(database, write(cars(10)))
    page = tmp_path / "page.json"
    page.write_text(
        '{"total": 10, "next": "https://feeds.example.com/2", "vehicles": ['
        + ",".join(
            f'{{"stock": "A{n}", "make": "Ford", "model": "Focus", "year": 2014, "price": 9000}}'
            for n in range(7)
        )
        + "]}"
    )

    with pytest.raises(StockWouldShrink):
        import_rows(database, page)

    assert len(stocks(database)) == 10


def test_a_dry_run_judges_every_row_and_changes_nothing(database: Database, write: Write) -> None:
    add_dealer(database)

    imported = import_rows(database, write(cars(3)), dry_run=True)

    assert imported.reading.report.accepted == 3
    assert stocks(database) == set()
    assert database.read_sync(lambda connection: store.import_history(connection, SLUG)) == []


def test_a_file_cut_in_the_middle_of_a_row_is_refused(database: Database, write: Write) -> None:
    add_dealer(database)
    path = write(cars(10))
    path.write_bytes(path.read_bytes()[:-12])

    with pytest.raises(TruncatedFile):
        import_rows(database, path)

    assert stocks(database) == set()


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("Name,Phone,Email\nAnn,555-0100,ann@example.com\n", "an identifier"),
        ("VIN,Task,Technician\n1FADP3K25EL000017,Wash,Bob\n", "the make and model"),
        ("Date,Amount\n2026-01-01,100\n", "the make and model"),
    ],
)
def test_a_file_that_is_no_stock_list_is_refused_with_what_is_missing(
    database: Database, tmp_path: Path, text: str, missing: str
) -> None:
    add_dealer(database)
    path = tmp_path / "other.csv"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(NoVehicleTable, match=missing):
        import_rows(database, path)


def test_a_file_whose_every_row_is_refused_leaves_the_stock(database: Database, write: Write) -> None:
    add_dealer(database)
    import_rows(database, write(cars(3)))

    with pytest.raises(NoListings):
        import_rows(database, write([row | {"Status": "Sold"} for row in cars(3)]))

    assert len(stocks(database)) == 3


def test_an_unknown_dealer_is_refused_without_a_trace(database: Database, write: Write) -> None:
    with pytest.raises(DealerUnknown):
        import_rows(database, write(cars(1)))


def test_every_attempt_stands_in_the_history(database: Database, write: Write) -> None:
    add_dealer(database)
    import_rows(database, write(cars(5)))
    with pytest.raises(ForecourtError):
        import_rows(database, write(cars(1)))

    history = database.read_sync(lambda connection: store.import_history(connection, SLUG))

    assert [(record.outcome, record.rows_in, record.accepted) for record in history] == [
        ("refused", 1, 1),
        ("published", 5, 5),
    ]
    assert history[0].report["code"] == "stock_would_shrink"
    assert history[1].report["delimiter"] == "comma"


def test_two_imports_at_once_leave_one_of_the_two_stocks_whole(database: Database, write: Write) -> None:
    add_dealer(database)
    ours = write([row | {"Stock": f"B{row['Stock']}"} for row in cars(300)], "b.csv")
    theirs = write([row | {"Stock": f"C{row['Stock']}"} for row in cars(300)], "c.csv")

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda path: import_rows(database, path), [ours, theirs]))

    found = stocks(database)
    assert len(found) == 300
    assert len({name[0] for name in found}) == 1


def test_all_rooftops_of_one_vehicle_are_told_in_answers(database: Database, write: Write) -> None:
    add_dealer(database, dealer_profile("North", "South"))
    import_rows(database, write([cars(1)[0] | {"Dealer Name": name} for name in ("North", "South")]))

    (vehicle,) = all_vehicles(load_stock(database, SLUG, None).index)

    assert vehicle["rooftop"] == "North"
    assert vehicle["other_attributes"]["rooftops"] == ["North", "South"]


def test_another_worker_sees_a_new_stock_within_two_seconds(
    database: Database, tmp_path: Path, write: Write
) -> None:
    add_dealer(database)
    import_rows(database, write(cars(2)))
    worker = Stock(database, tmp_path)

    async def watch() -> int:
        before = len(await worker.index(SLUG))
        await asyncio.to_thread(import_rows, database, write(cars(3)))
        async with asyncio.timeout(2):
            while len(await worker.index(SLUG)) == before:  # noqa: ASYNC110 - a database sets no event
                await asyncio.sleep(0.05)
        return len(await worker.index(SLUG))

    assert asyncio.run(watch()) == 3


def test_cold_indexes_are_dropped_and_built_again_when_asked_for(database: Database, write: Write) -> None:
    slugs = ["north", "south", "west"]
    path = write(cars(20))
    for slug in slugs:
        profile = dealer_profile()
        database.write_sync(
            lambda connection, slug=slug, profile=profile: store.add_dealer(
                connection, type(profile)(slug, profile.information), now=NOW
            )
        )
        import_feed(database, slug, path)
    stock = Stock(database, warm_vehicles=40)

    async def ask_all() -> list[int]:
        return [len(await stock.index(slug)) for slug in [*slugs, *slugs]]

    assert asyncio.run(ask_all()) == [20] * 6


KILLED = """
import os, signal, sys
from pathlib import Path
from forecourt.dealer.feed.importing import Watch, import_feed
from forecourt.storage.database import open_database

seen = []
def kill_in_the_middle(chunk):
    seen.append(chunk)
    if len(seen) == 2:
        os.kill(os.getpid(), signal.SIGKILL)

database, slug, path = open_database(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
import_feed(database, slug, path, watch=Watch(each_chunk=kill_in_the_middle))
"""


def test_an_import_that_is_killed_leaves_the_old_stock_and_the_next_one_works(
    database: Database, database_url: str, write: Write
) -> None:
    add_dealer(database)
    import_rows(database, write(cars(3)))
    big = write([row | {"Stock": f"N{row['Stock']}"} for row in cars(40_000)], "big.csv")

    killed = subprocess.run([sys.executable, "-c", KILLED, database_url, SLUG, str(big)], check=False)

    assert killed.returncode == -signal.SIGKILL
    assert stocks(database) == {"A0", "A1", "A2"}
    import_rows(database, write(cars(4)))
    assert len(stocks(database)) == 4
    reopened = open_database(database_url)
    assert reopened.read_sync(lambda connection: store.live_version(connection, SLUG)).listings == 4
    reopened.close()
