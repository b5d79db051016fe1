"""Which Vehicle fields the index knows, and the AAP filters and facets over them."""

from typing import Final, NamedTuple

from forecourt.base.vocabulary import BODIES, DRIVELINES, FUELS, MAKES, TRANSMISSIONS, Vocabulary


class TermField(NamedTuple):
    """A text field: its filter by a list of values, its facet, and how its wordings fall into classes."""

    name: str
    facet: str
    filter: str | None
    vocabulary: Vocabulary | None = None
    searched: bool = True
    """Whether the words of `query` may stand in it."""


class NumberField(NamedTuple):
    """A number field: its range facet and the filters for its lowest and highest value, both inclusive."""

    name: str
    range_facet: str | None = None
    lowest: str | None = None
    highest: str | None = None


TERM_FIELDS: Final = (
    TermField("make", "makes", "make", MAKES),
    TermField("model", "models", "model"),
    TermField("trim", "trims", "trim"),
    TermField("condition", "conditions", "condition"),
    TermField("transmission", "transmissions", "transmission", TRANSMISSIONS),
    TermField("fuel", "fuels", "fuel", FUELS),
    TermField("dc_fast_charge", "dc_fast_charge", None, searched=False),
    TermField("charge_port", "charge_ports", "charge_port"),
    TermField("driveline", "drivelines", "driveline", DRIVELINES),
    TermField("body", "bodies", "body", BODIES),
    TermField("vehicle_type", "vehicle_types", "vehicle_type"),
    TermField("exterior_color", "exterior_colors", "exterior_color"),
    TermField("interior_color", "interior_colors", "interior_color"),
    TermField("rooftop", "rooftops", "rooftops"),
    TermField("status", "statuses", None, searched=False),
)
"""The term facets but for `years`, which counts a number field."""

NUMBER_FIELDS: Final = (
    NumberField("year", "year_range", "year_min", "year_max"),
    NumberField("price", "price_range", "price_min", "price_max"),
    NumberField("list_price"),
    NumberField("msrp"),
    NumberField("mileage", "mileage_range", None, "mileage_max"),
    NumberField("displacement_cc", "displacement_cc_range", "displacement_cc_min", "displacement_cc_max"),
    NumberField(
        "electric_range_mi", "electric_range_mi_range", "electric_range_mi_min", "electric_range_mi_max"
    ),
)

IDENTIFIERS: Final = ("vin", "stock", "vehicle_id")
"""From the most specific to the least."""

STATUSES_IN_STOCK: Final = frozenset({"available", "intransit", "pending"})
"""A vehicle in any other state is out of stock and never enters (AAP v1.3, behaviour rules)."""

PROSE_FIELDS: Final = ("features", "engine", "description", "notes")
"""Fields whose words `query` finds beside those of the text fields."""

SEARCHED_FIELDS: Final = (
    *(field.name for field in TERM_FIELDS),
    *(field.name for field in NUMBER_FIELDS),
    *IDENTIFIERS,
    *PROSE_FIELDS,
    "updated_at",
)
"""Every Vehicle field that the index reads."""
