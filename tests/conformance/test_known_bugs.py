"""Bugs that were reported of other software: each one that concerns us is cited by a test that repeats it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.conformance.citations import cited_by

CITATION = "known_bug"


def concerns_us(number: str) -> bool:
    """Leads are A23 to A26, feeds D, ADF E, security F; the others come with what they are about."""
    return number[0] in "DEF" or number in {"A23", "A24", "A25", "A26"}


def listed(page: str) -> Iterator[str]:
    return (number for number in re.findall(r"^\| ([A-F]\d+) \|", page, re.MULTILINE) if concerns_us(number))


def test_every_known_bug_is_repeated_by_a_test(shared: Path):
    page = (shared / "bugs" / "known.md").read_text(encoding="utf-8")
    assert set(listed(page)) - cited_by(CITATION) == set()


@pytest.mark.parametrize("number", sorted(map(str, cited_by(CITATION))))
def test_a_citation_is_an_id(number: str):
    assert re.fullmatch(r"[A-F]\d+", number)
