"""A dealer agent of one page that keeps every rule, and ways to make it break some."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from forecourt.aap import errors
from forecourt.aap.skills import catalogue, skill_of_request_type, skills
from forecourt.aap.validation import failures
from forecourt.base.errors import ForecourtError
from forecourt.base.strict_json import MalformedJson, encode_json, parse_json, read_body

HOME = "https://tiny.example.com"
EXTENSION = catalogue().extension_uri


def unchanged(_, value):
    return value


@dataclass
class Twist:
    """What an agent does otherwise: functions of the request (or call) and of what would be used or sent."""

    card: Callable[[Any, Any], Any] = unchanged
    payload: Callable[[Any, Any], Any] = unchanged
    vehicle: Callable[[Any, Any], Any] = unchanged
    data: Callable[[Any, Any], Any] = unchanged
    answer: Callable[[Any, Any], Any] = unchanged
    response: Callable[[Any, Any], Any] = unchanged


@dataclass
class Request:
    method: str
    path: str
    query: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Response:
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""


def vehicle(number: int, **members: Any) -> dict[str, Any]:
    listing = {
        "vehicle_id": f"v-{number}",
        "status": "available",
        "make": "Honda" if number % 3 else "Ford",
        "rooftop": "North",
        "fees": [{"name": "Documentation", "amount": 85}],
        "updated_at": "2030-01-31T09:30:00Z",
    }
    return listing | ({"price": 20_000 + 500 * number} if number % 4 else {}) | members


class TinyAgent:
    """Everything in memory; `offered` are the ids of its skills."""

    def __init__(self, twist: Twist | None = None, *, offered: tuple[str, ...] | None = None) -> None:
        self.twist = twist or Twist()
        self.offered = offered or tuple(skill.id for skill in skills())
        self.leads: list[Any] = []

    async def __call__(self, scope, receive, send) -> None:
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        body = await read_body(receive, 10_000_000)
        request = Request(scope["method"], scope["path"], scope["query_string"].decode(), headers, body)
        response = self.twist.response(request, self.respond(request))
        listed = [(name.encode(), value.encode()) for name, value in response.headers.items()]
        await send({"type": "http.response.start", "status": response.status, "headers": listed})
        await send({"type": "http.response.body", "body": response.body})

    def respond(self, request: Request) -> Response:
        if request.path == "/.well-known/agent-card.json":
            return self.card_response(request)
        if request.method != "POST":
            return Response(405, {"allow": "POST"})
        return self.rpc_response(request)

    def card_response(self, request: Request) -> Response:
        body = encode_json(self.twist.card(request, self.card()))
        headers = {"content-type": "application/json", "etag": '"1"', "cache-control": "max-age=60"}
        current = request.headers.get("if-none-match") == '"1"'
        return Response(304, headers) if current else Response(200, headers, body)

    def card(self) -> dict[str, Any]:
        offered = [skill for skill in skills() if skill.id in self.offered]
        urls = {
            skill.id: {
                "request_schema": catalogue().schema_url(skill.request_schema),
                "response_schema": catalogue().schema_url(skill.response_schema),
            }
            for skill in offered
        }
        base = catalogue().schema_base_url
        params = {"id": "1", "version": catalogue().version, "schema_base_url": base, "skills": urls}
        return {
            "name": "Tiny",
            "description": "A tiny dealer.",
            "supportedInterfaces": [
                {"url": f"{HOME}/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
            ],
            "version": "1.0.0",
            "capabilities": {"extensions": [{"uri": EXTENSION, "params": params}]},
            "defaultInputModes": ["application/json"],
            "defaultOutputModes": ["application/json"],
            "skills": [
                {"id": skill.id, "name": skill.name, "description": "Does it.", "tags": ["car"]}
                for skill in offered
            ],
        }

    def rpc_response(self, request: Request) -> Response:
        call, answer = None, None
        try:
            call = self.read_call(request)
            if call.get("id", "absent") == "absent":
                return Response(204)
            answer = {"jsonrpc": "2.0", "id": call["id"], "result": self.result(call, request)}
        except ForecourtError as error:
            number = call["id"] if call else None
            answer = {"jsonrpc": "2.0", "id": number, "error": errors.json_rpc_error(error)}
        headers = {"content-type": "application/json", "a2a-extensions": EXTENSION}
        return Response(200, headers, encode_json(self.twist.answer(call or request, answer)))

    def read_call(self, request: Request) -> dict[str, Any]:
        if not request.headers.get("content-type", "").startswith("application/json"):
            raise errors.ContentTypeNotSupported("JSON, please.")
        try:
            call = parse_json(request.body)
        except MalformedJson as malformed:
            raise errors.ParseError(malformed.message) from None
        right = (
            isinstance(call, dict) and call.get("jsonrpc") == "2.0" and isinstance(call.get("method"), str)
        )
        if not right or not isinstance(call.get("id"), str | int | None):
            raise errors.InvalidRequest("One call, please.")
        return call

    def result(self, call: dict[str, Any], request: Request) -> Any:
        asked = request.headers.get("a2a-version") or request.query.partition("A2A-Version=")[2] or "1.0"
        if asked.split(".")[:2] != ["1", "0"]:
            raise errors.VersionNotSupported("1.0, please.")
        refusals = {
            "GetTask": errors.TaskNotFound,
            "CancelTask": errors.TaskNotFound,
            "SendStreamingMessage": errors.UnsupportedOperation,
            "SubscribeToTask": errors.UnsupportedOperation,
            "GetExtendedAgentCard": errors.UnsupportedOperation,
            "CreateTaskPushNotificationConfig": errors.PushNotificationNotSupported,
        }
        if call["method"] != "SendMessage":
            raise refusals.get(call["method"], errors.MethodNotFound)("Only SendMessage, please.")
        return self.send_message(call, call.get("params"))

    def send_message(self, call: dict[str, Any], params: Any) -> dict[str, Any]:
        message = params.get("message") if isinstance(params, dict) else None
        if not isinstance(message, dict) or not all(
            message.get(key) for key in ("messageId", "role", "parts")
        ):
            raise errors.SchemaValidationFailed("A message, please.")
        if message.get("taskId"):
            raise errors.TaskNotFound("There are no tasks.")
        payloads = [part["data"] for part in message["parts"] if "data" in part]
        if not payloads and "raw" in message["parts"][0]:
            raise errors.ContentTypeNotSupported("JSON, please.")
        if len(payloads) != 1 or not isinstance(payloads[0], dict):
            raise errors.SchemaValidationFailed("One data object, please.")
        payload = self.twist.payload(call, payloads[0])
        answered = {"messageId": "a-1", "role": "ROLE_AGENT", "contextId": message.get("contextId", "c-1")}
        skill = skill_of_request_type(payload.get("type"))
        response = {"type": skill.response_type if skill else "", "data": self.answer(payload)}
        response = self.twist.data(payload, response)
        return {
            "message": {**answered, "parts": [{"data": response, "mediaType": skill.media_type_response}]}
        }

    def answer(self, payload: dict[str, Any]) -> Any:
        if "type" not in payload:
            raise errors.MissingRequiredField("Which skill?")
        skill = skill_of_request_type(payload["type"])
        if skill is None or skill.id not in self.offered:
            raise errors.UnsupportedSkill("No such skill here.")
        if skill.id == "lead.submit" and "consent" not in payload:
            raise errors.ContactConsentRequired("Consent, please.")
        wrong = failures(skill.request_schema_name, payload)
        if wrong:
            raise errors.refusal(wrong)
        return getattr(self, skill.id.replace(".", "_"))(payload)

    def dealer_information(self, payload):
        return {"name": "Tiny", "rooftops": [{"name": "North"}]}

    def matching(self, payload):
        filters = payload.get("filters", {})
        low, high = filters.get("price_min", -1), filters.get("price_max", 10**9)
        bounded = filters.keys() & {"price_min", "price_max"}
        return [
            each
            for each in (self.twist.vehicle(payload, vehicle(number)) for number in range(8))
            if each.get("make") in filters.get("make", [each.get("make")])
            and (not bounded or low <= each.get("price", -2) <= high)
        ]

    def inventory_search(self, payload):
        found = self.matching(payload)
        page = payload.get("pagination", {})
        skip, limit = page.get("skip", 0), min(page.get("limit", 20), 100)
        if payload.get("sort", {}).get("field") == "price":
            sign = -1 if payload["sort"]["order"] == "desc" else 1
            found.sort(key=lambda each: ("price" not in each, sign * each.get("price", 0)))
        return {"total": len(found), "skip": skip, "limit": limit, "vehicles": found[skip : skip + limit]}

    def inventory_vehicle(self, payload):
        for each in self.matching({}):
            if each.get("vehicle_id") == payload.get("vehicle_id"):
                return each
        raise errors.VehicleNotFound("No such vehicle.")

    def inventory_facets(self, payload):
        found = self.matching(payload)
        facets = {"makes": "make", "statuses": "status"}
        counted = {facet: Counter(each[member] for each in found) for facet, member in facets.items()}
        return {
            facet: [{"value": value, "count": count} for value, count in counts.items()]
            for facet, counts in counted.items()
        }

    def lead_submit(self, payload):
        self.leads.append(payload)
        return {"lead_id": "l-1", "status": "received"}
