"""What a column is, by its name: role, unit and currency; misspellings and cut-off headers included."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from forecourt.tables.aliases import ALIASES, IGNORED_WORDS
from forecourt.tables.word_lists import listed

ROLES: Final = tuple(ALIASES)
IGNORED: Final = "ignored"
_SHORTEST_GUESS: Final = 6
"""Shorter names are taken only as they stand: `vin` and `vat` are one letter apart."""

_CODES: Final = frozenset({"id", "@key", "key"})
_BEHIND_NAMES: Final = 100
"""Added to the rank of a code, so that `condition.name` comes before `condition.id`."""
_GUESSED: Final = 900
"""The rank of a guess: after every known name."""

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_INDEX: Final = re.compile(r"\[\d*\]")
_UNITS: Final = {
    "km": "km", "kms": "km", "kilometers": "km", "kilometres": "km", "kilometer": "km", "mi": "mi",
    "miles": "mi",
    "mile": "mi", "mil": "mil", "kw": "kw", "hp": "hp", "bhp": "hp", "ps": "ps", "cv": "ps", "pk": "ps",
    "hk": "ps",
    "cc": "cc", "ccm": "cc", "cm3": "cc", "l": "l", "liters": "l", "litres": "l", "kwh": "kwh",
}  # fmt: skip
_CURRENCIES: Final = {
    word: word.upper()
    for word in listed(
        """usd eur gbp cad aud chf sek nok dkk pln czk huf ron bgn jpy zar nzd mxn brl inr aed"""
    )
} | {"euro": "EUR", "euros": "EUR", "dollars": "USD", "kr": "", "pounds": "GBP"}
_MIL_NAMES: Final = frozenset({"miltal", "antalmil", "milstal"})
_NEUTRAL_ENDS: Final = listed(
    """value text description name label amount display formatted localized content _ #text @value @key
    @name id"""
)
"""What a path ends in when the thing itself is one level up: `make.name`, `mileage.value`."""
_FOREIGN: Final = listed(
    """seller dealer dealership store location contact customer owner user address sellerinfo company
    organization organisation financing finance lease leasing warranty tradein provider publisher
    author branch vendor account geo phone history inspection emission emissions consumption
    created_by pricehistory video videos"""
)
"""Parts of a record that are about somebody or something else than the vehicle."""
_FEES: Final = listed("""fee fees dealerfee dealerfees charge charges surcharge surcharges""")
"""Parts of a record whose amounts are never a price of the vehicle, whatever a fee is called."""
_OF_ITS_OWNER: Final = frozenset(
    """id name url link type title status code date description image images photo unit note notes
    class reference ref email label category created updated modified content range power age""".replace(
        "\n", " "
    ).split()
)
"""Names that tell nothing without the part of the record that they belong to."""
_WRAPPERS: Final = listed(
    """retailadverts metadata media vehicle vehicles car cars auto autos listing
        listings item items ad ads advert adverts detail details record records data attributes specs
        specifications specifics specification entry entries offer offers fahrzeug veicolo vehicule
        vehiculo annonce unit inventory product general generalinfo basic info information stockitem
        advertisement core main properties fields node result results channel root"""
)


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a column is, and how that was found: `alias`, `path`, `misspelt`, `cut_off`, `mapped` or `values`.

    Of several columns with one role the one of the lowest `rank` comes first: `trim` before `style`.
    """

    role: str
    how: str
    rank: int = 0
    unit: str | None = None
    currency: str | None = None


def header_meaning(name: str) -> Meaning | None:
    """Return what a column or path of that name is, or None for a name that says nothing to us."""
    parts = [part for part in _INDEX.sub("", name).split(".") if part]
    if len(parts) <= 1:
        return _single(name)
    if any(compact(part) in _FEES for part in parts):
        return Meaning(IGNORED, "path")
    return _path_meaning(parts)


def compact(name: str) -> str:
    """Return a name without case, accents, blanks and punctuation."""
    return "".join(_words(name))


def _words(name: str) -> list[str]:
    plain = unicodedata.normalize(
        "NFKD", name.replace("ß", "ss").replace("ø", "o").replace("æ", "ae").replace("ł", "l")
    )
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    if "_" not in plain and "-" not in plain and " " not in plain and plain != plain.upper():
        return [word.lower() for word in _WORD.findall(plain)]
    return [word.lower() for word in re.findall(r"[A-Za-z]+|\d+", plain)]


def _single(name: str) -> Meaning | None:
    words = _words(name.removeprefix("@").split(":")[-1] if ":" in name else name)
    if not words:
        return None
    unit = next((_UNITS[word] for word in words if word in _UNITS), None) or _unit_in("".join(words))
    currency = next((_CURRENCIES[word] for word in words if word in _CURRENCIES), None) or None
    for candidate in _readings(words):
        if candidate in _roles():
            return Meaning(_roles()[candidate], "alias", _ranks()[candidate], unit, currency)
    if not IGNORED_WORDS.isdisjoint(words):
        return Meaning(IGNORED, "alias")
    return _guess("".join(words), unit, currency)


def _unit_in(name: str) -> str | None:
    """Return the unit that a word for mileage carries in itself: `Kilometerstand`, `Miltal`."""
    if name in _MIL_NAMES:
        return "mil"
    return (
        "km" if any(stem in name for stem in ("kilom", "chilom", "quilom", "kmstand", "ajokilom")) else None
    )


def _readings(words: list[str]) -> Iterator[str]:
    """Yield a name whole, then without units, currencies, numbers and words that only introduce."""
    yield "".join(words)
    bare = [word for word in words if word not in _UNITS and word not in _CURRENCIES]
    if bare and bare != words:
        yield "".join(bare)
    stripped = [word for word in bare if not word.isdecimal()]
    if stripped and stripped != bare:
        yield "".join(stripped)
    while len(stripped) > 1 and stripped[0] in _WRAPPERS | {"g", "the", "is", "x", "custom"}:
        stripped = stripped[1:]
        yield "".join(stripped)


@cache
def _roles() -> Mapping[str, str]:
    return {alias: role for role, aliases in ALIASES.items() for alias in aliases.split()}


@cache
def _ranks() -> Mapping[str, int]:
    return {alias: rank for aliases in ALIASES.values() for rank, alias in enumerate(aliases.split())}


def _guess(name: str, unit: str | None, currency: str | None) -> Meaning | None:
    if len(name) < _SHORTEST_GUESS:
        return None
    near = {_single_edits()[edit] for edit in _shortened(name) if edit in _single_edits()}
    if len(near) == 1:
        return Meaning(near.pop(), "misspelt", _GUESSED, unit, currency)
    begun = {role for alias, role in _roles().items() if alias.startswith(name) and _mostly(name, alias)}
    if len(begun) == 1:
        return Meaning(begun.pop(), "cut_off", _GUESSED, unit, currency)
    return None


def _mostly(name: str, alias: str) -> bool:
    """Tell whether a cut-off name still has most of the letters: `address` is not yet `addresscountry`."""
    return len(name) >= 0.6 * len(alias)


@cache
def _single_edits() -> Mapping[str, str]:
    """Return every alias with one letter left out; two names that meet there are one edit apart."""
    edits: dict[str, str] = {}
    for alias, role in _roles().items():
        if len(alias) >= _SHORTEST_GUESS:
            edits.update(dict.fromkeys(_shortened(alias), role))
    return edits


def _shortened(name: str) -> Iterable[str]:
    return [name, *(name[:at] + name[at + 1 :] for at in range(len(name)))]


def _with_currency(key: str, part: str) -> tuple[str, str | None]:
    """Read `amountGBP` as an amount, and in which currency it is."""
    words = _words(part)
    currency = next((_CURRENCIES[word] for word in words if word in _CURRENCIES), None) or None
    bare = "".join(word for word in words if word not in _CURRENCIES)
    return (bare, currency) if currency and bare in _NEUTRAL_ENDS else (key, None)


def _path_meaning(parts: list[str]) -> Meaning | None:
    """Read a path from its end, for as long as what is left of the path is still about the vehicle."""
    keys = [compact(part) if part not in _NEUTRAL_ENDS else part for part in parts]
    keys[-1], currency = _with_currency(keys[-1], parts[-1])
    if _is_picture_address(keys):
        return Meaning("photos", "path")
    foreign = any(key in _FOREIGN for key in keys[:-1])
    for start in range(len(parts)):
        prefix_is_neutral = all(key in _WRAPPERS for key in keys[:start])
        for end in range(len(parts), start, -1):
            if not all(key in _NEUTRAL_ENDS for key in keys[end:]):
                break
            found = _part_meaning(
                keys[start:end], parts[start:end], neutral=prefix_is_neutral, foreign=foreign
            )
            if found is not None:
                coded = not _CODES.isdisjoint(keys[end:])
                rank = found.rank + _BEHIND_NAMES if coded else found.rank
                return replace(found, rank=rank, currency=found.currency or currency)
    return None


def _part_meaning(keys: list[str], parts: list[str], *, neutral: bool, foreign: bool) -> Meaning | None:
    unit_of = _unit_column(keys)
    if unit_of is not None:
        return unit_of
    if len(parts) == 1 and not neutral and (foreign or keys[0] in _OF_ITS_OWNER):
        return None
    if len(parts) > 1:
        role = _roles().get("".join(keys))
        return Meaning(role, "path", _ranks()["".join(keys)]) if role is not None else None
    meaning = _single(parts[0])
    if meaning is None or meaning.how in {"misspelt", "cut_off"}:
        return None
    return replace(meaning, how="path")


def _is_picture_address(keys: list[str]) -> bool:
    """Recognise an address below pictures, such as `images.image.@url`, but not that of a small copy."""
    below_pictures = any(_roles().get(key) == "photos" for key in keys[:-1])
    return below_pictures and keys[-1] in {"url", "uri", "href", "src"} and IGNORED_WORDS.isdisjoint(keys)


def _unit_column(keys: list[str]) -> Meaning | None:
    """Recognise `mileage.unit` and `price.currency`: what a value is measured in, beside the value."""
    if len(keys) < 2:
        return None
    owner = _roles().get(keys[-2])
    if keys[-1] in {"unit", "unitcode", "unittext", "units", "uom"} and owner == "mileage":
        return Meaning("mileage_unit", "path")
    if keys[-1] in {"currency", "currencycode", "currencyiso"} and owner is not None and "price" in owner:
        return Meaning("currency", "path")
    return None
