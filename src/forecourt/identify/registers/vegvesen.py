"""The Norwegian register: Statens vegvesen's single look-up, with the operator's key. It has the VIN too."""

from collections.abc import Mapping
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
from forecourt.identify.registers.values import iso_date, whole
from forecourt.identify.text import Fact

LOOK_UP: Final = "https://akfell-datautlevering.atlas.vegvesen.no"
SOURCE: Final = Source("Statens vegvesen", None, "Vehicle data: Statens vegvesen, kjøretøyregisteret.")
_PATH: Final = "/enkeltoppslag/kjoretoydata"
_TECHNICAL: Final = ("godkjenning", "tekniskGodkjenning", "tekniskeData")
_ENGINE: Final = (*_TECHNICAL, "motorOgDrivverk")
_BODY: Final = (*_TECHNICAL, "karosseriOgLasteplan")
_FUEL: Final[Mapping[str, str]] = {
    "bensin": "petrol",
    "diesel": "diesel",
    "elektrisk": "electric",
    "elektrisitet": "electric",
    "hydrogen": "hydrogen",
    "gass": "cng",
    "cng": "cng",
    "lpg": "lpg",
    "etanol": "ethanol",
}
_HYBRID: Final[Mapping[str, str]] = {"LADBAR": "plugin_hybrid", "IKKE_LADBAR": "hybrid"}
_GEARBOX: Final[Mapping[str, str]] = {"M": "manual", "A": "automatic"}
_STATUS: Final[Mapping[str, Status]] = {
    "REGISTRERT": "registered",
    "AVREGISTRERT": "suspended",
    "AVREGISTRERT_VRAKPANT": "scrapped",
    "VRAKET": "scrapped",
    "UTFORT": "exported",
    "AVREGISTRERT_UTFORT": "exported",
}


class VegvesenRegister:
    """Plates of Norway."""

    source = SOURCE

    def __init__(
        self,
        fetch: Fetch,
        *,
        key: str,
        base_url: str = LOOK_UP,
        limits: Limits = LIMITS,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self._calls = RegisterCalls(fetch, name=SOURCE.name, limits=limits, clock=clock)
        self._headers = {"accept": "application/json", "svv-authorization": f"Apikey {key}"}
        self._url = base_url + _PATH

    async def find(self, number: str) -> tuple[RegisteredVehicle, ...]:
        """Return the vehicles of a plate; raises `UpstreamUnavailable`."""
        answer = await self._calls.get(f"{self._url}?{urlencode({'kjennemerke': number})}", self._headers)
        if answer is None:
            return ()
        vehicles = answer.get("kjoretoydataListe") if isinstance(answer, dict) else None
        if not isinstance(vehicles, list) or not all(isinstance(one, dict) for one in vehicles):
            self._calls.malformed()
        return tuple(RegisteredVehicle(_entry(one), known(_facts(one))) for one in vehicles)


def _entry(vehicle: Mapping[str, Any]) -> RegisterEntry:
    first = iso_date(_at(vehicle, "godkjenning", "forstegangsGodkjenning", "forstegangRegistrertDato"))
    first_here = iso_date(_at(vehicle, "forstegangsregistrering", "registrertForstegangNorgeDato"))
    approval = (
        _at(vehicle, "kjoretoyklassifisering", "efTypegodkjenning")
        or _at(vehicle, "godkjenning", "tekniskGodkjenning", "kjoretoyklassifisering", "efTypegodkjenning")
        or {}
    )
    return RegisterEntry(
        first_registration=first or first_here,
        first_registration_country="NO" if first_here and first in (None, first_here) else None,
        status=_STATUS.get(_at(vehicle, "registrering", "registreringsstatus", "kodeVerdi"), "unknown"),
        vin=_text(_at(vehicle, "kjoretoyId", "understellsnummer")),
        type_approval=_text(_at(approval, "typegodkjenningNrTekst")),
        variant=_text(_at(approval, "variant")),
        version=_text(_at(approval, "versjon")),
        inspection_due=iso_date(_at(vehicle, "periodiskKjoretoyKontroll", "kontrollfrist")),
        colour=_text(_named(_at(vehicle, *_BODY, "rFarge", 0))),
    )


def _facts(vehicle: Mapping[str, Any]) -> Mapping[str, Fact | None]:
    entry = _entry(vehicle)
    gearbox = _at(vehicle, *_ENGINE, "girkassetype", "kodeVerdi")
    make = _at(vehicle, *_TECHNICAL, "generelt", "merke", 0)
    make = _text(_at(make, "merke") or make)
    model = _text(_at(vehicle, *_TECHNICAL, "generelt", "handelsbetegnelse", 0))
    return {
        "make": stated(make, make),
        "model": stated(model, model),
        "first_registration": stated(entry.first_registration),
        "transmission": stated(_GEARBOX.get(gearbox), gearbox),
        "displacement_cc": stated(whole(_at(vehicle, *_ENGINE, "motor", 0, "slagvolum"))),
        "power_kw": stated(_power_kw(vehicle)),
        "fuel": _fuel(vehicle),
        "doors": stated(whole(_at(vehicle, *_BODY, "antallDorer", 0) or _at(vehicle, *_BODY, "antallDorer"))),
        "seats": stated(whole(_at(vehicle, *_TECHNICAL, "persontall", "sitteplasserTotalt"))),
        "colour": stated(entry.colour),
    }


def _supplies(vehicle: Mapping[str, Any]) -> list[Any]:
    """Return what every engine of a car burns or draws."""
    engines = _at(vehicle, *_ENGINE, "motor")
    found = [_at(engine, "drivstoff") for engine in engines] if isinstance(engines, list) else []
    return [supply for supplies in found if isinstance(supplies, list) for supply in supplies]


def _power_kw(vehicle: Mapping[str, Any]) -> int | None:
    powers = (
        whole(_at(supply, "maksNettoEffekt")) or whole(_at(supply, "maksEffektPrTime"))
        for supply in _supplies(vehicle)
    )
    return max((power for power in powers if power is not None), default=None)


def _fuel(vehicle: Mapping[str, Any]) -> Fact | None:
    names = [str(_named(_at(supply, "drivstoffKode")) or "") for supply in _supplies(vehicle)]
    raw = " + ".join(names)
    hybrid = _HYBRID.get(_at(vehicle, *_ENGINE, "hybridKategori", "kodeVerdi"))
    kinds = {_FUEL.get(name.lower(), "other") for name in names}
    if hybrid is None and "electric" in kinds and len(kinds) > 1:
        return Fact("hybrid", DERIVED, "register", raw)
    return stated(hybrid or (kinds.pop() if len(kinds) == 1 else None), raw)


def _named(code: Any) -> Any:
    return _at(code, "kodeNavn") or _at(code, "kodeBeskrivelse")


def _at(value: Any, *path: str | int) -> Any:
    """Return what stands at the end of a path, None where it breaks off."""
    for step in path:
        if isinstance(step, str) and isinstance(value, dict):
            value = value.get(step)
        elif isinstance(step, int) and isinstance(value, list) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def _text(value: Any) -> str | None:
    return value.strip() or None if isinstance(value, str) else None
