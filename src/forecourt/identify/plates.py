"""The written forms of registration plates: fourteen markets, Norway and Belgium.

A form says nothing of whether the plate was ever issued. Series that today's cars can carry are told from
personal plates, where a country lets people choose nearly anything.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Final, Literal

from forecourt.contract.errors import InvalidPlate

Kind = Literal["series", "personal"]

_SEPARATORS: Final = re.compile(r"[\s.\-·•‐-―]+")
_JOINTS: Final = re.compile(r"([_ ~])")
_SPELLED: Final = {"_": "-", " ": " ", "~": ""}
"""Between the groups of a form: a hyphen, a blank, or nothing although a separator does no harm."""
_CONFUSED: Final = {"O": "O0", "0": "0O", "I": "I1", "1": "1I"}
_MOST_CONFUSED: Final = 4

_DUTCH_SIDECODES: Final = (
    *("XX-99-99", "99-99-XX", "99-XX-99", "XX-99-XX", "XX-XX-99", "99-XX-XX", "99-XXX-9"),
    *("9-XXX-99", "XX-999-X", "X-999-XX", "XXX-99-X", "X-99-XXX", "9-XX-999", "999-XX-9"),
)
_FRENCH: Final = "[A-HJ-NP-TV-Z]"
_POLISH_AREA: Final = "[A-GI-PR-TV-Z]"
_POLISH_SIGNS: Final = {"X": "[ACE-HJ-NPR-Y]", "L": "[A-PR-Z]", "9": r"\d"}
_POLISH_DIGIT: Final = "[1-9]"
_SWISS: Final = "AG|AI|AR|BE|BL|BS|FR|GE|GL|GR|JU|LU|NE|NW|OW|SG|SH|SO|SZ|TG|TI|UR|VD|VS|ZG|ZH"
_ROMANIAN: Final = (
    "AB|AG|AR|BC|BH|BN|BR|BT|BV|BZ|CJ|CL|CS|CT|CV|DB|DJ|GJ|GL|GR|HD|HR|IF|IL|IS|MH|MM|MS|NT|OT|PH|SB|SJ|SM|"
    "SV|TL|TM|TR|VL|VN|VS"
)


@dataclass(frozen=True, slots=True)
class Plate:
    """A plate of a country: `number` without separators in capitals, `usual` as it stands on the car.

    `as_written` tells whether the separators of the text stand where the country can put some.
    """

    country: str
    number: str
    kind: Kind
    usual: str
    as_written: bool


def read_plate(country: str, text: str) -> Plate:
    """Read a plate as people write it; raises `InvalidPlate`, and KeyError for an unknown country.

    Separators do not count, except that a reading in which they stand rightly is preferred.
    """
    words = _SEPARATORS.sub(" ", text).strip().upper()
    number = words.replace(" ", "")
    for form in _forms()[country]:
        loose, exact = form.pattern.fullmatch(number), form.pattern.fullmatch(words)
        found = exact or loose
        if found:
            return Plate(country, number, form.kind, form.spelled(found), exact is not None)
    raise InvalidPlate(
        "That is not the form of a plate of this country.", details=_suggested(country, number)
    )


def plate_countries() -> tuple[str, ...]:
    """Return the countries whose plates can be read."""
    return tuple(_forms())


@dataclass(frozen=True, slots=True)
class _Form:
    kind: Kind
    pattern: re.Pattern[str]
    joints: tuple[str, ...]

    @classmethod
    def of(cls, written: str, kind: Kind, *, longest: int | None = None) -> "_Form":
        parts = _JOINTS.split(written)
        bound = f"(?=(?:[^ ] ?){{1,{longest}}}$)" if longest else ""
        pattern = bound + " ?".join(f"({group})" for group in parts[::2])
        return cls(kind, re.compile(pattern), (*(_SPELLED[joint] for joint in parts[1::2]), ""))

    def spelled(self, found: re.Match[str]) -> str:
        """Return the groups with what usually stands between them."""
        pairs = zip(found.groups(), self.joints, strict=True)
        return "".join(group + joint for group, joint in pairs).rstrip(" -")


def _suggested(country: str, number: str) -> dict[str, str]:
    """Return what is meant when a letter O or I stands for a digit or the other way round."""
    places = [_CONFUSED.get(character, character) for character in number]
    if sum(len(place) > 1 for place in places) > _MOST_CONFUSED:
        return {}
    meant = ("".join(choice) for choice in product(*places))
    forms = [form for form in _forms()[country] if form.kind == "series"]
    found = next((one for one in meant if any(form.pattern.fullmatch(one) for form in forms)), None)
    return {} if found is None else {"suggestion": found}


@cache
def _forms() -> Mapping[str, tuple[_Form, ...]]:
    forms = {
        country: tuple(_Form.of(one, "series") for one in series) for country, series in _series().items()
    }
    personal = {country: (_Form.of(one, "personal"),) for country, one in _PERSONAL.items()}
    german = (_Form.of(_GERMAN, "series", longest=8),)
    both = {country: (*series, *personal.get(country, ())) for country, series in forms.items()}
    return {**both, "DE": german}


_PERSONAL: Final[Mapping[str, str]] = {
    "DK": "[A-ZÆØÅ0-9]{2,7}",
    "SE": "[A-ZÅÄÖ0-9]{2,7}",
    "PL": rf"{_POLISH_AREA}\d [A-PR-Z]{{3,5}}",
}


def _series() -> Mapping[str, tuple[str, ...]]:
    return {
        "NL": tuple(_dutch(code) for code in _DUTCH_SIDECODES),
        "GB": (
            r"[A-HJ-PR-Y]{2}~\d{2} [A-HJ-PR-Z]{3}",
            r"[A-HJ-NP-TV-Y]~[1-9]\d{0,2} [A-HJ-PR-Z]{3}",
            r"[A-HJ-PR-Z]{3} [1-9]\d{0,2}~[A-HJ-NP-TV-Y]",
            r"[1-9]\d{0,3} [A-Z]{1,3}",
            r"[A-Z]{1,3} [1-9]\d{0,3}",
        ),
        "NO": (r"[A-Z]{2} \d{2}~\d{2,3}",),
        "DK": (r"[A-Z]{2} \d{2}~\d{3}",),
        "SE": (r"[A-HJ-PR-UW-Z]{3} \d{2}~[A-HJ-NPR-UW-Z0-9]",),
        "FI": (r"[A-ZÅÄÖ]{2,3}_\d{1,3}",),
        "AT": (r"[A-Z]{1,2}_[1-9]\d{0,4}~[A-Z]{0,3}",),
        "CH": (rf"(?:{_SWISS}) [1-9]\d{{0,2}}~\d{{0,3}}",),
        "FR": (
            rf"(?!SS){_FRENCH}{{2}}_(?!000)\d{{3}}_(?!SS){_FRENCH}{{2}}",
            r"[1-9]\d{0,3} [A-Z]{2,3} (?:\d{2}|2[AB]|97\d)",
        ),
        "IT": (r"[A-HJ-NPR-TV-Z]{2} \d{3}~[A-HJ-NPR-TV-Z]{2}",),
        "ES": (r"\d{4} [B-DF-HJ-NPR-TV-Z]{3}", r"[A-Z]{1,2} \d{4} [A-Z]{1,2}"),
        "PT": (
            r"[A-Z]{2}_\d{2}_[A-Z]{2}",
            r"\d{2}_[A-Z]{2}_\d{2}",
            r"\d{2}_\d{2}_[A-Z]{2}",
            r"[A-Z]{2}_\d{2}_\d{2}",
        ),
        "BE": (r"\d_[A-Z]{3}_\d{3}", r"[A-Z]{3}_\d{3}", r"\d{3}_[A-Z]{3}"),
        "RO": (
            r"B (?!0)\d{2,3} [A-HJ-PR-Z][A-PR-Z]{2}",
            rf"(?:{_ROMANIAN}) (?!00)\d{{2}} [A-HJ-PR-Z][A-PR-Z]{{2}}",
        ),
        "PL": _polish(),
    }


def _dutch(sidecode: str) -> str:
    groups = ("".join(_DUTCH_SIGN[sign] for sign in group) for group in sidecode.split("-"))
    return "_".join(groups)


_DUTCH_SIGN: Final = {"X": "[A-Z]", "9": r"\d"}


def _polish() -> tuple[str, ...]:
    """Return the forms of civil cars: how long an area is decides what follows; small plates have less of it.

    Between digits every letter is taken, for sources disagree on which of them are left out there.
    """
    after_one = ("999", "99X", "9X9", "X99", "9XX", "XX9", "X9X")
    after_two = (
        "99999",
        "9999X",
        "999XX",
        "9X999",
        "9LL99",
        "9999",
        "999X",
        "99X9",
        "9X99",
        "X999",
        "99XX",
        "9XX9",
        "XX99",
    )
    after_three = ("X999", "99XX", "9X99", "99X9", "9XX9", "XX99", "99999", "9999X", "999XX", "X99X", "X9XX")
    areas = (_POLISH_AREA, f"{_POLISH_AREA}[A-PR-Z]", f"{_POLISH_AREA}[A-PR-Z]{{2}}")
    rests = zip(areas, (after_one, after_two, after_three), strict=True)
    return tuple(f"{area} {_polish_rest(rest)}" for area, forms in rests for rest in forms)


def _polish_rest(rest: str) -> str:
    """Spell out a rest such as 99X9; a digit that stands alone is not 0."""
    runs: list[str] = re.findall(r"9+|X+|L+", rest)
    return "".join(_POLISH_DIGIT if run == "9" else f"{_POLISH_SIGNS[run[0]]}{{{len(run)}}}" for run in runs)


_GERMAN_DISTRICT: Final = "[A-ZÄÖÜ]{1,2}|(?!AB[^GI]|ZZ)[A-ZÄÖÜ]{3}"
"""One to three letters: of AB there are only AB, ABG and ABI, of ZZ only ZZ itself."""
_GERMAN: Final = rf"(?:{_GERMAN_DISTRICT})_[A-Z]{{1,2}} [1-9]\d{{0,3}}~[EH]?"
"""A district, one or two letters, a number; E for electric and H for historic cars behind it."""
