"""Dealer agents that each do one thing wrong, with the rules that must catch them."""

import copy
import json

import pytest
from tests.check.tiny_agent import EXTENSION, Response, Twist

# What an agent does otherwise: functions of the request (or call) and of what a good agent would use or send.


def set_in(*path):
    """An edit that replaces one value deep inside; the last of `path` is the value, `...` removes."""

    def edit(_, document):
        changed = copy.deepcopy(document)
        place = changed
        for step in path[:-2]:
            place = place[step]
        if path[-1] is ...:
            del place[path[-2]]
        else:
            place[path[-2]] = path[-1]
        return changed

    return edit


def on_result(edit):
    return lambda call, answer: edit(call, answer) if "result" in answer else answer


def on_error(edit):
    return lambda call, answer: edit(call, answer) if "error" in answer else answer


def on_vehicles(edit):
    return lambda payload, response: (
        response
        | {"data": response["data"] | {"vehicles": [edit(each) for each in response["data"]["vehicles"]]}}
        if "vehicles" in response["data"]
        else response
    )


def on_skill(skill_id, edit):
    return lambda payload, response: (
        edit(payload, response) if response["type"].startswith(skill_id) else response
    )


def failing_with(number, data=None):
    error = {"code": number, "message": "No.", "data": data or {}}
    return lambda call, answer: {"jsonrpc": "2.0", "id": answer["id"], "error": error}


def where(condition, edit, otherwise=lambda _, value: value):
    return lambda asked, value: (edit if condition(asked) else otherwise)(asked, value)


def result_everywhere(call, answer):
    """Answer refused calls as if nothing were wrong."""
    return {"jsonrpc": "2.0", "id": answer["id"], "result": {"message": {"parts": []}}}


def lenient(payload, *, drop=(), **changes):
    filters = {name: value for name, value in payload.get("filters", {}).items() if name not in drop}
    return payload | ({"filters": filters | changes} if "filters" in payload else {})


def body_holds(text):
    return lambda request: text in request.body


def header_is(name, value):
    return lambda request: request.headers.get(name) == value


def first_failure_only(_, answer):
    changed = copy.deepcopy(answer)
    details = changed.get("error", {}).get("data")
    if isinstance(details, dict) and len(details.get("details", {}).get("errors", [])) > 1:
        del details["details"]["errors"][1:]
    return changed


def crash(request, response):
    return Response(500, {"content-type": "text/html"}, b"<h1>Internal Server Error</h1>")


def price_first_last(payload, response):
    vehicles = sorted(response["data"]["vehicles"], key=lambda each: each.get("price", -1))
    return response | {"data": response["data"] | {"vehicles": vehicles}}


def without(member):
    return lambda vehicle: {name: value for name, value in vehicle.items() if name != member}


def an_agent_that(says, breaks, **twist):
    return pytest.param(Twist(**twist), set(breaks.split()), id=says)


ALL_REFUSALS = """
    rpc.refusal rpc.two-data-parts rpc.data-object rpc.complete-message rpc.payload-type rpc.part-media-type
    rpc.unknown-task rpc.unknown-method rpc.no-call rpc.batch rpc.optional-operations rpc.error-info
    rpc.text-alone body.broken body.deep body.huge-integer body.no-number body.utf-16 http.content-type
    version.other version.query skill.unknown error.id vehicle.unknown vehicle.identifier
    search.page-limit search.unknown-filter search.wrong-type search.lower-case-vin search.all-failures
    information.closed facets.closed lead.consent lead.consent-first
"""

SEARCH = "inventory.search.request"
INTERFACE = ("supportedInterfaces", 0)
PARAMS = ("capabilities", "extensions", 0, "params")
REST = {"url": "https://tiny.example.com/grpc", "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0"}
MESSAGE = ("result", "message")

BAD_AGENTS = [
    an_agent_that(
        "sends its card as text",
        "card.json",
        response=lambda request, response: (
            Response(200, {"content-type": "text/plain"}, response.body)
            if request.method == "GET"
            else response
        ),
    ),
    an_agent_that("forgets the name on its card", "card.schema", card=set_in("name", ...)),
    an_agent_that(
        "announces another version",
        "card.extension card.params card.id card.schema",
        card=set_in("capabilities", "extensions", [{"uri": EXTENSION.replace("1.3", "1.2")}]),
    ),
    an_agent_that("speaks A2A 0.3", "card.interface", card=set_in(*INTERFACE, "protocolVersion", "0.3")),
    an_agent_that("has a relative address", "card.interface", card=set_in(*INTERFACE, "url", "/a2a")),
    an_agent_that(
        "offers REST too",
        "card.json-rpc-only",
        card=lambda _, card: card | {"supportedInterfaces": [*card["supportedInterfaces"], REST]},
    ),
    an_agent_that(
        "goes without TLS", "card.https", card=set_in(*INTERFACE, "url", "http://tiny.example.com/a2a")
    ),
    an_agent_that("lists no skills", "card.skills card.recommended-skills", card=set_in("skills", [])),
    an_agent_that(
        "puts examples on its skills", "card.strict-skills", card=set_in("skills", 0, "examples", ["Hello"])
    ),
    an_agent_that("has an old schema base", "card.params", card=set_in(*PARAMS, "schema_base_url", "x")),
    an_agent_that("has no card id", "card.id", card=set_in(*PARAMS, "id", ...)),
    an_agent_that(
        "answers in XML by its card", "card.modes", card=set_in("defaultOutputModes", ["text/xml"])
    ),
    an_agent_that(
        "sends its card without cache headers",
        "card.etag card.cache-control",
        response=lambda request, response: (
            Response(200, {"content-type": "application/json"}, response.body or b"{}")
            if request.method == "GET"
            else response
        ),
    ),
    an_agent_that(
        "changes its card at every reading",
        "card.stable",
        card=lambda request, card: card | {"at": id(request)},
    ),
    an_agent_that(
        "answers as text/html",
        "rpc.answer rpc.refusal http.charset",
        response=lambda request, response: (
            Response(response.status, {"content-type": "text/html"}, response.body)
            if request.method == "POST"
            else response
        ),
    ),
    an_agent_that(
        "answers errors with HTTP 400",
        "rpc.refusal",
        response=lambda _, response: (
            Response(400, response.headers, response.body) if b'"error"' in response.body else response
        ),
    ),
    an_agent_that("numbers its answers itself", "rpc.id rpc.answer rpc.refusal", answer=set_in("id", 1.0)),
    an_agent_that("has the role of 0.3", "rpc.message", answer=on_result(set_in(*MESSAGE, "role", "agent"))),
    an_agent_that(
        "does not wrap the message",
        "rpc.message search.schema",
        answer=on_result(lambda _, answer: answer | {"result": answer["result"].get("message")}),
    ),
    an_agent_that(
        "calls its parts application/json",
        "rpc.media-type",
        answer=on_result(set_in(*MESSAGE, "parts", 0, "mediaType", "application/json")),
    ),
    an_agent_that(
        "starts a conversation of its own",
        "rpc.context",
        answer=on_result(set_in(*MESSAGE, "contextId", "other")),
    ),
    an_agent_that(
        "refuses what it does not know",
        "rpc.unknown-members",
        answer=where(lambda call: "futureMember" in str(call), failing_with(-32602)),
    ),
    an_agent_that(
        "refuses text beside data",
        "rpc.text-beside-data",
        answer=where(lambda call: "French" in str(call), failing_with(-32602)),
    ),
    an_agent_that(
        "crashes at text", "rpc.text-first rpc.text-alone", response=where(body_holds(b"French"), crash)
    ),
    an_agent_that(
        "answers whatever comes",
        ALL_REFUSALS,
        answer=on_error(result_everywhere),
    ),
    an_agent_that(
        "answers notifications",
        "rpc.notification",
        response=lambda _, response: Response(200, {}, b"{}") if response.status == 204 else response,
    ),
    an_agent_that(
        "knows nothing but internal errors",
        "rpc.unknown-method rpc.optional-operations version.other skill.unknown vehicle.unknown",
        answer=on_error(failing_with(-32603)),
    ),
    an_agent_that(
        "explains errors with a plain object",
        "rpc.error-info",
        answer=on_error(set_in("error", "data", {"reason": "X"})),
    ),
    an_agent_that(
        "wraps AAP errors as A2A does",
        "skill.unknown vehicle.unknown search.all-failures",
        answer=on_error(
            lambda _, answer: answer | {"error": answer["error"] | {"data": [answer["error"]["data"]]}}
        ),
    ),
    an_agent_that("crashes at deep JSON", "body.deep", response=where(body_holds(b"[" * 1_000), crash)),
    an_agent_that(
        "crashes at huge integers", "body.huge-integer", response=where(body_holds(b"9" * 5_000), crash)
    ),
    an_agent_that("crashes at NaN", "body.no-number", response=where(body_holds(b"NaN"), crash)),
    an_agent_that(
        "redirects to the path without slash",
        "http.final-slash",
        response=where(lambda r: r.path.endswith("/"), lambda *_: Response(307, {"location": "/a2a"})),
    ),
    an_agent_that(
        "shows a page on GET",
        "http.get",
        response=where(
            lambda r: (r.method, r.path) == ("GET", "/a2a"), lambda *_: Response(200, {}, b"Hello")
        ),
    ),
    an_agent_that(
        "knows 1.0 to the letter only",
        "version.1-0",
        response=where(header_is("a2a-version", "1.0.1"), crash),
    ),
    an_agent_that(
        "insists on the version",
        "version.absent",
        response=where(lambda r: "a2a-version" not in r.headers and r.method == "POST", crash),
    ),
    an_agent_that(
        "refuses a charset",
        "http.charset",
        response=where(header_is("content-type", "application/json; charset=utf-8"), crash),
    ),
    an_agent_that(
        "does not name the extension",
        "extension.echo",
        response=lambda _, response: Response(
            response.status, {"content-type": "application/json"}, response.body
        ),
    ),
    an_agent_that(
        "leaves rooftops out of its profile",
        "information.schema information.join",
        data=on_skill("dealer.information", set_in("data", "rooftops", [])),
    ),
    an_agent_that(
        "has two rooftops of one name",
        "information.rooftops",
        data=on_skill("dealer.information", set_in("data", "rooftops", [{"name": "North"}] * 2)),
    ),
    an_agent_that(
        "takes anything in a request",
        "information.closed facets.closed",
        payload=lambda _, payload: {k: v for k, v in payload.items() if k not in {"verbose", "pagination"}},
    ),
    an_agent_that(
        "calls an unknown skill a failed validation",
        "skill.unknown",
        answer=where(
            lambda call: "reserve" in str(call),
            on_error(set_in("error", "data", "code", "SCHEMA_VALIDATION_FAILED")),
        ),
    ),
    an_agent_that(
        "reuses its error ids",
        "error.id",
        answer=on_error(
            lambda call, answer: (
                set_in("error", "data", "error_id", "e-1")(call, answer)
                if isinstance(answer["error"]["data"], dict)
                else answer
            )
        ),
    ),
    an_agent_that(
        "lists vehicles without status",
        "search.schema vehicle.found",
        data=on_vehicles(without("status")),
        vehicle=lambda _, vehicle: vehicle if "filters" in _ else vehicle | {"status": "sold"},
    ),
    an_agent_that(
        "wants to know who searches",
        "search.anonymous",
        answer=where(lambda call: "anonymous" in str(call), failing_with(-32000)),
    ),
    an_agent_that(
        "ignores skip",
        "search.paging search.page-echo",
        payload=lambda _, payload: (
            payload | {"pagination": {"limit": 2}} if "skip" in str(payload) else payload
        ),
    ),
    an_agent_that(
        "counts a page as everything",
        "search.paging facets.total",
        data=on_skill(
            "inventory.search", lambda _, r: set_in("data", "total", len(r["data"]["vehicles"]))(_, r)
        ),
    ),
    an_agent_that(
        "gives pages of any size",
        "search.page-cap",
        data=on_skill(
            "inventory.search",
            where(
                lambda payload: payload.get("pagination") == {"limit": 1000},
                lambda _, response: (
                    response
                    | {
                        "data": response["data"]
                        | {"limit": 1000, "vehicles": response["data"]["vehicles"] * 20}
                    }
                ),
            ),
        ),
    ),
    an_agent_that(
        "clamps every limit",
        "search.page-limit",
        payload=lambda _, payload: (
            payload | {"pagination": {"limit": 100}} if "5000" in str(payload.get("pagination")) else payload
        ),
    ),
    an_agent_that(
        "ignores unknown filters",
        "search.unknown-filter search.all-failures",
        payload=lambda _, payload: lenient(payload, drop=("colour", "horsepower")),
    ),
    an_agent_that(
        "guesses at types",
        "search.wrong-type",
        payload=lambda _, payload: lenient(payload, drop=("year_min", "dc_fast_charge")),
    ),
    an_agent_that(
        "corrects VINs",
        "search.lower-case-vin",
        payload=lambda _, payload: (
            lenient(payload, vin=payload["filters"]["vin"].upper())
            if "vin" in payload.get("filters", {})
            else payload
        ),
    ),
    an_agent_that(
        "tells the first failure only", "search.all-failures search.wrong-type", answer=first_failure_only
    ),
    an_agent_that(
        "swaps contradictory bounds",
        "search.contradiction",
        payload=where(
            lambda call: '"price_min": 2,' in json.dumps(call), lambda _, payload: {"type": SEARCH}
        ),
    ),
    an_agent_that(
        "matches unpriced vehicles",
        "search.price-bound",
        payload=lambda _, payload: (
            lenient(payload, drop=("price_max",)) if "price_min" not in str(payload) else payload
        ),
    ),
    an_agent_that(
        "sorts unpriced vehicles first",
        "search.price-sort",
        data=on_skill("inventory.search", price_first_last),
    ),
    an_agent_that("does not date its listings", "search.freshness", data=on_vehicles(without("updated_at"))),
    an_agent_that("has nameless vehicles", "search.identifiers", data=on_vehicles(without("vehicle_id"))),
    an_agent_that(
        "names a fee twice",
        "search.fee-names",
        data=on_vehicles(lambda v: v | {"fees": [{"name": "A", "amount": 1}, {"name": "A", "amount": 2}]}),
    ),
    an_agent_that(
        "writes prices with a fraction",
        "search.integers",
        data=on_vehicles(lambda v: v | ({"price": float(v["price"])} if "price" in v else {})),
    ),
    an_agent_that(
        "shows another vehicle",
        "vehicle.found",
        data=on_skill("inventory.vehicle", set_in("data", "vehicle_id", "v-99")),
    ),
    an_agent_that(
        "calls an unknown vehicle unavailable",
        "vehicle.unknown",
        answer=where(
            lambda call: "no-such-vehicle" in str(call),
            on_error(set_in("error", "data", "code", "VEHICLE_UNAVAILABLE")),
        ),
    ),
    an_agent_that(
        "shows any vehicle when none is named",
        "vehicle.identifier",
        payload=lambda _, payload: (
            payload | {"vehicle_id": "v-1"} if payload == {"type": "inventory.vehicle.request"} else payload
        ),
    ),
    an_agent_that(
        "counts in texts",
        "facets.schema",
        data=on_skill("inventory.facets", set_in("data", "makes", 0, "count", "3")),
    ),
    an_agent_that(
        "counts the whole stock whatever is asked",
        "facets.filtered",
        payload=lambda _, payload: (
            {"type": payload["type"]} if payload.get("type") == "inventory.facets.request" else payload
        ),
    ),
    an_agent_that(
        "takes leads without consent",
        "lead.consent lead.consent-first",
        payload=lambda _, payload: (
            {"type": "dealer.information.request"}
            if payload.get("type") == "lead.submit.request"
            else payload
        ),
    ),
    an_agent_that(
        "answers skills that its card does not list",
        "skill.not-offered card.params",
        card=lambda _, card: card | {"skills": card["skills"][1:]},
    ),
]
