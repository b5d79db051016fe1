"""What the American registration of makers says of a VIN: NHTSA's vPIC, offline, through `ultravin`.

It knows every car sold in the United States and Canada, and little of any other. The package is part of the
extra `forecourt[data]`; without it nothing is read here, and the other tables answer alone.
"""

import importlib
import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Final, NamedTuple

from forecourt.identify.vin_makers import make_named

_HP_TO_KW: Final = 0.745699872
"""American horsepower, as vPIC has it."""
_READ_AS_IS: Final = frozenset({0, 1, 6, 7, 8, 9, 10, 14})
"""Error codes under which the VIN was read as it stands; under all others a character was exchanged first."""
_HEAVY_CLASS: Final = re.compile(r"Class ([3-8])\b")
_LIGHT: Final = frozenset({"PASSENGER CAR", "MULTIPURPOSE PASSENGER VEHICLE (MPV)"})
_SERIES: Final = re.compile(r"(\d)-Series")
_FUELS: Final = {
    "gasoline": "petrol",
    "diesel": "diesel",
    "electric": "electric",
    "flexible fuel vehicle (ffv)": "ethanol",
    "ethanol (e85)": "ethanol",
    "compressed natural gas (cng)": "cng",
    "liquefied petroleum gas (propane or lpg)": "lpg",
    "fuel cell": "hydrogen",
    "compressed hydrogen/hydrogen": "hydrogen",
}
_ELECTRIFIED: Final = (
    ("bev", "electric"),
    ("phev", "plugin_hybrid"),
    ("mild", "mild_hybrid"),
    ("hev", "hybrid"),
)
_BODIES: Final = (
    ("sport utility truck", "pickup"),
    ("utility", "suv"),
    ("pickup", "pickup"),
    ("sedan", "saloon"),
    ("hatchback", "hatchback"),
    ("convertible", "convertible"),
    ("coupe", "coupe"),
    ("wagon", "estate"),
    ("minivan", "mpv"),
    ("van", "van"),
)
_DRIVES: Final = (("awd", "awd"), ("4wd", "awd"), ("fwd", "fwd"), ("rwd", "rwd"))


class VpicReading(NamedTuple):
    """What vPIC says, in our words; None where it does not know.

    `whole` says that every character was understood and the check digit fits; `as_is` that the VIN was read
    without exchanging a character first.
    """

    make: str | None
    model: str | None
    year: int | None
    heavy: bool
    whole: bool
    as_is: bool
    suggestion: str | None
    said: Mapping[str, Any]
    """vPIC's own attributes by their own names."""

    def details(self) -> Sequence[tuple[str, str | int | None]]:
        """Return what is known besides make, model and year, by the names and in words of the contract."""
        said = self.said.get
        return (
            ("variant", _variant(self.model, said("Model"), said("Trim"), said("Series"))),
            (
                "fuel",
                _first(_ELECTRIFIED, said("Electrification Level")) or _fuel(said("Fuel Type - Primary")),
            ),
            ("body_type", _first(_BODIES, said("Body Class"))),
            ("drive", _first(_DRIVES, said("Drive Type"))),
            ("transmission", _transmission(said("Transmission Style"))),
            ("displacement_cc", _rounded(said("Displacement (CC)"))),
            ("power_kw", _rounded(said("Engine Brake (hp) From"), _HP_TO_KW)),
            ("doors", _rounded(said("Doors"))),
        )


@cache
def _decoder() -> ModuleType | None:
    return importlib.import_module("ultravin") if find_spec("ultravin") else None


def available() -> bool:
    """Tell whether `ultravin` is installed."""
    return _decoder() is not None


def read_vpic(vin: str) -> VpicReading | None:
    """Return what vPIC says of a VIN; None when `ultravin` is not installed."""
    decoder = _decoder()
    return None if decoder is None else _reading(decoder.decode(vin))


def read_vpic_batch(vins: Sequence[str]) -> Sequence[VpicReading | None]:
    """Return what vPIC says of many VINs, at a fraction of the cost of one after the other."""
    decoder = _decoder()
    return (
        [None] * len(vins) if decoder is None else [_reading(one) for one in decoder.decode_batch(list(vins))]
    )


def _reading(decoded: Mapping[str, Any]) -> VpicReading:
    said: Mapping[str, Any] = decoded["attributes"]
    errors = decoded["error_codes"]
    make, suggestion = said.get("Make"), said["Suggested VIN"]
    return VpicReading(
        make_named(make) if make else None,
        _model(said),
        decoded["model_year"],
        _is_heavy(said),
        errors == [0],
        _READ_AS_IS.issuperset(errors),
        suggestion if suggestion and "!" not in suggestion else None,
        said,
    )


def _model(said: Mapping[str, Any]) -> str | None:
    """Return the model line: vPIC has `435i` of the `4-Series` where everybody else says 4 Series."""
    model, series = said.get("Model"), said.get("Series")
    if model and series and _SERIES.fullmatch(series) and model[0] == series[0]:
        return f"{series[0]} Series"
    return model or None


def _is_heavy(said: Mapping[str, Any]) -> bool:
    """Tell whether position 7 says nothing of the year: above 10,000 lb, or no car at all (49 CFR 565.15)."""
    if said.get("Vehicle Type") in _LIGHT:
        return False
    return _HEAVY_CLASS.match(said.get("Gross Vehicle Weight Rating From") or "") is not None


@lru_cache(4096)
def _variant(line: str | None, model: str | None, trim: str | None, series: str | None) -> str | None:
    """Return trim and series, and vPIC's own model where we name the line that it belongs to."""
    own = model if model != line else None
    parts = (own, trim, None if series and _SERIES.fullmatch(series) else series)
    return " ".join(dict.fromkeys(filter(None, parts))) or None


@cache
def _fuel(text: str | None) -> str | None:
    return _FUELS.get((text or "").casefold())


@cache
def _transmission(style: str | None) -> str | None:
    return None if not style else "manual" if "manual" in style.casefold() else "automatic"


@cache
def _first(words: tuple[tuple[str, str], ...], text: str | None) -> str | None:
    """Return the meaning of the first word in a text. vPIC has few texts, so all are remembered."""
    folded = (text or "").casefold()
    return next((meaning for word, meaning in words if word in folded), None)


@lru_cache(4096)
def _rounded(text: str | None, factor: float = 1.0) -> int | None:
    try:
        return round(float(text) * factor) if text else None
    except ValueError:
        return None
