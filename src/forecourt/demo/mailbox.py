"""The mailbox of the simulated dealer's CRM: takes mail in by SMTP on loopback and keeps each as a file.

No more of RFC 5321 than a sender needs: no TLS, no login, nothing leaves this machine.
"""

import queue
import re
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from typing import cast

LINE_OCTETS = 1000
MAIL_OCTETS = 1_000_000
SILENCE_SECONDS = 60


class Mailbox:
    """Mail as it arrives, in order. `port` is where its server listens, `folder` where the files stand."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.port = port
        self._arrived: queue.SimpleQueue[EmailMessage] = queue.SimpleQueue()

    def take_in(self, octets: bytes) -> None:
        """Keep one mail: as a file named by its `Message-ID`, and for whoever waits."""
        mail = message_from_bytes(octets, policy=SMTP)
        name = re.sub(r"[^\w-]", "", str(mail["Message-ID"] or "unnamed").partition("@")[0])
        self.folder.mkdir(exist_ok=True)
        (self.folder / f"{name}.eml").write_bytes(octets)
        self._arrived.put(mail)

    def wait(self, seconds: float) -> EmailMessage | None:
        """Return the next mail, or None when none arrives in time."""
        try:
            return self._arrived.get(timeout=seconds)
        except queue.Empty:
            return None


@contextmanager
def open_mailbox(folder: Path) -> Iterator[Mailbox]:
    """Take mail in at a free port of 127.0.0.1 until the block ends."""
    with _Server(("127.0.0.1", 0), _Conversation) as server:
        server.mailbox = Mailbox(folder, server.server_address[1])
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True)
        thread.start()
        try:
            yield server.mailbox
        finally:
            server.shutdown()
            thread.join()


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False
    mailbox: Mailbox


class _Conversation(socketserver.StreamRequestHandler):
    """One connection of a sender. A line that is too long, or silence, ends it."""

    timeout = SILENCE_SECONDS

    def handle(self) -> None:
        self._say("220 mailbox of a simulated dealer")
        while line := self._line():
            verb = line[:4].upper()
            if verb == b"DATA":
                self._take_in()
            else:
                self._say(_REPLIES.get(verb, "500 not known here"))
            if verb == b"QUIT":
                return

    def _take_in(self) -> None:
        self._say("354 end with a dot")
        body = bytearray()
        while (line := self._line()) and line.rstrip(b"\r\n") != b"." and len(body) < MAIL_OCTETS:
            body += line.removeprefix(b".")
        if line.rstrip(b"\r\n") != b".":
            return  # broken off or too long: without a 250 the sender still has the mail
        cast("_Server", self.server).mailbox.take_in(bytes(body))
        self._say("250 kept")

    def _line(self) -> bytes:
        """Return the next line with its end; empty when the sender has gone, or is silent for too long."""
        try:
            line = self.rfile.readline(LINE_OCTETS + 1)
        except TimeoutError:
            return b""
        return line if line.endswith(b"\n") else b""

    def _say(self, reply: str) -> None:
        self.wfile.write(f"{reply}\r\n".encode("ascii"))


_REPLIES = {
    b"EHLO": "250 at your service",
    b"HELO": "250 at your service",
    b"MAIL": "250 from them",
    b"RCPT": "250 to us",
    b"RSET": "250 forgotten",
    b"NOOP": "250 nothing done",
    b"QUIT": "221 goodbye",
}
