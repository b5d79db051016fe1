"""The bytes on the wire: a real server, raw sockets."""

import asyncio
import json
import socket
import threading
from collections.abc import Iterator

import pytest
import uvicorn
from tests.agent.conftest import A2A, CARD, Site, TwoDealers, call

from forecourt.agent.rpc import MAX_BODY_BYTES


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """A server on a free port of this machine."""
    listener = socket.create_server(("127.0.0.1", 0))
    app = Site(TwoDealers()).app
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="off", http="httptools", ws="none"))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listener])), daemon=True)
    thread.start()
    yield listener.getsockname()[1]
    server.should_exit = True
    thread.join(10)


def exchange(port: int, *pieces: bytes) -> bytes:
    """Send the pieces on one connection and return everything until the server closes it."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        for piece in pieces:
            connection.sendall(piece)
        answer = b""
        while chunk := connection.recv(65_536):
            answer += chunk
    return answer


def post(body: bytes, *, headers: bytes = b"", framing: bytes | None = None) -> bytes:
    framing = framing or b"content-length: %d\r\n" % len(body)
    head = (
        b"POST %b HTTP/1.1\r\nhost: agents.example.com\r\ncontent-type: application/json\r\n" % A2A.encode()
    )
    return head + framing + headers + b"connection: close\r\n\r\n" + body


BODY = json.dumps(call()).encode()


def test_an_answer_is_framed_by_its_length(port: int) -> None:
    head, _, body = exchange(port, post(BODY)).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"\r\ncontent-length: %d\r\n" % len(body) in head + b"\r\n"
    assert json.loads(body)["id"] == "r-1"


def test_a_body_in_chunks_of_one_byte_is_read(port: int) -> None:
    chunks = b"".join(b"1\r\n%c\r\n" % byte for byte in BODY) + b"0\r\n\r\n"
    answer = exchange(port, post(chunks, framing=b"transfer-encoding: chunked\r\n"))
    assert b'"result"' in answer


def test_an_endless_body_is_answered_before_it_ends(port: int) -> None:
    chunk = b"%x\r\n%b\r\n" % (MAX_BODY_BYTES, b" " * MAX_BODY_BYTES)
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(post(b"", framing=b"transfer-encoding: chunked\r\n") + chunk + chunk)
        answer = b""
        while b"-32600" not in answer:
            received = connection.recv(65_536)
            assert received, "the server closed the connection without the refusal"
            answer += received


def test_a_client_that_leaves_in_the_middle_does_no_harm(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(post(BODY)[:-10])
    assert b'"result"' in exchange(port, post(BODY))


def test_two_calls_on_one_connection_are_answered_in_order(port: int) -> None:
    first = post(BODY).replace(b"connection: close\r\n", b"")
    answers = exchange(port, first + post(BODY.replace(b"r-1", b"r-2")))
    assert answers.index(b'"id":"r-1"') < answers.index(b'"id":"r-2"')


def test_head_sends_no_body(port: int) -> None:
    request = b"HEAD %b HTTP/1.1\r\nhost: agents.example.com\r\nconnection: close\r\n\r\n" % CARD.encode()
    head, _, body = exchange(port, request).partition(b"\r\n\r\n")
    assert b"200 OK" in head
    assert body == b""


@pytest.mark.parametrize("path", [A2A.encode(), CARD.encode()])
def test_every_method_gets_a_complete_answer(port: int, path: bytes) -> None:
    for method in (b"GET", b"HEAD", b"PUT", b"DELETE", b"OPTIONS", b"TRACE"):
        request = b"%b %b HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n" % (method, path)
        assert exchange(port, request).startswith((b"HTTP/1.1 200", b"HTTP/1.1 405"))


def test_a_notification_and_an_unchanged_card_have_no_body(port: int) -> None:
    notification = json.dumps({"jsonrpc": "2.0", "method": "SendMessage"}).encode()
    assert exchange(port, post(notification)).split(b"\r\n\r\n")[1] == b""
    request = b"GET %b HTTP/1.1\r\nhost: a\r\nif-none-match: *\r\nconnection: close\r\n\r\n" % CARD.encode()
    head, _, body = exchange(port, request).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 304")
    assert body == b""
