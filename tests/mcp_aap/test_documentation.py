"""The page on the adapter says what the code does."""

import re
from pathlib import Path

import pytest

from forecourt.aap import dealer_errors
from forecourt.base.errors import ForecourtError
from forecourt.fetch import errors as fetch_errors

PAGE = Path(__file__).parents[2] / "docs" / "mcp-adapter.md"
BRANCHES = {"dealer_failed", "fetch_failed"}


def _leaves() -> dict[str, type[ForecourtError]]:
    modules = (dealer_errors, fetch_errors)
    kinds = [value for module in modules for value in vars(module).values() if isinstance(value, type)]
    own = {module.__name__ for module in modules}
    return {kind.code: kind for kind in kinds if kind.__module__ in own and kind.code not in BRANCHES}


@pytest.mark.parametrize("code", sorted(_leaves()))
def test_every_reason_stands_on_the_page_with_its_truth(code):
    row = re.search(rf"^\|[^|]*`{code}`[^|]*\| (yes|no) \|", PAGE.read_text(), re.MULTILINE)
    assert row, f"{code} is missing"
    assert (row[1] == "yes") is _leaves()[code].retryable
