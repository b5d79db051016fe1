"""The inventory search of one dealer: an immutable in-memory columnar index over AAP vehicles.

`SearchIndex.build` takes the vehicles one by one, `build_from_blocks` as columns; `search`, `facets` and
`find` answer the three inventory skills.
"""

from forecourt.dealer.search.answers import FacetsAnswer, FoundVehicle, SearchAnswer
from forecourt.dealer.search.blocks import Block
from forecourt.dealer.search.index import SearchIndex

__all__ = ["Block", "FacetsAnswer", "FoundVehicle", "SearchAnswer", "SearchIndex"]
