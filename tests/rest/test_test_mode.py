"""Test mode on an empty database: vectors, every magic input, and what a client may rely on."""

import asyncio

import pytest
from tests.rest.service import golf

from forecourt.contract.problems import PROBLEMS
from forecourt.contract.validation import failures

pytestmark = pytest.mark.anyio

OCTAVIA = {
    "make": "Skoda",
    "model": "Octavia",
    "fuel": "diesel",
    "first_registration": "2021-03",
    "mileage_km": 60000,
}
MODEL_3 = {
    "make": "Tesla",
    "model": "Model 3",
    "fuel": "electric",
    "first_registration": "2022-09",
    "mileage_km": 45000,
}


@pytest.mark.parametrize(
    ("country", "basis", "vehicle", "price", "low", "high", "grade"),
    [
        ("DE", "retail_asking", golf()["vehicle"], 15500, 13800, 17200, "C"),
        ("DE", "retail_asking", golf(mileage_km=120000)["vehicle"], 14200, 12650, 15750, "C"),
        (
            "DK",
            "retail_asking",
            OCTAVIA,
            162700,
            133400,
            192000,
            "D",
        ),
        (
            "NL",
            "trade_in",
            MODEL_3,
            25200,
            22450,
            27950,
            "C",
        ),
        (
            "GB",
            "private_asking",
            {"catalogue": {"drivetrain_id": "dt_0001"}, "first_registration": "2018-11", "mileage_km": 96561},
            8600,
            8000,
            9200,
            "B",
        ),
    ],
)
async def test_the_published_vectors_are_answered(api, country, basis, vehicle, price, low, high, grade):
    answer = await api.value({"country": country, "price_basis": basis, "vehicle": vehicle})
    body = answer.json()
    assert (answer.status_code, body["status"], body["mode"]) == (201, "completed", "test")
    assert (body["price"], body["interval"], body["grade"]) == (
        price,
        {"level": 0.8, "low": low, "high": high},
        grade,
    )
    assert body["attribution_text"].startswith("Simulated")
    assert body["billing"] == {"credits_charged": 0, "credits_remaining": 0, "unit": "valuation"}
    assert "simulated" in {note["code"] for note in body["notes"]}
    assert answer.headers["location"] == f"/v1/valuations/{body['id']}"


async def test_everything_asked_for_is_in_the_answer(api):
    body = (
        await api.value(
            {
                **golf(),
                "include": ["comparables", "adjustments"],
                "asking_price": 15000,
                "external_reference": "stock 4711",
            }
        )
    ).json()
    assert body["comparables"][0]["currency"] == "EUR"
    assert [adjustment["factor"] for adjustment in body["adjustments"]] == ["age", "mileage"]
    assert body["deal"] == {
        "asking_price": 15000,
        "difference": -500,
        "difference_percent": -3.2,
        "rating": "fair",
    }
    assert body["external_reference"] == "stock 4711"
    assert None not in (body["market"], body["vat"], body["valid_until"], body["data_as_of"])


async def test_a_year_without_a_month_is_assumed_to_be_july_and_said(api):
    vehicle = {"make": "Skoda", "model": "Octavia", "year": 2019, "mileage_miles": 40_000}
    body = (await api.value({"country": "GB", "vehicle": vehicle})).json()
    assert body["vehicle"]["first_registration"] == "2019-07"
    assert body["vehicle"]["mileage_km"] == 64374
    assert [warning["code"] for warning in body["warnings"]] == ["registration_month_assumed"]


async def test_the_mileage_for_a_fixed_price_and_the_one_for_doubts(api):
    fixed = (await api.value(golf(mileage_km=990001), "a")).json()
    assert (fixed["price"], fixed["interval"]["low"], fixed["interval"]["high"], fixed["grade"]) == (
        20000,
        19200,
        20800,
        "A",
    )
    doubtful = (await api.value(golf(mileage_km=990002), "b")).json()
    assert doubtful["grade"] == "D"
    assert [warning["code"] for warning in doubtful["warnings"]] == ["mileage_unusual", "low_comparables"]
    assert [hint["code"] for hint in doubtful["hints"]] == ["add_drivetrain"]


@pytest.mark.parametrize(
    ("mileage_km", "status", "kind", "code"),
    [
        (990010, 422, "refused", "insufficient_market_data"),
        (990011, 422, "refused", "vehicle_ambiguous"),
        (990012, 422, "refused", "vehicle_not_identified"),
        (990013, 422, "refused", "vehicle_too_old"),
        (990014, 422, "refused", "mileage_out_of_range"),
        (990015, 422, "refused", "interval_too_wide"),
        (990020, 500, "failed", "engine_error"),
        (990021, 500, "failed", "engine_timeout"),
    ],
)
async def test_a_magic_mileage_that_is_refused_or_fails(api, mileage_km, status, kind, code):
    answer = await api.value(golf(mileage_km=mileage_km))
    body = answer.json()
    assert (answer.status_code, body["status"], body["error"]["code"]) == (status, kind, code)
    assert answer.headers["content-type"] == "application/json"
    assert len(body["candidates"] or []) == (3 if code == "vehicle_ambiguous" else 0)
    again = await api.value(golf(mileage_km=mileage_km))
    assert (again.status_code, again.json()["id"], again.json()["replayed"]) == (status, body["id"], True)
    read = await api.get(f"/v1/valuations/{body['id']}")
    assert (read.status_code, read.json()["status"]) == (200, kind)


@pytest.mark.parametrize(
    ("mileage_km", "code", "retry_after"),
    [
        (990040, "insufficient_credits", None),
        (990041, "insufficient_scope", None),
        (990042, "country_not_enabled", None),
        (990050, "rate_limited", 2),
        (990051, "concurrency_limited", 1),
        (990052, "engine_busy", 3),
        (990060, "idempotency_in_progress", 1),
        (990070, "internal_error", None),
    ],
)
async def test_a_magic_mileage_that_is_a_problem_does_not_use_the_key_up(api, mileage_km, code, retry_after):
    for _ in range(2):
        answer = await api.value(golf(mileage_km=mileage_km))
        body = answer.json()
        assert (answer.status_code, body["code"]) == (PROBLEMS[code].status, code)
        assert body.get("retry_after") == retry_after
        assert body.get("retry_with") == ("same_key" if body["retryable"] else None)
    assert (await api.value(golf())).status_code == 201
    assert len((await api.get("/v1/valuations")).json()["items"]) == 1


async def test_the_mileage_that_is_busy_twice_succeeds_with_the_same_key(api):
    answers = [await api.value(golf(mileage_km=990053), "one") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [503, 503, 201, 201]
    assert [answer.json().get("retry_after") for answer in answers[:2]] == [1, 1]
    assert answers[3].json()["replayed"]
    assert (await api.value(golf(mileage_km=990053), "another")).status_code == 503


async def test_while_the_slow_mileage_runs_its_key_is_in_progress(api):
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def wait(_seconds: float) -> None:
        begun.set()
        await go_on.wait()

    slow = api.with_services(simulated=type(api.services.simulated)(api.services.database, pause=wait))
    first = asyncio.create_task(slow.value(golf(mileage_km=990054)))
    await begun.wait()
    second = await slow.value(golf(mileage_km=990054))
    assert (second.status_code, second.json()["code"]) == (409, "idempotency_in_progress")
    assert 1 <= second.json()["retry_after"] <= 10
    assert (await slow.get("/v1/valuations")).json()["items"] == []
    go_on.set()
    assert (await first).status_code == 201
    assert (await slow.value(golf(mileage_km=990054))).json()["replayed"]


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("decode-vin", {"vin": "TESTVN00000000404"}, "vin_not_found"),
        ("decode-vin", {"vin": "testvn00000000 429"}, "rate_limited"),
        ("decode-vin", {"vin": "TESTVN00000000503"}, "upstream_unavailable"),
        ("decode-vin", {"vin": "WVWZZZAUZH8000000"}, "vin_not_found"),
        ("decode-vin", {"vin": "WVW"}, "invalid_vin"),
        ("decode-hsn-tsn", {"hsn": "9999", "tsn": "404"}, "hsn_tsn_not_found"),
        ("decode-hsn-tsn", {"hsn": "9999", "tsn": "429"}, "rate_limited"),
        ("decode-hsn-tsn", {"code": "9999/503"}, "upstream_unavailable"),
        ("decode-hsn-tsn", {"code": "0900/000"}, "hsn_tsn_not_found"),
        ("decode-hsn-tsn", {"code": "603/BJM"}, "invalid_hsn"),
        ("decode-hsn-tsn", {"hsn": "0603", "tsn": "B"}, "invalid_tsn"),
        ("lookup-plate", {"country": "DE", "number": "B AB 123"}, "plate_country_not_supported"),
        ("lookup-plate", {"country": "GB", "number": "!!"}, "invalid_plate"),
    ],
)
async def test_a_magic_or_wrong_identity_has_its_code(api, path, body, code):
    answer = await api.post(f"/v1/vehicles/{path}", body)
    assert (answer.status_code, answer.json()["code"]) == (PROBLEMS[code].status, code)


async def test_a_letter_that_no_vin_has_is_answered_with_what_was_meant(api):
    answer = await api.post("/v1/vehicles/decode-vin", {"vin": "WVWZZZAUZH8OOOOOO"})
    assert answer.json()["suggestion"] == "WVWZZZAUZH8000000"
    short = await api.post("/v1/vehicles/decode-hsn-tsn", {"hsn": "603", "tsn": "BJM"})
    assert (short.json()["code"], short.json()["suggestion"]) == ("invalid_hsn", "0603")
    collective = await api.post("/v1/vehicles/decode-hsn-tsn", {"code": "0900/000"})
    assert collective.json()["reason"] == "collective_key"


PLATES = {
    "GB": ("TE20AAA", "TE30MUL", "TE40NFD", "TE45RST", "TE42THR", "TE53MNT"),
    "NL": ("TE200T", "TE300T", "TE404T", "TE451T", "TE429T", "TE503T"),
    "DK": ("TE00200", "TE00300", "TE00404", "TE00451", "TE00429", "TE00503"),
    "NO": ("TE00200", "TE00300", "TE00404", "TE00451", "TE00429", "TE00503"),
    "SE": ("TES200", "TES300", "TES404", "TES451", "TES429", "TES503"),
    "FI": ("TES200", "TES300", "TES404", "TES451", "TES429", "TES503"),
}
PLATE_CODES = ("plate_not_found", "plate_restricted", "rate_limited", "upstream_unavailable")


@pytest.mark.parametrize("country", PLATES)
async def test_the_magic_plates_of_a_country(api, country):
    answers = [
        (await api.post("/v1/vehicles/lookup-plate", {"country": country, "number": plate})).json()
        for plate in PLATES[country]
    ]
    assert [answer["match"]["status"] for answer in answers[:2]] == ["matched", "ambiguous"]
    assert [len(answer["candidates"]) for answer in answers[:2]] == [1, 2]
    assert tuple(answer["code"] for answer in answers[2:]) == PLATE_CODES
    assert failures("plate-lookup", answers[0]) == failures("plate-lookup", answers[1]) == []


async def test_any_other_plate_is_a_car_that_its_number_decides(api):
    lookups = [
        (await api.post("/v1/vehicles/lookup-plate", {"country": "NL", "number": number})).json()
        for number in ("ab-12-cd", "AB12CD")
    ]
    assert lookups[0] == lookups[1]
    assert lookups[0]["plate"] == "AB12CD"


@pytest.mark.parametrize(
    ("path", "one", "several", "schema"),
    [
        ("decode-vin", {"vin": "TESTVN00000000200"}, {"vin": "TESTVN00000000201"}, "decoded-vin"),
        ("decode-hsn-tsn", {"code": "9999/200"}, {"code": "9999201AB"}, "decoded-hsn-tsn"),
        (
            "normalize",
            {"vehicle": {"make": "TEST", "model": "MATCHED"}},
            {"vehicle": {"make": "TEST", "model": "AMBIGUOUS"}},
            "normalized-vehicle",
        ),
    ],
)
async def test_a_magic_identity_is_matched_or_ambiguous(api, path, one, several, schema):
    for body, status, count in ((one, "matched", 1), (several, "ambiguous", 2)):
        answer = (await api.post(f"/v1/vehicles/{path}", body)).json()
        assert (answer["match"]["status"], len(answer["candidates"])) == (status, count)
        assert failures(schema, answer) == []
    gearboxes = {candidate["transmission"] for candidate in answer["candidates"]}
    assert gearboxes == {"manual", "automatic"}


async def test_an_empty_catalogue_knows_no_car(api):
    unmatched = {"vehicle": {"make": "TEST", "model": "UNMATCHED"}}
    for body in ({"text": "Golf VII 1.5 TSI"}, unmatched):
        answer = await api.post("/v1/vehicles/normalize", body)
        assert (answer.status_code, answer.json()["match"]["status"]) == (200, "unmatched")
        assert failures("normalized-vehicle", answer.json()) == []
    for query in ("golf", "test:empty"):
        found = (await api.get("/v1/catalogue/search", params={"q": query})).json()
        assert (found["items"], found["level"]) == ([], "search")
        assert failures("vehicle-list", found) == []
    for query, code in (("test:429", "rate_limited"), ("test:503", "upstream_unavailable")):
        assert (await api.get("/v1/catalogue/search", params={"q": query})).json()["code"] == code


async def test_in_live_mode_nothing_is_magic_and_nothing_is_valued_yet(api):
    live = api.with_key("live")
    api.grant(5)
    assert (await live.value(golf(mileage_km=990001))).json()["code"] == "validation_failed"
    answer = await live.value(golf())
    assert (answer.status_code, answer.json()["code"]) == (503, "service_unavailable")
    assert answer.json()["retry_with"] == "same_key"
    assert await live.credits() == 5
    plate = await live.post("/v1/vehicles/lookup-plate", {"country": "GB", "number": "TE20AAA"})
    assert plate.json()["code"] == "plate_country_not_supported"
