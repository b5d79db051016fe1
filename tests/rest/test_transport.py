"""Paths, methods, media types, sizes and bodies: what is refused before anything is looked up."""

import json

import pytest
from tests.rest.service import golf

pytestmark = pytest.mark.anyio

JSON = {"content-type": "application/json", "idempotency-key": "k"}


async def code_of(api, method, path, **given):
    answer = await api.request(method, path, **given)
    return answer.status_code, answer.json()["code"]


async def test_an_unknown_path_and_a_wrong_method_are_problems(api):
    assert await code_of(api, "GET", "/v1/nothing") == (404, "not_found")
    answer = await api.request("PUT", "/v1/valuations")
    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
    assert answer.headers["allow"] == "GET, HEAD, POST"


@pytest.mark.parametrize(
    ("accept", "status"),
    [
        ("*/*", 200),
        ("text/html, application/*;q=0.5", 200),
        ("application/problem+json", 200),
        ("text/html", 406),
        ("application/json;q=0", 406),
    ],
)
async def test_whoever_accepts_no_json_is_told(api, accept, status):
    assert (await api.get("/v1/account", headers={"accept": accept})).status_code == status


@pytest.mark.parametrize(
    "headers",
    [{"content-type": "text/plain"}, {"content-type": ""}, {**JSON, "content-encoding": "gzip"}],
)
async def test_a_body_that_is_not_declared_as_plain_json_is_not_read(api, headers):
    expected = (415, "unsupported_media_type")
    assert await code_of(api, "POST", "/v1/valuations", content=b"{}", headers=headers) == expected


async def test_more_than_64_kib_are_not_read(api):
    body = json.dumps({"country": "DE", "vehicle": {"colour": "x" * 70_000}}).encode()
    expected = (413, "payload_too_large")
    assert await code_of(api, "POST", "/v1/valuations", content=body, headers=JSON) == expected


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff\xfe{}",
        b'{"country":"DE","country":"AT"}',
        b'{"country":NaN}',
        b'{"asking_price":1e400}',
        b'{"country":"\\ud800"}',
        b'{"country":"\\u0000"}',
        b"[" * 60_000,
        b"[]",
        b'"text"',
    ],
)
async def test_a_body_that_is_no_json_object_is_an_invalid_request(api, body):
    answer = await api.request("POST", "/v1/valuations", content=body, headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")
    assert answer.json()["errors"]


@pytest.mark.parametrize(
    ("changes", "status", "code", "pointer"),
    [
        ({"unknown": 1}, 400, "invalid_request", "/unknown"),
        (golf(milage=1), 400, "invalid_request", "/vehicle/milage"),
        ({"country": 49}, 400, "invalid_request", "/country"),
        ({"idempotency_key": "k"}, 400, "invalid_request", "/idempotency_key"),
        (
            golf(mileage_km=True),
            400,
            "invalid_request",
            "/vehicle/mileage_km",
        ),
        ({"country": "Germany"}, 422, "validation_failed", "/country"),
        ({"price_basis": "guess"}, 422, "validation_failed", "/price_basis"),
        (
            golf(mileage_km=-1),
            422,
            "validation_failed",
            "/vehicle/mileage_km",
        ),
        (
            golf(mileage_km=600_000),
            422,
            "validation_failed",
            "/vehicle/mileage_km",
        ),
        (
            golf(mileage_miles=5),
            422,
            "validation_failed",
            "/vehicle/mileage_miles",
        ),
        (
            golf(first_registration="2019-02-30"),
            422,
            "validation_failed",
            "/vehicle/first_registration",
        ),
        ({"vehicle": {"mileage_km": 5, "year": 2015}}, 422, "validation_failed", "/vehicle"),
    ],
)
@pytest.mark.requirement("data.errors.pointer")
async def test_what_is_wrong_with_a_request_is_pointed_at(api, changes, status, code, pointer):
    answer = await api.value({**golf(), **changes})
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert pointer in {error["pointer"] for error in answer.json()["errors"]}


@pytest.mark.requirement("data.errors.not-repeated")
async def test_what_the_caller_sent_is_not_repeated(api):
    vehicle = {"vin": "WVWZZZ1KZAW000000X", "doors": "WVWZZZ1KZ"}
    answer = await api.value({"country": "DE", "vehicle": vehicle})
    assert answer.status_code == 400
    assert "WVWZZZ" not in answer.text


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/v1/valuations?limit=0", 422, "validation_failed"),
        ("/v1/valuations?limit=many", 400, "invalid_request"),
        ("/v1/valuations?limit=1&limit=2", 400, "invalid_request"),
        ("/v1/valuations?unknown=1", 400, "invalid_request"),
        ("/v1/valuations?cursor=%21%21", 422, "validation_failed"),
        ("/v1/valuations?country=%00", 400, "invalid_request"),
        ("/v1/valuations?country=%ff", 400, "invalid_request"),
        ("/v1/valuations?created_after=yesterday", 422, "validation_failed"),
        ("/v1/valuations?created_after=2016-12-31T23:59:60Z", 422, "validation_failed"),
        ("/v1/valuations?created_after=0001-01-01T00:00:00%2B14:00", 422, "validation_failed"),
        ("/v1/account/ledger?cursor=YWJj", 422, "validation_failed"),
        ("/v1/catalogue/search", 422, "validation_failed"),
        ("/v1/catalogue/search?q=x", 422, "validation_failed"),
        ("/v1/catalogue/models/Golf/generations", 404, "catalogue_id_not_found"),
        ("/v1/catalogue/models/md_0001/generations?year=2019", 404, "catalogue_id_not_found"),
        ("/v1/catalogue/makes/md_0001", 404, "catalogue_id_not_found"),
        ("/v1/catalogue/drivetrains/dt_0001", 404, "catalogue_id_not_found"),
        ("/v1/valuations/nothing", 404, "valuation_not_found"),
        ("/v1/valuations/val_test_0001", 404, "valuation_not_found"),
    ],
)
async def test_what_is_wrong_with_an_address_has_its_code(api, path, status, code):
    assert await code_of(api, "GET", path) == (status, code)


@pytest.mark.parametrize(
    ("key", "code"),
    [
        (None, "idempotency_key_missing"),
        ("", "idempotency_key_invalid"),
        ("a b", "idempotency_key_invalid"),
        ("k" * 256, "idempotency_key_invalid"),
    ],
)
@pytest.mark.requirement("money.key-required")
async def test_a_valuation_needs_a_usable_key(api, key, code):
    headers = {} if key is None else {"idempotency-key": key}
    answer = await api.post("/v1/valuations", golf(), headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (400, code)


async def test_a_key_in_quotes_is_the_same_key(api):
    first, second = await api.value(golf(), "k1"), await api.value(golf(), '"k1"')
    assert second.json()["id"] == first.json()["id"]


async def test_head_is_get_without_its_body_and_limits_stand_in_headers(api):
    answer = await api.request("GET", "/v1/account")
    assert int(answer.headers["ratelimit-limit"]) > int(answer.headers["ratelimit-remaining"]) > 0
    assert int(answer.headers["ratelimit-reset"]) >= 0
    assert answer.headers["cache-control"] == "no-store"
