"""What REST answers and what MCP answers are one document, for every tool, success or not."""

import json
import re

import httpx2
import pytest
from tests.mcp_data.service import LEGACY, MODERN, URL, call

from forecourt.operations.table import TOOLS
from forecourt.rest.api import RestApi

pytestmark = pytest.mark.anyio

CAR = {"make": "Skoda", "model": "Octavia", "first_registration": "2021-03", "mileage_km": 60000}
VALUATION = {"country": "DE", "vehicle": CAR}

QUESTIONS = [
    (
        "normalize_vehicle",
        "POST",
        "/v1/vehicles/normalize",
        {"vehicle": {"make": "TEST", "model": "AMBIGUOUS"}},
    ),
    ("normalize_vehicle", "POST", "/v1/vehicles/normalize", {}),
    ("decode_vin", "POST", "/v1/vehicles/decode-vin", {"vin": "TESTVN00000000201"}),
    ("decode_vin", "POST", "/v1/vehicles/decode-vin", {"vin": "TESTVN00000000429"}),
    ("decode_vin", "POST", "/v1/vehicles/decode-vin", {"vin": "too short"}),
    ("decode_hsn_tsn", "POST", "/v1/vehicles/decode-hsn-tsn", {"hsn": "9999", "tsn": "201"}),
    ("decode_hsn_tsn", "POST", "/v1/vehicles/decode-hsn-tsn", {"hsn": "0900", "tsn": "000"}),
    ("lookup_plate", "POST", "/v1/vehicles/lookup-plate", {"country": "NL", "number": "TE-200-T"}),
    ("lookup_plate", "POST", "/v1/vehicles/lookup-plate", {"country": "DE", "number": "B XY 1"}),
    (
        "search_vehicles",
        "GET",
        "/v1/catalogue/search?q=test:empty",
        {"level": "search", "query": "test:empty"},
    ),
    ("search_vehicles", "GET", "/v1/catalogue/search?q=test:503", {"level": "search", "query": "test:503"}),
    ("get_account", "GET", "/v1/account", {}),
]


def told(document):
    """Return a document without what is new in every answer."""
    return json.loads(re.sub(r"req_[0-9a-z]+", "req_", json.dumps(document)))


async def rest(service, method, path, *, body=None, key=None, **headers):
    api = RestApi(service.services, address_of=lambda _: "192.0.2.7")
    fields = {"authorization": f"Bearer {key or service.test_key}", **headers}
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(api), base_url=URL) as client:
        return await client.request(method, path, json=body if method == "POST" else None, headers=fields)


@pytest.mark.parametrize("era", [LEGACY, MODERN])
@pytest.mark.parametrize(("tool", "method", "path", "arguments"), QUESTIONS)
@pytest.mark.requirement("data.mcp.parity")
async def test_the_body_of_rest_is_the_structure_and_the_text_of_mcp(
    service, tool, method, path, arguments, era
):
    over_rest = await rest(service, method, path, body=arguments)
    over_mcp = await call(service, tool, arguments, era=era)
    assert told(over_mcp["structuredContent"]) == told(over_rest.json())
    assert over_mcp["isError"] is (over_rest.status_code >= 400)


@pytest.mark.parametrize("era", [LEGACY, MODERN])
@pytest.mark.parametrize("mileage", [60000, 990002, 990010, 990011, 990020])
async def test_a_valuation_is_the_same_document_under_the_same_key_on_both_faces(service, mileage, era):
    body = {**VALUATION, "vehicle": {**CAR, "mileage_km": mileage}}
    made = await rest(service, "POST", "/v1/valuations", body=body, **{"idempotency-key": "one"})
    again = await call(service, "valuate_car", {**body, "idempotency_key": "one"}, era=era)
    assert again["structuredContent"] == {**made.json(), "replayed": True}
    assert again["isError"] is (made.status_code != 201)
    read_rest = await rest(service, "GET", f"/v1/valuations/{made.json()['id']}")
    read_mcp = await call(service, "get_valuation", {"valuation_id": made.json()["id"]}, era=era)
    assert read_mcp["structuredContent"] == read_rest.json() == made.json()


@pytest.mark.parametrize("mileage", [990040, 990050, 990052, 990060])
@pytest.mark.requirement("data.mcp.retry-after")
async def test_a_problem_of_a_valuation_is_the_same_on_both_faces_and_waits_as_long(service, mileage):
    body = {**VALUATION, "vehicle": {**CAR, "mileage_km": mileage}}
    over_rest = await rest(service, "POST", "/v1/valuations", body=body, **{"idempotency-key": "one"})
    over_mcp = await call(service, "valuate_car", {**body, "idempotency_key": "one"})
    assert told(over_mcp["structuredContent"]) == told(over_rest.json())
    waits = over_mcp["structuredContent"].get("retry_after")
    assert over_rest.headers.get("retry-after") == (None if waits is None else str(waits))


def test_every_tool_has_a_question_here():
    assert {tool for tool, *_ in QUESTIONS} | {"valuate_car", "get_valuation"} == set(TOOLS)
