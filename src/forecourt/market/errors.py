"""Why listings cannot become market data.

InvalidInput
├── CountryInvalid       no ISO 3166-1 alpha-2 code, and not `EU`
├── NoMarketListings     the file has no row below its header
└── SimulatedMarketMixed real and simulated listings do not go into one market
NotFound
└── MarketEmpty          nothing was imported for a country yet
"""

from forecourt.base.errors import InvalidInput, NotFound


class CountryInvalid(InvalidInput):
    """A market is named by an ISO 3166-1 alpha-2 code, or by `EU` for a mixed file."""

    code = "country_invalid"


class NoMarketListings(InvalidInput):
    """There is a header and nothing below it."""

    code = "no_market_listings"


class SimulatedMarketMixed(InvalidInput):
    """A market is either real or simulated: prices learned from both would be neither."""

    code = "simulated_market_mixed"


class MarketEmpty(NotFound):
    """No listing was imported for the country yet."""

    code = "market_empty"
