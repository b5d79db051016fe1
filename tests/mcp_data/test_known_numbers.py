"""VINs, type keys and plates over MCP: the documents of REST, for a live key."""

import pytest
from tests.identify.register_server import Reply, register_server
from tests.mcp_data.service import LEGACY, MODERN, call, service_on
from tests.mcp_data.test_parity import rest, told
from tests.rest.known_numbers import GOLF_VIN, add_drivetrains, knowing

from forecourt.identify.registers.rdw import RdwRegister
from forecourt.operations.magic_inputs import with_magic_inputs
from forecourt.storage.database import open_database

pytestmark = pytest.mark.anyio

PLATE = {"country": "NL", "number": "11-ZKZ-3"}


@pytest.fixture
def database(tmp_path):
    database = open_database(f"sqlite:///{tmp_path / 'forecourt.db'}")
    database.upgrade()
    add_drivetrains(database, tmp_path)
    yield database
    database.close()


def service_knowing(database, registers=None):
    known = knowing(database, registers)
    return service_on(database).with_services(identity=known, test_identity=with_magic_inputs(known))


@pytest.mark.parametrize("era", [LEGACY, MODERN])
async def test_a_european_vin_with_z_at_position_9_decodes(database, era):
    service = service_knowing(database)
    result = await call(service, "decode_vin", {"vin": GOLF_VIN}, key=service.live_key, era=era)
    assert result["isError"] is False
    assert result["structuredContent"]["fields"]["model"]["value"] == "Golf"


@pytest.mark.parametrize("era", [LEGACY, MODERN])
async def test_a_type_key_with_two_gearboxes_has_two_candidates(database, era):
    service = service_knowing(database)
    result = await call(service, "decode_hsn_tsn", {"code": "0603/BJM"}, key=service.live_key, era=era)
    gearboxes = [one["transmission"] for one in result["structuredContent"]["candidates"]]
    assert sorted(gearboxes) == ["automatic", "manual"]


@pytest.mark.parametrize("era", [LEGACY, MODERN])
async def test_a_throttled_register_is_unavailable_with_the_time_to_wait(database, era):
    async with register_server({"": Reply(429, headers={"retry-after": "17"})}) as server:
        service = service_knowing(database, {"NL": RdwRegister(server.fetch, base_url=server.url)})
        result = await call(service, "lookup_plate", PLATE, key=service.live_key, era=era)
    problem = result["structuredContent"]
    assert (result["isError"], problem["code"]) == (True, "upstream_unavailable")
    assert problem["retry_after"] == 17


@pytest.mark.parametrize("era", [LEGACY, MODERN])
@pytest.mark.parametrize(
    ("tool", "path", "arguments"),
    [
        ("decode_vin", "decode-vin", {"vin": GOLF_VIN}),
        ("decode_vin", "decode-vin", {"vin": "WVWZZZAUZH8OOOI89"}),
        ("decode_hsn_tsn", "decode-hsn-tsn", {"hsn": "0603", "tsn": "BJM000521"}),
        ("decode_hsn_tsn", "decode-hsn-tsn", {"code": "0800/ABC"}),
        ("lookup_plate", "lookup-plate", {"country": "DE", "number": "B-AB 123"}),
    ],
)
async def test_both_faces_say_the_same_to_a_live_key(database, tool, path, arguments, era):
    service = service_knowing(database)
    over_rest = await rest(service, "POST", f"/v1/vehicles/{path}", body=arguments, key=service.live_key)
    over_mcp = await call(service, tool, arguments, key=service.live_key, era=era)
    assert told(over_mcp["structuredContent"]) == told(over_rest.json())
