"""`forecourt dealer`: the dealers hosted here."""

import json
from pathlib import Path

import click


@click.group()
def dealer() -> None:
    """Add and list the dealers hosted here."""


@dealer.command()
@click.argument("slug")
@click.option(
    "--profile",
    "profile_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    required=True,
    help="TOML file: the dealer's information, its domains and its provider.",
)
@click.option("--org", "organization_id", help="Id of the organisation that owns the dealer.")
@click.option("--replace", is_flag=True, help="Replace the profile of a dealer that is hosted already.")
def add(slug: str, *, profile_file: Path, organization_id: str | None, replace: bool) -> None:
    """Host the dealer SLUG with the profile in a TOML file."""
    from forecourt.base.clock import SYSTEM_CLOCK
    from forecourt.cli.database import opened_database
    from forecourt.dealer.profile import read_profile
    from forecourt.dealer.store import add_dealer, update_dealer
    from forecourt.leads.sections import check_lead_sections

    profile = read_profile(slug, profile_file)
    check_lead_sections(profile)
    now = SYSTEM_CLOCK.now()
    with opened_database() as database:
        if replace:
            database.write_sync(lambda connection: update_dealer(connection, profile, now=now))
        else:
            database.write_sync(
                lambda connection: add_dealer(connection, profile, now=now, organization_id=organization_id)
            )
    done = "has a new profile" if replace else "is hosted"
    number = len(profile.rooftops)
    click.echo(f"{profile.name} {done} as {slug}, with {number} rooftop{'s' * (number != 1)}.")


@dealer.command(name="list")
@click.option("--json", "as_json", is_flag=True, help="One JSON document for machines.")
def list_(*, as_json: bool) -> None:
    """List the dealers hosted here with their stock."""
    from forecourt.cli.database import opened_database
    from forecourt.dealer.store import StockSummary, list_dealers, stock_summaries

    with opened_database() as database:
        dealers = database.read_sync(list_dealers)
        stocks: dict[str, StockSummary] = database.read_sync(stock_summaries)
    rows: list[dict[str, object]] = [
        {
            "slug": found.slug,
            "name": found.profile.name,
            "rooftops": len(found.profile.rooftops),
            "domains": list(found.profile.domains),
            "vehicles": stocks[found.slug].listings if found.slug in stocks else 0,
            "confirmed_at": stocks[found.slug].confirmed_at.isoformat() if found.slug in stocks else None,
        }
        for found in dealers
    ]
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
    else:
        _print_table(rows)


@dealer.command()
@click.argument("slug")
def card(slug: str) -> None:
    """Print the agent card of the dealer SLUG as it is served."""
    from forecourt.agent.card import build_card
    from forecourt.cli.database import opened_database
    from forecourt.dealer.store import find_dealer
    from forecourt.retail.lead_submit import SKILL as LEAD_SUBMIT
    from forecourt.retail.skills import READ_SKILLS
    from forecourt.settings import read_settings

    with opened_database() as database:
        found = database.read_sync(lambda connection: find_dealer(connection, slug))
    settings = read_settings()
    card_content = build_card(
        found.profile,
        endpoint_url=f"{settings.public_url}/dealers/{slug}/a2a",
        skill_ids={*READ_SKILLS, LEAD_SUBMIT},
        requires_extension=settings.require_aap_extension,
    )
    click.echo(json.dumps(card_content, ensure_ascii=False, indent=2))


def _print_table(rows: list[dict[str, object]]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("slug", "name", "rooftops", "vehicles", "stock confirmed", "domains")
    for row in rows:
        domains = row["domains"]
        joined = ", ".join(domains) if isinstance(domains, list) else ""
        cells = (
            row["slug"],
            row["name"],
            row["rooftops"],
            row["vehicles"],
            row["confirmed_at"] or "never",
            joined,
        )
        table.add_row(*map(str, cells))
    Console().print(table)
