"""The tour: a shopper's questions, put to the demo dealer through a real MCP client, each answer checked."""

from collections.abc import Mapping, Sequence
from typing import Any

from forecourt.demo.dealer import Rooftop, group_name, rooftops
from forecourt.demo.expected import counts, long_range_electric, small_motorcycles, used_hybrid_suvs
from forecourt.demo.stock import StockVehicle
from forecourt.demo.visit import Payload, Visit

BUDGET = 30_000
RANGE_MILES = 250
SMALL_ENGINE_CC = 500

_ANONYMOUS = {"anonymous": True}


async def meet_the_dealer(visit: Visit) -> None:
    """Ask who the dealer is and when it is open."""
    answer = await visit.ask(
        "Who are you, and when can I come by on a Saturday?",
        "aap_dealer_information",
        type="dealer.information.request",
    )
    shown = answer["rooftops"]
    visit.tell(answer["name"])
    visit.tell(*(f"{rooftop['name']}: Saturday {_hours(rooftop, 'saturday')}" for rooftop in shown))
    visit.check(
        f"the name, {len(rooftops())} rooftops, their time zones and opening hours of the whole week",
        got=(answer["name"], [(place["name"], place["timezone"], _sales_week(place)) for place in shown]),
        expected=(
            group_name(),
            [(known.name, known.timezone, _known_week(known)) for known in rooftops().values()],
        ),
    )


async def survey_the_stock(visit: Visit, stock: Sequence[StockVehicle]) -> None:
    """Ask what there is at all."""
    answer = await visit.ask("What do you have?", "aap_inventory_facets", type="inventory.facets.request")
    facets = answer
    visit.tell(
        _listed(facets["vehicle_types"]),
        _listed(facets["conditions"]),
        f"most of {_listed(facets['makes'][:5])}",
        f"from ${facets['price_range']['min']:,} to ${facets['price_range']['max']:,}",
    )
    known = _facet_values(stock)
    expected = {(name, value, count) for name in known for value, count in counts(known[name]).items()}
    got = {(name, value, count) for name in known for value, count in _facet_counts(facets[name]).items()}
    visit.check(f"every count of {', '.join(known)}", got=got - expected, expected=expected - got)
    prices = [vehicle.price for vehicle in stock if vehicle.price is not None]
    visit.check("price range", got=facets["price_range"], expected={"min": min(prices), "max": max(prices)})


async def find_a_hybrid_suv(visit: Visit, stock: Sequence[StockVehicle]) -> Payload:
    """Look for a used hybrid SUV within the budget; return the cheapest one as the dealer listed it."""
    answer = await visit.ask(
        f"I need a used hybrid SUV, ${BUDGET:,} at most.",
        "aap_inventory_search",
        type="inventory.search.request",
        filters={"body": ["suv"], "fuel": ["hybrid"], "condition": ["used", "cpo"], "price_max": BUDGET},
        sort={"field": "price", "order": "asc"},
        pagination={"limit": 3},
        privacy=_ANONYMOUS,
    )
    expected = used_hybrid_suvs(stock, price_max=BUDGET)
    _show_page(visit, answer)
    _check_page(visit, answer, expected=expected)
    cheapest: Payload = answer["vehicles"][0]
    return cheapest


async def look_closer(visit: Visit, stock: Sequence[StockVehicle], *, vin: str) -> Payload:
    """Ask for everything about one vehicle and return it."""
    answer = await visit.ask(
        "Tell me everything about the first one.",
        "aap_inventory_vehicle",
        type="inventory.vehicle.request",
        vin=vin,
    )
    shown = answer
    known = next(vehicle for vehicle in stock if vehicle.vin == vin)
    fees = " + ".join(f"{fee['name']} ${fee['amount']:,}" for fee in shown["fees"])
    visit.tell(
        f"{_title(shown)}, {shown['exterior_color']}, {shown['mileage']:,} mi, at {shown['rooftop']}",
        f"price ${shown['price']:,} = ${shown['list_price']:,} + {fees}",
        f"{shown['engine']}, {shown['transmission']}, {shown['driveline']}; {len(shown['photos'])} photos",
    )
    visit.check("price, mileage, photos and features", got=_gist(shown), expected=_known_gist(known))
    total = shown["list_price"] + sum(fee["amount"] for fee in shown["fees"])
    visit.check("list price and fees add up to the price", got=total, expected=shown["price"])
    return shown


async def find_a_long_range_electric(visit: Visit, stock: Sequence[StockVehicle]) -> None:
    """Look for an electric car by range and fast charging."""
    answer = await visit.ask(
        f"Which electric ones go {RANGE_MILES} miles and charge fast?",
        "aap_inventory_search",
        type="inventory.search.request",
        filters={"fuel": ["bev"], "electric_range_mi_min": RANGE_MILES, "dc_fast_charge": True},
        sort={"field": "price", "order": "asc"},
        pagination={"limit": 3},
        privacy=_ANONYMOUS,
    )
    _show_page(visit, answer)
    _check_page(visit, answer, expected=long_range_electric(stock, range_min=RANGE_MILES))


async def count_small_motorcycles(visit: Visit, stock: Sequence[StockVehicle]) -> None:
    """Ask for the facets of a part of the stock."""
    answer = await visit.ask(
        f"My daughter wants a motorcycle, {SMALL_ENGINE_CC} cc at most. Which makes have one?",
        "aap_inventory_facets",
        type="inventory.facets.request",
        filters={"vehicle_type": ["motorcycle"], "displacement_cc_max": SMALL_ENGINE_CC},
    )
    makes = answer["makes"]
    visit.tell(_listed(makes))
    expected = counts(bike.model.make for bike in small_motorcycles(stock, displacement_max=SMALL_ENGINE_CC))
    visit.check("makes, every count", got=_facet_counts(makes), expected=expected)


async def ask_for_what_is_not_there(visit: Visit) -> None:
    """Ask for a stock number that nobody has, to see a typed error."""
    error = await visit.ask_in_vain(
        "And stock number 99999?",
        "aap_inventory_vehicle",
        type="inventory.vehicle.request",
        stock="99999",
    )
    visit.tell(f"{error['code']}: {error['message']}")
    visit.check(
        "a typed error that says that a retry is no use",
        got=(error["type"], error["code"], error["retryable"]),
        expected=("aap.error", "VEHICLE_NOT_FOUND", False),
    )


def _show_page(visit: Visit, page: Payload) -> None:
    visit.tell(f"{page['total']} in stock; the first {len(page['vehicles'])}:")
    visit.tell(*(_line(vehicle) for vehicle in page["vehicles"]))


def _check_page(visit: Visit, page: Payload, *, expected: Sequence[StockVehicle]) -> None:
    strangers = {vehicle["stock"] for vehicle in page["vehicles"]} - {vehicle.stock for vehicle in expected}
    visit.check(
        f"{len(expected)} such vehicles in the simulated stock, these are the cheapest of them",
        got=(page["total"], [vehicle.get("price") for vehicle in page["vehicles"]], strangers),
        expected=(len(expected), [vehicle.price for vehicle in expected[: page["limit"]]], set()),
    )


def _facet_values(stock: Sequence[StockVehicle]) -> Mapping[str, list[object | None]]:
    return {
        "vehicle_types": [vehicle.model.vehicle_type for vehicle in stock],
        "conditions": [vehicle.condition for vehicle in stock],
        "makes": [vehicle.model.make for vehicle in stock],
        "models": [vehicle.model.model for vehicle in stock],
        "years": [vehicle.year for vehicle in stock],
        "bodies": [vehicle.model.body for vehicle in stock],
        "fuels": [vehicle.model.fuel for vehicle in stock],
        "rooftops": [rooftops()[vehicle.model.rooftop].name for vehicle in stock],
        "statuses": [vehicle.status for vehicle in stock],
        "charge_ports": [vehicle.model.charge_port for vehicle in stock],
    }


def _facet_counts(facet: list[Payload]) -> dict[object, int]:
    return {entry["value"]: entry["count"] for entry in facet}


def _gist(shown: Payload) -> tuple[Any, ...]:
    return shown["price"], shown["mileage"], shown["photos"], shown["features"]


def _known_gist(known: StockVehicle) -> tuple[Any, ...]:
    return known.price, known.mileage, list(known.photos), list(known.features)


def _line(vehicle: Payload) -> str:
    price = f"${vehicle['price']:,}" if "price" in vehicle else "price on request"
    facts = f"{vehicle['mileage']:,} mi, {vehicle['condition']}, stock {vehicle['stock']}"
    return f"{_title(vehicle)}: {price}, {facts}"


def _title(vehicle: Payload) -> str:
    return f"{vehicle['year']} {vehicle['make']} {vehicle['model']} {vehicle['trim']}"


def _listed(facet: list[Payload]) -> str:
    return ", ".join(f"{entry['count']} {entry['value']}" for entry in facet)


def _hours(rooftop: Payload, day: str) -> str:
    hours = _sales_week(rooftop)[day]
    return f"{hours['open']} to {hours['close']}" if hours else "closed"


def _sales_week(rooftop: Payload) -> Mapping[str, Mapping[str, str] | None]:
    week: Mapping[str, Mapping[str, str] | None] = next(
        schedule["value"] for schedule in rooftop["schedules"] if schedule["name"] == "sales"
    )
    return week


def _known_week(rooftop: Rooftop) -> dict[str, Any]:
    return {day: None if hours == "closed" else hours for day, hours in rooftop.sales_hours.items()}
