"""The catalogue over REST: read a text, walk down to a drivetrain, value a car with it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.rest.service import Api, api_on

from forecourt.base.clock import SYSTEM_CLOCK
from forecourt.catalogue.current import CurrentCatalogue
from forecourt.catalogue.importing import read_entries
from forecourt.catalogue.store import load_catalogue, replace_entry, save_entries
from forecourt.contract.validation import failures
from forecourt.operations.with_catalogue import with_catalogue
from forecourt.storage.database import Database, open_database

pytestmark = pytest.mark.anyio

GOLF = "md_c430f4k1zn"
POLO = "md_b8ac8a9tcq"
ENGINES = """\
make,model,generation,fuel,transmission,drive,power_kw,displacement_cc,from,to
Volkswagen,Golf,VII,petrol,manual,fwd,110,1498,2017,2020
Volkswagen,Golf,VII,petrol,automatic,fwd,110,1498,2017,2020
Volkswagen,Golf,VII,diesel,manual,fwd,85,1598,2013,2020
"""


def add_engines(database: Database, folder: Path) -> None:
    """Add three drivetrains of the Golf VII, as `forecourt catalogue import` does."""
    file = folder / "engines.csv"
    file.write_text(ENGINES)
    entries = list(read_entries(file, database.read_sync(load_catalogue)).entries.values())
    database.write_sync(
        lambda connection: save_entries(connection, entries, source="test", now=SYSTEM_CLOCK.now())
    )


@pytest.fixture
def api(tmp_path: Path) -> Iterator[Api]:
    database = open_database(f"sqlite:///{tmp_path / 'forecourt.db'}")
    database.upgrade()
    add_engines(database, tmp_path)
    yield api_on(database, identity=with_catalogue(CurrentCatalogue(database)))
    database.close()


async def listed(api: Api, path: str, **params: str) -> list[dict]:
    """Return the items of a list of the catalogue, which fits its schema."""
    answer = await api.get(f"/v1/catalogue/{path}", params=params)
    assert answer.status_code == 200, answer.text
    assert failures("vehicle-list", answer.json()) == []
    return answer.json()["items"]


@pytest.mark.parametrize("mode", ["test", "live"])
async def test_a_walk_from_text_ends_at_a_drivetrain_whose_parents_are_those_of_the_walk(api, mode):
    caller = api.with_key(mode)
    model = (await listed(caller, "search", q="vw golf"))[0]
    generation = (await listed(caller, f"models/{model['id']}/generations", year="2018"))[0]
    drivetrains = await listed(caller, f"generations/{generation['id']}/drivetrains", transmission="manual")
    (drivetrain,) = [one for one in drivetrains if one["fuel"] == "petrol"]
    assert (model["label"], generation["name"]) == ("Volkswagen Golf", "VII")
    found = (await caller.get(f"/v1/catalogue/drivetrains/{drivetrain['id']}")).json()
    assert failures("catalogue-item", found) == []
    assert (found["generation_id"], found["model"]["id"]) == (generation["id"], model["id"])
    assert found["label"] == "Volkswagen Golf VII AU (2012–2020) 1.5 petrol 110 kW (150 hp) manual fwd"


async def test_a_car_is_valued_by_the_drivetrain_at_which_the_walk_ends(api):
    model = (await listed(api, "search", q="volkswagen golf"))[0]
    generation = (await listed(api, f"models/{model['id']}/generations", year="2019"))[0]
    path = f"generations/{generation['id']}/drivetrains"
    (drivetrain,) = await listed(api, path, fuel="petrol", transmission="manual", power_hp="150")
    assert drivetrain["id"].startswith("dt_")
    car = {
        "catalogue": {"drivetrain_id": drivetrain["id"]},
        "first_registration": "2019-05",
        "mileage_km": 85000,
    }
    valued = await api.value({"country": "DE", "vehicle": car})
    assert (valued.status_code, valued.json()["status"]) == (201, "completed")
    assert valued.json()["price"] > 0


async def test_free_text_is_read_to_the_drivetrain_that_can_be_valued(api):
    text = "VW Golf VII 1.5 TSI 150PS Schaltgetriebe EZ 05/2019 Winterpaket"
    answer = await api.post("/v1/vehicles/normalize", {"text": text, "country": "DE"})
    read = answer.json()
    assert failures("normalized-vehicle", read) == []
    assert (read["match"]["status"], read["match"]["level"]) == ("matched", "drivetrain")
    assert (read["fields"]["power_kw"]["value"], read["unparsed"]) == (110, ["Winterpaket"])
    assert read["catalogue_version"]
    car = {"catalogue": read["catalogue"], "first_registration": "2019-05", "mileage_km": 85000}
    assert (await api.value({"country": "DE", "vehicle": car})).status_code == 201


@pytest.mark.parametrize(
    ("filters", "how_many"),
    [
        ({}, 3),
        ({"fuel": "diesel"}, 1),
        ({"transmission": "automatic"}, 1),
        ({"power_hp": "152"}, 2),
        ({"power_hp": "160"}, 0),
        ({"year": "2014"}, 1),
        ({"fuel": "electric"}, 0),
    ],
)
async def test_drivetrains_are_filtered(api, filters, how_many):
    golf_7 = next(one for one in await listed(api, f"models/{GOLF}/generations") if one["name"] == "VII")
    found = await listed(api, f"generations/{golf_7['id']}/drivetrains", **filters)
    assert len(found) == how_many


async def test_pages_of_a_search_lead_from_one_to_the_next(api):
    first = (await api.get("/v1/catalogue/search", params={"q": "volkswagen", "limit": "3"})).json()
    cursor = first["next_cursor"]
    following = {"q": "volkswagen", "limit": "3", "cursor": cursor}
    second = (await api.get("/v1/catalogue/search", params=following)).json()
    assert (first["truncated"], len(first["items"]), len(second["items"])) == (True, 3, 3)
    assert not {one["id"] for one in first["items"]} & {one["id"] for one in second["items"]}


async def test_a_cursor_that_was_not_given_out_is_refused_with_its_pointer(api):
    answer = await api.get("/v1/catalogue/search", params={"q": "volkswagen", "cursor": "bm90IG91cnM"})
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (422, "validation_failed")
    assert [one["pointer"] for one in problem["errors"]] == ["/cursor"]


async def test_an_id_of_a_merged_entry_answers_with_its_heir(api):
    database = api.services.database
    database.write_sync(lambda connection: replace_entry(connection, POLO, by=GOLF, now=SYSTEM_CLOCK.now()))
    answer = await api.get(f"/v1/catalogue/models/{POLO}")
    assert (answer.json()["code"], answer.json().get("replaced_by")) == ("catalogue_id_replaced", GOLF)


async def test_ids_that_do_not_belong_to_one_car_are_a_conflict(api):
    ids = {"model_id": POLO, "generation_id": "gn_1qjhegzqxb"}
    answer = await api.post("/v1/vehicles/normalize", {"vehicle": {"catalogue": ids}})
    assert answer.json()["code"] == "catalogue_conflict"


async def test_what_is_imported_is_found_without_a_restart(tmp_path):
    database = open_database(f"sqlite:///{tmp_path / 'forecourt.db'}")
    database.upgrade()
    before = api_on(database, identity=with_catalogue(CurrentCatalogue(database, clock=Ticking())))
    path = "generations/gn_73dj22wnch/drivetrains"
    assert await listed(before, path) == []
    add_engines(database, tmp_path)
    assert len(await listed(before, path)) == 3
    database.close()


class Ticking:
    """A clock on which two seconds pass at every look."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self):
        return SYSTEM_CLOCK.now()

    def monotonic(self) -> float:
        self.seconds += 2
        return self.seconds
