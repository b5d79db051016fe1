"""The second part of the tour: an owner asks what a car is worth, and the assistant takes the five steps.

It uses the test key, so every value is simulated and the same each time: the published vector is the check.
"""

from typing import Any

from forecourt.demo.visit import Payload, TourStopped, Visit

COUNTRY = "DE"
CANDIDATES = {"hsn": "9999", "tsn": "201"}
"""A number of test mode that stands for two cars, as many numbers do."""

VECTOR_CAR = {
    "hsn_tsn": {"hsn": "0603", "tsn": "BJM"},
    "first_registration": "2019-05",
    "mileage_km": 85_000,
}
VECTOR_VALUE = (15_500, "EUR", 13_800, 17_200, "C")
"""What the published formula of test mode says of `VECTOR_CAR` in Germany."""

NO_MARKET_KM = 990_010
"""A mileage at which test mode refuses for lack of data."""


async def see_the_account(visit: Visit) -> None:
    """Step one: what the key may do."""
    account = await _asked(visit, "I want to sell a car. What is it worth?", "get_account")
    visit.tell(
        f"a {account['key']['mode']} key of {account['organization']['name']}: values are simulated and free",
        f"markets {', '.join(country['code'] for country in account['countries'])}",
    )
    markets = {country["code"] for country in account["countries"]}
    visit.check(
        "test mode, every scope, and Germany among the markets",
        got=(account["key"]["mode"], len(account["scopes"]), COUNTRY in markets),
        expected=("test", 5, True),
    )


async def tell_two_cars_apart(visit: Visit) -> Payload:
    """Step two: ask the owner which of two cars an identity means; return the ids of the chosen one."""
    answer = await _asked(visit, "The papers say HSN 9999, TSN 201.", "decode_hsn_tsn", **CANDIDATES)
    candidates = answer["candidates"]
    visit.tell(*(candidate["label"] for candidate in candidates), "Which of them is it?")
    visit.check(
        "both gearboxes, none chosen on the owner's behalf",
        got=(answer["match"]["status"], sorted(candidate["transmission"] for candidate in candidates)),
        expected=("ambiguous", ["automatic", "manual"]),
    )
    chosen: Payload = next(
        candidate["catalogue"] for candidate in candidates if candidate["transmission"] == "manual"
    )
    return chosen


async def value_the_chosen_car(visit: Visit, catalogue: Payload, *, key: str) -> None:
    """Steps three to five: value it under a new key and report everything."""
    car = {"catalogue": catalogue, "first_registration": "2019-05", "mileage_km": 85_000}
    value = await _valued(visit, "The one with manual gears, from May 2019, 85,000 km.", car, key=key)
    _report(visit, value)
    interval = value["interval"]
    visit.check(
        "a price inside its interval, marked as simulated, nothing charged",
        got=(
            interval["low"] <= value["price"] <= interval["high"],
            "simulated" in [note["code"] for note in value["notes"]],
            value["billing"]["credits_charged"],
        ),
        expected=(True, True, 0),
    )


async def value_the_published_car(visit: Visit, *, key: str) -> str:
    """Value the car whose simulated price is published; return the id of the valuation."""
    value = await _valued(visit, "And the same with HSN 0603, TSN BJM?", VECTOR_CAR, key=key)
    _report(visit, value)
    shown = (
        value["price"],
        value["currency"],
        value["interval"]["low"],
        value["interval"]["high"],
        value["grade"],
    )
    visit.check("exactly what the published formula says", got=shown, expected=VECTOR_VALUE)
    return str(value["id"])


async def ask_again_after_a_lost_answer(visit: Visit, *, key: str, valuation_id: str) -> None:
    """Send the same key and arguments again, as after a broken connection."""
    value = await _valued(visit, "The answer got lost. Try again.", VECTOR_CAR, key=key)
    visit.tell(f"{value['price']:,} {value['currency']}, replayed: {str(value['replayed']).lower()}")
    visit.check(
        "the same valuation and no second charge",
        got=(value["id"], value["replayed"]),
        expected=(valuation_id, True),
    )


async def meet_a_refusal(visit: Visit, *, key: str) -> None:
    """Ask for a car that cannot be priced honestly."""
    car = {**VECTOR_CAR, "mileage_km": NO_MARKET_KM}
    request = {"country": COUNTRY, "vehicle": car, "idempotency_key": key}
    answer = await visit.put("And one that nobody else sells?", "valuate_car", request)
    value = answer.payload
    visit.tell(f"{value['error']['code']}: {value['error']['detail']}")
    visit.check(
        "refused with a reason and without a number",
        got=(answer.is_error, value["status"], value["error"]["code"], value["price"]),
        expected=(True, "refused", "insufficient_market_data", None),
    )


def _report(visit: Visit, value: Payload) -> None:
    interval = value["interval"]
    visit.tell(
        f"{value['price']:,} {value['currency']} ({value['price_basis']}), grade {value['grade']}; "
        f"eight of ten such cars between {interval['low']:,} and {interval['high']:,}",
        *(
            f"{kind[:-1]}: {remark['message']}"
            for kind in ("warnings", "hints", "notes")
            for remark in value[kind]
        ),
        value["attribution_text"],
    )


async def _valued(visit: Visit, question: str, car: Payload, *, key: str) -> Payload:
    return await _asked(visit, question, "valuate_car", country=COUNTRY, vehicle=car, idempotency_key=key)


async def _asked(visit: Visit, question: str, tool: str, **arguments: Any) -> Payload:
    answer = await visit.put(question, tool, arguments)
    if answer.is_error:
        raise TourStopped(f"{tool} answered with an error: {answer.payload.get('code')}")
    return answer.payload
