"""`forecourt decode`: what the numbers on a car and its papers tell."""

import json
from typing import Any

import click


@click.group()
def decode() -> None:
    """Say which car a number means."""


@decode.command()
@click.argument("vins", nargs=-1, required=True)
@click.option("--country", help="Market in which the car is, as ISO 3166-1 alpha-2.")
@click.option("--json", "as_json", is_flag=True, help="Print one answer a line as JSON.")
def vin(vins: tuple[str, ...], country: str | None, *, as_json: bool) -> int:
    """Say what each of VINS tells: maker, model year, model. Exit code 1 when one cannot be read."""
    from forecourt.base.clock import SYSTEM_CLOCK
    from forecourt.base.errors import ForecourtError
    from forecourt.catalogue.store import load_catalogue
    from forecourt.cli.database import opened_database
    from forecourt.identify.vin_answer import answer
    from forecourt.identify.vin_decoding import decode_many

    with opened_database() as database:
        catalogue = database.read_sync(load_catalogue)
    decoded = decode_many(vins, this_year=SYSTEM_CLOCK.now().year)
    for text, one in zip(vins, decoded, strict=True):
        if isinstance(one, ForecourtError):
            _print_error(text, one, as_json=as_json)
        else:
            _print(answer(catalogue, one, country=country), as_json=as_json)
    return 1 if any(isinstance(one, ForecourtError) for one in decoded) else 0


@decode.command(name="hsn-tsn")
@click.argument("code")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
def hsn_tsn(code: str, *, as_json: bool) -> int:
    """Say which cars the German type key CODE means, such as 0603/ADT. Exit code 1 when none is known."""
    from forecourt.base.errors import ForecourtError
    from forecourt.catalogue.store import load_catalogue
    from forecourt.cli.database import opened_database
    from forecourt.identify.hsn_tsn import read_type_key
    from forecourt.identify.hsn_tsn_decoding import decode_hsn_tsn

    with opened_database() as database:
        catalogue = database.read_sync(load_catalogue)
        try:
            key = read_type_key({"code": code})
            told = database.read_sync(lambda connection: decode_hsn_tsn(connection, catalogue, key))
        except ForecourtError as error:
            _print_error(code, error, as_json=as_json)
            return 1
    named = f"{told['manufacturer']} {told['trade_name'] or ''}".strip()
    _print_candidates(told, f"{told['code']} ({named})", as_json=as_json)
    return 0


@decode.command()
@click.argument("country")
@click.argument("number")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
def plate(country: str, number: str, *, as_json: bool) -> int:
    """Ask the register of COUNTRY (ISO 3166-1 alpha-2) for the car with the plate NUMBER."""
    import asyncio

    from forecourt.base.errors import ForecourtError

    try:
        told = asyncio.run(_looked_up(country.upper(), number))
    except ForecourtError as error:
        _print_error(number, error, as_json=as_json)
        return 1
    _print_candidates(told, f"{told['plate']} ({told['source']['name']})", as_json=as_json)
    return 0


async def _looked_up(country: str, number: str) -> dict[str, Any]:
    from forecourt.catalogue.current import CurrentCatalogue
    from forecourt.cli.database import opened_database
    from forecourt.fetch.client import Fetcher
    from forecourt.fetch.policy import FetchPolicy
    from forecourt.identify.plates_lookup import PlateLookup
    from forecourt.identify.registers.connected import Access, connect_registers
    from forecourt.settings import read_settings

    settings = read_settings()
    with opened_database() as database:
        async with Fetcher(FetchPolicy.allowing(settings.fetch_allow)) as fetch:
            registers = connect_registers(fetch, Access.of(settings))
            plates = PlateLookup(registers, catalogue=CurrentCatalogue(database).current)
            return await plates.lookup_plate({"country": country, "number": number})


def _print_candidates(told: dict[str, Any], head: str, *, as_json: bool) -> None:
    """Print what a number means: the cars that fit, the facts if there are any, the source's notice."""
    if as_json:
        click.echo(json.dumps(told, ensure_ascii=False))
        return
    from rich.console import Console

    console = Console()
    console.print(f"{head}: {told['match']['status']}", highlight=False, markup=False)
    for candidate in told["candidates"]:
        line = f"  {candidate['label']} ({candidate['confidence']:.2f})"
        console.print(line, highlight=False, markup=False)
    if told.get("fields"):
        console.print(_facts_table(told["fields"]))
    for remark in (*told["warnings"], *told["hints"]):
        console.print(f"{remark['code']}: {remark['message']}", highlight=False, markup=False)
    console.print(told["attribution_text"], highlight=False, markup=False, soft_wrap=True)


def _facts_table(fields: dict[str, Any]) -> Any:
    from rich.table import Table

    table = Table("field", "value", "confidence", "from")
    for name, fact in fields.items():
        table.add_row(name, str(fact["value"]), f"{fact['confidence']:.2f}", fact["raw"] or fact["source"])
    return table


def _print_error(text: str, error: Any, *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({"input": text, "code": error.code, **error.details}, ensure_ascii=False))
        return
    suggestion = error.details.get("suggestion")
    meant = f" Did you mean {suggestion}?" if suggestion else ""
    click.echo(f"{text}: {error.message}{meant}", err=True)


def _print(told: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(told, ensure_ascii=False))
        return
    from rich.console import Console

    console = Console()
    best = told["candidates"][0]["label"] if told["candidates"] else "model unknown"
    year = told["model_year"]
    console.print(f"{told['vin']}: {told['match']['status']}, {best}", highlight=False, markup=False)
    years = " or ".join(map(str, (*filter(None, [year["value"]]), *year["alternatives"]))) or "not told"
    model_year = {"value": years, "confidence": year["confidence"], "raw": None, "source": "vin"}
    console.print(_facts_table({"model_year": model_year, **told["fields"]}))
    for remark in (*told["warnings"], *told["hints"]):
        console.print(f"{remark['code']}: {remark['message']}", highlight=False, markup=False)
