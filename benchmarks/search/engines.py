"""What every contender is: it takes the vehicles, then answers questions with a page and all facets."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Protocol

TERM_FACETS = {
    "makes": "make", "models": "model", "trims": "trim", "years": "year", "conditions": "condition",
    "transmissions": "transmission", "fuels": "fuel", "dc_fast_charge": "dc_fast_charge",
    "charge_ports": "charge_port", "drivelines": "driveline", "bodies": "body", "vehicle_types":
    "vehicle_type", "exterior_colors": "exterior_color", "interior_colors": "interior_color",
    "rooftops": "rooftop", "statuses": "status",
}  # fmt: skip
TERMS = tuple(TERM_FACETS.values())
RANGES = ("price", "mileage", "year", "displacement_cc", "electric_range_mi")
NUMBERS = ("year", "price", "mileage", "displacement_cc", "electric_range_mi")
TEXTS = ("make", "model", "trim", "exterior_color", "interior_color", "rooftop", "description")

Vehicle = dict[str, Any]


class Answer(NamedTuple):
    """What is compared between the engines."""

    total: int
    page: list[str]
    """The vehicle ids."""
    facet_sum: int
    """All counts of all term facets."""


class Engine(Protocol):
    """A contender."""

    def __init__(self, vehicles: Iterable[Vehicle]) -> None: ...

    def answer(self, request: Mapping[str, Any]) -> Any:
        """Return a page of whole vehicles and all facets; this is what is timed."""

    def compared(self, result: Any) -> Answer:
        """Return from a result what must be the same for every engine."""


def spoken(vehicle: Vehicle) -> str:
    """Return the text that `query` is looked for in, for an engine that wants one."""
    return (
        " ".join([*(str(vehicle[field]) for field in TEXTS), *vehicle["features"]]).lower().replace("-", " ")
    )


def term(vehicle: Vehicle, field: str) -> str | int | None:
    """Return a facet value; absent vehicle types are cars, flags are words."""
    value = vehicle.get(field, "car" if field == "vehicle_type" else None)
    return str(value).lower() if isinstance(value, bool) else value


def values_with_words(values: Iterable[str], asked: str) -> list[str]:
    """Return the values of a field that hold the asked words, for an engine that compares whole values."""
    return [value for value in values if f" {asked.lower()} " in f" {value.lower()} "]
