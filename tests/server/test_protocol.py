"""Raw sockets against the protocol: half, slow and oversized requests."""

import select
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from forecourt.server.protocol import DeadlineProtocol


class HastyProtocol(DeadlineProtocol):
    head_seconds = 0.4
    body_seconds = 0.4


async def echo_length(request: Request) -> PlainTextResponse:
    length = len(await request.body())
    return PlainTextResponse(f"{length} {request.headers.get('x-late', '')}".strip())


@pytest.fixture(scope="module")
def address() -> Iterator[tuple[str, int]]:
    listener = socket.create_server(("127.0.0.1", 0))
    application = Starlette(routes=[Route("/", echo_length, methods=["GET", "POST"])])
    config = uvicorn.Config(application, http=HastyProtocol, ws="none", log_config=None, lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    yield listener.getsockname()
    server.should_exit = True
    thread.join()


def exchange(address: tuple[str, int], *pieces: bytes) -> bytes:
    """Send the pieces and return everything until the server closes the connection."""
    with socket.create_connection(address, timeout=10) as connection:
        for piece in pieces:
            connection.sendall(piece)
        answer = b""
        while received := connection.recv(65536):
            answer += received
        return answer


@pytest.mark.known_bug("F6")
def test_a_head_that_never_ends_is_answered_408_and_closed(address: tuple[str, int]) -> None:
    assert exchange(address, b"GET / HTTP/1.1\r\nHost: a\r\n").startswith(b"HTTP/1.1 408")


@pytest.mark.known_bug("F4")
def test_a_head_that_trickles_is_answered_408_at_the_deadline(address: tuple[str, int]) -> None:
    with socket.create_connection(address, timeout=10) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nX: ")
        sent = 0
        while not select.select([connection], [], [], 0.02)[0]:
            connection.sendall(b"x")
            sent += 1
        assert connection.recv(65536).startswith(b"HTTP/1.1 408")
    assert 1 < sent < 100


def test_a_silent_connection_is_closed(address: tuple[str, int]) -> None:
    assert exchange(address).startswith(b"HTTP/1.1 408")


def test_a_body_that_never_comes_is_answered_408_and_closed(address: tuple[str, int]) -> None:
    head = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc"

    assert exchange(address, head).startswith(b"HTTP/1.1 408")


def test_two_megabytes_of_header_are_answered_431(address: tuple[str, int]) -> None:
    head = b"GET / HTTP/1.1\r\nHost: a\r\nX-Long: " + b"a" * 70_000

    assert exchange(address, head).startswith(b"HTTP/1.1 431")


def test_a_large_body_in_one_piece_with_a_short_head_is_served(address: tuple[str, int]) -> None:
    body = b"x" * 200_000
    head = b"POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(body)

    answer = exchange(address, head + body)

    assert answer.startswith(b"HTTP/1.1 200")
    assert answer.endswith(b"200000")


def test_several_requests_on_one_connection_are_served(address: tuple[str, int]) -> None:
    request = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    last = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

    assert exchange(address, request, request, last).count(b"HTTP/1.1 200") == 3


@pytest.mark.parametrize(
    "head",
    [
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        b"GET / HTTP/1.1\nHost: a\n\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n",
    ],
    ids=["length and chunks", "two lengths", "bare line feeds", "folded header"],
)
def test_an_ambiguous_request_is_refused(address: tuple[str, int], head: bytes) -> None:
    assert exchange(address, head).startswith(b"HTTP/1.1 400")


CHUNKED = b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"


def test_trailers_do_not_pass_for_headers(address: tuple[str, int]) -> None:
    answer = exchange(address, CHUNKED + b"3\r\nabc\r\n0\r\nX-Late: evil\r\n\r\n")

    assert answer.endswith(b"\r\n\r\n3")


@pytest.mark.parametrize("piece", [b"X: y\r\n", b"z"])
@pytest.mark.parametrize("start", [b"0\r\n", b"5;"])
def test_endless_trailers_and_chunk_extensions_are_cut_off(
    address: tuple[str, int], start: bytes, piece: bytes
) -> None:
    flood, sent = piece * (1_000_000 // len(piece)), 0
    with socket.create_connection(address, timeout=10) as connection, suppress(OSError):
        connection.sendall(CHUNKED + start)
        while sent < 100_000_000:
            connection.sendall(flood)
            sent += len(flood)

    assert sent < 40_000_000
