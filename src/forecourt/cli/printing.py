"""Rows for people as a table, for machines as JSON."""

import json
from collections.abc import Mapping, Sequence

import click


def print_rows(rows: Sequence[Mapping[str, object]], *, as_json: bool) -> None:
    """Print rows that all have the same members; None is shown as a dash."""
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
    elif rows:
        _print_table(rows)
    else:
        click.echo("None.")


def _print_table(rows: Sequence[Mapping[str, object]]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(*(name.replace("_", " ") for name in rows[0]))
    for row in rows:
        table.add_row(*map(_cell, row.values()))
    Console().print(table)


def _cell(value: object) -> str:
    if value is None:
        return "–"
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
