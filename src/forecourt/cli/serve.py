"""`forecourt serve`: the server, everything from settings."""

import click


@click.command()
@click.option("--host", help="Address to listen on (default: FORECOURT_HOST, else 127.0.0.1).")
@click.option(
    "--port", type=click.IntRange(1, 65535), help="Port to listen on (default: FORECOURT_PORT, else 8080)."
)
@click.option(
    "--workers", type=click.IntRange(1, 64), help="Server processes (default: FORECOURT_WORKERS, else 1)."
)
def serve(host: str | None, port: int | None, workers: int | None) -> None:
    """Run the server: dealer agents, their MCP tools and the published manifest."""
    from forecourt.server.run import run_server
    from forecourt.settings import read_settings

    run_server(read_settings(host=host, port=port, workers=workers))
