"""What is said of cars with a catalogue: texts are read and the catalogue is walked."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from forecourt.catalogue.catalogue import Catalogue
from forecourt.catalogue.current import CurrentCatalogue
from forecourt.catalogue.search import catalogue_item, search_vehicles
from forecourt.identify.text import normalize_vehicle
from forecourt.operations.identity import Identity, Lookup
from forecourt.operations.without_catalogue import WITHOUT_CATALOGUE

Answer = Callable[[Catalogue, Mapping[str, Any]], dict[str, Any]]


def with_catalogue(catalogue: CurrentCatalogue) -> Identity:
    """Return who knows the cars of a catalogue, as it is at each call."""
    return replace(
        WITHOUT_CATALOGUE,
        normalize_vehicle=_on(catalogue, normalize_vehicle),
        search_vehicles=_on(catalogue, search_vehicles),
        catalogue_item=_on(catalogue, catalogue_item),
    )


def _on(catalogue: CurrentCatalogue, answer: Answer) -> Lookup:
    async def lookup(arguments: Mapping[str, Any]) -> dict[str, Any]:
        return answer(await catalogue.current(), arguments)

    return lookup
