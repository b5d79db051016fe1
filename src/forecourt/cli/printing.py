"""Rows for people as a table, for machines as JSON."""

import json
from collections.abc import Mapping, Sequence

import click


def print_rows(
    rows: Sequence[Mapping[str, object]], *, as_json: bool, columns: Sequence[str] | None = None
) -> None:
    """Print rows that all have the same members; for people only `columns`, where they are given."""
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
    elif rows:
        _print_table(rows, columns or [*rows[0]])
    else:
        click.echo("None.")


def _print_table(rows: Sequence[Mapping[str, object]], columns: Sequence[str]) -> None:
    from rich.console import Console
    from rich.table import Column, Table

    first, *others = columns
    table = Table(
        Column(first, no_wrap=True), *(Column(name.replace("_", " "), overflow="fold") for name in others)
    )
    for row in rows:
        table.add_row(*(_cell(row[name]) for name in columns))
    Console().print(table)


def _cell(value: object) -> str:
    if value is None:
        return "–"
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
