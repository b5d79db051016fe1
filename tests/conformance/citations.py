"""What tests cite by their marks, such as `@pytest.mark.requirement(id)`, found in their sources."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]


def cited_ids(source: str, mark: str) -> Iterator[object]:
    """The arguments of every `pytest.mark.<mark>(…)` in a module; of a computed one its expression."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(f"mark.{mark}"):
            for argument in node.args:
                yield argument.value if isinstance(argument, ast.Constant) else ast.unparse(argument)


@cache
def cited_by(mark: str) -> frozenset[object]:
    """All that is cited by a mark, in any test."""
    files = (file for file in TESTS.rglob("*.py") if "node_modules" not in file.parts)
    return frozenset(each for file in files for each in cited_ids(file.read_text(encoding="utf-8"), mark))
