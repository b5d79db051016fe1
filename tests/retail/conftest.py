"""A dealer with a small invented stock, asked through the skills themselves."""

import asyncio
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from referencing import Registry, Resource

from forecourt.aap.skills import skill_of_request_type
from forecourt.dealer.profile import DealerProfile
from forecourt.dealer.search import SearchIndex
from forecourt.retail.dealership import Dealership
from forecourt.retail.skills import READ_SKILLS

INFORMATION = {"name": "Harbour Motors", "rooftops": [{"name": "North"}, {"name": "South"}]}
UPDATED = {"status": "available", "updated_at": "2026-11-01T08:00:00Z"}
CIVIC = {
    "vehicle_id": "v-1", "vin": "2HGFE2F5000000001", "stock": "H-1", "rooftop": "North", "make": "Honda",
    "model": "Civic", "year": 2023, "condition": "used", "price": 21_500, "mileage": 18_000,
    "fuel": "gasoline", "exterior_color": "Crystal Black Pearl", "description": "One owner.",
    "fees": [{"name": "Documentation fee", "amount": 300}],
    "photos": [f"https://example.com/h1/{number}.jpg" for number in range(5)], **UPDATED,
}  # fmt: skip
RAV4 = {
    "vehicle_id": "v-2", "stock": "H-2", "rooftop": "South", "make": "Toyota", "model": "RAV4", "year": 2024,
    "condition": "new", "price": 33_900, "fuel": "hybrid", "mileage": 12, "exterior_color": "Glacier White",
    **UPDATED,
}  # fmt: skip
GOLF = {
    "vehicle_id": "v-3", "stock": "H-3", "rooftop": "South", "make": "Volkswagen", "model": "Golf",
    "year": 2021, "condition": "used", "mileage": 40_000, **UPDATED,
}  # fmt: skip
"""Priced in euros only, so its answer has no price."""


@pytest.fixture
def dealer() -> Dealership:
    stock = SearchIndex.build([(CIVIC, ()), (RAV4, ()), (GOLF, ("EUR",))])
    profile = DealerProfile("harbour-motors", INFORMATION)
    former = frozenset({("stock", "H-0"), ("vin", "2HGFE2F5000000000")})
    return Dealership(profile, datetime(2026, 11, 1, tzinfo=UTC), stock, former)


def ask(dealer: Dealership, request_type: str, **members: Any) -> Any:
    """Ask one skill and return its payload; raises what the skill raises."""
    skill = skill_of_request_type(request_type)
    assert skill is not None
    answer = READ_SKILLS[skill.id]
    return json.loads(asyncio.run(answer(dealer, {"type": request_type, **members})))


def search(dealer: Dealership, **members: Any) -> Any:
    """Search and return the payload."""
    return ask(dealer, "inventory.search.request", **members)


def stock_numbers(payload: Any) -> list[str]:
    return [vehicle["stock"] for vehicle in payload["data"]["vehicles"]]


@pytest.fixture(scope="session")
def official_validator(shared: Path) -> Callable[[str], jsonschema.Draft202012Validator]:
    """A validator for one of the official schema files, formats asserted."""
    folder = shared / "aap-v1.3/schemas"
    documents = [json.loads(path.read_bytes()) for path in folder.rglob("*.schema.json")]
    registry = Registry().with_resources(
        [(document["$id"], Resource.from_contents(document)) for document in documents]
    )

    def validator(file: str) -> jsonschema.Draft202012Validator:
        schema = json.loads((folder / file).read_bytes())
        checker = jsonschema.Draft202012Validator.FORMAT_CHECKER
        return jsonschema.Draft202012Validator(schema, registry=registry, format_checker=checker)

    return validator
