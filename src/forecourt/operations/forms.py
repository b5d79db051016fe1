"""The written forms of VINs, German type keys and plates, checked before anybody is asked for the car."""

import re
from collections.abc import Mapping
from typing import Any, Final

from forecourt.contract.errors import HsnTsnNotFound, InvalidHsn, InvalidPlate, InvalidTsn, InvalidVin

_VIN: Final = re.compile(r"[A-HJ-NPR-Z0-9]{17}")
_VIN_MISREAD: Final = str.maketrans("IOQ", "100")
_VIN_VALUES: Final = dict(
    zip(
        "ABCDEFGHJKLMNPRSTUVWXYZ",
        (1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 7, 9, 2, 3, 4, 5, 6, 7, 8, 9),
        strict=True,
    )
)
_VIN_WEIGHTS: Final = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
_TYPE_KEY: Final = re.compile(r"\s*([0-9]{4})\s*[/\- ]?\s*([A-Za-z0-9]{3})[A-Za-z0-9 ]{0,6}\s*")
_TSN: Final = re.compile(r"[A-Za-z0-9]{3}[A-Za-z0-9 ]{0,6}")
_COLLECTIVE_HSN: Final = frozenset({"0800", "0801", "0900", "0901"})
_PLATE_SEPARATORS: Final = re.compile(r"[\s.\-·‐-―]+")

_NL_FORMS: Final = (
    *("XX9999", "9999XX", "99XX99", "XX99XX", "XXXX99", "99XXXX", "99XXX9"),
    *("9XXX99", "XX999X", "X999XX", "XXX99X", "X99XXX", "9XX999", "999XX9"),
)


def _plate_form(sidecode: str) -> str:
    return sidecode.replace("X", "[A-Z]").replace("9", "[0-9]")


PLATES: Final[Mapping[str, re.Pattern[str]]] = {
    "NL": re.compile("|".join(_plate_form(form) for form in _NL_FORMS)),
    "GB": re.compile(
        r"[A-Z]{2}[0-9]{2}[A-Z]{3}|[A-Z][0-9]{1,3}[A-Z]{3}|[A-Z]{3}[0-9]{1,3}[A-Z]|[0-9]{1,4}[A-Z]{1,3}|[A-Z]{1,3}[0-9]{1,4}"
    ),
    "NO": re.compile(r"[A-Z]{2}[0-9]{4,5}"),
    "DK": re.compile(r"[A-Z]{2}[0-9]{5}|[A-ZÆØÅ0-9]{2,7}"),
    "SE": re.compile(r"[A-HJ-PR-UW-Z]{3}[0-9]{2}[A-HJ-NPR-UW-Z0-9]|[A-ZÅÄÖ0-9]{2,7}"),
    "FI": re.compile(r"[A-ZÅÄÖ]{2,3}[0-9]{1,3}"),
}
"""What a plate of a country looks like once separators are gone."""


def clean_vin(text: str) -> str:
    """Return a VIN without spaces and hyphens in capitals; raises `InvalidVin`, with what may be meant."""
    vin = re.sub(r"[\s\-]+", "", text).upper()
    if _VIN.fullmatch(vin):
        return vin
    meant = vin.translate(_VIN_MISREAD)
    details = {"suggestion": meant} if _VIN.fullmatch(meant) else {}
    raise InvalidVin("A VIN has 17 letters and digits, without I, O and Q.", details=details)


def check_digit(vin: str) -> dict[str, Any]:
    """Return what position 9 says (ISO 3779); it only counts where makers must use it, in North America."""
    total = sum(
        (int(letter) if letter.isdigit() else _VIN_VALUES[letter]) * weight
        for letter, weight in zip(vin, _VIN_WEIGHTS, strict=True)
    )
    expected = "0123456789X"[total % 11]
    applies = vin[0] in "12345"
    return {
        "expected": expected,
        "actual": vin[8],
        "applies": applies,
        "passed": vin[8] == expected if applies else None,
    }


def type_key(arguments: Mapping[str, Any]) -> tuple[str, str, bool]:
    """Return HSN, TSN and whether the TSN was cut; raises `InvalidHsn`, `InvalidTsn`, `HsnTsnNotFound`."""
    if "code" in arguments:
        match = _TYPE_KEY.fullmatch(arguments["code"])
        if match is None:
            raise InvalidHsn("Write HSN and TSN as 0603/BJM.")
        hsn, tsn = match[1], match[2].upper()
        cut = match.end(2) < len(arguments["code"].rstrip())
    else:
        hsn, full_tsn = arguments["hsn"].strip(), arguments["tsn"].strip()
        _check_hsn(hsn)
        if not _TSN.fullmatch(full_tsn):
            raise InvalidTsn("A TSN begins with 3 letters or digits.")
        tsn, cut = full_tsn[:3].upper(), len(full_tsn) > 3
    if hsn in _COLLECTIVE_HSN or tsn == "000":
        raise HsnTsnNotFound("This key stands for many cars.", details={"reason": "collective_key"})
    return hsn, tsn, cut


def clean_plate(country: str, number: str) -> str:
    """Return a plate without separators in capitals; raises `InvalidPlate` when the country has no such.

    Raises KeyError for a country that is not in `PLATES`.
    """
    plate = _PLATE_SEPARATORS.sub("", number).upper()
    if not PLATES[country].fullmatch(plate):
        raise InvalidPlate("That is not the form of a plate of this country.")
    return plate


def _check_hsn(hsn: str) -> None:
    if re.fullmatch(r"[0-9]{4}", hsn):
        return
    short = re.fullmatch(r"[0-9]{1,3}", hsn) is not None
    raise InvalidHsn("An HSN has 4 digits.", details={"suggestion": hsn.zfill(4)} if short else {})
