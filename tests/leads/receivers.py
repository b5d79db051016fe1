"""Real receivers on loopback: a mail server and a web server that behave as badly as they are told to."""

import email
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import default
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from aiosmtpd.controller import Controller


@dataclass
class Mailbox:
    """What arrived, and how the server answers: `behaviour` is `take`, `drop`, `refuse` or `busy`."""

    port: int = 0
    behaviour: str = "take"
    mails: list[EmailMessage] = field(default_factory=list)
    raw: list[bytes] = field(default_factory=list)
    arrived: threading.Event = field(default_factory=threading.Event)

    async def handle_RCPT(self, server, session, envelope, address, options):  # noqa: N802 - aiosmtpd's name
        if self.behaviour == "refuse":
            return "550 5.1.1 No such mailbox: secret-word"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):  # noqa: N802 - aiosmtpd's name
        if self.behaviour == "busy":
            return "451 Try later"
        self.raw.append(envelope.content)
        mail: Any = email.message_from_bytes(envelope.content, policy=default)
        self.mails.append(mail)
        self.arrived.set()
        if self.behaviour == "drop":
            server.transport.close()
        return "250 Taken"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


@contextmanager
def silent_server() -> Iterator[int]:
    """A server that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


@contextmanager
def mail_server(port: int | None = None, **options: Any) -> Iterator[Mailbox]:
    mailbox = Mailbox(port or free_port())
    controller = Controller(mailbox, hostname="127.0.0.1", port=mailbox.port, **options)
    controller.start()
    try:
        yield mailbox
    finally:
        controller.stop(no_assert=True)


@dataclass
class Hook:
    """What arrived at a web server, and what it answers next: `replies` in turn, then 200."""

    port: int = 0
    replies: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    requests: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    arrived: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/leads"


@contextmanager
def web_server() -> Iterator[Hook]:
    hook = Hook()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            hook.requests.append(({name.lower(): value for name, value in self.headers.items()}, body))
            status, headers = hook.replies.pop(0) if hook.replies else (200, {})
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("content-length", "0")
            self.end_headers()
            hook.arrived.set()

        def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002 - http.server's name
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    hook.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield hook
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
