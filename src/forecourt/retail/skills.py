"""The skills that a dealer answers, by id, and what an answer is."""

from collections.abc import Mapping
from typing import Any, Protocol

from forecourt.retail.dealer_information import tell_dealer_information
from forecourt.retail.dealership import Dealership
from forecourt.retail.inventory import count_facets, search_inventory, show_vehicle


class Answer(Protocol):
    """One skill for one dealer."""

    async def __call__(self, dealership: Dealership, request: dict[str, Any], /) -> bytes:
        """Validate an AAP request and return the encoded AAP response (`{"type", "data", "message"?}`).

        Raises a leaf of `aap.errors`. `request` has a `type` that is this skill's.
        """
        ...


READ_SKILLS: Mapping[str, Answer] = {
    "dealer.information": tell_dealer_information,
    "inventory.facets": count_facets,
    "inventory.search": search_inventory,
    "inventory.vehicle": show_vehicle,
}
"""Whoever asks gets these: they need no customer, no consent and no database."""
