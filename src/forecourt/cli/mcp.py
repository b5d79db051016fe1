"""`forecourt mcp`: MCP servers for assistants on this machine."""

import os

import click


@click.group()
def mcp() -> None:
    """Run an MCP server over stdio or HTTP."""


@mcp.command("aap")
@click.option(
    "--dealer",
    required=True,
    help="The dealer: a domain (cars.example.com), the URL of its agent card, or its A2A endpoint.",
)
@click.option(
    "--http",
    "port",
    type=click.IntRange(0, 65535),
    help="Serve Streamable HTTP at http://127.0.0.1:PORT/mcp (0: a free port) instead of stdio.",
)
@click.option(
    "--schemas",
    type=click.Choice(["inline", "ref"]),
    default="inline",
    show_default=True,
    help="Put request schemas into the tools, or point at the published ones as AAP's manifest does.",
)
@click.option(
    "--validate/--no-validate",
    default=True,
    show_default=True,
    help="Refuse arguments that do not fit AAP 1.3 without asking the dealer.",
)
@click.option(
    "--token-env",
    metavar="NAME",
    help="Environment variable with the bearer token for a dealer whose card asks for one.",
)
def aap(dealer: str, port: int | None, schemas: str, *, validate: bool, token_env: str | None) -> None:
    """Offer one AAP dealer's five skills as MCP tools.

    The dealer may be on this machine or in a private network: whoever types the address vouches for it. Other
    places that its card or its redirects name must be public, or allowed by FORECOURT_FETCH_ALLOW.
    """
    from forecourt.cli.mcp_aap_process import AdapterOptions, run_adapter

    options = AdapterOptions(
        dealer=dealer,
        port=port,
        form="ref" if schemas == "ref" else "inline",
        validate=validate,
        token=_token(token_env) if token_env else None,
    )
    run_adapter(options)


@mcp.command("data")
@click.option(
    "--key-env",
    metavar="NAME",
    default="FORECOURT_API_KEY",
    show_default=True,
    help="Environment variable with the API key to answer for.",
)
def data(key_env: str) -> None:
    """Offer the vehicle-data service as eight MCP tools over stdio, on the database of the settings."""
    from forecourt.cli.mcp_data_process import run_data_server

    run_data_server(_token(key_env))


def _token(variable: str) -> str:
    token = os.environ.get(variable, "").strip()
    if not token or not token.isascii():
        raise click.UsageError(f"the environment variable {variable} holds no token")
    return token
