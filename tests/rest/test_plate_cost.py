"""What a plate costs where the operator asks credits for it, on both databases."""

from dataclasses import replace

import pytest
from tests.rest.service import Api

from forecourt.contract.errors import PlateNotFound, UpstreamUnavailable
from forecourt.operations.magic_inputs import with_magic_inputs
from forecourt.operations.without_catalogue import WITHOUT_CATALOGUE

pytestmark = pytest.mark.anyio

PATH = "/v1/vehicles/lookup-plate"
PLATE = {"country": "GB", "number": "TE20AAA"}


def with_register(api: Api, error: Exception | None = None) -> Api:
    """The service with a paid register, which finds every car or always fails in one way."""

    async def lookup_plate(arguments):
        if error is not None:
            raise error
        return await with_magic_inputs(WITHOUT_CATALOGUE).lookup_plate(arguments)

    api.grant(5)
    register = replace(WITHOUT_CATALOGUE, lookup_plate=lookup_plate, plate_countries=("GB",))
    return api.with_services(identity=register, plate_lookup_cost=2).with_key("live")


async def test_a_plate_that_is_found_costs_what_the_account_says(api_on_both):
    api = with_register(api_on_both)
    assert (await api.get("/v1/account")).json()["cost"] == {"valuation": 1, "lookup_plate": 2}
    assert (await api.post(PATH, PLATE)).status_code == 200
    assert await api.credits() == 3
    [capture, reserve, _grant] = (await api.get("/v1/account/ledger")).json()["items"]
    assert [line["type"] for line in (reserve, capture)] == ["reserve", "capture"]
    assert reserve["valuation_id"] == capture["valuation_id"]
    assert capture["valuation_id"].startswith("plate_")


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (PlateNotFound("No such plate."), "plate_not_found"),
        (UpstreamUnavailable("The register is down."), "upstream_unavailable"),
        (RuntimeError(), "internal_error"),
    ],
)
async def test_a_plate_that_is_not_found_costs_nothing(api_on_both, error, code):
    api = with_register(api_on_both, error)
    assert (await api.post(PATH, PLATE)).json()["code"] == code
    assert await api.credits() == 5


async def test_without_credits_no_register_is_asked(api_on_both):
    api = with_register(api_on_both)
    for _ in range(2):
        assert (await api.post(PATH, PLATE)).status_code == 200
    answer = await api.post(PATH, PLATE)
    assert (answer.status_code, answer.json()["code"]) == (402, "insufficient_credits")
    assert await api.credits() == 1


async def test_in_test_mode_a_plate_costs_nothing(api_on_both):
    api = with_register(api_on_both).with_key("test")
    assert (await api.post(PATH, PLATE)).status_code == 200
    assert await api.credits() == 5
