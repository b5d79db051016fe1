"""The pages docs/api/errors.md and docs/api/tools.md say what the tables in the code say.

`WRITE_REFERENCE=1 pytest tests/rest/test_reference.py` writes them anew.
"""

import os
import re
from pathlib import Path

import pytest

from forecourt.contract.problems import PROBLEMS, ProblemKind, codes
from forecourt.contract.schemas import tool_input_schema
from forecourt.operations.operation import Operation
from forecourt.operations.table import OPERATIONS, TOOLS

DOCS = Path(__file__).resolve().parents[2] / "docs" / "api"
REGION = "<!-- {name}: written by tests/rest/test_reference.py -->"
END = "<!-- end -->"
KINDS = {
    "request": ("Problems", "Nothing was created or charged; an idempotency key can be used again."),
    "refusal": (
        "Refusals",
        "The car is not priced: `status: refused`, HTTP 422 with the whole valuation, never charged.",
    ),
    "failure": (
        "Failures",
        "The valuation went wrong: `status: failed`, HTTP 500 with the whole valuation, never charged.",
    ),
}


def error_tables() -> str:
    return "\n\n".join(
        f"## {title}\n\n{text}\n\n{table(codes(kind))}" for kind, (title, text) in KINDS.items()
    )


def table(names: tuple[str, ...]) -> str:
    rows = [row(PROBLEMS[name]) for name in names]
    return "\n".join(
        ["| code | HTTP | retry | members | meaning | what to do |", "|---|---|---|---|---|---|", *rows]
    )


def row(kind: ProblemKind) -> str:
    retry = "after `retry_after`" if kind.waits else "yes" if kind.retryable else "no"
    members = ", ".join(f"`{name}`" for name in kind.members)
    return f"| `{kind.code}` | {kind.status} | {retry} | {members} | {kind.title} | {kind.action} |"


def tool_sections() -> str:
    tools = "\n\n".join(section(operation) for operation in TOOLS.values())
    others = "\n\n".join(section(operation) for operation in OPERATIONS if not operation.is_tool)
    return f"{tools}\n\n# Only over REST\n\n{others}"


def section(operation: Operation) -> str:
    lines = [f"## {operation.name}", "", operation.description, ""]
    lines += [f"- REST: `{route.method} {route.path}`" for route in operation.routes]
    lines += [f"- Scope: `{operation.scope}`" if operation.scope else "- Needs no credentials"]
    lines += [f"- Cost: {operation.cost}"]
    if operation.problems:
        lines += [f"- Its own codes: {', '.join(f'`{code}`' for code in operation.problems)}"]
    return "\n".join([*lines, *arguments(operation)])


def arguments(operation: Operation) -> list[str]:
    rule = tool_input_schema(operation.input)
    if not rule["properties"]:
        return []
    rows = [
        f"| `{name}` | {'yes' if name in rule.get('required', []) else ''} | {member.get('type', '')} "
        f"| {member.get('description', '')} |"
        for name, member in rule["properties"].items()
    ]
    return ["", "| argument | required | type | meaning |", "|---|---|---|---|", *rows]


@pytest.mark.parametrize(("name", "written"), [("errors", error_tables), ("tools", tool_sections)])
def test_the_reference_page_says_what_the_code_says(name, written):
    page = DOCS / f"{name}.md"
    text = page.read_text(encoding="utf-8")
    start = REGION.format(name=name)
    region = re.compile(f"{re.escape(start)}\n.*?{re.escape(END)}", re.DOTALL)
    expected = region.sub(lambda _: f"{start}\n\n{written()}\n\n{END}", text)
    if os.environ.get("WRITE_REFERENCE"):
        page.write_text(expected, encoding="utf-8")
    assert text == expected or os.environ.get("WRITE_REFERENCE")
