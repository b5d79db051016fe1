"""HTTP/1.1 with deadlines: uvicorn waits for ever on half a request (Kludex/uvicorn has no receive timeout).

A caller has ten seconds to send a request's head and thirty for its body, and the head may have at most
64 KiB. Whoever trickles is answered 408, whoever floods 431 or 413, and the connection is closed.
"""

import asyncio
from http import HTTPStatus
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

MAX_HEAD_BYTES = 64 * 1024
MAX_BODY_BYTES = 16 * 1024 * 1024
"""Far above what any endpoint takes: it bounds what belongs to no body, chunk extensions and trailers."""


class DeadlineProtocol(HttpToolsProtocol):
    """uvicorn's httptools protocol with a deadline for each part of a request.

    The clock is set after each piece that arrives, by what is then outstanding: most requests come whole and
    need none.
    """

    head_seconds: ClassVar[float] = 10.0
    body_seconds: ClassVar[float] = 30.0

    _deadline: asyncio.TimerHandle | None = None
    _outstanding: float | None = None
    _part = _timed_part = 0
    _head_bytes = 0
    _body_bytes = 0
    _in_head = True

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the clock of the first request."""
        super().connection_made(transport)
        self._expect(self.head_seconds)
        self._set_clock()

    def data_received(self, data: bytes) -> None:
        """Refuse an endless head or body before it is parsed."""
        if self._in_head:
            self._head_bytes += len(data)
            if self._head_bytes > MAX_HEAD_BYTES and self._still_in_head(data):
                self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
                return
        else:
            self._body_bytes += len(data)
            if self._body_bytes > MAX_BODY_BYTES:
                self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
                return
        super().data_received(data)
        self._set_clock()

    def on_message_begin(self) -> None:
        """Expect the rest of the next request's head."""
        super().on_message_begin()
        self._expect(self.head_seconds)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take the white space around a value off, which is no part of it (RFC 9110 section 5.5).

        Trailers are dropped: nobody reads them, and they must not pass for headers.
        """
        if self._in_head:
            super().on_header(name, value.strip(b" \t"))

    def _unsupported_upgrade_warning(self) -> None:
        """Ignore a wish for another protocol (RFC 9110 section 7.8): strangers must not write logs."""

    def on_headers_complete(self) -> None:
        """Go over from the head's deadline to the body's."""
        self._in_head = False
        super().on_headers_complete()
        self._expect(self.body_seconds)

    def on_message_complete(self) -> None:
        """Expect nothing more: the caller has done its part."""
        super().on_message_complete()
        self._in_head, self._head_bytes, self._body_bytes = True, 0, 0
        self._expect(None)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock of a connection that is gone."""
        self._forget()
        super().connection_lost(exc)

    def _still_in_head(self, data: bytes) -> bool:
        """Tell a long head from a short one that came in one piece with a large body."""
        end = data.find(b"\r\n\r\n")
        return end < 0 or end > MAX_HEAD_BYTES

    def _expect(self, seconds: float | None) -> None:
        """Note how long the part of a request that begins here may take; None when none is outstanding."""
        self._outstanding = seconds
        self._part += 1

    def _set_clock(self) -> None:
        """Give the outstanding part its own time, unless it has that already."""
        if self._part == self._timed_part or self.transport.is_closing():
            return
        self._timed_part = self._part
        self._forget()
        if self._outstanding is not None:
            self._deadline = self.loop.call_later(self._outstanding, self._refuse, HTTPStatus.REQUEST_TIMEOUT)

    def _forget(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _refuse(self, status: HTTPStatus) -> None:
        """Answer if nothing was answered yet, then close."""
        self._forget()
        if self.transport.is_closing():
            return
        answering: Any = self.cycle
        if answering is None or answering.response_complete or not answering.response_started:
            self.transport.write(STATUS_LINE[status] + b"content-length: 0\r\nconnection: close\r\n\r\n")
        self.transport.close()
