"""`forecourt check`: how well somebody's agent keeps the rules of its protocol."""

import asyncio
import json
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from forecourt.check.report import Report


@click.group()
def check() -> None:
    """Check anyone's dealer agent for conformance."""


@check.command()
@click.argument("url")
@click.option("--json", "as_json", is_flag=True, help="Write the report as JSON.")
@click.option("--strict", is_flag=True, help="Count a broken SHOULD as a failure too.")
def aap(url: str, *, as_json: bool, strict: bool) -> int:
    """Check the AAP 1.3 dealer agent whose card is at URL.

    URL is a domain, the address that stands before /.well-known/agent-card.json, or the card's own.
    Nothing is changed at the dealer: leads are only sent without the consent that every lead needs.

    Exit code 1 when a rule that MUST be kept is broken.
    """
    from rich.console import Console

    from forecourt.check.report import report_table
    from forecourt.check.rule import Level

    report = asyncio.run(_checked(url if "://" in url else f"https://{url}"))
    if as_json:
        click.echo(json.dumps(report.as_json(), indent=2, ensure_ascii=False))
    else:
        console = Console()
        console.print(report_table(report))
        console.print(", ".join(f"{count} {outcome}" for outcome, count in report.counts().items()))
    levels = (Level.MUST, Level.SHOULD) if strict else (Level.MUST,)
    return 1 if any(report.broken(*levels)) else 0


async def _checked(url: str) -> "Report":
    """Run the check over the network, open to the host that was typed and to public addresses."""
    from forecourt.check.dealer import DealerUnderTest
    from forecourt.check.runner import check_dealer
    from forecourt.fetch.client import Fetcher
    from forecourt.fetch.policy import FetchPolicy

    async with Fetcher(FetchPolicy().trusting(url)) as fetcher:
        return await check_dealer(DealerUnderTest(url, fetcher))
