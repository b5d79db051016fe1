"""`forecourt leads`: the leads inbox, what was delivered, and the rights of the people behind it."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from forecourt.leads.lead import Lead
    from forecourt.storage.database import Database
    from forecourt.storage.outbox import Parcel


@click.group()
def leads() -> None:
    """Read, resend, export and erase leads."""


@leads.command(name="list")
@click.option("--dealer", help="Only this dealer's leads.")
@click.option("--limit", default=50, show_default=True, help="How many, newest first.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document for machines.")
def list_(dealer: str | None, limit: int, as_json: bool) -> None:
    """List the newest leads and whether they have reached the dealer."""
    from forecourt.cli.database import opened_database
    from forecourt.leads.store import list_leads
    from forecourt.storage.outbox import parcels_about

    with opened_database() as database:
        found = database.read_sync(lambda connection: list_leads(connection, dealer=dealer, limit=limit))
        parcels = database.read_sync(lambda connection: parcels_about(connection, [one.id for one in found]))
    rows = [_row(one, [parcel for parcel in parcels if parcel.subject == one.id]) for one in found]
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
    else:
        _print_table(rows)


@leads.command()
@click.argument("lead_id")
def show(lead_id: str) -> None:
    """Show one lead: its consent first, then what each destination got or gets, byte for byte."""
    from forecourt.cli.database import opened_database
    from forecourt.leads.resending import previews
    from forecourt.leads.store import load_lead
    from forecourt.storage.outbox import parcels_about

    with opened_database() as database:
        lead = database.read_sync(lambda connection: load_lead(connection, lead_id))
        parcels = database.read_sync(lambda connection: parcels_about(connection, [lead_id]))
        texts = database.read_sync(lambda connection: previews(connection, lead_id))
    _print_lead(lead)
    _print_table([_delivery(parcel) for parcel in parcels])
    for preview in texts:
        click.echo(f"\n--- what {preview.destination} gets ---\n{preview.text}")


@leads.command()
@click.argument("lead_id", required=False)
@click.option("--destination", help="Only this destination of the dealer's profile.")
@click.option("--undelivered", metavar="SLUG", help="Every lead of this dealer that is dead or held.")
def resend(lead_id: str | None, destination: str | None, undelivered: str | None) -> None:
    """Send a lead again, marked as a repeat; a running server carries it."""
    from forecourt.base.clock import SYSTEM_CLOCK
    from forecourt.cli.database import opened_database
    from forecourt.leads import resending

    if (lead_id is None) == (undelivered is None):
        raise click.UsageError("Give a LEAD_ID or --undelivered SLUG.")
    now = SYSTEM_CLOCK.now()
    with opened_database() as database:
        if undelivered is not None:
            ids = database.write_sync(
                lambda connection: resending.resend_undelivered(connection, undelivered, now=now)
            )
            click.echo(f"{len(ids)} leads wait to be sent again.")
            return
        names = database.write_sync(
            lambda connection: resending.resend(connection, str(lead_id), destination=destination, now=now)
        )
    click.echo(f"{lead_id} waits to be sent again to {', '.join(names) or 'no destination'}.")


@leads.command()
@click.argument("contact")
@click.option("--dealer", help="Only this dealer's leads.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file.")
def export(contact: str, dealer: str | None, out: Path | None) -> None:
    """Export all that is kept about a person, found by e-mail address or telephone number (E.164)."""
    from forecourt.cli.database import opened_database
    from forecourt.leads.privacy import export_contact

    with opened_database() as database:
        kept = database.read_sync(lambda connection: export_contact(connection, contact, dealer=dealer))
    text = json.dumps(kept, ensure_ascii=False, indent=2)
    if out is None:
        click.echo(text)
        return
    out.touch(mode=0o600)
    out.write_text(text + "\n", encoding="utf-8")
    click.echo(f"{len(kept)} leads written.")


@leads.command()
@click.argument("contact")
@click.option("--dealer", help="Only this dealer's leads.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def erase(contact: str, dealer: str | None, yes: bool) -> None:
    """Erase a person's leads for good, also what waits to be sent, and rewrite the database file."""
    from forecourt.base.clock import SYSTEM_CLOCK
    from forecourt.cli.database import opened_database
    from forecourt.leads.privacy import erase_contact, forget_bytes
    from forecourt.settings import read_settings

    if not yes:
        click.confirm("Erase everything about this person? It cannot be undone.", abort=True)
    now = SYSTEM_CLOCK.now()
    with opened_database() as database:
        ids = database.write_sync(
            lambda connection: erase_contact(connection, contact, now=now, dealer=dealer)
        )
    forget_bytes(read_settings().effective_database_url)
    click.echo(f"{len(ids)} leads erased.")


@leads.command()
@click.argument("slug")
def test(slug: str) -> None:
    """Send a lead marked as a test to every destination of the dealer SLUG and say what came of it."""
    import asyncio

    from forecourt.base.clock import SYSTEM_CLOCK
    from forecourt.cli.database import opened_database
    from forecourt.dealer.store import find_dealer
    from forecourt.leads.destinations import parse_destinations
    from forecourt.leads.resending import send_test_lead

    with opened_database() as database:
        profile = database.read_sync(lambda connection: find_dealer(connection, slug)).profile
        if not parse_destinations(profile):
            raise click.ClickException("The profile has no [[destinations]].")
        lead_id = database.write_sync(
            lambda connection: send_test_lead(connection, profile, now=SYSTEM_CLOCK.now())
        )
        parcels = asyncio.run(_carried(database, lead_id))
    click.echo(f"Test lead {lead_id}")
    _print_table([_delivery(parcel) for parcel in parcels])
    if any(parcel.state != "delivered" for parcel in parcels):
        raise click.ClickException("Not every destination took the lead; a running server tries again.")


async def _carried(database: "Database", lead_id: str) -> "list[Parcel]":
    """Make one attempt with each parcel of the lead, here or in a server that is quicker."""
    import asyncio

    from forecourt.fetch.client import Fetcher
    from forecourt.fetch.policy import FetchPolicy
    from forecourt.leads.delivery import Courier
    from forecourt.leads.sending import Sender
    from forecourt.settings import read_settings
    from forecourt.storage.outbox import parcels_about

    async with Fetcher(FetchPolicy.allowing(read_settings().fetch_allow)) as fetch:
        courier = Courier(database, Sender(fetch))
        while True:
            await courier.deliver_due()
            parcels = await database.read(lambda connection: parcels_about(connection, [lead_id]))
            if all(parcel.attempts and parcel.state != "delivering" for parcel in parcels):
                return parcels
            await asyncio.sleep(0.1)


def _row(lead: "Lead", parcels: "Sequence[Parcel]") -> dict[str, Any]:
    vehicle = lead.listing or lead.request.get("vehicle_of_interest") or {}
    return {
        "lead": lead.id,
        "received": lead.received_at.isoformat(timespec="seconds"),
        "dealer": lead.dealer,
        "customer": lead.contact.full_name,
        "vehicle": " ".join(str(vehicle[name]) for name in ("year", "make", "model") if vehicle.get(name)),
        "appointment": lead.appointment.status if lead.appointment else "",
        "delivery": ", ".join(f"{parcel.destination}: {parcel.state}" for parcel in parcels) or "inbox only",
    }


def _delivery(parcel: "Parcel") -> dict[str, Any]:
    waits = parcel.state in {"pending", "delivering"}
    return {
        "destination": parcel.destination,
        "state": parcel.state,
        "attempts": parcel.attempts,
        "last outcome": parcel.outcome or "",
        "next attempt": parcel.due_at.isoformat(timespec="seconds") if waits else "",
    }


def _print_lead(lead: "Lead") -> None:
    consent = lead.request["consent"]
    click.echo(f"{lead.id} for {lead.dealer}, received {lead.received_at.isoformat(timespec='seconds')}")
    click.echo(f"Consent given {consent['granted_at']} by way of {lead.request['source_agent']['name']}:")
    click.echo(f"  {consent['consent_text']}")
    click.echo(f"Allowed channels: {', '.join(lead.contact.channels)}\n")
    click.echo(json.dumps(lead.request, ensure_ascii=False, indent=2))


def _print_table(rows: Sequence[dict[str, Any]]) -> None:
    from rich.console import Console
    from rich.table import Column, Table
    from rich.text import Text

    if not rows:
        click.echo("Nothing here.")
        return
    table = Table(*(Column(name, overflow="fold") for name in rows[0]))  # an id must stay whole to be copied
    for row in rows:
        table.add_row(*(Text(str(value)) for value in row.values()))
    Console().print(table)
