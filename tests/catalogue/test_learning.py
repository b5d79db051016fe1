"""Drivetrains learned from listings."""

import random

from hypothesis import given
from hypothesis import strategies as st

from forecourt.catalogue.core import core_catalogue
from forecourt.catalogue.entries import Make, Model
from forecourt.catalogue.learning import Advert, learn_drivetrains

GOLF = "md_c430f4k1zn"
GOLF_VII = "gn_73dj22wnch"


def golf(**said: object) -> Advert:
    """Return an advert of a Golf of 2015."""
    told: dict[str, object] = {"year": 2015, "fuel": "petrol", "transmission": "manual", "power_kw": 92}
    return Advert(model_id=GOLF, **(told | said))


def test_what_three_listings_state_is_a_drivetrain_of_the_generation_built_then() -> None:
    learned = learn_drivetrains(core_catalogue(), [golf(), golf(year=2014), golf(year=2016)])
    (engine,) = learned.drivetrains
    assert (engine.generation_id, engine.fuel, engine.power_kw) == (GOLF_VII, "petrol", 92)
    assert (engine.years.first, engine.years.last) == (2014, 2016)
    assert engine.adverts == 3


def test_two_listings_may_be_a_typing_error() -> None:
    assert learn_drivetrains(core_catalogue(), [golf(), golf()]).drivetrains == ()


def test_rounded_power_and_unstated_displacement_are_the_same_drivetrain() -> None:
    adverts = [*[golf(displacement_cc=1395)] * 2, golf(displacement_cc=1400, power_kw=91), golf(), golf()]
    (engine,) = learn_drivetrains(core_catalogue(), adverts).drivetrains
    assert (engine.displacement_cc, engine.adverts) == (1395, 5)


def test_manual_and_automatic_never_become_one() -> None:
    adverts = [golf()] * 3 + [golf(transmission="automatic")] * 3
    gearboxes = {one.transmission for one in learn_drivetrains(core_catalogue(), adverts).drivetrains}
    assert gearboxes == {"manual", "automatic"}


def test_adverts_that_do_not_speak_of_four_driven_wheels_are_not_of_the_car_that_has_them() -> None:
    adverts = [golf()] * 3 + [golf(drive="awd")] * 4
    counts = {one.drive: one.adverts for one in learn_drivetrains(core_catalogue(), adverts).drivetrains}
    assert counts == {None: 3, "awd": 4}


def test_learning_again_keeps_the_ids() -> None:
    once = learn_drivetrains(core_catalogue(), [golf()] * 3)
    known = core_catalogue().with_more(once.drivetrains)
    again = learn_drivetrains(known, [golf(power_kw=93, year=2018)] * 9)
    assert [one.id for one in again.drivetrains] == [one.id for one in once.drivetrains]
    assert again.drivetrains[0].years.last == 2018


def test_a_model_without_generations_gets_one_for_all_its_years() -> None:
    own = [Make("mk_own0000000", "Own"), Model("md_own0000000", "mk_own0000000", "Car")]
    catalogue = core_catalogue().with_more(own)
    adverts = [Advert(model_id="md_own0000000", fuel="electric", power_kw=150, year=2022)] * 3
    learned = learn_drivetrains(catalogue, adverts)
    (generation,) = learned.generations
    assert generation.model_id == "md_own0000000"
    assert learned.drivetrains[0].generation_id == generation.id


def test_a_listing_that_says_no_engine_or_no_known_model_is_counted_not_learned() -> None:
    learned = learn_drivetrains(
        core_catalogue(), [golf(power_kw=None), Advert(model_id="md_gone", fuel="diesel")]
    )
    assert (learned.adverts, learned.unplaced, learned.drivetrains) == (2, 2, ())


@given(
    st.lists(
        st.tuples(
            st.integers(80, 120), st.sampled_from(["manual", "automatic", None]), st.integers(2013, 2019)
        ),
        max_size=30,
    ),
    st.randoms(use_true_random=False),
)
def test_the_order_of_listings_does_not_matter(
    said: list[tuple[int, str | None, int]], shuffled: random.Random
) -> None:
    adverts = [golf(power_kw=power, transmission=gearbox, year=year) for power, gearbox, year in said]
    other = list(adverts)
    shuffled.shuffle(other)
    one = learn_drivetrains(core_catalogue(), adverts).drivetrains
    two = learn_drivetrains(core_catalogue(), other).drivetrains
    assert sorted(one, key=repr) == sorted(two, key=repr)
