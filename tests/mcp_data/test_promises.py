"""What callers are promised, kept over MCP: a charge per key, every test input, nothing private in a log."""

import asyncio
import logging

import pytest
from tests.mcp_data.service import LEGACY, MODERN, ask, call

pytestmark = pytest.mark.anyio

CAR = {"make": "Skoda", "model": "Octavia", "first_registration": "2021-03", "mileage_km": 60000}

VECTORS = [
    ("DE", None, {"hsn_tsn": {"hsn": "0603", "tsn": "BJM"}}, "2019-05", 85000, (15500, 13800, 17200, "C")),
    ("DE", None, {"hsn_tsn": {"hsn": "0603", "tsn": "BJM"}}, "2019-05", 120000, (14200, 12650, 15750, "C")),
    (
        "DK",
        None,
        {"make": "Skoda", "model": "Octavia", "fuel": "diesel"},
        "2021-03",
        60000,
        (162700, 133400, 192000, "D"),
    ),
    (
        "NL",
        "trade_in",
        {"make": "Tesla", "model": "Model 3", "fuel": "electric"},
        "2022-09",
        45000,
        (25200, 22450, 27950, "C"),
    ),
    (
        "GB",
        "private_asking",
        {"catalogue": {"drivetrain_id": "dt_0001"}},
        "2018-11",
        96561,
        (8600, 8000, 9200, "B"),
    ),
]

LOOKUPS = [
    *(
        ("decode_vin", {"vin": f"TESTVN00000000{number}"}, outcome)
        for number, outcome in [
            ("200", "matched"),
            ("201", "ambiguous"),
            ("404", "vin_not_found"),
            ("429", "rate_limited"),
            ("503", "upstream_unavailable"),
        ]
    ),
    *(
        ("decode_hsn_tsn", {"hsn": "9999", "tsn": number}, outcome)
        for number, outcome in [
            ("200", "matched"),
            ("201", "ambiguous"),
            ("404", "hsn_tsn_not_found"),
            ("429", "rate_limited"),
            ("503", "upstream_unavailable"),
        ]
    ),
    ("decode_hsn_tsn", {"code": "0900/000"}, "hsn_tsn_not_found"),
    *(
        ("lookup_plate", {"country": "GB", "number": plate}, outcome)
        for plate, outcome in [
            ("TE20AAA", "matched"),
            ("TE30MUL", "ambiguous"),
            ("TE40NFD", "plate_not_found"),
            ("TE45RST", "plate_restricted"),
            ("TE42THR", "rate_limited"),
            ("TE53MNT", "upstream_unavailable"),
        ]
    ),
    *(
        ("normalize_vehicle", {"vehicle": {"make": "TEST", "model": model}}, model.lower())
        for model in ("MATCHED", "AMBIGUOUS", "UNMATCHED")
    ),
    ("search_vehicles", {"level": "search", "query": "test:429"}, "rate_limited"),
    ("search_vehicles", {"level": "search", "query": "test:503"}, "upstream_unavailable"),
]


@pytest.mark.parametrize("era", [LEGACY, MODERN])
@pytest.mark.parametrize(("country", "basis", "identity", "registered", "mileage", "value"), VECTORS)
@pytest.mark.requirement("data.test-mode.vectors")
async def test_every_published_vector_on_an_empty_database(
    service, country, basis, identity, registered, mileage, value, era
):
    arguments = {
        "country": country,
        "vehicle": {**identity, "first_registration": registered, "mileage_km": mileage},
        "idempotency_key": "vector",
        **({"price_basis": basis} if basis else {}),
    }
    body = (await call(service, "valuate_car", arguments, era=era))["structuredContent"]
    assert (body["price"], body["interval"]["low"], body["interval"]["high"], body["grade"]) == value
    assert body["billing"]["credits_charged"] == 0


@pytest.mark.parametrize(("tool", "arguments", "outcome"), LOOKUPS)
@pytest.mark.requirement("data.test-mode.inputs")
async def test_every_magic_lookup_has_its_outcome(service, tool, arguments, outcome):
    result = await call(service, tool, arguments)
    body = result["structuredContent"]
    assert outcome == (body["code"] if result["isError"] else body["match"]["status"])
    if outcome in ("rate_limited", "upstream_unavailable"):
        assert body["retry_after"] >= 1


async def test_twenty_calls_at_once_with_one_key_make_one_valuation(service):
    arguments = {"country": "DE", "vehicle": CAR, "idempotency_key": "twenty"}
    results = await asyncio.gather(*(call(service, "valuate_car", arguments) for _ in range(20)))
    bodies = [result["structuredContent"] for result in results]
    assert {body.get("code") for body in bodies} <= {None, "idempotency_in_progress"}
    made = [body for body in bodies if "code" not in body]
    assert len({body["id"] for body in made}) == 1
    assert [body["replayed"] for body in made].count(False) == 1
    account = (await call(service, "get_account"))["structuredContent"]
    assert account["usage_this_month"]["completed"] == 1


@pytest.mark.requirement("data.logs")
async def test_nothing_personal_and_no_key_is_logged(service, caplog):
    caplog.set_level(logging.DEBUG)
    secret = service.live_key
    await ask(service.app, "tools/list", key=secret)
    await ask(service.app, "tools/list", key=secret[:-1])
    await call(service, "decode_vin", {"vin": "TESTVN00000000200"})
    await call(service, "lookup_plate", {"country": "GB", "number": "TE20AAA"})
    car = {**CAR, "vin": "TESTVN00000000200", "mileage_km": 990070}
    await call(service, "valuate_car", {"country": "DE", "vehicle": car, "idempotency_key": "k"})
    for word in (secret, secret[:-1], service.test_key, "TESTVN00000000200", "TE20AAA"):
        assert word not in caplog.text
