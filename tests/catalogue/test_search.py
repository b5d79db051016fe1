"""The walk from a text to a drivetrain, and the look-up of entries."""

import pytest

from forecourt.catalogue.catalogue import Catalogue
from forecourt.catalogue.core import core_catalogue
from forecourt.catalogue.entries import Drivetrain, Years
from forecourt.catalogue.search import catalogue_item, search_vehicles
from forecourt.contract.errors import (
    CatalogueConflict,
    CatalogueIdNotFound,
    CatalogueIdReplaced,
    ValidationFailed,
)

GOLF = "md_c430f4k1zn"
GOLF_VII = "gn_73dj22wnch"
OCTAVIA = "md_qn197wse8n"


def catalogue() -> Catalogue:
    """Return the core with three engines of the Golf VII."""
    engines = [
        Drivetrain(
            id=f"dt_golf{number}",
            generation_id=GOLF_VII,
            fuel=fuel,
            transmission=gearbox,
            power_kw=power,
            displacement_cc=1498,
            years=Years(2017, 2020),
        )
        for number, (fuel, gearbox, power) in enumerate(
            [("petrol", "manual", 110), ("petrol", "automatic", 110), ("diesel", "manual", 85)]
        )
    ]
    return core_catalogue().with_more(engines)


def labels(answer: dict[str, object]) -> list[str]:
    """Return the labels of a page."""
    items = answer["items"]
    assert isinstance(items, list)
    return [item["label"] for item in items]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("vw golf", "Volkswagen Golf"),
        ("VOLKSWAGEN  Golf", "Volkswagen Golf"),
        ("skoda octavia", "Škoda Octavia"),
        ("Škoda Octávia", "Škoda Octavia"),
        ("mercedes c-klasse", "Mercedes-Benz C-Class"),
        ("classe c", "Mercedes-Benz C-Class"),
        ("C220", "Mercedes-Benz C-Class"),
        ("3er", "BMW 3 Series"),
        ("citroen berlingo", "Citroën Berlingo"),
        ("crv", "Honda CR-V"),
        ("up", "Volkswagen up!"),
        ("merc", "Mercedes-Benz"),
    ],
)
def test_case_accents_punctuation_and_other_names_do_not_hide_a_car(query: str, first: str) -> None:
    assert labels(search_vehicles(core_catalogue(), {"level": "search", "query": query}))[0] == first


def test_a_make_alone_answers_with_itself_and_its_models() -> None:
    found = search_vehicles(core_catalogue(), {"level": "search", "query": "VW", "limit": 50})
    assert labels(found)[0] == "Volkswagen"
    assert "Volkswagen Passat" in labels(found)


def test_vauxhall_comes_before_opel_in_britain_only() -> None:
    ask = {"level": "search", "query": "corsa"}
    assert labels(search_vehicles(core_catalogue(), ask))[0] == "Opel Corsa"
    assert labels(search_vehicles(core_catalogue(), {**ask, "country": "GB"}))[0] == "Vauxhall Corsa"


def test_the_walk_leads_from_text_to_a_drivetrain() -> None:
    known = catalogue()
    model = search_vehicles(known, {"level": "search", "query": "vw golf"})["items"][0]
    generations = search_vehicles(known, {"level": "generations", "model_id": model["id"], "year": 2018})
    assert [one["name"] for one in generations["items"]] == ["VII", "VIII"]
    walk = {"level": "drivetrains", "generation_id": generations["items"][0]["id"]}
    drivetrains = search_vehicles(known, walk)
    assert drivetrains["total"] == 3
    assert drivetrains["items"][0]["power_hp"] == 150
    assert drivetrains["next_step"]


def test_fuel_gearbox_and_power_filter_drivetrains() -> None:
    walk = {"level": "drivetrains", "generation_id": GOLF_VII}
    asked = {**walk, "fuel": "petrol", "transmission": "automatic", "power_hp": 147}
    assert [one["id"] for one in search_vehicles(catalogue(), asked)["items"]] == ["dt_golf1"]
    assert search_vehicles(catalogue(), {**walk, "power_hp": 146})["items"] == []


def test_a_year_keeps_what_was_built_a_year_around_it_the_exact_first() -> None:
    found = search_vehicles(core_catalogue(), {"level": "generations", "model_id": GOLF, "year": 2021})
    assert [one["name"] for one in found["items"]] == ["VIII", "VII"]


def test_pages_follow_each_other_without_gap_or_repetition() -> None:
    ask = {"level": "search", "query": "VW", "limit": 7}
    seen: list[str] = []
    answer = search_vehicles(core_catalogue(), ask)
    while True:
        seen += [item["id"] for item in answer["items"]]
        if not answer["truncated"]:
            break
        answer = search_vehicles(core_catalogue(), {**ask, "cursor": answer["next_cursor"]})
    assert len(seen) == len(set(seen)) == answer["total"]
    assert answer["next_cursor"] is None


@pytest.mark.parametrize("cursor", ["x", "YWZ0ZXI6LTE", "YWZ0ZXI6", "ümlaut", "YWZ0ZXI6OTk5OTk5OTk5OTk"])
def test_a_cursor_of_somebody_else_is_refused_with_its_pointer(cursor: str) -> None:
    with pytest.raises(ValidationFailed) as refusal:
        search_vehicles(core_catalogue(), {"level": "search", "query": "VW", "cursor": cursor})
    assert refusal.value.details["errors"][0]["pointer"] == "/cursor"


def test_an_entry_is_found_by_id_with_its_parents() -> None:
    item = catalogue_item(catalogue(), {"id": "dt_golf0"})
    assert item["object"] == "drivetrain"
    assert item["make"]["name"] == "Volkswagen"
    assert item["model_id"] == GOLF
    assert catalogue_item(catalogue(), {"id": GOLF})["object"] == "model"


@pytest.mark.parametrize("entry_id", ["md_0000000000", "gn_73dj22wnch0", "nonsense"])
def test_an_id_of_nothing_is_not_found(entry_id: str) -> None:
    with pytest.raises(CatalogueIdNotFound):
        catalogue_item(core_catalogue(), {"id": entry_id})


def test_a_merged_entry_says_who_its_heir_is() -> None:
    merged = core_catalogue().with_more([], {OCTAVIA: GOLF})
    with pytest.raises(CatalogueIdReplaced) as gone:
        catalogue_item(merged, {"id": OCTAVIA})
    assert gone.value.details == {"replaced_by": GOLF}
    assert labels(search_vehicles(merged, {"level": "search", "query": "octavia"})) == []


def test_ids_of_two_cars_are_a_conflict_and_parents_are_optional() -> None:
    line = catalogue().line_of({"drivetrain_id": "dt_golf2"})
    assert line.model is not None
    assert line.model.id == GOLF
    with pytest.raises(CatalogueConflict):
        catalogue().line_of({"drivetrain_id": "dt_golf2", "model_id": OCTAVIA})
