"""`forecourt normalize`: which car a text means."""

import json
from typing import Any

import click


@click.command()
@click.argument("text")
@click.option("--country", help="Country whose habits count, as ISO 3166-1 alpha-2.")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
def normalize(text: str, country: str | None, *, as_json: bool) -> None:
    """Say which car TEXT means, and what else it says."""
    from forecourt.catalogue.store import load_catalogue
    from forecourt.cli.database import opened_database
    from forecourt.identify.text import normalize_vehicle

    with opened_database() as database:
        loaded = database.read_sync(load_catalogue)
    answer = normalize_vehicle(loaded, {"text": text, **({"country": country} if country else {})})
    if as_json:
        click.echo(json.dumps(answer, ensure_ascii=False, indent=1))
        return
    _print(answer)


def _print(answer: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    match, console = answer["match"], Console()
    best = answer["candidates"][0]["label"] if answer["candidates"] else "no car"
    console.print(
        f"{match['status']}: {best} (confidence {match['confidence']:.2f})", highlight=False, markup=False
    )
    table = Table("field", "value", "confidence", "from")
    for name, fact in answer["fields"].items():
        table.add_row(name, str(fact["value"]), f"{fact['confidence']:.2f}", fact["raw"] or fact["source"])
    console.print(table)
    if answer["unparsed"]:
        console.print(f"Not understood: {' '.join(answer['unparsed'])}", highlight=False, markup=False)
    for candidate in answer["candidates"][1:]:
        console.print(
            f"or {candidate['label']} ({candidate['confidence']:.2f})", highlight=False, markup=False
        )
