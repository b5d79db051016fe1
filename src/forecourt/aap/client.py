"""A client of any AAP dealer: one payload goes out as one `SendMessage`, the dealer's payload comes back.

Payloads pass as text: what the dealer reads and what the caller gets is what the other side wrote, number for
number. (AAP 1.3, JSON-RPC binding; A2A 1.0 sections 3.6, 4.6.2, 9.4.)
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from forecourt.aap.card_reading import A2A_VERSION, DealerCard
from forecourt.aap.dealer_errors import (
    AnswerMalformed,
    AnswerMismatched,
    AnswerNotJson,
    BareResult,
    CallFailed,
    CallRefused,
    CredentialsRequired,
    CredentialsUnsupported,
    DealerBusy,
    DealerFailed,
    DealerRefusedCall,
    DealerUnavailable,
    TaskReturned,
)
from forecourt.aap.discovery import CardSource
from forecourt.aap.skills import Skill
from forecourt.base.ids import uuid7
from forecourt.base.json_text import ANY, Path, read_with_texts
from forecourt.base.strict_json import MalformedJson
from forecourt.fetch.addresses import is_loopback
from forecourt.fetch.client import Answer, Fetch, Limits, Outgoing
from forecourt.fetch.policy import origin_of, read_url

CALL_LIMITS: Final = Limits(max_bytes=8_388_608, seconds=30)
AAP_ERROR: Final = "aap.error"
_PAYLOADS: Final = ("result", "message", "parts", ANY, "data")
_JSON_TYPE: Final = re.compile(r"application/(?:[\w.+-]+\+)?json")
_DEALERS_TROUBLE: Final = frozenset({-32603, -32000, -32006})
"""JSON-RPC codes that do not blame the call: internal error, server error, invalid agent response."""


@dataclass(frozen=True, slots=True)
class DealerAnswer:
    """A dealer's payload: parsed, and as the JSON text that the dealer wrote."""

    payload: Mapping[str, Any]
    text: str

    @property
    def is_error(self) -> bool:
        """Whether the payload is an `aap.error`."""
        return bool(self.payload["type"] == AAP_ERROR)


@dataclass(frozen=True, slots=True)
class DealerClient:
    """Calls one dealer. Cheap to make: what is kept (connections, the card) lies in `fetch` and `source`.

    `token` is sent as a bearer token when, and only when, the card asks for one.
    """

    fetch: Fetch
    source: CardSource
    token: str | None = None
    limits: Limits = CALL_LIMITS

    async def card(self) -> DealerCard:
        """Return the dealer's card; raises leaves of `aap.dealer_errors` and `fetch.errors`."""
        return await self.source.card(self.fetch)

    async def send(self, skill: Skill, payload_text: str) -> DealerAnswer:
        """Send one request payload, given as JSON text, by exactly one `SendMessage`.

        The dealer's `aap.error` comes back as an answer. Raises leaves of `aap.dealer_errors` and
        `fetch.errors`.
        """
        card = await self.card()
        request_id = str(uuid7())
        headers = {**_headers(card), **_authorization(card, self.token)}
        body = call_text(card, skill, payload_text=payload_text, request_id=request_id).encode()
        answer = await self.fetch.send(Outgoing("POST", card.endpoint, self.limits, headers, body))
        return read_answer(answer, request_id=request_id)


def call_text(card: DealerCard, skill: Skill, *, payload_text: str, request_id: str) -> str:
    """Write the JSON-RPC call around a payload; `request_id` is the message's id as well."""
    tenant = f'"tenant":{json.dumps(card.tenant)},' if card.tenant else ""
    return (
        f'{{"jsonrpc":"2.0","id":"{request_id}","method":"SendMessage","params":{{{tenant}"message":'
        f'{{"messageId":"{request_id}","role":"ROLE_USER","parts":[{{"data":{payload_text},'
        f'"mediaType":"{skill.media_type_request}"}}],"extensions":["{card.version.extension_uri}"]}},'
        f'"configuration":{{"acceptedOutputModes":["{skill.media_type_response}","application/json"]}}}}}}'
    )


def read_answer(answer: Answer, *, request_id: str) -> DealerAnswer:
    """Return the payload of a JSON-RPC answer; raises a leaf of `aap.dealer_errors`.

    A JSON-RPC error counts whatever the HTTP status; a result only with status 200.
    """
    if not _JSON_TYPE.fullmatch(answer.media_type):
        raise _status_error(answer) or AnswerNotJson("The dealer's answer is not of a JSON content type.")
    try:
        document, texts = read_with_texts(answer.body, _PAYLOADS)
    except MalformedJson as error:
        failure = AnswerMalformed("The dealer's answer is not JSON.", details={"reason": error.reason})
        raise _status_error(answer) or failure from None
    if not isinstance(document, dict) or not ("result" in document or document.get("error")):
        raise _status_error(answer) or AnswerMalformed("The dealer's answer is not JSON-RPC 2.0.")
    error_member = document.get("error")
    if document.get("id") != request_id and not (error_member and document.get("id") is None):
        raise AnswerMismatched("The dealer answers another request.")
    if error_member:
        return _dealer_error(error_member, answer)
    if answer.status != 200:
        raise _status_error(answer) or AnswerMalformed("The dealer's answer is not JSON-RPC 2.0.")
    return _payload(document["result"], texts)


def _headers(card: DealerCard) -> dict[str, str]:
    return {
        "content-type": "application/json",
        "accept": "application/json",
        "a2a-version": A2A_VERSION,
        "a2a-extensions": card.version.extension_uri,
    }


def _authorization(card: DealerCard, token: str | None) -> dict[str, str]:
    if card.credentials == "none":
        return {}
    if card.credentials == "unsupported":
        raise CredentialsUnsupported("The dealer asks for credentials other than a bearer token.")
    if not token:
        raise CredentialsRequired("The dealer asks for a bearer token, and none is configured.")
    origin = origin_of(read_url(card.endpoint))
    if origin.scheme != "https" and not is_loopback(origin.host):
        raise CredentialsUnsupported(
            "The dealer asks for a bearer token over a connection that is not encrypted."
        )
    return {"authorization": f"Bearer {token}"}


def _payload(result: Any, texts: Mapping[Path, str]) -> DealerAnswer:
    """Return the first part with an AAP payload; parts without `data` mean nothing in AAP."""
    message = result.get("message") if isinstance(result, dict) else None
    parts = message.get("parts") if isinstance(message, dict) else None
    for index, part in enumerate(parts if isinstance(parts, list) else ()):
        payload = part.get("data") if isinstance(part, dict) else None
        if isinstance(payload, dict) and isinstance(payload.get("type"), str):
            return DealerAnswer(payload, texts["result", "message", "parts", index, "data"])
    raise _no_payload(result)


def _no_payload(result: Any) -> DealerFailed:
    if isinstance(result, dict) and "message" not in result:
        if "task" in result or "status" in result:
            return TaskReturned("The dealer answers with a task; AAP knows messages only.")
        if "parts" in result or "messageId" in result:
            return BareResult('The dealer\'s result is not wrapped in "message".')
    return AnswerMalformed("The dealer's answer holds no AAP payload.", details={"reason": "no_payload"})


def _dealer_error(error: Any, answer: Answer) -> DealerAnswer:
    """Return the `aap.error` of a JSON-RPC error: bare (AAP 1.3), or in an array as A2A has it."""
    if not isinstance(error, dict):
        raise AnswerMalformed("The dealer's answer is not JSON-RPC 2.0.")
    data = error.get("data")
    for candidate in data if isinstance(data, list) else [data]:
        payload = candidate.get("value", candidate) if isinstance(candidate, dict) else None
        if isinstance(payload, dict) and payload.get("type") == AAP_ERROR:
            return DealerAnswer(payload, json.dumps(payload, ensure_ascii=False, separators=(",", ":")))
    known = {name: error[name] for name in ("code", "message", "data") if name in error}
    if answer.status in (401, 403):
        raise CredentialsRequired("The dealer does not accept the call's credentials.")
    kind = CallFailed if error.get("code") in _DEALERS_TROUBLE else CallRefused
    raise kind("The dealer answers with an error that is not AAP's.", details={"jsonrpc_error": known})


def _status_error(answer: Answer) -> Exception | None:
    """Return what an HTTP status says when the body says nothing; None for success."""
    details = {"http_status": answer.status, **_retry_after(answer)}
    if answer.status == 200:
        return None
    if answer.status in (401, 403):
        return CredentialsRequired("The dealer does not accept the call's credentials.")
    if answer.status == 429:
        return DealerBusy("The dealer takes no more calls for now.", details=details)
    if answer.status >= 500 or answer.status == 408:
        return DealerUnavailable("The dealer's server cannot answer now.", details=details)
    return DealerRefusedCall("The dealer's server refuses the call.", details=details)


def _retry_after(answer: Answer) -> dict[str, int]:
    seconds = answer.headers.get("retry-after", "")
    return {"retry_after_ms": int(seconds) * 1000} if re.fullmatch(r"\d{1,6}", seconds) else {}
