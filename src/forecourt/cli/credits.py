"""`forecourt credits`: what organisations have to spend, and whether the books add up."""

import sys
from datetime import datetime
from typing import TYPE_CHECKING

import click

from forecourt.cli.moments import DAY, end_of, shown
from forecourt.cli.printing import print_rows

if TYPE_CHECKING:
    from forecourt.credits.ledger import LedgerEntry


_SHOWN = ("number", "at", "type", "amount", "available", "valuation_id", "reference")


@click.group()
def credits() -> None:  # noqa: A001 - the name of the command
    """Grant and check credits."""


@credits.command()
@click.argument("organization_id", metavar="ORG")
@click.argument("amount", metavar="N", type=int)
@click.option("--reference", required=True, help="What it is for, such as an invoice: granted once for each.")
@click.option("--expires", "expires_on", type=DAY, help="The last day (UTC) on which they can be spent.")
def grant(organization_id: str, amount: int, reference: str, expires_on: datetime | None) -> None:
    """Give the organisation ORG N credits; the same grant again changes nothing."""
    from forecourt.base.clock import SYSTEM_CLOCK
    from forecourt.cli.database import opened_database
    from forecourt.credits import store

    with opened_database() as database:
        entry = database.write_sync(
            lambda connection: store.grant(
                connection,
                organization_id,
                amount=amount,
                reference=reference,
                expires_at=end_of(expires_on),
                now=SYSTEM_CLOCK.now(),
            )
        )
    _tell(entry)


@credits.command(context_settings={"ignore_unknown_options": True})
@click.argument("organization_id", metavar="ORG")
@click.argument("amount", metavar="N", type=int)
@click.option("--reference", required=True, help="Why: adjusted once for each reference.")
def adjust(organization_id: str, amount: int, reference: str) -> None:
    """Correct the credits of the organisation ORG by N, which may be negative."""
    from forecourt.base.clock import SYSTEM_CLOCK
    from forecourt.cli.database import opened_database
    from forecourt.credits import store

    with opened_database() as database:
        entry = database.write_sync(
            lambda connection: store.adjust(
                connection, organization_id, amount=amount, reference=reference, now=SYSTEM_CLOCK.now()
            )
        )
    _tell(entry)


@credits.command()
@click.argument("valuation_id", metavar="VALUATION")
def refund(valuation_id: str) -> None:
    """Give back what the valuation with the id VALUATION has cost."""
    from forecourt.base.clock import SYSTEM_CLOCK
    from forecourt.cli.database import opened_database
    from forecourt.credits import store

    with opened_database() as database:
        entry = database.write_sync(
            lambda connection: store.refund(connection, valuation_id, request_id=None, now=SYSTEM_CLOCK.now())
        )
    _tell(entry)


@credits.command()
@click.argument("organization_id", metavar="ORG")
@click.option("--limit", default=50, show_default=True, help="How many lines, newest first.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document for machines.")
def ledger(organization_id: str, limit: int, as_json: bool) -> None:
    """Show the newest lines of the ledger of the organisation ORG."""
    from forecourt.accounts.store import find_organization
    from forecourt.cli.database import opened_database
    from forecourt.credits import store

    with opened_database() as database:
        database.read_sync(lambda connection: find_organization(connection, organization_id))
        lines = database.read_sync(
            lambda connection: store.entries(connection, organization_id, before=None, limit=limit)
        )
    print_rows([_row(line) for line in lines], as_json=as_json, columns=_SHOWN)


@credits.command()
def check() -> None:
    """Compare every account with its ledger, lots and reservations; exit code 1 when something differs."""
    from forecourt.cli.database import opened_database
    from forecourt.credits.audit_store import discrepancies

    with opened_database() as database:
        found = database.read_sync(discrepancies)
    for sentence in found:
        click.echo(sentence, err=True)
    click.echo("The books add up." if not found else f"{len(found)} things do not add up.")
    if found:
        sys.exit(1)


def _tell(entry: "LedgerEntry") -> None:
    click.echo(f"Line {entry.number}: {entry.type} of {entry.amount}, then {entry.balance_after} available.")


def _row(line: "LedgerEntry") -> dict[str, object]:
    return {
        "number": line.number,
        "at": shown(line.created_at),
        "type": line.type,
        "amount": line.amount,
        "available": line.balance_after,
        "valuation_id": line.valuation_id,
        "key_id": line.key_id,
        "request_id": line.request_id,
        "reference": line.reference,
    }
