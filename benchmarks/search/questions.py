"""200 mixed questions such as shoppers' assistants ask, as AAP requests."""

import random
from typing import Any

from benchmarks.search.vehicles import BODIES, COLORS, FEATURES, FUELS, MAKES, WORDS

QUESTIONS = 200

ASKED_FUELS = [["hybrid", "phev"] if fuel == "hybrid" else [fuel] for fuel in FUELS]
"""To us a plug-in hybrid is a hybrid; the other engines have to be told."""


def questions(models: list[tuple[str, str]]) -> list[dict[str, Any]]:
    """Return the requests: broad and narrow, by make and model, by range, by words, in several orders."""
    dice = random.Random(11)
    return [_request(dice, models) for _ in range(QUESTIONS)]


def _request(dice: random.Random, models: list[tuple[str, str]]) -> dict[str, Any]:
    kind = dice.choices(["body", "model", "make", "bounds", "words", "broad"], weights=[4, 5, 4, 3, 3, 1])[0]
    sort = {
        "field": dice.choice(["price", "price", "mileage", "year", "updated_at"]),
        "order": dice.choice(["asc", "desc"]),
    }
    return {
        "type": "inventory.search.request",
        "filters": _filters(dice, kind, models),
        "pagination": {"skip": dice.choice([0, 0, 0, 20, 200]), "limit": 20},
        "sort": sort,
    }


def _filters(dice: random.Random, kind: str, models: list[tuple[str, str]]) -> dict[str, Any]:
    budget = {"price_max": dice.randrange(10, 70) * 1_000}
    make, model = dice.choice(models)
    if kind == "body":
        return {
            "body": [dice.choice(BODIES)],
            "fuel": dice.choice(ASKED_FUELS),
            **budget,
            "condition": ["used", "cpo"],
        }
    if kind == "model":
        return {"make": [make], "model": [model], **({"year_min": 2018} if dice.random() < 0.5 else {})}
    if kind == "make":
        color = {"exterior_color": [dice.choice(COLORS).lower()]} if dice.random() < 0.5 else {}
        return {"make": dice.sample(MAKES[:12], 2), **color, "mileage_max": dice.randrange(2, 12) * 10_000}
    if kind == "bounds":
        low = dice.randrange(10, 40) * 1_000
        return {"price_min": low, "price_max": low + 15_000, "year_min": 2015, "driveline": ["awd", "4wd"]}
    if kind == "words":
        feature = dice.choice(FEATURES).lower().replace("-", " ")
        return {
            "query": dice.choice(
                [f"{model.lower()} {feature}", feature, dice.choice(WORDS), f"{dice.choice(WORDS)} {feature}"]
            )
        }
    return dice.choice([{}, {"condition": ["used"]}, {"condition": ["new", "cpo"]}, budget])
