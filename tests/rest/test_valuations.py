"""Valuations over REST: keys, credits, gates, crashes, lists and erasure, on both databases."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from tests.rest.service import MANY, REFUSED, Api, StubEngine, golf

from forecourt.base.clock import SYSTEM_CLOCK
from forecourt.contract.errors import EngineBusy
from forecourt.guard.call_limits import CallLimits
from forecourt.operations.housekeeping import chores
from forecourt.valuation.engine import Failure

pytestmark = pytest.mark.anyio


class LateClock:
    """The clock of a server that runs this much later."""

    def __init__(self, late: timedelta) -> None:
        self._late = late

    def now(self):
        return SYSTEM_CLOCK.now() + self._late

    def monotonic(self):
        return SYSTEM_CLOCK.monotonic() + self._late.total_seconds()


def live(api: Api, engine: StubEngine | None = None, *, granted: int = 5) -> Api:
    if granted:
        api.grant(granted)
    return api.with_services(live=engine or StubEngine()).with_key("live")


@pytest.mark.requirement("money.one-claim")
async def test_the_same_key_and_arguments_are_one_valuation_however_many_come_at_once(api_on_both):
    api = live(api_on_both)
    answers = await asyncio.gather(*(api.value(golf()) for _ in range(20)))
    assert {answer.status_code for answer in answers} <= {201, 409}
    done = [answer.json() for answer in answers if answer.status_code == 201]
    assert len({body["id"] for body in done}) == 1
    assert [body["replayed"] for body in done].count(False) == 1
    assert await api.credits() == 4


async def test_the_same_key_with_another_mileage_is_told_and_charged_nothing(api_on_both):
    api = live(api_on_both)
    assert (await api.value(golf())).status_code == 201
    answer = await api.value(golf(mileage_km=85001))
    assert (answer.status_code, answer.json()["code"]) == (422, "idempotency_key_reused")
    assert await api.credits() == 4


async def test_the_same_request_written_differently_is_the_same(api_on_both):
    first = await api_on_both.value(golf())
    vehicle = dict(reversed(golf(mileage_km=85000.0)["vehicle"].items()))
    body = {"include": [], "price_basis": "retail_asking", "vehicle": vehicle, "country": "DE"}
    again = await api_on_both.value(body)
    assert again.json()["id"] == first.json()["id"]
    assert again.headers["idempotent-replayed"] == "true"


@pytest.mark.requirement("money.reserve-first")
async def test_of_ten_calls_one_credit_pays_one(api_on_both):
    api = live(api_on_both, granted=1)
    answers = await asyncio.gather(*(api.value(golf(), f"k{number}") for number in range(10)))
    assert sorted(answer.status_code for answer in answers) == [201, *[402] * 9]
    poor = next(answer.json() for answer in answers if answer.status_code == 402)
    assert poor["code"] == "insufficient_credits"
    assert (poor["credits_required"], poor["credits_remaining"]) == (1, 0)
    assert await api.credits() == 0


@pytest.mark.requirement("money.retry-keeps-the-key")
async def test_a_call_without_credit_does_not_use_its_key_up(api_on_both):
    api = live(api_on_both, granted=0)
    assert (await api.value(golf())).status_code == 402
    api.grant(1)
    answer = await api.value(golf())
    assert (answer.status_code, answer.json()["billing"]["credits_charged"]) == (201, 1)


@pytest.mark.parametrize(
    ("verdict", "status"),
    [(REFUSED, 422), (Failure("model_unavailable", "No model."), 500), (RuntimeError("broken"), 500)],
)
async def test_what_is_refused_or_fails_costs_nothing(api_on_both, verdict, status):
    api = live(api_on_both, StubEngine(verdict))
    answer = await api.value(golf())
    body = answer.json()
    assert answer.status_code == status
    assert body["billing"] == {"credits_charged": 0, "credits_remaining": 5, "unit": "valuation"}
    assert "broken" not in answer.text
    assert await api.credits() == 5
    assert body["error"].get("retry_with") == ("new_key" if status == 500 else None)


@pytest.mark.requirement("money.retry-keeps-the-key")
async def test_a_busy_engine_leaves_neither_key_nor_reservation_behind(api_on_both):
    engine = StubEngine(EngineBusy("The queue is full.", details={"retry_after": 4}))
    api = live(api_on_both, engine, granted=1)
    answer = await api.value(golf())
    assert (answer.status_code, answer.json()["retry_after"]) == (503, 4)
    account = (await api.get("/v1/account")).json()
    assert account["credits"]["available"] == 1
    assert account["credits"]["reserved"] == 0
    engine.answer = None
    assert (await api.value(golf())).status_code == 201


@pytest.mark.parametrize(
    ("country", "basis", "code"),
    [
        ("US", "retail_asking", "country_not_supported"),
        ("FR", "retail_asking", "country_not_enabled"),
        ("DE", "trade", "price_basis_not_supported"),
        ("FI", "retail_asking", "service_unavailable"),
    ],
)
async def test_a_market_that_is_not_there_says_which_are(api, country, basis, code):
    answer = await live(api).value({**golf(), "country": country, "price_basis": basis})
    body = answer.json()
    assert body["code"] == code
    if code == "country_not_supported":
        assert body["supported_countries"][0] == "DE"
    if code == "price_basis_not_supported":
        assert body["supported_price_bases"] == ["retail_asking", "trade_in"]


async def test_a_finished_key_is_answered_though_the_credits_and_the_engine_are_gone(api_on_both):
    api = live(api_on_both, granted=1)
    first = (await api.value(golf())).json()
    later = await api.with_services(live=None).value(golf())
    assert (later.status_code, later.json()["id"]) == (201, first["id"])
    assert later.json()["billing"] == {"credits_charged": 1, "credits_remaining": 0, "unit": "valuation"}
    assert {**later.json(), "replayed": False} == first


async def test_the_same_car_again_is_told_of_the_first_valuation(api_on_both):
    api = live(api_on_both)
    first = (await api.value(golf(), "a")).json()
    second = (await api.value(golf(), "b")).json()
    assert [(warning["code"], warning["valuation_id"]) for warning in second["warnings"]] == [
        ("duplicate_recent_valuation", first["id"])
    ]


@pytest.mark.requirement("data.isolation")
async def test_nobody_is_told_that_another_organisation_or_a_test_key_valued_the_car(api_on_both):
    api = live(api_on_both)
    await api_on_both.value(golf())
    assert (await api.value(golf())).json()["warnings"] == []
    other = api.elsewhere("live")
    other.grant(1)
    assert (await other.value(golf())).json()["warnings"] == []


class Killed(BaseException):
    """The end of a process: no handler of errors runs."""


async def died(api: Api) -> None:
    """Leave a valuation behind as a server does that dies while its engine runs."""
    with pytest.raises(Killed):
        await api.with_services(live=StubEngine(Killed())).value(golf())


@pytest.mark.requirement("data.failed.crash")
async def test_a_valuation_whose_server_died_is_failed_after_a_minute_and_costs_nothing(api_on_both):
    api = live(api_on_both, granted=1)
    await died(api)
    assert (await api.value(golf())).json()["code"] == "idempotency_in_progress"
    assert await api.credits() == 0
    later = api.with_services(clock=LateClock(timedelta(seconds=61)))
    answer = await later.value(golf())
    body = answer.json()
    assert (answer.status_code, body["status"], body["error"]["code"]) == (500, "failed", "engine_timeout")
    assert body["replayed"]
    assert body["billing"]["credits_remaining"] == 1
    assert (await later.value(golf(), "new")).status_code == 201


async def test_housekeeping_closes_what_nobody_asks_for_again(api_on_both):
    api = live(api_on_both, granted=1)
    await died(api)
    clock = LateClock(timedelta(seconds=61))
    later = api.with_services(clock=clock)
    for chore in chores(later.services, now=clock.now(), valuations_kept=timedelta(days=90)):
        await later.services.database.write(chore)
    [valuation] = (await later.get("/v1/valuations")).json()["items"]
    assert (valuation["status"], valuation["error"]["code"]) == ("failed", "engine_timeout")
    assert await later.credits() == 1


async def test_what_was_kept_long_enough_is_forgotten(api):
    valuation_id = (await api.value(golf())).json()["id"]
    clock = LateClock(timedelta(days=91))
    for chore in chores(api.services, now=clock.now(), valuations_kept=timedelta(days=90)):
        await api.services.database.write(chore)
    assert (await api.get(f"/v1/valuations/{valuation_id}")).status_code == 404


async def test_limits_say_when_to_come_back(api):
    limited = api.with_services(limits=CallLimits(replace(MANY, requests_per_minute=4)))
    answers = [await limited.get("/v1/account") for _ in range(3)]
    last = answers[-1]
    assert (last.status_code, last.json()["code"]) == (429, "rate_limited")
    assert last.headers["ratelimit-limit"] == "2"
    assert last.headers["ratelimit-remaining"] == "0"
    assert (await limited.get("/v1/catalogue/search?q=golf")).status_code == 200


async def test_more_valuations_at_once_than_allowed_are_told_to_wait(api_on_both):
    one_at_once = replace(MANY, concurrent_valuations=1)
    begun, go_on = asyncio.Event(), asyncio.Event()

    class Slow(StubEngine):
        async def value(self, request):
            begun.set()
            await go_on.wait()
            return await super().value(request)

    api = live(api_on_both, Slow()).with_services(limits=CallLimits(one_at_once))
    first = asyncio.create_task(api.value(golf(), "a"))
    await begun.wait()
    second = await api.value(golf(), "b")
    assert (second.status_code, second.json()["code"]) == (429, "concurrency_limited")
    go_on.set()
    assert (await first).status_code == 201
    assert (await api.value(golf(), "b")).status_code == 201
    assert await api.credits() == 3


async def test_pages_of_valuations_hold_each_one_once_newest_first(api_on_both):
    ids = [(await api_on_both.value(golf(), f"k{number}")).json()["id"] for number in range(5)]
    seen, cursor = [], None
    for _ in range(3):
        params = {"limit": 2, **({"cursor": cursor} if cursor else {})}
        page = (await api_on_both.get("/v1/valuations", params=params)).json()
        seen += [item["id"] for item in page["items"]]
        cursor = page["next_cursor"]
        assert page["truncated"] == (cursor is not None)
    assert (seen, cursor) == (sorted(ids, reverse=True), None)


async def test_valuations_are_filtered_by_what_the_caller_names(api):
    await api.value({**golf(), "external_reference": "a"}, "1")
    await api.value({**golf(mileage_km=990010), "external_reference": "b"}, "2")
    await api.value({**golf(), "country": "NL"}, "3")

    async def count(**params: str) -> int:
        return len((await api.get("/v1/valuations", params=params)).json()["items"])

    assert await count() == 3
    assert await count(status="refused") == 1
    assert await count(country="NL") == 1
    assert await count(external_reference="a") == 1
    assert await count(created_after="2000-01-01T00:00:00Z") == 3
    assert await count(created_after="2999-01-01T00:00:00Z") == 0


@pytest.mark.requirement("data.erasure")
async def test_erasing_blanks_the_car_and_keeps_what_it_cost(api_on_both):
    api = live(api_on_both)
    vehicle = {"vin": "WVWZZZAUZH8000000", "first_registration": "2017-03", "mileage_km": 90000}
    made = (await api.value({"country": "DE", "vehicle": vehicle, "external_reference": "mine"})).json()
    assert made["vehicle"]["vin_masked"] == "*************0000"
    assert "WVWZZZ" not in str(made)
    for _ in range(2):
        answer = await api.request("DELETE", f"/v1/valuations/{made['id']}")
        assert (answer.status_code, answer.content) == (204, b"")
    left = (await api.get(f"/v1/valuations/{made['id']}")).json()
    assert (left["vehicle"], left["external_reference"]) == (None, None)
    assert (left["price"], left["billing"]["credits_charged"]) == (made["price"], 1)
    assert await api.credits() == 4


async def test_the_ledger_tells_every_credit_page_by_page(api_on_both):
    api = live(api_on_both, granted=3)
    await api.value(golf())
    first = (await api.get("/v1/account/ledger", params={"limit": 2})).json()
    rest = (await api.get("/v1/account/ledger", params={"cursor": first["next_cursor"]})).json()
    lines = first["items"] + rest["items"]
    assert [line["type"] for line in lines] == ["capture", "reserve", "grant"]
    assert [line["balance_after"] for line in lines] == [2, 2, 3]
    assert lines[0]["valuation_id"].startswith("val_")


async def test_a_key_that_another_mode_used_is_free(api):
    live_api = live(api)
    assert (await api.value(golf())).json()["mode"] == "test"
    assert (await live_api.value(golf())).json()["mode"] == "live"


async def test_usage_counts_what_came_of_each_valuation(api):
    for number, mileage_km in enumerate((85000, 990010, 990020)):
        await api.value(golf(mileage_km=mileage_km), f"k{number}")
    usage = (await api.get("/v1/account")).json()["usage_this_month"]
    assert usage == {"completed": 1, "refused": 1, "failed": 1}
