"""The countries of the service, with what is the same for every car there."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

PRICE_BASES: Final = ("retail_asking", "private_asking", "trade_in", "trade")


@dataclass(frozen=True, slots=True)
class Market:
    """A country: its currency (ISO 4217), standard VAT in percent and the step of rounded prices."""

    code: str
    name: str
    currency: str
    vat_percent: float
    step: int = 50
    registration_tax: bool = False


MARKETS: Final[Mapping[str, Market]] = {
    market.code: market
    for market in (
        Market("DE", "Germany", "EUR", 19.0),
        Market("AT", "Austria", "EUR", 20.0),
        Market("DK", "Denmark", "DKK", 25.0, step=500, registration_tax=True),
        Market("IT", "Italy", "EUR", 22.0),
        Market("ES", "Spain", "EUR", 21.0),
        Market("PL", "Poland", "PLN", 23.0, step=100),
        Market("PT", "Portugal", "EUR", 23.0, registration_tax=True),
        Market("SE", "Sweden", "SEK", 25.0, step=500),
        Market("FI", "Finland", "EUR", 25.5, registration_tax=True),
        Market("RO", "Romania", "EUR", 21.0),
        Market("GB", "United Kingdom", "GBP", 20.0),
        Market("NL", "Netherlands", "EUR", 21.0, registration_tax=True),
        Market("CH", "Switzerland", "CHF", 8.1),
        Market("FR", "France", "EUR", 20.0),
    )
}
"""By ISO 3166-1 alpha-2 code. Prices in Romania are advertised in euros."""
