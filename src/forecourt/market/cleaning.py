"""Which rows are no evidence of what a used car is asked for, each with its reason.

A row is *dropped* while a file is read, for what stands in the row. An advert is *set aside* later, for what
the rest of the market says; it is kept and judged again whenever the market grows.
"""

import re
from collections.abc import Mapping
from datetime import date
from typing import Final

DROPPED: Final[Mapping[str, str]] = {
    "cells": "the row has more cells than the header",
    "header_again": "the row repeats the header",
    "duplicate_row": "an earlier row of the file is equal, or has the same id on the same day",
    "not_a_car": "a motorcycle, trailer, motorhome or machine",
    "no_make_or_model": "it does not say which car it is",
    "no_price": "no price, or a price on request",
    "placeholder_price": "the price stands for no price (1, 123456, 99999999)",
    "price_unreadable": "the price is no amount of money, or can be read in two ways",
    "price_too_low": "no running car is sold for so little",
    "price_too_high": "more than any car is advertised for",
    "other_currency": "the price is in another currency than the market's",
    "price_without_tax": "the price is stated without tax",
    "instalment": "the price is a monthly rate or a deposit",
    "wanted": "somebody looks for a car",
    "damaged": "damaged, written off, or for parts",
    "no_year": "neither a model year nor a first registration",
    "too_old": "registered before 1980",
    "registered_in_future": "registered after it was advertised",
    "no_mileage": "no odometer reading",
    "mileage_unreadable": "the odometer is no distance, or can be read in two ways",
    "mileage_out_of_range": "the odometer shows more than any car of its age drives",
    "date_in_future": "seen after the day of the import",
}
"""Every reason to drop a row."""

SET_ASIDE: Final[Mapping[str, str]] = {
    "price_far_from_alike": "asked for less than a quarter or more than four times of what alike cars are",
}
"""Every reason to set an advert aside."""

OLDEST_YEAR: Final = 1980
ALIKE_LEAST: Final = 8
"""So many adverts of one model and year tell what is usual."""
FARTHEST: Final = 4.0
_LEAST_EUR: Final = 250
_MOST_EUR: Final = 2_500_000
_LARGEST_INSTALMENT_EUR: Final = 2_000
_PER_EUR: Final[Mapping[str, float]] = {
    "DKK": 7.5, "SEK": 11, "NOK": 11, "PLN": 4.3, "CZK": 25, "HUF": 400, "ISK": 150, "JPY": 160, "INR": 95,
    "MXN": 20, "BRL": 6, "ZAR": 20, "AED": 4, "TRY": 45,
}  # fmt: skip
"""Rough rates, for limits only: other currencies are worth about a euro."""
_MOST_KM: Final = 1_000_000
_MOST_KM_A_YEAR: Final = 150_000

_DAMAGED: Final = re.compile(
    r"\b(?:salvage|parts only|for parts|spares (?:or|and) repairs?|non[- ]?runner|cat(?:egory)?[ .]?[cdsn]\b"
    r"|write[- ]?off|unfallwagen|unfallschaden|unfallauto|totalschaden|motorschaden|getriebeschaden|defekt|"
    r"bastler(?:fahrzeug)?|accident[ée]e?|pour pi[eè]ces|incidentat[ao]|per ricambi|accidentado|"
    r"para pe[cç]as|sinistrad[ao]|schadeauto|til reservedele|reservedelsbil|reservdelsbil|uszkodzon[ya])",
    re.IGNORECASE,
)
_INSTALMENT: Final = re.compile(
    r"\b(?:leasingrate|monatsrate|monatlich|mtl\.|leasing ab|per month|p/m|a month|par mois|al mese|"
    r"por m[eê]s|al mes|per maand|pr\.? m[dn]d?\.?|kr/m[åd]n|leasing|deposit only)(?!\w)"
    r"|/ ?(?:month|monat|mois|mese|mes|m[eê]s)\b",
    re.IGNORECASE,
)
_WANTED: Final = re.compile(
    r"^\W*(?:wanted|looking for|we buy|suche|gesuch|ankauf|kaufe|cherche|cerco|compro|procuro|gezocht|"
    r"k[øo]bes|k[öo]pes|kupi[eę])\b",
    re.IGNORECASE,
)
_WITHOUT_TAX: Final = re.compile(
    r"\b(?:netto|net|excl|exkl|ex\.? ?vat|plus vat|zzgl|ohne mwst|ht|hors taxe|iva esclusa|sem iva)\b"
    r"|\+ ?vat\b",
    re.IGNORECASE,
)


def reason_in_words(words: str) -> str | None:
    """Return why a row is no evidence by what it says in words; None when nothing speaks against it."""
    if _WANTED.search(words):
        return "wanted"
    return "damaged" if _DAMAGED.search(words) else None


def reason_in_price_words(text: str) -> str | None:
    """Return why a price is none to compare, by the words around the number."""
    if _INSTALMENT.search(text):
        return "instalment"
    return "price_without_tax" if _WITHOUT_TAX.search(text) else None


def reason_in_price(price: int, currency: str, *, words: str) -> str | None:
    """Return why an amount in whole units is no price of a running car.

    A small amount beside words about instalments is one; beside a large amount they only advertise a loan.
    """
    per_eur = _PER_EUR.get(currency, 1.0)
    if price < _LARGEST_INSTALMENT_EUR * per_eur and _INSTALMENT.search(words):
        return "instalment"
    if price < _LEAST_EUR * per_eur:
        return "price_too_low"
    return "price_too_high" if price > _MOST_EUR * per_eur else None


def reason_in_age(year: int, mileage_km: int, seen_on: date) -> str | None:
    """Return why year and odometer cannot be those of a car advertised on a day."""
    if year < OLDEST_YEAR:
        return "too_old"
    if year > seen_on.year + 1:
        return "registered_in_future"
    years = max(0, seen_on.year - year) + 1
    most = min(_MOST_KM, years * _MOST_KM_A_YEAR)
    return "mileage_out_of_range" if mileage_km > most else None
