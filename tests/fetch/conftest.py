"""Servers that misbehave on purpose, and a name service that says what a test wants."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from forecourt.fetch.client import Answer, Fetcher, Limits, Outgoing
from forecourt.fetch.policy import FetchPolicy

Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@pytest.fixture
def anyio_backend():
    return "asyncio"


@dataclass
class Names:
    """A resolver: answers in order, the last one for ever; counts what it was asked."""

    answers: Sequence[Sequence[str]]
    asked: list[str] = field(default_factory=list)

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        return self.answers[min(len(self.asked), len(self.answers)) - 1]


@dataclass
class Listening:
    port: int
    requests: list[bytes] = field(default_factory=list)
    connections: int = 0
    writers: list[asyncio.StreamWriter] = field(default_factory=list)
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    def hang_up(self) -> None:
        """Close the connections that are kept open."""
        for writer in self.writers:
            writer.close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@asynccontextmanager
async def listening(*replies: bytes | Handler, tls=None) -> AsyncIterator[Listening]:
    """Serve on a free port: each request gets the next reply, raw bytes or a handler; the last for ever."""
    seen = Listening(0)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.connections += 1
        seen.writers.append(writer)
        seen.tasks.append(asyncio.current_task())
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r")[0] or 0)
                seen.requests.append(head + await reader.readexactly(length))
                reply = replies[min(len(seen.requests), len(replies)) - 1]
                if callable(reply):
                    await reply(reader, writer)
                    return
                writer.write(reply)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    seen.port = server.sockets[0].getsockname()[1]
    try:
        yield seen
    finally:
        server.close()
        seen.hang_up()
        await asyncio.gather(*seen.tasks, return_exceptions=True)


def response(body: bytes = b"{}", *, status: str = "200 OK", **headers: str) -> bytes:
    fields = {"content-type": "application/json", "content-length": str(len(body)), **headers}
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in fields.items())
    return f"HTTP/1.1 {status}\r\n{lines}\r\n".encode() + body


def redirect(location: str, status: str = "302 Found") -> bytes:
    return response(b"", status=status, location=location)


async def fetch(
    url: str,
    *,
    allow: Sequence[str] = (),
    method: str = "GET",
    max_bytes=1000,
    seconds=5.0,
    tls=None,
    names=None,
    **more,
) -> Answer:
    outgoing = Outgoing(method, url, Limits(max_bytes, seconds), **more)
    async with Fetcher(FetchPolicy.allowing(allow), resolver=names, tls=tls) as fetcher:
        return await fetcher.send(outgoing)
