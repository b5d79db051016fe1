"""Who is let in over REST, and what is said to those who are not."""

import pytest
from tests.rest.service import Api, golf

from forecourt.accounts import store as accounts_store
from forecourt.accounts.access import ALL_SCOPES
from forecourt.base.clock import SYSTEM_CLOCK
from forecourt.operations.table import OPERATIONS

pytestmark = pytest.mark.anyio


async def refused(api: Api, authorization: str | bytes | None) -> tuple[int, str, str]:
    headers = {"authorization": authorization} if authorization is not None else {}
    answer = await Api(api.services, "", "").get("/v1/account", headers=headers)
    return answer.status_code, answer.json()["code"], answer.headers["www-authenticate"]


@pytest.mark.parametrize("authorization", [None, "", "Basic YTpi", "Bearer", "Bearer  "])
async def test_without_a_bearer_the_challenge_says_where_to_get_in(api, authorization):
    status, code, challenge = await refused(api, authorization)
    assert (status, code) == (401, "missing_credentials")
    assert challenge == (
        'Bearer resource_metadata="https://data.example.com/.well-known/oauth-protected-resource/mcp"'
    )


@pytest.mark.parametrize(
    ("bearer", "code"),
    [
        ("au_garbage", "invalid_api_key"),
        ("au_test_" + "0" * 38, "invalid_api_key"),
        ("au_live_é", "invalid_api_key"),
        ("oat_something", "wrong_audience"),
        ("something", "invalid_token"),
    ],
)
async def test_a_bearer_that_is_no_key_is_told_so(api, bearer, code):
    status, told, challenge = await refused(api, f"Bearer {bearer}".encode())
    assert (status, told) == (401, code)
    assert challenge.endswith(', error="invalid_token"')


async def test_a_key_that_is_revoked_between_two_calls_does_not_work_the_second_time(api):
    first = await api.get("/v1/account")
    assert first.status_code == 200
    key_id = first.json()["key"]["id"]
    api.services.database.write_sync(
        lambda connection: accounts_store.revoke_key(connection, key_id, at=SYSTEM_CLOCK.now())
    )
    second = await api.get("/v1/account")
    assert (second.status_code, second.json()["code"]) == (401, "invalid_api_key")


async def test_a_suspended_organisation_and_a_foreign_address_are_refused(api):
    foreign = await api.with_key(only_from=("198.51.100.0/24",)).get("/v1/account")
    assert (foreign.status_code, foreign.json()["code"]) == (403, "ip_not_allowed")
    api.services.database.write_sync(
        lambda connection: accounts_store.set_suspended(connection, api.organization_id, SYSTEM_CLOCK.now())
    )
    suspended = await api.get("/v1/account")
    assert (suspended.status_code, suspended.json()["code"]) == (403, "organization_suspended")


SCOPED = [
    (operation, route)
    for operation in OPERATIONS
    if operation.scope is not None
    for route in operation.routes
]
VALID = {
    "createValuation": golf(),
    "normalizeVehicle": {"text": "Golf VII"},
    "decodeVin": {"vin": "TESTVN00000000200"},
    "decodeHsnTsn": {"code": "9999/200"},
    "lookupPlate": {"country": "GB", "number": "TE20AAA"},
}
IDS = {
    "{model_id}": "md_0001",
    "{generation_id}": "gn_0001",
    "{valuation_id}": "val_test_0001",
}
OF_KIND = {"makes": "mk_0001", "models": "md_0001", "generations": "gn_0001", "drivetrains": "dt_0001"}


def path_of(route) -> str:
    kind = route.path.split("/")[-2]
    path = route.path.replace("{id}", OF_KIND.get(kind, ""))
    for name, value in IDS.items():
        path = path.replace(name, value)
    return path + ("?q=golf" if "q" in route.query else "")


@pytest.mark.parametrize(("operation", "route"), SCOPED, ids=[route.id for _, route in SCOPED])
async def test_an_operation_without_its_scope_says_which_one_is_needed(api, operation, route):
    others = tuple(scope for scope in ALL_SCOPES if scope != operation.scope)
    given = {"json": VALID[route.id]} if route.has_body else {}
    answer = await api.with_key(scopes=others).request(
        route.method, path_of(route), headers={"idempotency-key": "k"}, **given
    )
    assert (answer.status_code, answer.json()["code"]) == (403, "insufficient_scope")
    assert answer.json()["required_scope"] == operation.scope


@pytest.mark.parametrize(("operation", "route"), SCOPED, ids=[route.id for _, route in SCOPED])
async def test_no_operation_answers_without_credentials(api, operation, route):
    given = {"json": VALID[route.id]} if route.has_body else {}
    answer = await Api(api.services, "", "").request(route.method, path_of(route), **given)
    assert (answer.status_code, answer.json()["code"]) == (401, "missing_credentials")


async def test_what_is_public_needs_no_credentials(api):
    nobody = Api(api.services, "", "")
    countries = (await nobody.get("/v1/countries")).json()["items"]
    assert [country["code"] for country in countries][:2] == ["DE", "AT"]
    assert (await nobody.get("/v1/accuracy")).json() == {"object": "accuracy", "items": []}


async def test_the_ids_of_another_organisation_are_not_there(api):
    valuation_id = (await api.value(golf())).json()["id"]
    other = api.elsewhere()
    for method in ("GET", "DELETE"):
        answer = await other.request(method, f"/v1/valuations/{valuation_id}")
        assert (answer.status_code, answer.json()["code"]) == (404, "valuation_not_found")
    assert (await other.get("/v1/valuations")).json()["items"] == []
    assert (await api.get(f"/v1/valuations/{valuation_id}")).status_code == 200


async def test_a_test_valuation_is_not_there_for_a_live_key(api):
    valuation_id = (await api.value(golf())).json()["id"]
    live = api.with_key("live")
    assert (await live.get(f"/v1/valuations/{valuation_id}")).json()["code"] == "valuation_not_found"
    assert (await live.get("/v1/valuations")).json()["items"] == []


async def test_the_account_says_what_the_key_may_and_has(api):
    api.grant(7)
    live, test = (await api.with_key("live").get("/v1/account")).json(), (await api.get("/v1/account")).json()
    assert (live["key"]["mode"], test["key"]["mode"]) == ("live", "test")
    assert live["credits_remaining"] == test["credits_remaining"] == 7
    assert live["cost"] == {"valuation": 1, "lookup_plate": 0}
    assert {country["code"] for country in test["countries"]} == {"DE", "DK", "NL", "GB", "SE", "FI"}
    assert test["key"]["prefix"] == "au_test_"
    assert api.key.endswith(test["key"]["last4"])
    assert api.key not in str(test)
