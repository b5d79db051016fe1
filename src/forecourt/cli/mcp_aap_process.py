"""The process behind `forecourt mcp aap`: one dealer, over stdio or over HTTP on this machine."""

import asyncio
import socket
from dataclasses import dataclass

import click
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from forecourt.aap.client import DealerClient
from forecourt.aap.discovery import CardSource, typed_url
from forecourt.fetch.client import Fetcher
from forecourt.fetch.policy import FetchPolicy
from forecourt.logs import set_up_logging
from forecourt.mcp_aap.stdio import serve_stdio
from forecourt.mcp_aap.streamable_http import create_adapter_app
from forecourt.mcp_aap.tools import SchemaForm
from forecourt.mcp_edge.door import Door
from forecourt.server.protocol import DeadlineProtocol
from forecourt.settings import read_settings

PATH = "/mcp"
LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class AdapterOptions:
    """What the command line says; without a `port` the adapter speaks over stdio."""

    dealer: str
    port: int | None
    form: SchemaForm
    validate: bool
    token: str | None


def run_adapter(options: AdapterOptions) -> None:
    """Serve until the client leaves (stdio) or a signal ends it (HTTP); logs go to standard error."""
    settings = read_settings()
    set_up_logging(level=settings.log_level, form=settings.log_format)
    policy = FetchPolicy.allowing(settings.fetch_allow).trusting(typed_url(options.dealer))
    loop_factory = uvicorn.Config("").get_loop_factory()
    with asyncio.Runner(loop_factory=loop_factory) as runner:
        runner.run(_serve(options, policy))


async def _serve(options: AdapterOptions, policy: FetchPolicy) -> None:
    async with Fetcher(policy) as fetch:
        dealer = DealerClient(fetch, CardSource(options.dealer), options.token)
        if options.port is None:
            await serve_stdio(dealer, form=options.form, validate=options.validate)
        else:
            await _serve_http(dealer, options, port=options.port)


async def _serve_http(dealer: DealerClient, options: AdapterOptions, *, port: int) -> None:
    with _listening(port) as listener:
        port = listener.getsockname()[1]
        click.echo(f"The tools of this dealer are at http://{LOOPBACK}:{port}{PATH}", err=True)
        config = uvicorn.Config(
            _application(dealer, options, port=port),
            http=DeadlineProtocol,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
        )
        await uvicorn.Server(config).serve(sockets=[listener])


def _listening(port: int) -> socket.socket:
    try:
        return socket.create_server((LOOPBACK, port), backlog=128)
    except OSError:
        raise click.ClickException(f"port {port} of {LOOPBACK} cannot be used") from None


def _application(dealer: DealerClient, options: AdapterOptions, *, port: int) -> ASGIApp:
    async def only_dealer(_scope: Scope) -> DealerClient:
        return dealer

    hosts = frozenset(f"{host}:{port}" for host in (LOOPBACK, "localhost", "[::1]"))
    endpoint = create_adapter_app(
        only_dealer, form=options.form, validate=options.validate, door=Door(hosts=hosts)
    )

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].rstrip("/") == PATH:
            await endpoint(scope, receive, send)
        else:
            await send({"type": "http.response.start", "status": 404, "headers": [(b"content-length", b"0")]})
            await send({"type": "http.response.body", "body": b""})

    return application
