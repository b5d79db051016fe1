"""`forecourt user`: the people of an organisation, and what each may do."""

import click

from forecourt.cli.printing import print_rows

_ORG = click.option("--org", "organization_id", required=True, help="Id of the organisation.")


@click.group()
def user() -> None:
    """Add, list and remove the people of an organisation."""


@user.command()
@click.argument("email")
@_ORG
@click.option(
    "--role",
    type=click.Choice(["owner", "developer", "billing", "dealer_staff"]),
    default="developer",
    show_default=True,
    help="What the person may do; in place of another role.",
)
def add(email: str, organization_id: str, role: str) -> None:
    """Give the person with the address EMAIL a role in an organisation."""
    from forecourt.accounts import organizations
    from forecourt.accounts.store import add_member
    from forecourt.base.clock import SYSTEM_CLOCK
    from forecourt.cli.database import opened_database

    address, given = organizations.email_address(email), organizations.role(role)
    with opened_database() as database:
        member = database.write_sync(
            lambda connection: add_member(
                connection, organization_id, email=address, role=given, now=SYSTEM_CLOCK.now()
            )
        )
    click.echo(member.user_id)


@user.command(name="list")
@_ORG
@click.option("--json", "as_json", is_flag=True, help="One JSON document for machines.")
def list_(organization_id: str, as_json: bool) -> None:
    """List the people of an organisation."""
    from forecourt.accounts.store import list_members
    from forecourt.cli.database import opened_database

    with opened_database() as database:
        members = database.read_sync(lambda connection: list_members(connection, organization_id))
    rows = [{"id": one.user_id, "email": one.email, "role": one.role.value} for one in members]
    print_rows(rows, as_json=as_json)


@user.command()
@click.argument("email")
@_ORG
def remove(email: str, organization_id: str) -> None:
    """End the membership of the person with the address EMAIL at once."""
    from forecourt.accounts.organizations import email_address
    from forecourt.accounts.store import remove_member
    from forecourt.cli.database import opened_database

    address = email_address(email)
    with opened_database() as database:
        database.write_sync(lambda connection: remove_member(connection, organization_id, address))
