"""`forecourt key`: the API keys of an organisation. A key is shown when it is made and never again."""

import json
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import click

from forecourt.cli.moments import DAY, end_of, shown
from forecourt.cli.printing import print_rows

if TYPE_CHECKING:
    from forecourt.accounts.keys import ApiKey

_ORG = click.option("--org", "organization_id", required=True, help="Id of the organisation.")
_JSON = click.option("--json", "as_json", is_flag=True, help="One JSON document for machines.")


_SHOWN = ("id", "name", "mode", "key", "ends_at", "last_used_at")


@click.group()
def key() -> None:
    """Create, list, rotate and revoke API keys."""


@key.command()
@_ORG
@click.option("--mode", type=click.Choice(["test", "live"]), required=True, help="Simulated, or paid.")
@click.option("--name", default="API key", show_default=True, help="What people call it.")
@click.option("--scope", "scopes", multiple=True, help="What it may be used for; without any, everything.")
@click.option("--expires", "expires_on", type=DAY, help="The last day (UTC) on which it works.")
@click.option("--ip", "ip_networks", multiple=True, help="Address or network from which alone it works.")
@click.option("--monthly-cap", type=click.IntRange(min=1), help="Most credits that it may spend in a month.")
@_JSON
def create(organization_id: str, *, expires_on: datetime | None, as_json: bool, **asked: Any) -> None:
    """Create a key and print it: it cannot be shown again."""
    from forecourt.accounts import keys
    from forecourt.accounts.store import add_key
    from forecourt.base.clock import SYSTEM_CLOCK
    from forecourt.cli.database import opened_database

    new = keys.NewKey(
        name=asked["name"],
        mode=asked["mode"],
        scopes=keys.scope_names(asked["scopes"]),
        networks=keys.networks(asked["ip_networks"]),
        expires_at=end_of(expires_on),
        monthly_cap=asked["monthly_cap"],
    )
    secrets = _secrets()
    with opened_database() as database:
        made, bearer = database.write_sync(
            lambda connection: add_key(connection, organization_id, new, now=SYSTEM_CLOCK.now(), **secrets)
        )
    _print_new(made, bearer, as_json=as_json)


@key.command(name="list")
@_ORG
@_JSON
def list_(organization_id: str, as_json: bool) -> None:
    """List the keys of an organisation, oldest first, without their secrets."""
    from forecourt.accounts.store import list_keys
    from forecourt.cli.database import opened_database

    with opened_database() as database:
        found = database.read_sync(lambda connection: list_keys(connection, organization_id))
    print_rows([_row(one) for one in found], as_json=as_json, columns=_SHOWN)


@key.command()
@click.argument("key_id", metavar="KEY")
@click.option(
    "--overlap-hours", type=click.IntRange(min=0), default=24, show_default=True, help="How long both work."
)
@_JSON
def rotate(key_id: str, overlap_hours: int, as_json: bool) -> None:
    """Create a key like the one with the id KEY, which ends after the overlap."""
    from forecourt.accounts.store import rotate_key
    from forecourt.base.clock import SYSTEM_CLOCK
    from forecourt.cli.database import opened_database

    overlap, secrets = timedelta(hours=overlap_hours), _secrets()
    with opened_database() as database:
        made, bearer = database.write_sync(
            lambda connection: rotate_key(
                connection, key_id, overlap=overlap, now=SYSTEM_CLOCK.now(), **secrets
            )
        )
    _print_new(made, bearer, as_json=as_json)


@key.command()
@click.argument("key_id", metavar="KEY")
def revoke(key_id: str) -> None:
    """Let the key with the id KEY work no longer, from the next call on."""
    from forecourt.accounts.store import revoke_key
    from forecourt.base.clock import SYSTEM_CLOCK
    from forecourt.cli.database import opened_database

    with opened_database() as database:
        revoked = database.write_sync(
            lambda connection: revoke_key(connection, key_id, at=SYSTEM_CLOCK.now())
        )
    click.echo(f"{revoked.prefix}…{revoked.last4} works no longer.")


def _secrets() -> dict[str, Any]:
    from forecourt.accounts.secret import secret_of
    from forecourt.settings import read_settings

    settings = read_settings()
    return {"key_prefix": settings.key_prefix, "secret": secret_of(settings)}


def _print_new(made: "ApiKey", bearer: str, *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(_row(made) | {"key": bearer}, indent=2))
    else:
        click.echo(bearer)
        click.echo(f"Its id is {made.id}. Keep the key now: it is not shown again.", err=True)


def _row(found: "ApiKey") -> dict[str, object]:
    return {
        "id": found.id,
        "name": found.name,
        "mode": found.mode,
        "key": f"{found.prefix}…{found.last4}",
        "scopes": list(found.scopes),
        "networks": [str(network) for network in found.networks],
        "monthly_cap": found.monthly_cap,
        "created_at": shown(found.created_at),
        "expires_at": shown(found.expires_at),
        "revoked_at": shown(found.revoked_at),
        "ends_at": shown(found.ends_at),
        "last_used_at": shown(found.last_used_at),
    }
