"""The reference tables in docs/ say what the code says: settings, error codes, commands and tools.

`WRITE_REFERENCE=1 pytest tests/docs/test_reference.py` writes them anew.
"""

import importlib
import inspect
import os
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import forecourt
from forecourt.aap.errors import A2A_CODES, AAP_CODES
from forecourt.aap.skills import skills
from forecourt.base.errors import ForecourtError
from forecourt.cli.main import cli
from forecourt.settings import Settings

DOCS = Path(__file__).resolve().parents[2] / "docs"
REGION = "<!-- {name}: written by tests/docs/test_reference.py -->"
END = "<!-- end -->"


def settings_table() -> str:
    lines = ["| variable | key in `forecourt.toml` | default | meaning |", "|---|---|---|---|"]
    for name, field in Settings.model_fields.items():
        default = shown_default(field.default)
        lines.append(f"| `FORECOURT_{name.upper()}` | `{name}` | {default} | {field.description} |")
    return "\n".join(lines)


def shown_default(default: object) -> str:
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    return f"`{default}`" if default not in ("", (), None) else "–"


def error_tables() -> str:
    import_everything()
    families = {
        "Answers of a dealer agent (AAP 1.3)": [leaf for leaf in leaves() if leaf in AAP_CODES],
        "Answers below AAP (A2A 1.0 and JSON-RPC 2.0)": [leaf for leaf in leaves() if leaf in A2A_CODES],
        "The command line and the insides": [
            leaf for leaf in leaves() if leaf not in AAP_CODES and leaf not in A2A_CODES
        ],
    }
    return "\n\n".join(f"## {title}\n\n{error_table(errors)}" for title, errors in families.items())


def error_table(errors: list[type[ForecourtError]]) -> str:
    wire_codes = {**AAP_CODES, **A2A_CODES}
    lines = ["| code | JSON-RPC | kind | retry helps | meaning |", "|---|---|---|---|---|"]
    for leaf in sorted(errors, key=lambda leaf: leaf.code):
        retry = "yes" if leaf.retryable else "no"
        wire = wire_codes.get(leaf, "–")
        lines.append(f"| `{leaf.code}` | {wire} | {leaf.kind} | {retry} | {first_sentences(leaf)} |")
    return "\n".join(lines)


def first_sentences(documented: type) -> str:
    return " ".join((documented.__doc__ or "").split("\n\n")[0].split())


def import_everything() -> None:
    for module in pkgutil.walk_packages(forecourt.__path__, "forecourt."):
        if "migrations" not in module.name and not module.name.endswith("__main__"):
            importlib.import_module(module.name)


def leaves(branch: type[ForecourtError] = ForecourtError) -> Iterator[type[ForecourtError]]:
    for child in branch.__subclasses__():
        if child.__module__ != "forecourt.base.errors":
            yield child
        yield from leaves(child)


def command_sections() -> str:
    return "\n\n".join(command_section(path, command) for path, command in commands())


def commands() -> Iterator[tuple[str, click.Command]]:
    pending: list[tuple[str, click.Command]] = [("forecourt", cli)]
    while pending:
        path, command = pending.pop(0)
        if not isinstance(command, click.Group):
            yield path, command
            continue
        context = click.Context(command)
        subcommands = [(name, command.get_command(context, name)) for name in command.list_commands(context)]
        pending[:0] = [(f"{path} {name}", subcommand) for name, subcommand in subcommands if subcommand]


def command_section(path: str, command: click.Command) -> str:
    context = click.Context(command, info_name=path)
    lines = [f"## {path}", "", f"`{usage(path, command, context)}`", "", inspect.cleandoc(command.help or "")]
    options = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
    if options:
        lines += ["", "| option | meaning |", "|---|---|"]
    for option in options:
        names, meaning = option.get_help_record(context) or ("", "")
        lines.append(f"| `{names.replace('|', chr(92) + '|')}` | {' '.join(meaning.split())} |")
    return "\n".join(lines)


def usage(path: str, command: click.Command, context: click.Context) -> str:
    return " ".join([path, *command.collect_usage_pieces(context)])


def tool_table() -> str:
    lines = ["| tool | its arguments are a | it answers with a | what it does |", "|---|---|---|---|"]
    lines += [
        f"| `{skill.tool_name}` | `{skill.request_type}` | `{skill.response_type}` | {skill.description} |"
        for skill in skills()
    ]
    return "\n".join(lines)


TABLES = {
    "settings": ("configuration.md", settings_table),
    "errors": ("errors.md", error_tables),
    "commands": ("command-line.md", command_sections),
    "tools": ("assistants.md", tool_table),
}


@pytest.mark.parametrize("name", TABLES)
def test_the_reference_says_what_the_code_says(name):
    page, render = TABLES[name]
    path = DOCS / page
    before, written, after = split(path.read_text(encoding="utf-8"), name)
    if os.environ.get("WRITE_REFERENCE"):
        path.write_text(f"{before}{render()}\n{after}", encoding="utf-8")
    else:
        assert written.rstrip("\n") == render(), f"run WRITE_REFERENCE=1 pytest {Path(__file__).name}"


def split(page: str, name: str) -> tuple[str, str, str]:
    start = REGION.format(name=name) + "\n"
    pattern = re.compile(f"(.*{re.escape(start)})(.*?)({re.escape(END)}.*)", re.DOTALL)
    found = pattern.fullmatch(page)
    assert found, f"the page has no region {start!r}"
    return found[1], found[2], found[3]
