"""A register on this machine that answers as a test wants: throttled, broken, silent, malformed."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from forecourt.fetch.client import Fetcher
from forecourt.fetch.policy import FetchPolicy


@dataclass(frozen=True)
class Reply:
    """An answer; `silent` never comes."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    silent: bool = False

    def as_bytes(self) -> bytes:
        fields = {"content-type": "application/json", "content-length": str(len(self.body)), **self.headers}
        lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        return f"HTTP/1.1 {self.status} x\r\n{lines}\r\n".encode() + self.body


def answering(value: Any, **more: Any) -> Reply:
    return Reply(body=json.dumps(value).encode(), **more)


@dataclass
class RegisterServer:
    """Where the server is, what it answers under a part of the target, and what it was asked."""

    url: str
    fetch: Fetcher
    replies: dict[str, Reply]
    requests: list[bytes] = field(default_factory=list)

    def reply_to(self, head: bytes) -> Reply:
        target = head.split(b" ", 2)[1].decode()
        return next((reply for part, reply in self.replies.items() if part in target), Reply(404))


@asynccontextmanager
async def register_server(replies: Mapping[str, Reply]) -> AsyncIterator[RegisterServer]:
    """Serve on a free port; the first reply whose key is a part of the target is given, else 404."""
    seen: list[RegisterServer] = []
    serving: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        serving.add(task)
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r")[0] or 0)
                seen[0].requests.append(head + await reader.readexactly(length))
                reply = seen[0].reply_to(head)
                if reply.silent:
                    await reader.read()
                    return
                writer.write(reply.as_bytes())
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with Fetcher(FetchPolicy.allowing([url])) as fetch:
        seen.append(RegisterServer(url, fetch, dict(replies)))
        try:
            yield seen[0]
        finally:
            await fetch.aclose()
            server.close()
            await asyncio.gather(*serving, return_exceptions=True)
