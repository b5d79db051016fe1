"""The same `Fetch` into an ASGI application of this process: no socket, no name service, no HTTP to parse."""

from dataclasses import dataclass, field

import httpx2
from starlette.types import ASGIApp, Message, Scope

from forecourt.fetch.client import Answer, Outgoing
from forecourt.fetch.errors import AnswerTooLarge, ConnectionLost
from forecourt.fetch.policy import origin_of, read_url


@dataclass(frozen=True, slots=True)
class InProcessFetch:
    """Sends requests to `app` whatever their host; `client` is the address that the application sees."""

    app: ASGIApp
    client: tuple[str, int] | None = None

    async def send(self, outgoing: Outgoing) -> Answer:
        """Return the application's answer; raises `AnswerTooLarge`, or `ConnectionLost` when none comes."""
        url = read_url(outgoing.url)
        exchange = _Exchange(outgoing)
        await self.app(self._scope(outgoing, url), exchange.receive, exchange.send)
        return exchange.answer(str(url))

    def _scope(self, outgoing: Outgoing, url: httpx2.URL) -> Scope:
        origin = origin_of(url)
        headers = [(b"host", url.netloc)]
        headers += [
            (name.encode("ascii"), value.encode("latin-1")) for name, value in outgoing.headers.items()
        ]
        if outgoing.body:
            headers.append((b"content-length", b"%d" % len(outgoing.body)))
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": outgoing.method,
            "scheme": origin.scheme,
            "path": url.path,
            "raw_path": url.raw_path.partition(b"?")[0],
            "query_string": url.query,
            "root_path": "",
            "headers": headers,
            "client": self.client,
            "server": (origin.host, origin.port),
        }


@dataclass(slots=True)
class _Exchange:
    """One request's two channels."""

    outgoing: Outgoing
    sent: bool = False
    start: Message | None = None
    chunks: list[bytes] = field(default_factory=list)
    size: int = 0

    async def receive(self) -> Message:
        if self.sent:
            return {"type": "http.disconnect"}
        self.sent = True
        return {"type": "http.request", "body": self.outgoing.body, "more_body": False}

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.start = message
            return
        chunk = message.get("body", b"")
        self.size += len(chunk)
        if self.size > self.outgoing.limits.max_bytes:
            raise AnswerTooLarge("The answer is larger than is taken.")
        self.chunks.append(chunk)

    def answer(self, url: str) -> Answer:
        if self.start is None:
            raise ConnectionLost("The application gave no answer.")
        headers = {
            name.decode("latin-1").lower(): value.decode("latin-1")
            for name, value in self.start.get("headers", ())
        }
        return Answer(self.start["status"], headers, b"".join(self.chunks), url)
