"""What operators add to the catalogue, on SQLite and PostgreSQL."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest

from forecourt.catalogue.core import core_catalogue
from forecourt.catalogue.current import CurrentCatalogue
from forecourt.catalogue.entries import Drivetrain, Years
from forecourt.catalogue.errors import CatalogueFileUnusable
from forecourt.catalogue.importing import read_entries
from forecourt.catalogue.store import load_catalogue, replace_entry, revision, save_entries
from forecourt.contract.errors import CatalogueIdReplaced
from forecourt.storage.database import Database

NOW = datetime(2026, 1, 1, tzinfo=UTC)
GOLF = "md_c430f4k1zn"
OCTAVIA = "md_qn197wse8n"
FABIA = "Fabia"
ENGINE = Drivetrain(
    id="dt_engine0000",
    generation_id="gn_73dj22wnch",
    fuel="petrol",
    power_kw=110,
    battery_kwh=1.5,
    years=Years(2017, None),
    hsn_tsn=("0603/BQR",),
)


class Hand:
    """A clock that stands where it is put."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> datetime:
        return NOW

    def monotonic(self) -> float:
        return self.seconds


def test_an_empty_database_has_the_core(database: Database) -> None:
    assert database.read_sync(load_catalogue) is core_catalogue()
    assert database.read_sync(revision) == 0


def test_what_is_saved_comes_back_whole_and_a_second_time_changes_it(database: Database) -> None:
    def save(entry: Drivetrain) -> None:
        database.write_sync(lambda connection: save_entries(connection, [entry], source="test", now=NOW))

    save(ENGINE)
    assert database.read_sync(load_catalogue).drivetrains[ENGINE.id] == ENGINE
    save(Drivetrain(id=ENGINE.id, generation_id=ENGINE.generation_id, fuel="diesel"))
    assert database.read_sync(load_catalogue).drivetrains[ENGINE.id].fuel == "diesel"
    assert database.read_sync(revision) == 2


def test_ids_that_led_to_a_merged_entry_lead_to_its_heir(database: Database) -> None:
    fabia = next(model.id for model in core_catalogue().models.values() if model.name == FABIA)
    database.write_sync(lambda connection: replace_entry(connection, OCTAVIA, by=fabia, now=NOW))
    database.write_sync(lambda connection: replace_entry(connection, fabia, by=GOLF, now=NOW))
    catalogue = database.read_sync(load_catalogue)
    for gone in (OCTAVIA, fabia):
        with pytest.raises(CatalogueIdReplaced) as answer:
            catalogue.find(gone)
        assert answer.value.details == {"replaced_by": GOLF}


def test_a_running_server_sees_a_change_a_second_later(database: Database) -> None:
    async def story() -> None:
        clock = Hand()
        current = CurrentCatalogue(database, clock=clock)
        before = await current.current()
        await database.write(lambda connection: save_entries(connection, [ENGINE], source="test", now=NOW))
        assert await current.current() is before
        clock.seconds = 1.1
        assert ENGINE.id in (await current.current()).drivetrains

    asyncio.run(story())


FILE = """make,model,generation,from,to,bodies,aliases,fuel,transmission,drive,power_kw,displacement_cc
VW,Golf,VII,2017,2020,,,petrol,manual,fwd,110,1498
VW,Golf,VII,2017,2020,,,petrol,automatic,fwd,110,1498
Nueva,,,,,,Nueva Motors,,,,,
Nueva,Uno,,2020,,,uno nuevo,,,,,
Nueva,Uno,I,2020,,suv,,electric,automatic,fwd,100,
Nueva,Dos,X,2020,,hovercraft,,,,,,
Nueva,Dos,X,2024,2020,suv,,,,,,
"""


def test_a_file_completes_what_is_known_and_adds_what_is_new(tmp_path: Path) -> None:
    path = tmp_path / "cars.csv"
    path.write_text(FILE, encoding="utf-8")
    read = read_entries(path, core_catalogue())
    assert read.rows == 7
    assert read.refused == {"body that the contract does not know": 1, "window that ends before it begins": 1}
    catalogue = core_catalogue().with_more(read.entries.values())
    make = next(make for make in catalogue.makes.values() if make.name == "Nueva")
    assert make.aliases == ("Nueva Motors",)
    assert len(catalogue.drivetrains_of("gn_73dj22wnch")) == 2
    assert catalogue.generations["gn_73dj22wnch"] == core_catalogue().generations["gn_73dj22wnch"]


def test_the_same_file_gives_the_same_ids_and_nothing_new_but_drivetrains(tmp_path: Path) -> None:
    path = tmp_path / "cars.csv"
    path.write_text(FILE, encoding="utf-8")
    first = read_entries(path, core_catalogue())
    again = read_entries(path, core_catalogue().with_more(first.entries.values()))
    assert set(again.entries) == {one for one in first.entries if one.startswith("dt_")}
    assert {one: first.entries[one] for one in again.entries} == again.entries


def test_a_file_without_a_make_column_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cars.csv"
    path.write_text("brand,model\nVW,Golf\n", encoding="utf-8")
    with pytest.raises(CatalogueFileUnusable):
        read_entries(path, core_catalogue())
