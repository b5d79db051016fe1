"""The process behind `forecourt mcp data`: the vehicle-data tools over stdio, on the local database."""

import asyncio

import uvicorn

from forecourt.cli.database import opened_database
from forecourt.deployment import vehicle_data
from forecourt.fetch.client import Fetcher
from forecourt.fetch.policy import FetchPolicy
from forecourt.logs import set_up_logging
from forecourt.mcp_data.stdio import LOCAL_ADDRESS, serve_stdio
from forecourt.operations.caller import recognised
from forecourt.settings import Settings, read_settings
from forecourt.storage.database import Database


def run_data_server(key: str) -> None:
    """Serve until the client leaves; logs go to standard error. Raises what keeps the key from being used."""
    settings = read_settings()
    set_up_logging(level=settings.log_level, form=settings.log_format)
    loop_factory = uvicorn.Config("").get_loop_factory()
    with opened_database() as database, asyncio.Runner(loop_factory=loop_factory) as runner:
        runner.run(_serve(settings, database, key=key))


async def _serve(settings: Settings, database: Database, *, key: str) -> None:
    async with Fetcher(FetchPolicy.allowing(settings.fetch_allow)) as fetch:
        services = vehicle_data(settings, database, fetch)
        await recognised(services, f"Bearer {key}", address=LOCAL_ADDRESS)
        await serve_stdio(services, server_name=settings.server_name, key=key)
