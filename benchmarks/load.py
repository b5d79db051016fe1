"""A load of keep-alive POST requests from a process of its own: `python -m benchmarks.load < plan.json`.

Written for a narrow use, so that the client takes little of the machine: requests, prepared as bytes, take
turns on a fixed number of connections; the answers are parsed by httptools and checked, each.
"""

import asyncio
import itertools
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from urllib.parse import urlsplit

import httptools
import uvloop

from benchmarks.processes import CLIENT_CORE, cpu_seconds, pin


@dataclass(frozen=True)
class Plan:
    """What is sent where, in turns and for how long, and the text that every right answer contains."""

    url: str
    bodies: list[str]
    expect: str
    server_pid: int
    headers: dict[str, str] = field(default_factory=dict)
    connections: int = 16
    warm_up_seconds: float = 1.0
    seconds: float = 4.0


def run_load(plan: Plan) -> dict[str, float]:
    """Send the load from a second process; return its figures. Raises RuntimeError on any wrong answer."""
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.load"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    pin(process.pid, CLIENT_CORE)
    limit = 60 + plan.warm_up_seconds + plan.seconds
    output, _ = process.communicate(json.dumps(asdict(plan)), timeout=limit)
    if process.returncode != 0:
        raise RuntimeError(f"the load on {plan.url} failed: {output}")
    figures: dict[str, float] = json.loads(output)
    return figures


class WrongAnswer(Exception):
    """An answer had another status than 200, or lacked the text that a right one contains."""


class Connection(asyncio.Protocol):
    """One keep-alive connection: the next request leaves when the answer to the last one is complete."""

    def __init__(self, requests: Iterator[bytes], *, expect: bytes, latencies: list[float]) -> None:
        self._requests, self._expect, self._latencies = requests, expect, latencies
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Send the first request."""
        self.transport = transport
        self._send()

    def data_received(self, data: bytes) -> None:
        """Feed the parser."""
        self._parser.feed_data(data)

    def on_body(self, body: bytes) -> None:
        """Keep the parts of the answer."""
        self._parts.append(body)

    def on_message_complete(self) -> None:
        """Note how long the answer took, check it, send the next request."""
        self._latencies.append(time.perf_counter() - self._sent)
        answer = b"".join(self._parts)
        if self._parser.get_status_code() != 200 or self._expect not in answer:
            self._end(WrongAnswer(f"{self._parser.get_status_code()} {answer[:500]!r}"))
        else:
            self._send()

    def connection_lost(self, exc: Exception | None) -> None:
        """Say that the connection is over."""
        self._end(exc)

    def _send(self) -> None:
        self._parts: list[bytes] = []
        self._parser = httptools.HttpResponseParser(self)
        self._sent = time.perf_counter()
        self.transport.write(next(self._requests))

    def _end(self, error: Exception | None) -> None:
        if not self.ended.done():
            self.ended.set_exception(error) if error else self.ended.set_result(None)


async def send(plan: Plan) -> dict[str, float]:
    """Hold the load up for the warm-up and the measured time; return rate, latencies and own busy share."""
    address = urlsplit(plan.url)
    latencies: list[float] = []
    requests = itertools.cycle([_request(plan, body) for body in plan.bodies])
    loop = asyncio.get_running_loop()
    connections = [
        (
            await loop.create_connection(
                lambda: Connection(requests, expect=plan.expect.encode(), latencies=latencies),
                address.hostname or "127.0.0.1",
                address.port or 80,
            )
        )[1]
        for _ in range(plan.connections)
    ]
    ended = [connection.ended for connection in connections]
    await _watch(ended, plan.warm_up_seconds)
    latencies.clear()
    started, own, server = time.perf_counter(), cpu_seconds(os.getpid()), cpu_seconds(plan.server_pid)
    await _watch(ended, plan.seconds)
    return _figures(
        latencies,
        seconds=time.perf_counter() - started,
        client_seconds=cpu_seconds(os.getpid()) - own,
        server_seconds=cpu_seconds(plan.server_pid) - server,
    )


async def _watch(ended: list[asyncio.Future[None]], seconds: float) -> None:
    done, _ = await asyncio.wait(ended, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    for future in done:
        future.result()
        raise WrongAnswer("the server closed a connection")


def _request(plan: Plan, text: str) -> bytes:
    address = urlsplit(plan.url)
    body = text.encode()
    headers = {
        "Host": address.netloc,
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "Content-Length": str(len(body)),
    } | plan.headers
    lines = [f"POST {address.path or '/'} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode() + body


def _figures(
    latencies: list[float], *, seconds: float, client_seconds: float, server_seconds: float
) -> dict[str, float]:
    ordered = sorted(latencies)
    return {
        "requests/s": len(ordered) / seconds,
        "p50 ms": 1000 * ordered[len(ordered) // 2],
        "p99 ms": 1000 * ordered[len(ordered) * 99 // 100],
        "server CPU µs/request": 1e6 * server_seconds / len(ordered),
        "client busy %": 100 * client_seconds / seconds,
    }


if __name__ == "__main__":
    print(json.dumps(uvloop.run(send(Plan(**json.load(sys.stdin))))))
