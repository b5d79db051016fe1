"""The answers of the index: JSON that is ready to send, and Python values for who wants them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic_core import from_json

from forecourt.dealer.search.facets import Facets

LONGEST_MESSAGE: Final = 2000
"""Characters that AAP v1.3 allows in `message`."""


def joined_message(messages: Sequence[str]) -> str | None:
    """Return remarks as the `message` of an answer; None without any."""
    return " ".join(messages)[:LONGEST_MESSAGE] or None


def left_out_remark(currencies: Sequence[str]) -> tuple[str, ...]:
    """Return what to say about prices that an answer leaves out."""
    if not currencies:
        return ()
    return (f"Prices in {' and '.join(currencies)} are left out: AAP v1.3 knows only whole US dollars.",)


@dataclass(frozen=True)
class SearchAnswer:
    """One page of `inventory.search`."""

    total: int
    skip: int
    limit: int
    """The effective limit."""
    payloads: tuple[bytes, ...]
    """The vehicles of the page as JSON objects."""
    facets: Facets | None
    messages: tuple[str, ...]

    @property
    def message(self) -> str | None:
        """Return the remarks as one text."""
        return joined_message(self.messages)

    def encoded(self) -> bytes:
        """Return the `data` of the AAP response as JSON."""
        head = b'{"total":%d,"skip":%d,"limit":%d,"vehicles":[' % (self.total, self.skip, self.limit)
        end = b"]}" if self.facets is None else b'],"facets":%b}' % self.facets.encoded
        return b"".join((head, b",".join(self.payloads), end))

    def data(self) -> dict[str, Any]:
        """Return the `data` of the AAP response."""
        data: dict[str, Any] = from_json(self.encoded())
        return data


@dataclass(frozen=True)
class FacetsAnswer:
    """The facets of `inventory.facets`."""

    facets: Facets
    messages: tuple[str, ...]

    @property
    def message(self) -> str | None:
        """Return the remarks as one text."""
        return joined_message(self.messages)

    def encoded(self) -> bytes:
        """Return the `data` of the AAP response as JSON."""
        return self.facets.encoded

    def data(self) -> dict[str, Any]:
        """Return the `data` of the AAP response."""
        return self.facets.data()


@dataclass(frozen=True)
class FoundVehicle:
    """The vehicle of `inventory.vehicle`, with everything."""

    vehicle: dict[str, Any]
    messages: tuple[str, ...]

    @property
    def message(self) -> str | None:
        """Return the remarks as one text."""
        return joined_message(self.messages)

    def data(self) -> dict[str, Any]:
        """Return the `data` of the AAP response."""
        return self.vehicle
