"""The Dutch register: RDW open data, one data set of vehicles and one of their fuels, joined by plate.

Free and without a key; Socrata, which serves it, throttles callers without an application token. It has
no VIN and no keeper. Every value is a text: dates are YYYYMMDD, and 0 often stands for "not known".
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlencode

from forecourt.base.clock import SYSTEM_CLOCK, Clock
from forecourt.fetch.client import Fetch, Limits
from forecourt.identify.registers.calling import LIMITS, RegisterCalls
from forecourt.identify.registers.register import (
    DERIVED,
    RegisteredVehicle,
    RegisterEntry,
    Source,
    Status,
    known,
    stated,
)
from forecourt.identify.registers.values import compact_date, whole
from forecourt.identify.text import Fact

OPEN_DATA: Final = "https://opendata.rdw.nl"
SOURCE: Final = Source("RDW", "CC0 1.0", "Vehicle data: RDW open data (CC0 1.0).")
_VEHICLES: Final = "m9d7-ebf2"
_FUELS: Final = "8ys7-d773"
_UNKNOWN: Final = frozenset({"", "n.v.t.", "niet geregistreerd", "geen verstrekking in open data"})
_CARS: Final = frozenset({"personenauto", "bedrijfsauto"})
_ELECTRICITY: Final = "elektriciteit"
_PLUGS_IN: Final = "OVC-"
_CHARGES_ITSELF: Final = "NOVC-"
_FUEL: Final[Mapping[str, str]] = {
    "benzine": "petrol",
    "diesel": "diesel",
    _ELECTRICITY: "electric",
    "lpg": "lpg",
    "cng": "cng",
    "lng": "cng",
    "waterstof": "hydrogen",
    "alcohol": "ethanol",
}
_BESIDE_PETROL: Final = ("lpg", "cng", "ethanol")
_BODY: Final[Mapping[str, str]] = {
    "hatchback": "hatchback",
    "sedan": "saloon",
    "stationwagen": "estate",
    "coupe": "coupe",
    "cabriolet": "convertible",
    "mpv": "mpv",
    "terreinvoertuig": "suv",
    "pick-up truck": "pickup",
    "gesloten opbouw": "van",
}
_COLOUR: Final[Mapping[str, str]] = {
    "beige": "beige", "blauw": "blue", "bruin": "brown", "creme": "cream", "geel": "yellow", "grijs": "grey",
    "groen": "green", "oranje": "orange", "paars": "purple", "rood": "red", "rose": "pink", "wit": "white",
    "zwart": "black",
}  # fmt: skip

Row = Mapping[str, Any]


class RdwRegister:
    """Plates of the Netherlands."""

    source = SOURCE

    def __init__(
        self,
        fetch: Fetch,
        *,
        app_token: str = "",
        base_url: str = OPEN_DATA,
        limits: Limits = LIMITS,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self._calls = RegisterCalls(fetch, name=SOURCE.name, limits=limits, clock=clock)
        self._headers = {"accept": "application/json"} | ({"x-app-token": app_token} if app_token else {})
        self._base_url = base_url

    async def find(self, number: str) -> tuple[RegisteredVehicle, ...]:
        """Return the vehicles of a plate; raises `UpstreamUnavailable`."""
        vehicles, fuels = await asyncio.gather(self._rows(_VEHICLES, number), self._rows(_FUELS, number))
        return tuple(_vehicle(row, fuels) for row in vehicles)

    async def _rows(self, data_set: str, number: str) -> Sequence[Row]:
        query = urlencode({"kenteken": number})
        rows = await self._calls.get(f"{self._base_url}/resource/{data_set}.json?{query}", self._headers)
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            self._calls.malformed()
        return rows


def _vehicle(row: Row, fuels: Sequence[Row]) -> RegisteredVehicle:
    return RegisteredVehicle(
        _entry(row), known(_facts(row, fuels)), is_car=_text(row, "voertuigsoort").lower() in _CARS
    )


def _entry(row: Row) -> RegisterEntry:
    first = compact_date(row.get("datum_eerste_toelating"))
    first_here = compact_date(
        row.get("datum_eerste_tenaamstelling_in_nederland") or row.get("datum_eerste_afgifte_nederland")
    )
    return RegisterEntry(
        first_registration=first,
        first_registration_country="NL" if first is not None and first == first_here else None,
        status=_status(row),
        type_approval=_text(row, "typegoedkeuringsnummer") or None,
        variant=_text(row, "variant") or None,
        version=_text(row, "uitvoering") or None,
        inspection_due=compact_date(row.get("vervaldatum_apk")),
        colour=_colour(row),
        catalogue_price_new=whole(row.get("catalogusprijs")),
    )


def _facts(row: Row, fuels: Sequence[Row]) -> Mapping[str, Fact | None]:
    body = _text(row, "inrichting")
    colour = _text(row, "eerste_kleur")
    return {
        "make": stated(_text(row, "merk") or None, row.get("merk")),
        "model": stated(_text(row, "handelsbenaming") or None, row.get("handelsbenaming")),
        "first_registration": stated(compact_date(row.get("datum_eerste_toelating"))),
        "body_type": stated(_BODY.get(body.lower()), body),
        "doors": stated(whole(row.get("aantal_deuren"))),
        "seats": stated(whole(row.get("aantal_zitplaatsen"))),
        "displacement_cc": stated(whole(row.get("cilinderinhoud"))),
        "colour": stated(_colour(row), colour),
        "fuel": _fuel(fuels),
        "power_kw": stated(_power_kw(fuels)),
    }


def _fuel(fuels: Sequence[Row]) -> Fact | None:
    """Return the class of all fuels together; a plug-in and a full hybrid differ by the class alone."""
    raw = " + ".join(_text(row, "brandstof_omschrijving") for row in fuels)
    kinds = [_FUEL.get(_text(row, "brandstof_omschrijving").lower(), "other") for row in fuels]
    hybrid = next(filter(None, (_text(row, "klasse_hybride_elektrisch_voertuig") for row in fuels)), "")
    if hybrid.startswith(_PLUGS_IN):
        return stated("plugin_hybrid", raw)
    if hybrid.startswith(_CHARGES_ITSELF):
        return stated("hybrid", raw)
    if "electric" in kinds and len(set(kinds)) > 1:
        return Fact("hybrid", DERIVED, "register", raw)
    gas = next((kind for kind in _BESIDE_PETROL if kind in kinds), None)
    return stated(gas or next(iter(kinds), None), raw)


def _power_kw(fuels: Sequence[Row]) -> int | None:
    """Return the power of the combustion engine, or of the motor of an electric car."""
    engines = [row for row in fuels if _text(row, "brandstof_omschrijving").lower() != _ELECTRICITY]
    powers = [whole(row.get("nettomaximumvermogen")) for row in engines]
    if not engines:
        powers = [
            whole(row.get("netto_max_vermogen_elektrisch")) or whole(row.get("nettomaximumvermogen"))
            for row in fuels
        ]
    return max((power for power in powers if power is not None), default=None)


def _status(row: Row) -> Status:
    return "exported" if _text(row, "export_indicator").lower() == "ja" else "registered"


def _colour(row: Row) -> str | None:
    return _COLOUR.get(_text(row, "eerste_kleur").lower())


def _text(row: Row, name: str) -> str:
    value = row.get(name)
    text = value.strip() if isinstance(value, str) else ""
    return "" if text.lower() in _UNKNOWN else text
