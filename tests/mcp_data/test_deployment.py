"""What a deployment knows of cars with nothing but an empty database and its settings."""

import pytest
from tests.identify.register_server import Reply, register_server
from tests.mcp_data.service import LEGACY, call, service_on
from tests.rest.known_numbers import GOLF_VIN

from forecourt.deployment import vehicle_data
from forecourt.operations.services import Services
from forecourt.settings import Settings
from forecourt.storage.database import open_database

pytestmark = pytest.mark.anyio


@pytest.fixture
def database(tmp_path):
    database = open_database(f"sqlite:///{tmp_path / 'forecourt.db'}")
    database.upgrade()
    yield database
    database.close()


async def asked(database, services: Services, tool: str, arguments: dict) -> dict:
    service = service_on(database).with_services(
        identity=services.identity, test_identity=services.test_identity
    )
    return (await call(service, tool, arguments, key=service.live_key, era=LEGACY))["structuredContent"]


async def test_an_empty_database_decodes_vins_and_says_that_it_has_no_type_keys(database, tmp_path):
    settings = Settings(data_dir=tmp_path, register_rdw=False)
    async with register_server({"": Reply(500)}) as server:
        services = vehicle_data(settings, database, server.fetch)
        told = await asked(database, services, "decode_vin", {"vin": GOLF_VIN})
        assert told["fields"]["model"]["value"] == "Golf"
        missed = await asked(database, services, "decode_hsn_tsn", {"code": "0603/BJM"})
        assert (missed["code"], missed["reason"]) == ("hsn_tsn_not_found", "no_list")
        refused = await asked(database, services, "lookup_plate", {"country": "NL", "number": "11-ZKZ-3"})
        assert (refused["code"], refused["supported_plate_countries"]) == ("plate_country_not_supported", [])


def test_registers_are_those_of_the_settings(database, tmp_path):
    file = tmp_path / "plates.csv"
    file.write_text("country,plate,make,model\nDE,B-AB 123,Volkswagen,Golf\n")
    settings = Settings(data_dir=tmp_path, register_file=file, register_dvla_key="a key of this test")
    services = vehicle_data(settings, database, NoNetwork())
    assert services.identity.plate_countries == ("DE", "GB", "NL")


class NoNetwork:
    """Nothing is sent while a service is put together."""

    async def send(self, outgoing):
        raise AssertionError(outgoing)
