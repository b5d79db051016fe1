"""Rules about `inventory.search`, `inventory.vehicle` and `inventory.facets`."""

from collections import Counter
from collections.abc import Collection
from typing import Any

from forecourt.check.dealer import DealerUnderTest, listed
from forecourt.check.expectations import (
    aap_error,
    floats_where_integers_belong,
    listed_failures,
    refused_at,
    valid,
)
from forecourt.check.rule import Level, Rule

_SEARCH = "inventory.search.request"
_VEHICLE = "inventory.vehicle.request"
_FACETS = "inventory.facets.request"
_HARD_CAP = 100
_IDENTIFIERS = ("vin", "stock", "vehicle_id")
_UNKNOWN_ID = "forecourt-check-no-such-vehicle"
_COUNTS = frozenset(("total", "skip", "limit", "count"))
_AMOUNTS = frozenset(("price", "list_price", "msrp", "amount"))
_MEASURES = frozenset(("year", "mileage", "city_mpg", "highway_mpg", "displacement_cc"))


async def _search(dealer: DealerUnderTest, **fields: object) -> dict[str, Any]:
    """Return the data of a search: the first hundred vehicles unless said otherwise."""
    return (await dealer.ask(_SEARCH, **{"pagination": {"limit": _HARD_CAP}, **fields})).data


async def _vehicles(dealer: DealerUnderTest, **fields: object) -> list[dict[str, Any]]:
    return listed(await _search(dealer, **fields), "vehicles")


async def _answers_fit_the_schema(dealer: DealerUnderTest) -> Collection[str]:
    reply = await dealer.ask(_SEARCH, pagination={"skip": 0, "limit": _HARD_CAP})
    return valid("inventory-search-response", reply.payload)


async def _is_anonymous(dealer: DealerUnderTest) -> Collection[str]:
    reply = await dealer.ask(_SEARCH, privacy={"anonymous": True}, pagination={"limit": 1})
    return valid("inventory-search-response", reply.payload)


async def _pages_as_asked(dealer: DealerUnderTest) -> Collection[str]:
    first = await _search(dealer, pagination={"skip": 0, "limit": 2})
    second = await _search(dealer, pagination={"skip": 1, "limit": 1})
    total, one, two = first.get("total", 0), listed(first, "vehicles"), listed(second, "vehicles")
    checks = {
        "A page of 2 holds another number of vehicles.": len(one) == min(2, total),
        "total differs between two pages.": second.get("total") == total,
        "Page 2 of size 1 is not the second vehicle of page 1.": one[1:2] == two,
    }
    return [sentence for sentence, holds in checks.items() if not holds]


async def _echoes_the_page(dealer: DealerUnderTest) -> Collection[str]:
    data = await _search(dealer, pagination={"skip": 1, "limit": 3})
    echo = (data.get("skip"), data.get("limit"))
    return [] if echo == (1, 3) else [f"Asked for skip 1 and limit 3, the answer says {echo}."]


async def _caps_the_page(dealer: DealerUnderTest) -> Collection[str]:
    data = await _search(dealer, pagination={"limit": 1000})
    size = len(listed(data, "vehicles"))
    found = [f"A limit of 1000 gives {size} vehicles."] if size > _HARD_CAP else []
    told = data.get("limit", _HARD_CAP)
    return found + ([f"The answer says limit {told}."] if told > _HARD_CAP else [])


async def _refuses_too_large_a_page(dealer: DealerUnderTest) -> Collection[str]:
    return refused_at(await dealer.ask(_SEARCH, pagination={"limit": 5000}), "/pagination/limit")


async def _refuses_unknown_filters(dealer: DealerUnderTest) -> Collection[str]:
    return refused_at(await dealer.ask(_SEARCH, filters={"colour": ["red"]}), "/filters/colour")


async def _refuses_wrong_types(dealer: DealerUnderTest) -> Collection[str]:
    filters = {"make": "Honda", "year_min": "2020", "dc_fast_charge": "yes"}
    pointers = [f"/filters/{name}" for name in filters]
    return refused_at(await dealer.ask(_SEARCH, filters=filters), *pointers)


async def _refuses_a_lower_case_vin(dealer: DealerUnderTest) -> Collection[str]:
    return refused_at(await dealer.ask(_SEARCH, filters={"vin": "1hgcv1f30na000000"}), "/filters/vin")


async def _lists_every_failure(dealer: DealerUnderTest) -> Collection[str]:
    filters = {"condition": ["broken"], "price_min": -1, "horsepower": 500}
    reply = await dealer.ask(_SEARCH, filters=filters, sort={"field": "age", "order": "up"})
    places = (
        "/filters/condition/0",
        "/filters/price_min",
        "/filters/horsepower",
        "/sort/field",
        "/sort/order",
    )
    entries = listed_failures(reply)
    incomplete = [entry for entry in entries if not {"instanceLocation", "keyword", "error"} <= entry.keys()]
    found = [f"{len(incomplete)} failures lack instanceLocation, keyword or error."] if incomplete else []
    return found + refused_at(reply, *places)


async def _answers_contradictory_bounds(dealer: DealerUnderTest) -> Collection[str]:
    reply = await dealer.ask(_SEARCH, filters={"price_min": 2, "price_max": 1})
    if "error" in reply.document:
        return aap_error(reply, "SCHEMA_VALIDATION_FAILED")
    return [] if reply.data.get("total") == 0 else ["A price between 2 and 1 matches vehicles."]


async def _keeps_the_price_bound(dealer: DealerUnderTest) -> Collection[str]:
    prices = sorted(each["price"] for each in await _vehicles(dealer) if "price" in each)
    if not prices:
        return []
    bound = int(prices[len(prices) // 2])
    found = await _vehicles(dealer, filters={"price_max": bound})
    unpriced = sum("price" not in each for each in found)
    above = sum(each.get("price", 0) > bound for each in found)
    sentences = [f"{unpriced} vehicles without price match a price bound."] if unpriced else []
    return sentences + ([f"{above} vehicles cost more than the bound."] if above else [])


async def _sorts_by_price(dealer: DealerUnderTest) -> Collection[str]:
    found: list[str] = []
    for order in ("asc", "desc"):
        vehicles = await _vehicles(dealer, sort={"field": "price", "order": order})
        prices = [each.get("price") for each in vehicles]
        priced = [price for price in prices if price is not None]
        if priced != sorted(priced, reverse=order == "desc"):
            found.append(f"{order}: the prices are not in order.")
        if prices[: len(priced)] != priced:
            found.append(f"{order}: a vehicle without price stands before one with a price.")
    return found


async def _says_how_fresh_it_is(dealer: DealerUnderTest) -> Collection[str]:
    stale = sum("updated_at" not in each for each in await _vehicles(dealer))
    return [f"{stale} vehicles have no updated_at."] if stale else []


async def _identifies_vehicles(dealer: DealerUnderTest) -> Collection[str]:
    nameless = sum(not any(each.get(name) for name in _IDENTIFIERS) for each in await _vehicles(dealer))
    return [f"{nameless} vehicles have neither vin nor stock nor vehicle_id."] if nameless else []


async def _names_fees_once(dealer: DealerUnderTest) -> Collection[str]:
    lists = [
        Counter(str(fee.get("name")) for fee in listed(each, "fees")) for each in await _vehicles(dealer)
    ]
    repeated = sum(any(count > 1 for count in names.values()) for names in lists)
    return [f"{repeated} vehicles name a fee twice."] if repeated else []


async def _writes_integers_as_integers(dealer: DealerUnderTest) -> Collection[str]:
    payload = (await dealer.ask(_SEARCH, pagination={"limit": _HARD_CAP})).payload
    names = sorted(set(floats_where_integers_belong(payload, _COUNTS | _AMOUNTS | _MEASURES)))
    return [f"{name} is written with a fraction." for name in names]


async def _one_vehicle(dealer: DealerUnderTest) -> tuple[dict[str, str], dict[str, Any]] | None:
    """Return how a listed vehicle is asked for, and the vehicle; None when the stock is unknown or empty."""
    vehicles = await _vehicles(dealer, pagination={"limit": 1}) if dealer.offers("inventory.search") else []
    for vehicle in vehicles:
        for name in _IDENTIFIERS:
            if vehicle.get(name):
                return {name: vehicle[name]}, vehicle
    return None


async def _finds_a_listed_vehicle(dealer: DealerUnderTest) -> Collection[str]:
    sample = await _one_vehicle(dealer)
    if sample is None:
        return []
    identifier, vehicle = sample
    reply = await dealer.ask(_VEHICLE, **identifier)
    same = all(reply.data.get(name) == vehicle.get(name) for name in _IDENTIFIERS)
    return valid("vehicle-detail-response", reply.payload) + ([] if same else ["It is another vehicle."])


async def _tells_a_vehicle_is_unknown(dealer: DealerUnderTest) -> Collection[str]:
    return aap_error(await dealer.ask(_VEHICLE, vehicle_id=_UNKNOWN_ID), "VEHICLE_NOT_FOUND")


async def _demands_an_identifier(dealer: DealerUnderTest) -> Collection[str]:
    return aap_error(await dealer.ask(_VEHICLE), "SCHEMA_VALIDATION_FAILED", "MISSING_REQUIRED_FIELD")


async def _facets_fit_the_schema(dealer: DealerUnderTest) -> Collection[str]:
    return valid("inventory-facets-response", (await dealer.ask(_FACETS)).payload)


async def _facets_refuse_paging(dealer: DealerUnderTest) -> Collection[str]:
    return refused_at(await dealer.ask(_FACETS, pagination={"limit": 1}), "/pagination")


async def _facets_count_the_filtered(dealer: DealerUnderTest) -> Collection[str]:
    makes = _counts((await dealer.ask(_FACETS)).data, "makes")
    if not makes:
        return []
    make, count = max(makes.items(), key=lambda each: each[1])
    filtered = await dealer.ask(_FACETS, filters={"make": [make]})
    counted = sum(_counts(filtered.data, "statuses").values())
    return [] if counted == count else [f"A make of {count} vehicles has {counted} when it is filtered by."]


async def _facets_agree_with_search(dealer: DealerUnderTest) -> Collection[str]:
    if not dealer.offers("inventory.search"):
        return []
    total = (await _search(dealer, pagination={"limit": 1})).get("total")
    counted = sum(_counts((await dealer.ask(_FACETS)).data, "statuses").values())
    return [] if counted == total else [f"The statuses count {counted} vehicles, a search finds {total}."]


def _counts(facets: dict[str, Any], name: str) -> dict[str, int]:
    return {str(each.get("value")): int(each.get("count", 0)) for each in listed(facets, name)}


MUST, SHOULD = Level.MUST, Level.SHOULD
_SEARCH_PAGE = "AAP 1.3, inventory.search"
_VEHICLE_PAGE = "AAP 1.3, inventory.vehicle"
_FACETS_PAGE = "AAP 1.3, inventory.facets"
_PRICING = "AAP 1.3, pricing"
_BEHAVIOUR = "AAP 1.3, behaviour rules"
_ERRORS = "AAP 1.3, errors"
_S = ("inventory.search",)
_V = ("inventory.vehicle",)
_F = ("inventory.facets",)

RULES = (
    Rule("search.schema", MUST, _SEARCH_PAGE, "An answer fits its schema.", _answers_fit_the_schema, _S),
    Rule("search.anonymous", MUST, _SEARCH_PAGE, "An anonymous search is answered.", _is_anonymous, _S),
    Rule("search.paging", MUST, _SEARCH_PAGE, "skip and limit cut one stable list.", _pages_as_asked, _S),
    Rule("search.page-echo", SHOULD, _SEARCH_PAGE, "skip and limit come back.", _echoes_the_page, _S),
    Rule("search.page-cap", SHOULD, _SEARCH_PAGE, "A page has 100 vehicles at most.", _caps_the_page, _S),
    Rule(
        "search.page-limit", MUST, _SEARCH_PAGE, "A limit of 5000 is refused.", _refuses_too_large_a_page, _S
    ),
    Rule(
        "search.unknown-filter",
        MUST,
        _SEARCH_PAGE,
        "An unknown filter is refused.",
        _refuses_unknown_filters,
        _S,
    ),
    Rule(
        "search.wrong-type",
        MUST,
        _SEARCH_PAGE,
        "Filters of a wrong type are refused.",
        _refuses_wrong_types,
        _S,
    ),
    Rule(
        "search.lower-case-vin",
        MUST,
        _SEARCH_PAGE,
        "A lower-case VIN is refused.",
        _refuses_a_lower_case_vin,
        _S,
    ),
    Rule(
        "search.all-failures",
        MUST,
        _ERRORS,
        "details.errors lists every failure at once, each with instanceLocation, keyword and error.",
        _lists_every_failure,
        _S,
    ),
    Rule(
        "search.contradiction",
        SHOULD,
        _SEARCH_PAGE,
        "A minimum above the maximum matches nothing or is refused in good form.",
        _answers_contradictory_bounds,
        _S,
    ),
    Rule(
        "search.price-bound",
        MUST,
        _PRICING,
        "A price bound counts the advertised price; vehicles without one do not match.",
        _keeps_the_price_bound,
        _S,
    ),
    Rule(
        "search.price-sort",
        MUST,
        _PRICING,
        "Sorted by price, vehicles without one come last both ways.",
        _sorts_by_price,
        _S,
    ),
    Rule("search.freshness", MUST, _BEHAVIOUR, "Every vehicle has updated_at.", _says_how_fresh_it_is, _S),
    Rule(
        "search.identifiers", MUST, _VEHICLE_PAGE, "Every vehicle can be asked for.", _identifies_vehicles, _S
    ),
    Rule("search.fee-names", MUST, _PRICING, "A vehicle names each fee once.", _names_fees_once, _S),
    Rule(
        "search.integers",
        SHOULD,
        "AAP 1.3, intro",
        "Whole numbers are written as integers: 26780, not 26780.0.",
        _writes_integers_as_integers,
        _S,
    ),
    Rule("vehicle.found", MUST, _VEHICLE_PAGE, "A listed vehicle is found.", _finds_a_listed_vehicle, _V),
    Rule(
        "vehicle.unknown",
        MUST,
        _ERRORS,
        "An unknown one is VEHICLE_NOT_FOUND.",
        _tells_a_vehicle_is_unknown,
        _V,
    ),
    Rule("vehicle.identifier", MUST, _VEHICLE_PAGE, "No identifier is refused.", _demands_an_identifier, _V),
    Rule("facets.schema", MUST, _FACETS_PAGE, "An answer fits its schema.", _facets_fit_the_schema, _F),
    Rule("facets.closed", MUST, _FACETS_PAGE, "Pagination is refused.", _facets_refuse_paging, _F),
    Rule("facets.filtered", MUST, _FACETS_PAGE, "Filters narrow the counts.", _facets_count_the_filtered, _F),
    Rule("facets.total", SHOULD, _FACETS_PAGE, "Counts agree with a search.", _facets_agree_with_search, _F),
)
