"""The rules of inventory search once more, as a plain loop over the vehicles: slow and easy to check by eye.

Only the word lists are shared with the product; folding, matching, sorting and counting are written anew.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from datetime import datetime
from typing import Any

from forecourt.base.text_folding import fold
from forecourt.base.vocabulary import BODIES, DRIVELINES, FUELS, MAKES, TRANSMISSIONS

Vehicle = dict[str, Any]

CLASSED = {
    "make": MAKES,
    "fuel": FUELS,
    "transmission": TRANSMISSIONS,
    "driveline": DRIVELINES,
    "body": BODIES,
}
LIST_FILTERS = {
    **{name: name for name in ("make", "model", "trim", "condition", "transmission", "fuel", "charge_port")},
    **{name: name for name in ("driveline", "body", "exterior_color", "interior_color", "vehicle_type")},
    "rooftops": "rooftop",
}
BOUNDS = {
    "year_min": ("year", 1),
    "year_max": ("year", -1),
    "price_min": ("price", 1),
    "price_max": ("price", -1),
    "mileage_max": ("mileage", -1),
    "displacement_cc_min": ("displacement_cc", 1),
    "displacement_cc_max": ("displacement_cc", -1),
    "electric_range_mi_min": ("electric_range_mi", 1),
    "electric_range_mi_max": ("electric_range_mi", -1),
}
TERM_FACETS = {
    "makes": "make", "models": "model", "trims": "trim", "years": "year", "conditions": "condition",
    "transmissions": "transmission", "fuels": "fuel", "dc_fast_charge": "dc_fast_charge",
    "charge_ports": "charge_port", "drivelines": "driveline", "bodies": "body",
    "vehicle_types": "vehicle_type", "exterior_colors": "exterior_color", "interior_colors": "interior_color",
    "rooftops": "rooftop", "statuses": "status",
}  # fmt: skip
RANGE_FACETS = ("price", "mileage", "year", "displacement_cc", "electric_range_mi")
SEARCHED = (
    "make", "model", "trim", "condition", "transmission", "fuel", "charge_port", "driveline", "body",
    "vehicle_type", "exterior_color", "interior_color", "rooftop", "engine", "description", "notes",
)  # fmt: skip


def plain(text: str) -> str:
    """Fold case and accents, drop apostrophes, spell as in America."""
    letters = unicodedata.normalize("NFKD", text.casefold().replace("ø", "o").replace("æ", "ae"))
    kept = "".join(letter for letter in letters if not unicodedata.combining(letter) and letter not in "'’`´")
    return re.sub(r"\bgrey\b", "gray", kept)


def split_words(text: str) -> list[str]:
    """Every run of letters and digits is a word; a decimal point belongs to its number."""
    return re.findall(r"[^\W_]+(?:(?<=\d)\.(?=\d)[^\W_]+)*", plain(text))


def joined_words(text: str) -> list[str]:
    """What stands between two blanks is one word, whatever punctuation is in it."""
    return [word for word in ("".join(split_words(chunk)) for chunk in text.split()) if word]


def stands_in(needle: list[str], words: list[str]) -> bool:
    """Say whether the words stand side by side in that order."""
    return any(words[start : start + len(needle)] == needle for start in range(len(words)))


def words_match(asked: str, value: str) -> bool:
    """Apply the rule for text filters in both readings of punctuation."""
    if not split_words(asked):
        return False
    return (
        stands_in(split_words(asked), split_words(value))
        or stands_in(joined_words(asked), joined_words(value))
        or "".join(split_words(asked)) == "".join(split_words(value))
    )


def text_matches(field: str, asked: str, value: str | None) -> bool:
    """Apply the rule for one value of a text filter."""
    if value is None:
        return False
    if field not in CLASSED:
        return words_match(asked, value)
    wanted, present = CLASSED[field].asked(fold(asked)), CLASSED[field].classes(fold(value))
    if wanted and (wanted & present):
        return True
    if wanted and present and CLASSED[field].decides:
        return False
    return words_match(asked, value)


def value_of(vehicle: Vehicle, field: str) -> Any:
    """Return a field's value; an absent vehicle type is a car."""
    return vehicle.get(field, "car" if field == "vehicle_type" else None)


def holds_words(vehicle: Vehicle, words: list[str]) -> bool:
    """Say whether each of the words is in some text of the vehicle."""
    texts = [str(value_of(vehicle, field) or "") for field in SEARCHED] + list(vehicle.get("features", ()))
    spoken = {str(vehicle.get("year", ""))}
    for text in texts:
        spoken.update(split_words(text), joined_words(text))
    squeezed = {"".join(split_words(str(value_of(vehicle, field) or ""))) for field in SEARCHED[:13]}
    return all(word in spoken or word in squeezed for word in words)


def query_matches(vehicle: Vehicle, query: str) -> bool:
    """Say whether every part of a query is found: a known wording of up to four words, or one word."""
    chunks = [chunk for chunk in query.split() if split_words(chunk)]
    if not chunks:
        return not query.strip()
    while chunks:
        for length in range(min(4, len(chunks)), 0, -1):
            phrase = " ".join(chunks[:length])
            folded = " ".join(split_words(phrase))
            classes = {
                field: known.wording(folded) for field, known in CLASSED.items() if known.wording(folded)
            }
            if classes or length == 1:
                break
        by_class = any(
            name in CLASSED[field].classes(fold(vehicle[field]))
            for field, name in classes.items()
            if field in vehicle
        )
        identified = length == 1 and phrase.lower() in {
            vehicle.get(kind, "").lower() for kind in ("vin", "stock")
        }
        by_words = holds_words(vehicle, split_words(phrase)) or holds_words(vehicle, joined_words(phrase))
        if not (by_class or identified or by_words):
            return False
        chunks = chunks[length:]
    return True


def matches(vehicle: Vehicle, filters: dict[str, Any]) -> bool:
    """Say whether a vehicle meets every filter."""
    for name, field in LIST_FILTERS.items():
        asked = filters.get(name) or []
        if asked and not any(text_matches(field, value, value_of(vehicle, field)) for value in asked):
            return False
    for name, (field, sign) in BOUNDS.items():
        if name in filters and (field not in vehicle or sign * vehicle[field] < sign * filters[name]):
            return False
    if filters.get("dc_fast_charge") and vehicle.get("dc_fast_charge") is not True:
        return False
    if any(name in filters and vehicle.get(name) != filters[name] for name in ("vin", "stock")):
        return False
    return query_matches(vehicle, filters.get("query", ""))


def in_stock(vehicles: list[Vehicle]) -> list[Vehicle]:
    """Return what may be shown."""
    return [vehicle for vehicle in vehicles if vehicle.get("status") in {"available", "intransit", "pending"}]


def sort_key(vehicle: Vehicle, field: str) -> Any:
    """Return what a field sorts by; None when the vehicle does not say."""
    value = vehicle.get(field)
    if value is None or field in {"price", "list_price", "msrp", "mileage", "year"}:
        return value
    if field == "updated_at":
        return datetime.fromisoformat(value)
    if field == "stock":
        return value.lower() or None
    name = (MAKES.label(fold(value)) if field == "make" else None) or value
    readings = (" ".join(split_words(value)), " ".join(joined_words(value)))
    return ("".join(split_words(name)), *readings) if readings[0] else None


def ordered(vehicles: list[Vehicle], sort: dict[str, str] | None) -> list[Vehicle]:
    """Sort by the field, silent vehicles last, ties by freshness and then by id."""
    by_id = sorted(vehicles, key=lambda vehicle: vehicle["vehicle_id"])
    dated = [vehicle for vehicle in by_id if "updated_at" in vehicle]
    dated.sort(key=lambda vehicle: sort_key(vehicle, "updated_at"), reverse=True)
    default = dated + [vehicle for vehicle in by_id if "updated_at" not in vehicle]
    if sort is None or (sort["field"], sort["order"]) == ("updated_at", "desc"):
        return default
    base = by_id if sort["field"] == "updated_at" else default
    saying = [vehicle for vehicle in base if sort_key(vehicle, sort["field"]) is not None]
    saying.sort(key=lambda vehicle: sort_key(vehicle, sort["field"]), reverse=sort["order"] == "desc")
    return saying + [vehicle for vehicle in base if sort_key(vehicle, sort["field"]) is None]


def facet_key(field: str, value: Any) -> str | None:
    """Return what is equal for all spellings of one facet value."""
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str):
        return None if value is None else str(value)
    label = CLASSED[field].label(fold(value)) if field in CLASSED else None
    return "".join(split_words(label or value)) or None


def facet_counts(vehicles: list[Vehicle]) -> dict[str, dict[str, int]]:
    """Count by facet and key; facets without values are left out."""
    counts = {
        facet: Counter(key for vehicle in vehicles if (key := facet_key(field, value_of(vehicle, field))))
        for facet, field in TERM_FACETS.items()
    }
    return {facet: dict(found) for facet, found in counts.items() if found}


def facet_labels(stock: list[Vehicle]) -> dict[str, dict[str, str]]:
    """Return by facet and key the text shown: the vocabulary's word, else the most frequent spelling."""
    labels: dict[str, dict[str, str]] = {}
    for facet, field in TERM_FACETS.items():
        spellings: dict[str, Counter[str]] = defaultdict(Counter)
        for vehicle in stock:
            value = value_of(vehicle, field)
            if isinstance(value, str) and (key := facet_key(field, value)):
                known = CLASSED[field].label(fold(value)) if field in CLASSED else None
                spellings[key][known or " ".join(value.split())] += 1
        labels[facet] = {
            key: min(found, key=lambda spelling: (-found[spelling], spelling))
            for key, found in spellings.items()
        }
    return labels


def ranges(vehicles: list[Vehicle]) -> dict[str, dict[str, float]]:
    """Return lowest and highest of each number that some vehicle says."""
    said = {field: [vehicle[field] for vehicle in vehicles if field in vehicle] for field in RANGE_FACETS}
    return {
        f"{field}_range": {"min": min(found), "max": max(found)} for field, found in said.items() if found
    }
