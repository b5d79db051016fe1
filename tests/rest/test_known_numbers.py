"""VINs, type keys and plates over REST: what is known of them, and what a caller is told when it is not."""

from contextlib import asynccontextmanager

import pytest
from tests.identify.register_server import Reply, answering, register_server
from tests.rest.known_numbers import GOLF_VIN, add_drivetrains, knowing
from tests.rest.service import Api, api_on

from forecourt.contract.validation import failures
from forecourt.identify.registers.csv_register import read_registers
from forecourt.identify.registers.rdw import RdwRegister
from forecourt.storage.database import Database, open_database

pytestmark = pytest.mark.anyio

PLATE = {"country": "NL", "number": "11-ZKZ-3"}
VEHICLE = {
    "kenteken": "11ZKZ3",
    "merk": "SKODA",
    "handelsbenaming": "CITIGO",
    "voertuigsoort": "Personenauto",
}


@pytest.fixture
def database(tmp_path):
    database = open_database(f"sqlite:///{tmp_path / 'forecourt.db'}")
    database.upgrade()
    add_drivetrains(database, tmp_path)
    yield database
    database.close()


@pytest.fixture
def api(database: Database) -> Api:
    return api_on(database, identity=knowing(database)).with_key("live")


@asynccontextmanager
async def asking_rdw(database: Database, replies: dict[str, Reply]):
    """A service that asks a register on this machine for Dutch plates."""
    async with register_server(replies) as server:
        registers = {"NL": RdwRegister(server.fetch, base_url=server.url)}
        yield api_on(database, identity=knowing(database, registers)).with_key("live")


async def decoded(api: Api, number: str, **arguments: str) -> dict:
    """Return what a number tells, which fits its schema."""
    answer = await api.post(f"/v1/vehicles/decode-{number}", arguments)
    assert answer.status_code == 200, answer.text
    assert failures(f"decoded-{number}", answer.json()) == []
    return answer.json()


@pytest.mark.parametrize("mode", ["live", "test"])
async def test_a_european_vin_with_z_at_position_9_decodes(api, mode):
    told = await decoded(api.with_key(mode), "vin", vin=GOLF_VIN)
    assert (told["fields"]["make"]["value"], told["fields"]["model"]["value"]) == ("Volkswagen", "Golf")
    check = told["checks"]["check_digit"]
    assert (check["actual"], check["applies"], check["passed"]) == ("Z", False, None)


@pytest.mark.parametrize("mode", ["live", "test"])
async def test_a_type_key_with_two_gearboxes_has_two_candidates(api, mode):
    told = await decoded(api.with_key(mode), "hsn-tsn", hsn="0603", tsn="BJM")
    assert {one["transmission"] for one in told["candidates"]} == {"manual", "automatic"}
    assert told["match"]["status"] == "ambiguous"


@pytest.mark.parametrize("mode", ["live", "test"])
@pytest.mark.parametrize(
    ("path", "arguments", "status", "members"),
    [
        ("decode-vin", {"vin": "WVWZZZAUZH800018"}, 422, {"code": "invalid_vin"}),
        (
            "decode-vin",
            {"vin": "WVWZZZAUZH8OOOI89"},
            422,
            {"code": "invalid_vin", "suggestion": "WVWZZZAUZH8000189"},
        ),
        ("decode-hsn-tsn", {"hsn": "603", "tsn": "BJM"}, 422, {"code": "invalid_hsn", "suggestion": "0603"}),
        ("decode-hsn-tsn", {"code": "603/BJM"}, 422, {"code": "invalid_hsn", "suggestion": "0603/BJM"}),
        ("decode-hsn-tsn", {"code": "0603/BJ"}, 422, {"code": "invalid_tsn"}),
        (
            "decode-hsn-tsn",
            {"code": "0800/ABC"},
            404,
            {"code": "hsn_tsn_not_found", "reason": "collective_key"},
        ),
        ("decode-hsn-tsn", {"code": "0005/XYZ"}, 404, {"code": "hsn_tsn_not_found", "reason": "no_list"}),
    ],
)
async def test_what_is_wrong_with_a_number_is_told_the_same_in_both_modes(
    api, mode, path, arguments, status, members
):
    answer = await api.with_key(mode).post(f"/v1/vehicles/{path}", arguments)
    problem = answer.json()
    told = {name: problem[name] for name in ("code", "suggestion", "reason") if name in problem}
    assert (answer.status_code, told) == (status, members)


async def test_an_unknown_manufacturer_is_not_found(api):
    answer = await api.post("/v1/vehicles/decode-vin", {"vin": "TESTVN00000000200"})
    assert (answer.status_code, answer.json()["code"]) == (404, "vin_not_found")


async def test_magic_inputs_stay_simulated_in_test_mode(api):
    told = await decoded(api.with_key("test"), "vin", vin="TESTVN00000000200")
    assert [warning["code"] for warning in told["warnings"]] == ["simulated"]


async def test_a_plate_is_looked_up_in_its_register(database):
    replies = {"m9d7-ebf2": answering([VEHICLE]), "8ys7-d773": answering([])}
    async with asking_rdw(database, replies) as api:
        answer = await api.post("/v1/vehicles/lookup-plate", PLATE)
    assert answer.status_code == 200, answer.text
    assert failures("plate-lookup", answer.json()) == []
    assert answer.json()["candidates"][0]["label"].startswith("Škoda Citigo")


@pytest.mark.parametrize(
    ("reply", "wait_s"),
    [(Reply(429, headers={"retry-after": "17"}), 17), (Reply(500), 5), (Reply(body=b"<html>"), 5)],
)
async def test_a_register_that_gives_no_answer_is_unavailable_with_the_time_to_wait(database, reply, wait_s):
    async with asking_rdw(database, {"": reply}) as api:
        answer = await api.post("/v1/vehicles/lookup-plate", PLATE)
    assert (answer.status_code, answer.json()["code"]) == (503, "upstream_unavailable")
    assert (answer.json()["retry_after"], answer.headers["retry-after"]) == (wait_s, str(wait_s))


async def test_a_plate_of_wrong_form_is_refused_before_its_register_is_asked(database):
    async with asking_rdw(database, {"": Reply(500)}) as api:
        answer = await api.post("/v1/vehicles/lookup-plate", {"country": "NL", "number": "11-Z"})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_plate")


async def test_a_plate_of_a_country_without_register_is_refused_with_those_that_have_one(database):
    async with asking_rdw(database, {}) as api:
        answer = await api.post("/v1/vehicles/lookup-plate", {"country": "GB", "number": "AB12 CDE"})
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (422, "plate_country_not_supported")
    assert problem["supported_plate_countries"] == ["NL"]


@pytest.mark.parametrize(
    ("plate", "status", "code"),
    [("AB 12 345", 403, "plate_restricted"), ("AB 12 346", 404, "plate_not_found")],
)
async def test_a_register_of_ones_own_withholds_or_does_not_know(database, tmp_path, plate, status, code):
    file = tmp_path / "plates.csv"
    file.write_text("country,plate,make,status\nDK,AB12345,Volvo,restricted\n")
    api = api_on(database, identity=knowing(database, read_registers(file))).with_key("live")
    answer = await api.post("/v1/vehicles/lookup-plate", {"country": "DK", "number": plate})
    assert (answer.status_code, answer.json()["code"]) == (status, code)


async def test_no_register_is_asked_in_test_mode(database):
    async with asking_rdw(database, {"": Reply(500)}) as api:
        answer = await api.with_key("test").post("/v1/vehicles/lookup-plate", PLATE)
    assert (answer.status_code, answer.json()["warnings"][0]["code"]) == (200, "simulated")


async def test_the_account_names_the_countries_whose_plates_can_be_looked_up(database):
    async with asking_rdw(database, {}) as api:
        account = (await api.get("/v1/account")).json()
    assert "NL" in str(account)


async def test_a_plate_that_costs_is_paid_when_its_register_finds_it_and_not_when_it_is_down(database):
    replies = {"m9d7-ebf2": answering([VEHICLE]), "8ys7-d773": answering([])}
    async with asking_rdw(database, replies) as api:
        paying = api.with_services(plate_lookup_cost=2)
        paying.grant(5)
        assert (await paying.post("/v1/vehicles/lookup-plate", PLATE)).status_code == 200
        assert await paying.credits() == 3
    async with asking_rdw(database, {"": Reply(500)}) as api:
        paying = api.with_services(plate_lookup_cost=2)
        paying.grant(5)
        assert (await paying.post("/v1/vehicles/lookup-plate", PLATE)).status_code == 503
        assert await paying.credits() == 5
