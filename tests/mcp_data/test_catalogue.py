"""The catalogue over MCP: read a text, walk down to a drivetrain, value a car with it."""

import pytest
from tests.mcp_data.service import LEGACY, MODERN, call, service_on
from tests.mcp_data.test_parity import rest, told
from tests.rest.test_catalogue import add_engines

from forecourt.catalogue.current import CurrentCatalogue
from forecourt.operations.magic_inputs import with_magic_inputs
from forecourt.operations.with_catalogue import with_catalogue
from forecourt.storage.database import open_database

pytestmark = pytest.mark.anyio


@pytest.fixture
def service(tmp_path):
    database = open_database(f"sqlite:///{tmp_path / 'forecourt.db'}")
    database.upgrade()
    add_engines(database, tmp_path)
    known = with_catalogue(CurrentCatalogue(database))
    yield service_on(database).with_services(identity=known, test_identity=with_magic_inputs(known))
    database.close()


async def told_by(service, tool, arguments, era):
    """Return what a tool answers, which is no error."""
    result = await call(service, tool, arguments, era=era)
    assert result["isError"] is False, result
    return result["structuredContent"]


@pytest.mark.parametrize("era", [LEGACY, MODERN])
async def test_a_car_is_valued_by_the_drivetrain_at_which_the_walk_from_its_text_ends(service, era):
    found = await told_by(service, "search_vehicles", {"level": "search", "query": "vw golf"}, era)
    model = found["items"][0]
    assert "model_id" in found["next_step"]
    asked = {"level": "generations", "model_id": model["id"], "year": 2019}
    generation = (await told_by(service, "search_vehicles", asked, era))["items"][0]
    asked = {"level": "drivetrains", "generation_id": generation["id"], "year": 2019}
    drivetrains = (await told_by(service, "search_vehicles", asked, era))["items"]
    (chosen,) = [one for one in drivetrains if (one["fuel"], one["transmission"]) == ("petrol", "manual")]
    car = {
        "catalogue": {"drivetrain_id": chosen["id"]},
        "first_registration": "2019-05",
        "mileage_km": 85000,
    }
    valued = await told_by(
        service, "valuate_car", {"country": "DE", "vehicle": car, "idempotency_key": "walk"}, era
    )
    assert (chosen["id"][:3], valued["status"], valued["mode"]) == ("dt_", "completed", "test")


@pytest.mark.parametrize("era", [LEGACY, MODERN])
async def test_the_catalogue_says_the_same_over_both_faces(service, era):
    questions = [
        (
            "normalize_vehicle",
            "POST",
            "/v1/vehicles/normalize",
            {"text": "Skoda Octavia 2.0 TDI 150 hk årg. 2018"},
        ),
        (
            "search_vehicles",
            "GET",
            "/v1/catalogue/search?q=octavia",
            {"level": "search", "query": "octavia"},
        ),
        (
            "search_vehicles",
            "GET",
            "/v1/catalogue/models/md_qn197wse8n/generations?year=2018",
            {"level": "generations", "model_id": "md_qn197wse8n", "year": 2018},
        ),
        (
            "search_vehicles",
            "GET",
            "/v1/catalogue/models/md_nothing000/generations",
            {"level": "generations", "model_id": "md_nothing000"},
        ),
    ]
    for tool, method, path, arguments in questions:
        over_rest = await rest(service, method, path, body=arguments)
        over_mcp = await call(service, tool, arguments, era=era)
        assert told(over_mcp["structuredContent"]) == told(over_rest.json())
        assert over_mcp["isError"] is (over_rest.status_code >= 400)
