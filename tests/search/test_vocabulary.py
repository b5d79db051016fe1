"""The words of the trade: what feeds write, and what it means."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forecourt.base.text_folding import fold
from forecourt.base.vocabulary import (
    BODIES,
    DRIVELINES,
    FUELS,
    LONGEST_WORDING,
    MAKES,
    TRANSMISSIONS,
    Classes,
)

VOCABULARIES = {"fuel": FUELS, "transmission": TRANSMISSIONS, "driveline": DRIVELINES, "body": BODIES}


@pytest.mark.parametrize(
    ("vocabulary", "text", "expected"),
    [
        ("fuel", "Regular Unleaded V-6", "gas"),
        ("fuel", "Gasoline/Mild Electric Hybrid", "hybrid"),
        ("fuel", "48V mild hybrid petrol", "mhev"),
        ("fuel", "Híbrido Plug-In", "phev"),
        ("fuel", "Hybrid (Benzin/Elektro)", "hybrid"),
        ("fuel", "Electric/Diesel", "hybrid"),
        ("fuel", "E85/Gasoline", "flex"),
        ("fuel", "Gas (LPG)", "lpg"),
        ("fuel", "Erdgas (CNG)", "cng"),
        ("fuel", "Gasóleo", "diesel"),
        ("fuel", "Others", None),
        ("transmission", "Boîte automatique", "automatic"),
        ("transmission", "6-Speed A/T", "automatic"),
        ("transmission", "7-Speed S tronic", "dct"),
        ("transmission", "Semi-Auto", "semi-automatic"),
        ("transmission", "Xtronic CVT", "cvt"),
        ("transmission", "6MT", "manual"),
        ("driveline", "Four-Wheel Drive", "4wd"),
        ("driveline", "BMW xDrive", "awd"),
        ("driveline", "Fyrhjulsdrift", "awd"),
        ("driveline", "anteriore", "fwd"),
        ("driveline", "4x2", "2wd"),
        ("body", "Sport Utility Vehicle (SUV)/Multi-Purpose Vehicle", "suv"),
        ("body", 'Van 177"', "van"),
        ("body", "Station wagon", "wagon"),
        ("body", "Familjebuss", "minivan"),
        ("body", "Geländewagen", "suv"),
        ("body", "Enduro stradale", "dual_sport"),
        ("body", "Convertible/SUV", None),
    ],
)
def test_a_wording_of_a_real_feed_has_one_class(vocabulary: str, text: str, expected: str | None) -> None:
    assert VOCABULARIES[vocabulary].label(fold(text)) == expected


@pytest.mark.parametrize("vocabulary", VOCABULARIES.values(), ids=VOCABULARIES)
def test_every_listed_wording_means_its_own_class(vocabulary: Classes) -> None:
    for wording, name in vocabulary.wordings.items():
        assert vocabulary.asked(fold(wording)) == {name}, wording
        assert len(wording.split()) <= LONGEST_WORDING, wording


@pytest.mark.parametrize("vocabulary", VOCABULARIES.values(), ids=VOCABULARIES)
def test_every_class_is_a_wording_of_itself(vocabulary: Classes) -> None:
    for name in set(vocabulary.wordings.values()) | set(vocabulary.parents.values()):
        assert vocabulary.label(fold(name)) == name


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("VW", "Volkswagen"),
        (" mercedes benz ", "Mercedes-Benz"),
        ("CHEVY", "Chevrolet"),
        ("ALFA ROMEO", "Alfa Romeo"),
        ("skoda", "Škoda"),
        ("citroen", "Citroën"),
        (" Kässbohrer ", "Kässbohrer"),
    ],
)
def test_a_make_gets_its_usual_name_or_keeps_its_own(text: str, expected: str) -> None:
    assert (MAKES.label(fold(text)) or text.strip()) == expected


def test_a_usual_name_is_its_own_usual_name() -> None:
    for name in set(MAKES.canonical.values()):
        assert MAKES.label(fold(name)) == name


@given(st.text(max_size=40))
def test_folding_is_stable_and_blind_to_case(text: str) -> None:
    folded = fold(text)

    assert fold(folded.split).split == folded.split
    assert fold(text.upper().lower()).squeezed == fold(text.lower()).squeezed
    assert folded.squeezed == folded.split.replace(" ", "")


@given(st.text(max_size=40))
def test_a_text_stands_in_itself_unless_it_has_no_word(text: str) -> None:
    assert fold(text).stands_in(fold(text)) == bool(fold(text).squeezed)
