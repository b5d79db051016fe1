"""`forecourt feed`: stock comes in, every row accounted for."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from forecourt.dealer.chunk import Chunk
    from forecourt.dealer.feed.importing import Imported

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_FINDINGS_SHOWN = 15
_ALL_FINDINGS = 1_000_000


@click.group()
def feed() -> None:
    """Import a dealer's stock."""


@feed.command(name="import")
@click.argument("slug")
@click.argument("file", type=_FILE)
@click.option(
    "--mapping", "mapping_file", type=_FILE, help="TOML file that says what cannot be seen in the feed."
)
@click.option("--dry-run", is_flag=True, help="Read and judge every row, change nothing.")
@click.option(
    "--report",
    "report_file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the whole account as JSON.",
)
@click.option("--allow-shrink", is_flag=True, help="Take a file with far fewer vehicles than the stock.")
def import_(
    slug: str,
    file: Path,
    *,
    mapping_file: Path | None,
    dry_run: bool,
    report_file: Path | None,
    allow_shrink: bool,
) -> None:
    """Make FILE the stock of the dealer SLUG."""
    from forecourt.cli.database import opened_database
    from forecourt.dealer.feed.importing import Terms, Watch, import_feed
    from forecourt.tables.mapping import NOTHING_DECLARED, read_mapping

    terms = Terms(
        mapping=NOTHING_DECLARED if mapping_file is None else read_mapping(mapping_file),
        allow_shrink=allow_shrink,
        dry_run=dry_run,
        keep_findings=1_000 if report_file is None else _ALL_FINDINGS,
    )
    accepted = _Accepted() if report_file is not None else None
    with opened_database() as database, _progress(file) as progress:
        watch = Watch(progress) if accepted is None else Watch(progress, accepted.take)
        imported = import_feed(database, slug, file, terms=terms, watch=watch)
    if report_file is not None and accepted is not None:
        report = {**imported.as_json(), "listings": accepted.listings}
        report_file.write_text(json.dumps(report, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    _print_account(imported, dry_run=dry_run)


@feed.command()
@click.argument("slug")
def rollback(slug: str) -> None:
    """Make the stock before the present one live again."""
    from forecourt.base.clock import SYSTEM_CLOCK
    from forecourt.cli.database import opened_database
    from forecourt.dealer.store import rollback_stock

    with opened_database() as database:
        version = database.write_sync(
            lambda connection: rollback_stock(connection, slug, now=SYSTEM_CLOCK.now())
        )
    click.echo(f"The stock of {version.confirmed_at.isoformat()} is live again: {version.listings} vehicles.")


@feed.command()
@click.argument("slug")
@click.option("--limit", type=click.IntRange(1, 1000), default=20, show_default=True)
def history(slug: str, limit: int) -> None:
    """List the newest imports of a dealer."""
    from rich.console import Console
    from rich.table import Table

    from forecourt.cli.database import opened_database
    from forecourt.dealer.store import import_history

    with opened_database() as database:
        records = database.read_sync(lambda connection: import_history(connection, slug, limit=limit))
    table = Table("finished", "outcome", "rows", "accepted", "rejected", "source", "reason")
    for record in records:
        counts = (str(count) for count in (record.rows_in, record.accepted, record.rejected))
        finished = f"{record.finished_at:%Y-%m-%d %H:%M:%S}Z"
        table.add_row(finished, record.outcome, *counts, record.source, record.report.get("code", ""))
    Console().print(table)


@feed.command(name="map")
@click.argument("file", type=_FILE)
@click.option("--country", help="Country of the dealer, as ISO 3166-1 alpha-2.")
def map_(file: Path, country: str | None) -> None:
    """Print a mapping file for FILE: what was understood, to be corrected by hand."""
    from forecourt.dealer.feed.proposing import propose_mapping

    click.echo(propose_mapping(file, home_country=country))


@feed.command()
@click.argument("slug")
@click.argument("source", required=False)
@click.option(
    "--every",
    type=click.IntRange(5, 7 * 24 * 60),
    default=60,
    show_default=True,
    help="Minutes between two looks.",
)
@click.option(
    "--stale-after",
    type=click.IntRange(1, 24 * 30),
    default=26,
    show_default=True,
    help="Hours of silence before the alarm.",
)
@click.option(
    "--mapping", "mapping_file", type=_FILE, help="TOML file that says what cannot be seen in the feed."
)
@click.option(
    "--password-env", help="Environment variable that holds the password (SFTP) or bearer token (HTTPS)."
)
@click.option("--host-key", help="Public key of the SFTP server, such as 'ssh-ed25519 AAAA…'.")
@click.option("--alarm-mail", help="Who is told when the feed is silent.")
@click.option("--remove", is_flag=True, help="Stop fetching the feed.")
def schedule(
    slug: str,
    source: str | None,
    *,
    remove: bool,
    mapping_file: Path | None,
    every: int,
    stale_after: int,
    **given: str | None,
) -> None:
    """Fetch the feed of the dealer SLUG regularly from SOURCE: https://…, sftp://user@host/path or a folder.

    `forecourt serve` does the fetching, in one of its workers.
    """
    import tomllib
    from datetime import timedelta

    from forecourt.base.clock import SYSTEM_CLOCK
    from forecourt.cli.database import opened_database
    from forecourt.dealer.feed.schedules import Schedule, checked
    from forecourt.dealer.feed.store import remove_schedule, set_schedule

    if (source is None) != remove:
        raise click.UsageError("Give a SOURCE, or --remove without one.")
    with opened_database() as database:
        if source is None:
            removed = database.write_sync(lambda connection: remove_schedule(connection, slug))
            click.echo("The feed is no longer fetched." if removed else "There was no schedule.")
            return
        mapping = tomllib.loads(mapping_file.read_text(encoding="utf-8")) if mapping_file else {}
        wanted = checked(
            Schedule(slug, source, timedelta(minutes=every), timedelta(hours=stale_after), mapping, **given)
        )
        database.write_sync(lambda connection: set_schedule(connection, wanted, now=SYSTEM_CLOCK.now()))
    click.echo(f"The feed of {slug} is fetched every {every} minutes while the server runs.")


@feed.command()
def schedules() -> None:
    """List the scheduled feeds and how they are."""
    from rich.console import Console
    from rich.table import Table

    from forecourt.base.clock import SYSTEM_CLOCK
    from forecourt.cli.database import opened_database
    from forecourt.dealer.feed.store import list_schedules

    with opened_database() as database:
        found = database.read_sync(list_schedules)
    table = Table("dealer", "source", "every", "last outcome", "last good file", "next", "stale")
    for progress in found:
        seen = f"{progress.seen_at:%Y-%m-%d %H:%M}Z" if progress.seen_at else "never"
        stale = "yes" if progress.is_stale(SYSTEM_CLOCK.now()) else "no"
        due = f"{progress.next_run_at:%Y-%m-%d %H:%M}Z"
        planned = progress.schedule
        table.add_row(
            planned.slug, planned.source, str(planned.every), progress.outcome or "not yet", seen, due, stale
        )
    Console().print(table)


class _Accepted:
    """Collects the listings of an import for its report."""

    def __init__(self) -> None:
        self.listings: list[Any] = []

    def take(self, chunk: "Chunk") -> None:
        """Keep the listings of a chunk."""
        self.listings.extend(chunk.listings())


@contextmanager
def _progress(file: Path) -> Iterator[Callable[[int], None]]:
    """Show how many rows were read; nothing when nobody watches."""
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        TextColumn("{task.completed:,} rows"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(f"Reading {file.name}", total=None)
        yield lambda rows: bar.update(task, completed=rows)


def _print_account(imported: "Imported", *, dry_run: bool) -> None:
    from rich.console import Console
    from rich.table import Table

    from forecourt.tables.report import RULES

    reading, report, console = imported.reading, imported.reading.report, Console()
    found = reading.detected
    told = (found.format, found.charset, f"delimiter {found.delimiter}" if found.delimiter else None)
    console.print(
        f"Read as {', '.join(filter(None, told))}; {'; '.join(reading.conventions.reasons)}.", highlight=False
    )
    for note in report.file_notes:
        console.print(f"Note: {note}.", highlight=False, markup=False)
    if report.rejected or report.notes:
        table = Table("rows", "effect", "rule", "meaning")
        for effect, counts in (("not taken", report.rejected), ("note", report.notes)):
            for rule, count in counts.most_common():
                table.add_row(f"{count:,}", effect, rule, RULES[rule])
        console.print(table)
    _print_refused_rows(console, imported)
    verb = "would be" if dry_run else "are"
    console.print(
        f"{report.rows_in:,} rows in = {report.accepted:,} accepted + {report.rejected_rows:,} rejected"
        f" ({report.blank_rows:,} blank). {report.accepted:,} vehicles {verb} in stock,"
        f" {imported.listings_before:,} before.",
        highlight=False,
    )


def _print_refused_rows(console: Any, imported: "Imported") -> None:
    from rich.table import Table

    refused = [finding for finding in imported.reading.report.findings if finding.effect != "note"]
    if not refused:
        return
    table = Table("line", "column", "value", "rule")
    for finding in refused[:_FINDINGS_SHOWN]:
        table.add_row(str(finding.line), finding.column, finding.value, finding.rule)
    console.print(table)
    if len(refused) > _FINDINGS_SHOWN:
        console.print(f"… and {len(refused) - _FINDINGS_SHOWN} more; --report FILE writes all.")
