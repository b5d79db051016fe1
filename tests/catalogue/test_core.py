"""What ships with the package: enough cars, each with an id of its own that stays."""

import re
from collections import Counter

from forecourt.catalogue.core import core_catalogue
from forecourt.catalogue.entries import kind_of
from forecourt.catalogue.names import key_of

BODIES = {"hatchback", "saloon", "estate", "suv", "coupe", "convertible", "mpv", "pickup", "van", "other"}


def test_the_core_knows_the_makes_models_and_generations_that_europe_trades() -> None:
    core = core_catalogue()
    assert len(core.makes) >= 50
    assert len(core.models) >= 400
    assert len({one.model_id for one in core.generations.values()}) >= 150


def test_every_id_says_what_it_names_and_stands_once() -> None:
    core = core_catalogue()
    kinds = {"make": core.makes, "model": core.models, "generation": core.generations}
    ids = [entry_id for entries in kinds.values() for entry_id in entries]
    assert all(re.fullmatch(r"(mk|md|gn)_[0-9a-z]{10}", entry_id) for entry_id in ids)
    assert all(kind_of(entry_id) == kind for kind, entries in kinds.items() for entry_id in entries)
    assert len(set(ids)) == len(ids)


def test_ids_that_are_out_in_the_world_stay_what_they_were() -> None:
    core = core_catalogue()
    assert core.makes["mk_0xme39j0h0"].name == "Volkswagen"
    assert core.models["md_c430f4k1zn"].name == "Golf"
    assert core.generations["gn_73dj22wnch"].name == "VII"
    assert core.models["md_qn197wse8n"].name == "Octavia"


def test_generations_have_a_source_and_a_window_inside_that_of_their_model() -> None:
    core = core_catalogue()
    for one in core.generations.values():
        model = core.models[one.model_id]
        assert one.source.startswith("general knowledge: Wikipedia, ")
        assert set(one.body_types) <= BODIES
        assert one.body_types
        assert one.years.first is not None
        assert one.years.last is None or one.years.first <= one.years.last, (model.name, one.name)


def test_a_facelift_names_the_generation_before_it() -> None:
    core = core_catalogue()
    facelifts = [one for one in core.generations.values() if one.facelift_of is not None]
    assert facelifts
    assert all(
        core.generations[one.facelift_of].model_id == one.model_id for one in facelifts if one.facelift_of
    )


def test_no_two_models_of_a_make_have_one_name() -> None:
    core = core_catalogue()
    names = Counter((model.make_id, key_of(model.name)) for model in core.models.values())
    assert [name for name, count in names.items() if count > 1] == []
