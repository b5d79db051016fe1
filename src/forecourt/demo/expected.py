"""The right answers to the tour's questions, worked out from the simulated stock without the product."""

from collections import Counter
from collections.abc import Iterable, Sequence

from forecourt.demo.stock import StockVehicle


def used_hybrid_suvs(stock: Sequence[StockVehicle], *, price_max: int) -> list[StockVehicle]:
    """Return used and certified hybrid SUVs advertised at `price_max` or less, cheapest first.

    A plug-in hybrid is a hybrid too.
    """
    found = [
        vehicle
        for vehicle in stock
        if vehicle.model.body == "suv"
        and vehicle.model.fuel in {"hybrid", "phev"}
        and vehicle.condition in {"used", "cpo"}
        and vehicle.price is not None
        and vehicle.price <= price_max
    ]
    return sorted(found, key=_price)


def long_range_electric(stock: Sequence[StockVehicle], *, range_min: int) -> list[StockVehicle]:
    """Return fast-charging electric vehicles that go `range_min` miles or more, cheapest first."""
    found = [
        vehicle
        for vehicle in stock
        if vehicle.model.fuel == "bev"
        and vehicle.model.dc_fast_charge
        and (vehicle.model.electric_range_mi or 0) >= range_min
    ]
    return sorted((vehicle for vehicle in found if vehicle.price is not None), key=_price) + [
        vehicle for vehicle in found if vehicle.price is None
    ]


def small_motorcycles(stock: Sequence[StockVehicle], *, displacement_max: int) -> list[StockVehicle]:
    """Return motorcycles with an engine of at most `displacement_max` cubic centimetres."""
    return [
        vehicle
        for vehicle in stock
        if vehicle.model.vehicle_type == "motorcycle"
        and vehicle.model.displacement_cc is not None
        and vehicle.model.displacement_cc <= displacement_max
    ]


def counts(values: Iterable[object | None]) -> dict[object, int]:
    """Count what is there, as a facet does."""
    return dict(Counter(value for value in values if value is not None))


def _price(vehicle: StockVehicle) -> int:
    return vehicle.price or 0
