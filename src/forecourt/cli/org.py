"""`forecourt org`: the organisations that use the vehicle-data service."""

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

import click

from forecourt.cli.printing import print_rows

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from forecourt.credits.warning import WarningHook


@click.group()
def org() -> None:
    """Create, set and list organisations."""


@org.command()
@click.argument("name")
@click.option("--countries", default="", help="Country codes separated by commas, or `all`.")
def create(name: str, countries: str) -> None:
    """Create the organisation NAME and print its id."""
    from forecourt.accounts.organizations import organization_name
    from forecourt.accounts.store import add_organization
    from forecourt.base.clock import SYSTEM_CLOCK
    from forecourt.cli.database import opened_database

    checked_name, enabled = organization_name(name), _countries(countries)
    with opened_database() as database:
        made = database.write_sync(
            lambda connection: add_organization(
                connection, checked_name, countries=enabled, now=SYSTEM_CLOCK.now()
            )
        )
    click.echo(made.id)
    if not enabled:
        click.echo(f"No car can be valued yet: forecourt org set {made.id} --countries DE", err=True)


@org.command(name="set")
@click.argument("organization_id", metavar="ORG")
@click.option("--countries", help="Enable exactly these country codes, separated by commas, or `all`.")
@click.option("--suspend/--resume", "suspend", default=None, help="Refuse its calls from now on.")
@click.option("--warn-below", type=click.IntRange(min=0), help="Warn when fewer credits are available.")
@click.option("--webhook", help="Address that gets the warning, as a Standard Webhook.")
@click.option("--webhook-secret-env", help="Variable of the server with the webhook's `whsec_…` secret.")
def set_(
    organization_id: str,
    *,
    countries: str | None,
    suspend: bool | None,
    warn_below: int | None,
    webhook: str | None,
    webhook_secret_env: str | None,
) -> None:
    """Change what is given of the organisation ORG."""
    from sqlalchemy import Connection

    from forecourt.base.clock import SYSTEM_CLOCK
    from forecourt.cli.database import opened_database

    hook = _hook(webhook, webhook_secret_env)
    if hook is not None and warn_below is None:
        raise click.UsageError("--webhook needs --warn-below.")
    changes: list[Callable[[Connection], None]] = []
    if countries is not None:
        changes.append(_setting_countries(organization_id, countries))
    if suspend is not None:
        changes.append(_suspending(organization_id, SYSTEM_CLOCK.now() if suspend else None))
    if warn_below is not None:
        changes.append(_warning(organization_id, warn_below, hook))
    if not changes:
        raise click.UsageError("Say what to change.")
    with opened_database() as database:
        database.write_sync(lambda connection: [change(connection) for change in changes])


@org.command(name="list")
@click.option("--json", "as_json", is_flag=True, help="One JSON document for machines.")
def list_(as_json: bool) -> None:
    """List the organisations with their credits."""
    from forecourt.accounts.store import list_organizations
    from forecourt.base.clock import SYSTEM_CLOCK
    from forecourt.cli.database import opened_database
    from forecourt.cli.moments import shown
    from forecourt.credits.store import balance

    def rows(connection: "Connection") -> list[dict[str, object]]:
        now = SYSTEM_CLOCK.now()
        return [
            {
                "id": found.id,
                "name": found.name,
                "countries": list(found.countries),
                "credits": balance(connection, found.id, now=now).available,
                "suspended_at": shown(found.suspended_at),
            }
            for found in list_organizations(connection)
        ]

    with opened_database() as database:
        print_rows(database.read_sync(rows), as_json=as_json)


def _countries(text: str) -> tuple[str, ...]:
    from forecourt.accounts.organizations import MARKETS, country_codes

    return MARKETS if text == "all" else country_codes(code for code in text.split(",") if code.strip())


def _setting_countries(organization_id: str, text: str) -> "Callable[[Connection], None]":
    from forecourt.accounts.store import set_countries

    enabled = _countries(text)
    return lambda connection: set_countries(connection, organization_id, enabled)


def _suspending(organization_id: str, since: datetime | None) -> "Callable[[Connection], None]":
    from forecourt.accounts.store import set_suspended

    return lambda connection: set_suspended(connection, organization_id, since)


def _warning(
    organization_id: str, warn_below: int, hook: "WarningHook | None"
) -> "Callable[[Connection], None]":
    from forecourt.credits.ledger_store import set_warning

    return lambda connection: set_warning(connection, organization_id, low_below=warn_below, hook=hook)


def _hook(url: str | None, secret_env: str | None) -> "WarningHook | None":
    from forecourt.credits.warning import warning_hook

    if url is None and secret_env is None:
        return None
    if url is None or secret_env is None:
        raise click.UsageError("--webhook and --webhook-secret-env belong together.")
    return warning_hook(url, secret_env)
