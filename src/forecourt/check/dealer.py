"""The dealer agent under test: where it is, how it is called, and how its answers are read."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from forecourt.aap.errors import AAP_CODES, RateLimited
from forecourt.aap.skills import Skill, skills
from forecourt.aap.versions import SERVED
from forecourt.base.errors import Unreachable
from forecourt.base.ids import uuid7
from forecourt.base.strict_json import MalformedJson, encode_json, parse_json
from forecourt.fetch.client import Answer, Fetch, Limits, Outgoing

CARD_PATH = "/.well-known/agent-card.json"
_LIMITS = Limits(max_bytes=8_000_000, seconds=30)
_HEADERS = {
    "content-type": "application/json",
    "a2a-version": "1.0",
    "a2a-extensions": SERVED.extension_uri,
}
_MOST_WAITS = 5
_LONGEST_WAIT_S = 10.0


class UnusableAnswer(Unreachable):
    """The dealer answered something that its protocol does not know, so there is nothing to read."""

    code = "unusable_answer"
    retryable = False


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to one call. Whatever it lacks raises `UnusableAnswer` with a sentence about it."""

    answer: Answer

    @property
    def document(self) -> dict[str, Any]:
        """The JSON-RPC answer object."""
        return json_object(self.answer, what="answer")

    @property
    def error(self) -> dict[str, Any]:
        """The `error` member of an answer that refuses."""
        error = self.document.get("error")
        if not isinstance(error, dict):
            raise UnusableAnswer("The call was answered although it had to be refused.")
        return error

    @property
    def message(self) -> dict[str, Any]:
        """The message inside the result."""
        document = self.document
        result = document.get("result")
        if not isinstance(result, dict):
            raise UnusableAnswer(f"The call was refused: {describe_error(document.get('error'))}.")
        message = result.get("message")
        if not isinstance(message, dict):
            raise UnusableAnswer('The result has no "message".')
        return message

    @property
    def payload(self) -> dict[str, Any]:
        """The AAP payload in the first part of the message."""
        parts = self.message.get("parts")
        first = parts[0] if isinstance(parts, list) and parts else None
        payload = first.get("data") if isinstance(first, dict) else None
        if not isinstance(payload, dict):
            raise UnusableAnswer("The first part of the message holds no data object.")
        return payload

    @property
    def data(self) -> dict[str, Any]:
        """The `data` of an AAP response."""
        data = self.payload.get("data")
        if not isinstance(data, dict):
            raise UnusableAnswer("The payload has no data object.")
        return data


def describe_error(error: object) -> str:
    """Tell which error an answer is, by its numbers and codes, without text of the dealer."""
    if not isinstance(error, dict):
        return "no error object either"
    data = error.get("data")
    code = data.get("code") if isinstance(data, dict) else None
    return f"error {error.get('code')}" + (f" {code}" if isinstance(code, str) else "")


def json_object(answer: Answer, *, what: str) -> dict[str, Any]:
    """Read an answer's body as a JSON object; raises `UnusableAnswer`."""
    try:
        document = parse_json(answer.body)
    except MalformedJson as malformed:
        found = f"HTTP {answer.status}, {answer.media_type or 'no content type'}"
        raise UnusableAnswer(f"The {what} ({found}) is not JSON: {malformed.message}") from None
    if not isinstance(document, dict):
        raise UnusableAnswer(f"The {what} is no JSON object.")
    return document


class DealerUnderTest:
    """Calls one dealer. `load()` comes first; it reads the card, and everything else stands on it.

    When the dealer limits the rate, calls wait as it says and are sent again; `pause` does the waiting.
    """

    def __init__(
        self, url: str, fetch: Fetch, *, pause: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self.card_url = url if url.endswith(".json") else f"{url.rstrip('/')}{CARD_PATH}"
        self._fetch = fetch
        self._pause = pause
        self.card: dict[str, Any] = {}

    async def load(self) -> None:
        """Read the card; raises a leaf of `fetch.errors` or `UnusableAnswer`."""
        answer = await self.get_card()
        if answer.status != 200:
            raise UnusableAnswer(f"The card is answered with HTTP {answer.status}.")
        self.card = json_object(answer, what="card")

    @property
    def endpoint(self) -> str:
        """Where the first JSONRPC interface of A2A 1.0 is; raises `UnusableAnswer` when the card has none."""
        for interface in listed(self.card, "supportedInterfaces"):
            version = str(interface.get("protocolVersion"))
            if interface.get("protocolBinding") == "JSONRPC" and version.split(".")[:2] == ["1", "0"]:
                return str(interface.get("url"))
        raise UnusableAnswer("The card has no JSONRPC interface of A2A 1.0.")

    @property
    def asks_for_credentials(self) -> bool:
        """Whether the card says that anonymous callers are refused."""
        return bool(self.card.get("security") or self.card.get("securityRequirements"))

    @property
    def offered(self) -> tuple[Skill, ...]:
        """The AAP skills on the card, in the order of the protocol."""
        ids = {entry.get("id") for entry in listed(self.card, "skills")}
        return tuple(skill for skill in skills() if skill.id in ids)

    def offers(self, skill_id: str) -> bool:
        """Say whether the card lists the skill."""
        return any(skill.id == skill_id for skill in self.offered)

    async def get_card(self, **headers: str) -> Answer:
        """GET the card; underscores in header names become hyphens."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return await self._fetch.send(Outgoing("GET", self.card_url, _LIMITS, {"accept": "*/*", **named}))

    async def request(
        self,
        body: bytes,
        *,
        method: str = "POST",
        url: str | None = None,
        headers: Mapping[str, str | None] | None = None,
    ) -> Answer:
        """Send bytes to the endpoint as they are; a header given as None is left out. Redirects come back."""
        merged = {**_HEADERS, **(headers or {})}
        sent = {name: value for name, value in merged.items() if value is not None}
        outgoing = Outgoing(method, url or self.endpoint, _LIMITS, sent, body, follow_redirects=False)
        answer = await self._fetch.send(outgoing)
        for _ in range(_MOST_WAITS):
            wait_s = _asked_wait_s(answer)
            if wait_s is None:
                break
            await self._pause(wait_s)
            answer = await self._fetch.send(outgoing)
        return answer

    async def call(
        self,
        method: str,
        params: object,
        *,
        call_id: object = "check",
        headers: Mapping[str, str | None] | None = None,
    ) -> Reply:
        """Call a method with a well-formed JSON-RPC request."""
        body = encode_json({"jsonrpc": "2.0", "id": call_id, "method": method, "params": params})
        return Reply(await self.request(body, headers=headers))

    async def send(
        self, payload: object, *, headers: Mapping[str, str | None] | None = None, **members: object
    ) -> Reply:
        """Send an AAP payload in one message; keyword arguments replace members of the message."""
        return await self.call("SendMessage", send_params(payload, **members), headers=headers)

    async def ask(self, request_type: str, **fields: object) -> Reply:
        """Ask a skill by the type of its request."""
        return await self.send({"type": request_type, **fields})

    def read_request(self) -> dict[str, Any]:
        """Return the smallest request for a skill on the card that reads and is always answered.

        Raises `UnusableAnswer` when the card has none.
        """
        for skill_id, request in _SMALL_REQUESTS.items():
            if self.offers(skill_id):
                return request
        raise UnusableAnswer("The card has no skill that can be asked without knowing the stock.")


_SMALL_REQUESTS: dict[str, dict[str, Any]] = {
    "dealer.information": {"type": "dealer.information.request"},
    "inventory.search": {"type": "inventory.search.request", "pagination": {"limit": 1}},
    "inventory.facets": {"type": "inventory.facets.request"},
}


def send_params(payload: object, **members: object) -> dict[str, Any]:
    """Return the params of a SendMessage with one data part; a member given as None is left out."""
    message = {"messageId": str(uuid7()), "role": "ROLE_USER", "parts": [data_part(payload)], **members}
    return {
        "message": {name: value for name, value in message.items() if value is not None},
        "configuration": {"acceptedOutputModes": [skill.media_type_response for skill in skills()]},
    }


def data_part(payload: object) -> dict[str, Any]:
    """Return a part that holds the payload, with the media type of its skill when it is a request."""
    request_type = payload.get("type") if isinstance(payload, dict) else None
    types = {skill.request_type: skill.media_type_request for skill in skills()}
    media_type = types.get(request_type) if isinstance(request_type, str) else None
    return {"data": payload, "mediaType": media_type or "application/json"}


def listed(owner: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """Return the objects of an array member; nothing when it is absent or something else."""
    entries = owner.get(name)
    return [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []


def _asked_wait_s(answer: Answer) -> float | None:
    """Return how many seconds a RATE_LIMITED answer asks to wait, or None when it is no such answer."""
    try:
        error = json.loads(answer.body)["error"]
        if error["code"] != AAP_CODES[RateLimited] or error["data"]["code"] != RateLimited.code:
            return None
        details = error["data"].get("details", {})
        asked = details.get("retry_after_ms", details.get("retry_after_seconds", 1) * 1000)
        return min(float(asked) / 1000, _LONGEST_WAIT_S)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
