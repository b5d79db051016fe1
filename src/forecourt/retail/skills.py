"""The skills that need no customer, no consent and no database, by id."""

from collections.abc import Mapping

from forecourt.retail.answer import Answer
from forecourt.retail.dealer_information import tell_dealer_information
from forecourt.retail.inventory import count_facets, search_inventory, show_vehicle

READ_SKILLS: Mapping[str, Answer] = {
    "dealer.information": tell_dealer_information,
    "inventory.facets": count_facets,
    "inventory.search": search_inventory,
    "inventory.vehicle": show_vehicle,
}
