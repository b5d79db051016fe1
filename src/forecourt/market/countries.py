"""What an asking price means in a country: its currency, and the taxes that are in it.

General knowledge of 2026. An asking price to a consumer includes VAT, except in North America.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from forecourt.market.errors import CountryInvalid

MIXED: Final = "EU"
"""Stands for files whose rows come from several countries that the file does not tell."""


@dataclass(frozen=True, slots=True)
class Country:
    """A market's money. `vat_percent` is the standard rate, None when we do not know it.

    `registration_tax_included` says that a tax on registering is a large part of the price, so that prices do
    not carry over to other countries.
    """

    code: str
    currency: str
    vat_percent: float | None = None
    registration_tax_included: bool = False

    def tax_basis(self) -> str:
        """Say in words which taxes an asking price includes."""
        if self.code in _SALES_TAX:
            return "sales tax not included"
        vat = "VAT" if self.vat_percent is None else f"{self.vat_percent:g} % VAT"
        return f"{vat} and registration tax included" if self.registration_tax_included else f"{vat} included"


_EURO_VAT: Final[Mapping[str, float]] = {
    "AT": 20, "BE": 21, "CY": 19, "DE": 19, "EE": 24, "ES": 21, "FI": 25.5, "FR": 20, "GR": 24, "HR": 25,
    "IE": 23, "IT": 22, "LT": 21, "LU": 17, "LV": 21, "MT": 18, "NL": 21, "PT": 23, "SI": 22, "SK": 23,
    "BG": 20,
    "RO": 21,
}  # fmt: skip
_OTHERS: Final[Mapping[str, tuple[str, float | None]]] = {
    "DK": ("DKK", 25), "SE": ("SEK", 25), "PL": ("PLN", 23), "GB": ("GBP", 20), "CH": ("CHF", 8.1),
    "NO": ("NOK", 25), "CZ": ("CZK", 21), "HU": ("HUF", 27), "IS": ("ISK", 24), "LI": ("CHF", 8.1),
    "US": ("USD", None), "CA": ("CAD", None), "AU": ("AUD", 10), "NZ": ("NZD", 15), "JP": ("JPY", 10),
    "MX": ("MXN", 16), "BR": ("BRL", None), "IN": ("INR", None), "ZA": ("ZAR", 15), "AE": ("AED", 5),
    "TR": ("TRY", 20),
}  # fmt: skip
_REGISTRATION_TAX: Final = frozenset({"DK", "NL", "FI", "PT", "NO", "IE"})
_SALES_TAX: Final = frozenset({"US", "CA"})
_UNKNOWN_CURRENCY: Final = "USD"


def country_of(code: str) -> Country:
    """Return what is known of a country; raises `CountryInvalid` for what is no code.

    Romania's cars are advertised in euro. A country that we know nothing of counts in US dollars unless the
    file or its mapping says otherwise.
    """
    wanted = code.strip().upper()
    if wanted == MIXED:
        return Country(MIXED, "EUR")
    if len(wanted) != 2 or not wanted.isascii() or not wanted.isalpha():
        raise CountryInvalid("A country is an ISO 3166-1 alpha-2 code such as DE, or EU for a mixed file.")
    if wanted in _EURO_VAT:
        return Country(wanted, "EUR", _EURO_VAT[wanted], wanted in _REGISTRATION_TAX)
    currency, vat = _OTHERS.get(wanted, (_UNKNOWN_CURRENCY, None))
    return Country(wanted, currency, vat, wanted in _REGISTRATION_TAX)
