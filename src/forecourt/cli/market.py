"""`forecourt market`: the listings that cars are priced from."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from forecourt.market.importing import Imported, Market, Progress, Totals
    from forecourt.market.store import Warehouse

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_OUT = click.Path(dir_okay=False, path_type=Path)
_COUNTRY = click.option(
    "--country", required=True, help="The market, as ISO 3166-1 alpha-2; EU for a file of several countries."
)


@click.group()
def market() -> None:
    """Take in the listings that others advertise, and look at what a market holds."""


@market.command(name="import")
@click.argument("file", type=_FILE, required=False)
@_COUNTRY
@click.option(
    "--mapping", "mapping_file", type=_FILE, help="TOML file that says what cannot be seen in FILE."
)
@click.option(
    "--as-of",
    type=click.DateTime(["%Y-%m-%d"]),
    help="Day that rows without a date count for; else the middle of the newest model year.",
)
@click.option(
    "--site", default="unnamed", show_default=True, help="Where the adverts stand, if rows do not say."
)
@click.option("--from-dealers", is_flag=True, help="Take the stock of the dealers hosted here, not a FILE.")
@click.option(
    "--simulated", is_flag=True, help="FILE is invented; the market is called simulated from now on."
)
@click.option("--report", "report_file", type=_OUT, help="Write the whole account as JSON.")
def import_(
    file: Path | None,
    *,
    country: str,
    mapping_file: Path | None,
    as_of: datetime | None,
    site: str,
    from_dealers: bool,
    simulated: bool,
    report_file: Path | None,
) -> None:
    """Take the listings of FILE into a market. Every row is kept or dropped with a reason.

    Importing the same again changes nothing; importing newer files extends the histories of the adverts.
    """
    if (file is None) != from_dealers:
        raise click.UsageError("Give a FILE, or --from-dealers without one.")
    with _progress() as progress, _opened_market(progress) as opened:
        if file is None:
            from forecourt.market.from_dealers import import_from_dealers

            imported = import_from_dealers(opened, country)
        else:
            from forecourt.market.importing import Terms
            from forecourt.tables.mapping import NOTHING_DECLARED, read_mapping

            mapping = NOTHING_DECLARED if mapping_file is None else read_mapping(mapping_file)
            day = as_of.date() if as_of else None
            terms = Terms(mapping=mapping, as_of=day, site=site, simulated=simulated)
            imported = opened.import_file(file, country, terms=terms)
    if report_file is not None:
        content = json.dumps(imported.as_json(), ensure_ascii=False, indent=1)
        report_file.write_text(content + "\n", encoding="utf-8")
    _print_account(imported)


@market.command()
@_COUNTRY
def rebuild(country: str) -> None:
    """Work out histories, cars and drivetrains again, after the catalogue changed."""
    with _progress() as progress, _opened_market(progress) as opened:
        totals = opened.rebuild(country)
    _print_totals(totals)


@market.command()
@click.option("--country", help="Show the imports of one market.")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
def show(country: str | None, *, as_json: bool) -> None:
    """Show what the markets hold, or one of them with its imports."""
    from forecourt.market.countries import country_of

    warehouse = _warehouse()
    chosen = [country_of(country).code] if country else warehouse.countries()
    shown = [_shown(warehouse, code, imports=country is not None) for code in chosen]
    if as_json:
        click.echo(json.dumps(shown, ensure_ascii=False, indent=1))
        return
    for one in shown:
        _print_market(one)
    if not shown:
        click.echo("No market has any listing yet.")


@market.command()
@click.argument("file", type=_OUT)
@click.option("--country", type=click.Choice(["DE", "GB"]), required=True)
@click.option("--adverts", type=click.IntRange(1, 1_000_000), default=15_000, show_default=True)
def simulate(file: Path, *, country: str, adverts: int) -> None:
    """Write a simulated market to FILE, for trying things out: `market import FILE --simulated`."""
    from forecourt.demo.market import write_simulated_market

    write_simulated_market(file, country, adverts=adverts)
    click.echo(f"{file.name} holds {adverts:,} simulated adverts that nobody made, with junk among them.")


@contextmanager
def _opened_market(progress: "Progress") -> Iterator["Market"]:
    from forecourt.cli.database import opened_database

    warehouse = _warehouse()
    with opened_database() as database:
        from forecourt.market.importing import Market

        yield Market(database, warehouse, progress=progress)


def _warehouse() -> "Warehouse":
    from forecourt.settings import read_settings
    from forecourt.tables.errors import ExtraMissing

    try:
        from forecourt.market.store import Warehouse
    except ImportError:
        raise ExtraMissing("Markets need more packages: install forecourt[data].") from None
    return Warehouse(Path(read_settings().data_dir) / "market")


@contextmanager
def _progress() -> Iterator["Progress"]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,} rows"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("Reading", total=None)
        yield lambda stage, rows: bar.update(task, description=stage, completed=rows)


def _print_account(imported: "Imported") -> None:
    from forecourt.market.cleaning import DROPPED

    account, country = imported.account, imported.country
    kind = "simulated market" if imported.simulated else "market"
    click.echo(
        f"{imported.source} into the {kind} {country.code} ({country.currency}, {country.tax_basis()}); "
        f"undated rows count for {imported.as_of} ({imported.as_of_reason})."
    )
    if imported.conventions:
        click.echo(f"Read with {'; '.join(imported.conventions)}.")
    click.echo(
        f"{account.rows_in:,} rows: {account.kept:,} kept, {account.dropped.total():,} dropped; "
        + (f"{imported.new_sightings:,} sightings are new." if imported.changed else "all of it was known.")
    )
    for reason, count in account.dropped.most_common():
        click.echo(f"  {count:>8,} {reason}: {DROPPED[reason]}")
    _print_totals(imported.totals)


def _print_totals(totals: "Totals") -> None:
    from forecourt.market.cleaning import SET_ASIDE

    click.echo(
        f"The market has {totals.adverts:,} adverts of {totals.cars:,} cars, {totals.first_day} to "
        f"{totals.last_day}: {totals.reposts:,} reposts, {totals.price_changes:,} price changes; "
        f"{_percent(totals.with_model, totals.adverts)} with a model, "
        f"{_percent(totals.with_drivetrain, totals.adverts)} with a drivetrain."
    )
    for reason, count in totals.set_aside.items():
        click.echo(f"  {count:>8,} set aside, {reason}: {SET_ASIDE[reason]}")


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "none"


def _shown(warehouse: "Warehouse", code: str, *, imports: bool) -> dict[str, Any]:
    from forecourt.market.importing import market_totals, totals_json

    manifest = warehouse.manifest(code)
    told = {
        "country": code,
        "currency": manifest.currency,
        "tax_basis": manifest.tax_basis,
        "simulated": manifest.simulated,
        "version": manifest.version,
        "updated_at": manifest.updated_at,
        **totals_json(market_totals(warehouse, code)),
    }
    return {**told, "imports": list(manifest.imports)} if imports else told


def _print_market(shown: dict[str, Any]) -> None:
    kind = "simulated market" if shown["simulated"] else "market"
    click.echo(
        f"{shown['country']}: {kind}, {shown['adverts']:,} adverts of {shown['cars']:,} cars "
        f"in {shown['currency']} ({shown['tax_basis']}), {shown['first_day']} to {shown['last_day']}."
    )
    for line in shown.get("imports", ()):
        click.echo(f"  {line['at']}  {line['source']}: {line['kept']:,} of {line['rows_in']:,} rows kept")
