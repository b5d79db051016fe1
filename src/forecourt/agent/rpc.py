"""The A2A endpoint of a dealer: one JSON-RPC call in, one answer out, always as JSON with HTTP 200."""

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from secrets import token_hex
from typing import Any

from starlette.types import Receive, Scope, Send

from forecourt.aap.errors import (
    ContentTypeNotSupported,
    InternalError,
    InvalidRequest,
    ParseError,
    RateLimited,
    UnsupportedSkill,
    json_rpc_error,
    refusal,
)
from forecourt.aap.skills import Skill, skill_of_request_type
from forecourt.aap.validation import Failure, failures
from forecourt.agent.envelope import Call, RequestId, error_body, read_call, request_id, result_body
from forecourt.agent.headers import (
    JSON,
    Headers,
    asked_version,
    declared_extensions,
    http_headers,
    read_headers,
    refuse_method,
    respond,
    says_json,
)
from forecourt.agent.message import read_message
from forecourt.agent.operations import answer_other_method
from forecourt.agent.versions import activated_extensions, refuse_other_versions, refuse_undeclared_extension
from forecourt.base.clock import SYSTEM_CLOCK, Clock
from forecourt.base.strict_json import (
    BodyTooLarge,
    ClientGone,
    MalformedJson,
    encode_json,
    parse_json,
    read_body,
)
from forecourt.guard.addresses import TrustedProxies
from forecourt.guard.limits import RateLimiter
from forecourt.retail.answer import Answer
from forecourt.retail.dealership import Dealership

MAX_BODY_BYTES = 262_144

Parts = tuple[bytes, ...]
"""JSON in pieces."""

_log = logging.getLogger(__name__)
_INTERNAL_ERROR = -32603


@dataclass(frozen=True, slots=True)
class Strictness:
    """What the endpoint asks of its clients and of itself beyond AAP 1.3.

    `requires_version` and `requires_extension` refuse clients that do not send the headers `A2A-Version` and
    `A2A-Extensions`. `checks_answers` validates every answer against its schema before it is sent; it costs
    time and is meant for debugging.
    """

    requires_version: bool = False
    requires_extension: bool = False
    checks_answers: bool = False


class A2aEndpoint:
    """Answers A2A calls for whichever dealer it is given, with the skills of `answers`."""

    def __init__(
        self,
        answers: Mapping[str, Answer],
        *,
        strictness: Strictness,
        limiter: RateLimiter | None,
        proxies: TrustedProxies,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self._answers = answers
        self._strictness = strictness
        self._limiter = limiter
        self._proxies = proxies
        self._clock = clock

    async def serve(
        self, dealership: Dealership | Exception, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Answer one HTTP request to a dealer, or tell the caller that looking the dealer up failed.

        A notification gets 204 and has no effect, as nobody could learn of it.
        """
        if scope["method"] != "POST":
            await refuse_method(send, allow=b"POST")
            return
        headers = read_headers(scope)
        try:
            body = await self._answer(dealership, scope, headers=headers, receive=receive)
        except ClientGone:
            return
        if body is None:
            await respond(send, 204, [])
            return
        active = activated_extensions(declared_extensions(headers))
        named = {"a2a_extensions": ",".join(active)} if active else {}
        await respond(send, 200, http_headers(JSON, len(body), cache_control="no-store", **named), body=body)

    async def _answer(
        self, dealership: Dealership | Exception, scope: Scope, *, headers: Headers, receive: Receive
    ) -> bytes | None:
        """Return the JSON-RPC answer, None to a notification. Every error becomes an answer here."""
        answered_id: RequestId = None
        try:
            value = await _read_json(headers, receive)
            answered_id = request_id(value)
            call = read_call(value)
            if call.is_notification:
                return None
            self._refuse_too_many(scope, headers)
            refuse_other_versions(asked_version(headers, scope), required=self._strictness.requires_version)
            return result_body(answered_id, await self._result(call, dealership, headers=headers))
        except ClientGone:
            raise
        except Exception as error:  # noqa: BLE001 - the one edge: no exception may become a 500 or its text an answer
            return error_body(answered_id, self._translated(error))

    async def _result(self, call: Call, dealership: Dealership | Exception, *, headers: Headers) -> Parts:
        if call.method != "SendMessage":
            return (encode_json(answer_other_method(call.method, call.params)),)
        if self._strictness.requires_extension:
            refuse_undeclared_extension(declared_extensions(headers))
        message = read_message(call.params)
        skill = self._skill(message.payload)
        if isinstance(dealership, Exception):
            raise dealership
        payload = await self._answers[skill.id](dealership, message.payload)
        if self._strictness.checks_answers:
            _check_answer(skill, payload)
        return _agent_message(payload, skill, context_id=message.context_id)

    def _skill(self, payload: Mapping[str, Any]) -> Skill:
        """Return the skill that a payload asks for; raises `UnsupportedSkill` or a validation error."""
        request_type = payload.get("type")
        if "type" not in payload:
            raise refusal([Failure("", "required", '"type" is missing.')])
        if not isinstance(request_type, str):
            raise refusal([Failure("/type", "type", "Must be of type string.")])
        skill = skill_of_request_type(request_type)
        if skill is None or skill.id not in self._answers:
            raise UnsupportedSkill(
                "This dealer does not offer that skill.", details={"supported_skills": list(self._answers)}
            )
        return skill

    def _refuse_too_many(self, scope: Scope, headers: Headers) -> None:
        if self._limiter is None:
            return
        client = scope.get("client")
        forwarded_for = headers.get(b"x-forwarded-for", b"").decode("latin-1")
        caller = self._proxies.client_of(client[0] if client else None, forwarded_for)
        wait_ms = self._limiter.wait_ms(caller)
        if wait_ms:
            raise RateLimited(
                "Too many requests from this address; wait and try again.",
                details={"retry_after_ms": wait_ms},
            )

    def _translated(self, error: Exception) -> dict[str, Any]:
        error_object = json_rpc_error(error, clock=self._clock)
        if error_object["code"] == _INTERNAL_ERROR:
            _log.error(
                "an answer failed", exc_info=error, extra={"error_id": error_object["data"]["error_id"]}
            )
        return error_object


async def _read_json(headers: Headers, receive: Receive) -> Any:
    if not says_json(headers):
        raise ContentTypeNotSupported("Send the request with the header Content-Type: application/json.")
    try:
        return parse_json(await read_body(receive, MAX_BODY_BYTES))
    except MalformedJson as error:
        raise ParseError(error.message, details=error.details) from None
    except BodyTooLarge as error:
        raise InvalidRequest(error.message, details=error.details) from None


def _agent_message(payload: bytes, skill: Skill, *, context_id: str | None) -> Parts:
    """Wrap an encoded payload as the Message that answers; its ids need to be new, not sortable."""
    new = token_hex(32)
    message_id, context = new[:32], encode_json(context_id or new[32:])
    head = b'{"message":{"messageId":"%b","contextId":%b,"role":"ROLE_AGENT","parts":[{"data":'
    tail = b',"mediaType":"%b"}]}}' % skill.media_type_response.encode()
    return head % (message_id.encode(), context), payload, tail


def _check_answer(skill: Skill, payload: bytes) -> None:
    wrong = failures(skill.response_schema_name, json.loads(payload))
    if wrong:
        _log.error("an answer breaks its schema", extra={"skill": skill.id, "failures": wrong})
        raise InternalError
