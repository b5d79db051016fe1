"""`forecourt catalogue`: what cars exist, and the files that say more about them."""

import json
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from forecourt.catalogue.importing import ImportedEntries

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_ALL = 1_000_000
"""More than any entry has below it."""


@click.group()
def catalogue() -> None:
    """Search the catalogue of makes, models and drivetrains; add to it."""


@catalogue.command(name="import")
@click.argument("file", type=_FILE)
@click.option("--dry-run", is_flag=True, help="Read and judge every row, change nothing.")
def import_(file: Path, *, dry_run: bool) -> None:
    """Add the makes, models, generations and drivetrains of FILE."""
    from forecourt.base.clock import SYSTEM_CLOCK
    from forecourt.catalogue.importing import read_entries
    from forecourt.catalogue.store import load_catalogue, save_entries
    from forecourt.cli.database import opened_database

    with opened_database() as database:
        read = read_entries(file, database.read_sync(load_catalogue))
        if not dry_run:
            entries, source, now = list(read.entries.values()), f"file {file.name}", SYSTEM_CLOCK.now()
            database.write_sync(lambda connection: save_entries(connection, entries, source=source, now=now))
    _print_import(read, dry_run=dry_run)


@catalogue.command(name="import-kba")
@click.argument("file", type=_FILE)
@click.option(
    "--as-of",
    type=click.DateTime(["%Y-%m-%d"]),
    help="Day whose state the list is; read from the file when it says so.",
)
def import_kba(file: Path, as_of: datetime | None) -> None:
    """Take the KBA's list of type keys (FZ 6, XLSX or CSV) in place of the one before."""
    from dataclasses import replace

    from forecourt.base.clock import SYSTEM_CLOCK
    from forecourt.catalogue.kba import read_kba, with_models
    from forecourt.catalogue.kba_store import save_keys
    from forecourt.catalogue.store import load_catalogue
    from forecourt.cli.database import opened_database

    read = read_kba(file)
    listed = replace(read, as_of=as_of.date()) if as_of else read
    with opened_database() as database:
        keys = list(with_models(database.read_sync(load_catalogue), listed.keys))
        notice, now = listed.notice(), SYSTEM_CLOCK.now()
        database.write_sync(
            lambda connection: save_keys(connection, keys, notice=notice, as_of=listed.as_of, now=now)
        )
    known = sum(bool(key.model_ids) for key in keys)
    click.echo(
        f"{len(keys):,} keys are in place, {known:,} of them lead to a model; "
        f"{listed.skipped:,} rows were no keys."
    )
    click.echo(notice)


@catalogue.command()
@click.argument("text")
@click.option("--limit", type=click.IntRange(1, 50), default=20, show_default=True)
@click.option("--country", help="Market whose names come first, as ISO 3166-1 alpha-2.")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
def search(text: str, limit: int, country: str | None, *, as_json: bool) -> None:
    """Find makes and models by TEXT, with the generations of the best model."""
    from forecourt.catalogue.search import search_vehicles
    from forecourt.catalogue.store import load_catalogue
    from forecourt.cli.database import opened_database

    with opened_database() as database:
        loaded = database.read_sync(load_catalogue)
    asked = {"level": "search", "query": text, "limit": limit, **({"country": country} if country else {})}
    answer = search_vehicles(loaded, asked)
    if as_json:
        click.echo(json.dumps(answer, ensure_ascii=False, indent=1))
        return
    _print_table(answer["items"], ("id", "label", "years", "score"))
    models = [item for item in answer["items"] if item["type"] == "model"]
    if models:
        walk = {"level": "generations", "model_id": models[0]["id"], "limit": _ALL}
        _print_table(search_vehicles(loaded, walk)["items"], ("id", "label", "body_types"))
    if not answer["items"]:
        click.echo("Nothing has such a name.")


@catalogue.command()
@click.argument("entry_id", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
def show(entry_id: str, *, as_json: bool) -> None:
    """Show the entry ID, with the generations of a model and the drivetrains of a generation."""
    from forecourt.catalogue.search import catalogue_item, search_vehicles
    from forecourt.catalogue.store import load_catalogue
    from forecourt.cli.database import opened_database

    with opened_database() as database:
        loaded = database.read_sync(load_catalogue)
    item = catalogue_item(loaded, {"id": entry_id})
    if as_json:
        click.echo(json.dumps(item, ensure_ascii=False, indent=1))
        return
    _print_table([item], ("id", "object", "label", "years"))
    if item["object"] == "model":
        walk = {"level": "generations", "model_id": entry_id, "limit": _ALL}
        _print_table(search_vehicles(loaded, walk)["items"], ("id", "label", "body_types"))
    if item["object"] == "generation":
        walk = {"level": "drivetrains", "generation_id": entry_id, "limit": _ALL}
        _print_table(search_vehicles(loaded, walk)["items"], ("id", "label", "years"))


def _print_table(items: list[dict[str, Any]], columns: tuple[str, ...]) -> None:
    from rich.console import Console
    from rich.table import Table

    if not items:
        return
    table = Table(*columns)
    for item in items:
        table.add_row(*(_cell(item[column]) for column in columns))
    Console().print(table)


def _cell(value: Any) -> str:
    if isinstance(value, dict):
        return f"{value['from'] or ''}–{value['to'] or ''}"
    return ", ".join(value) if isinstance(value, list) else str(value)


def _print_import(read: "ImportedEntries", *, dry_run: bool) -> None:
    counts = ", ".join(f"{count:,} {kind}s" for kind, count in sorted(read.counts().items())) or "nothing new"
    verb = "would be saved" if dry_run else "saved"
    click.echo(f"{read.rows:,} rows: {counts} {verb}, {read.refused.total():,} rows refused.")
    for reason, count in read.refused.most_common():
        click.echo(f"  {count:,} × {reason}")
