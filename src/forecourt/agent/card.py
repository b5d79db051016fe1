"""The agent card of one dealer: its name, its address and its skills (A2A 1.0, section 8)."""

import hashlib
import json
import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from typing import Any

from starlette.types import Scope, Send

from forecourt import __version__
from forecourt.aap.skills import Skill, skills
from forecourt.aap.versions import SERVED
from forecourt.agent.headers import JSON, Headers, http_headers, read_headers, refuse_method, respond
from forecourt.dealer.profile import DealerProfile

CARD_PATH = "/.well-known/agent-card.json"
MAX_AGE_S = 300
"""How long a client may use a card before it asks again; stock is not on it, so minutes do no harm."""

_A2A_VERSION = "1.0"
_ID_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, SERVED.extension_uri)
_PLAIN_JSON = "application/json"


@dataclass(frozen=True, slots=True)
class CardDocument:
    """An encoded card with what HTTP caches need to know of it."""

    body: bytes
    etag: str
    changed_at: datetime


def build_card(
    profile: DealerProfile, *, endpoint_url: str, skill_ids: Collection[str], requires_extension: bool = False
) -> dict[str, Any]:
    """Return the card of a dealer whose A2A endpoint is `endpoint_url`, with the skills of `skill_ids` alone.

    The `id` among the extension's parameters is derived from everything else on the card, so that it changes
    exactly when the card does (AAP 1.3, discovery).
    """
    offered = [skill for skill in skills() if skill.id in skill_ids]
    parameters = {
        "version": SERVED.release,
        "schema_base_url": SERVED.schema_base_url,
        "skills": {skill.id: _schema_urls(skill) for skill in offered},
    }
    extension: dict[str, Any] = {"uri": SERVED.extension_uri, "params": parameters}
    if requires_extension:
        extension["required"] = True
    card = {
        "name": profile.name,
        "description": _description(profile.name, skill_ids),
        "supportedInterfaces": [
            {"url": endpoint_url, "protocolBinding": "JSONRPC", "protocolVersion": _A2A_VERSION}
        ],
        **_provider(profile),
        "version": __version__,
        "documentationUrl": "https://autoagentprotocol.org/",
        "capabilities": {"extensions": [extension]},
        "defaultInputModes": [_PLAIN_JSON, *(skill.media_type_request for skill in offered)],
        "defaultOutputModes": [_PLAIN_JSON, *(skill.media_type_response for skill in offered)],
        "skills": [_skill_entry(skill) for skill in offered],
    }
    extension["params"] = {"id": _content_id(card), **parameters}
    return card


def encode_card(card: dict[str, Any], *, changed_at: datetime) -> CardDocument:
    """Encode a card; its entity tag is a digest of the bytes."""
    body = json.dumps(card, ensure_ascii=False, indent=2).encode()
    digest = hashlib.sha256(body).hexdigest()[:32]
    return CardDocument(body, f'"{digest}"', changed_at.astimezone(UTC).replace(microsecond=0))


async def serve_card(document: CardDocument, scope: Scope, send: Send) -> None:
    """Answer GET and HEAD for a card; 304 when the client's copy is current (RFC 9110, section 13)."""
    if scope["method"] not in {"GET", "HEAD"}:
        await refuse_method(send, allow=b"GET, HEAD")
        return
    validators = {
        "etag": document.etag,
        "last_modified": format_datetime(document.changed_at, usegmt=True),
        "cache_control": f"public, max-age={MAX_AGE_S}",
    }
    headers = http_headers(JSON, len(document.body), **validators)
    if is_current(document, read_headers(scope)):
        await respond(send, 304, [header for header in headers if not header[0].startswith(b"content-")])
    else:
        await respond(send, 200, headers, body=b"" if scope["method"] == "HEAD" else document.body)


def is_current(document: CardDocument, headers: Headers) -> bool:
    """Say whether the client's copy is the present one: by entity tag, and only without one by time."""
    tags = headers.get(b"if-none-match")
    if tags is not None:
        return _names_tag(tags.decode("latin-1"), document.etag)
    since = headers.get(b"if-modified-since")
    return since is not None and _is_unmodified_since(document, since.decode("latin-1"))


def _names_tag(header: str, etag: str) -> bool:
    """Compare weakly, as If-None-Match asks: a proxy that compressed the card made its tag a weak one."""
    tags = (tag.strip().removeprefix("W/") for tag in header.split(","))
    return header.strip() == "*" or etag in tags


def _is_unmodified_since(document: CardDocument, since: str) -> bool:
    try:
        moment = parsedate_to_datetime(since)
    except ValueError:
        return False
    return document.changed_at <= (moment if moment.tzinfo else moment.replace(tzinfo=UTC))


def _description(name: str, skill_ids: Collection[str]) -> str:
    offers: Sequence[str] = [
        *(["tells about the business"] if "dealer.information" in skill_ids else []),
        *(
            ["shows the vehicles in stock"]
            if any(skill.startswith("inventory.") for skill in skill_ids)
            else []
        ),
        *(
            ["takes enquiries from customers who agreed to be contacted"]
            if "lead.submit" in skill_ids
            else []
        ),
    ]
    listed = ", ".join(offers[:-1]) + (" and " if len(offers) > 1 else "") + "".join(offers[-1:])
    return f"Agent of {name}: {listed}. Speaks the Auto Agent Protocol {SERVED.release}."


def _provider(profile: DealerProfile) -> dict[str, Any]:
    if profile.provider is None:
        return {}
    return {"provider": {"organization": profile.provider.organization, "url": profile.provider.url}}


def _schema_urls(skill: Skill) -> dict[str, str]:
    return {
        "request_schema": SERVED.schema_url(skill.request_schema),
        "response_schema": SERVED.schema_url(skill.response_schema),
    }


def _skill_entry(skill: Skill) -> dict[str, Any]:
    return {
        "id": skill.id,
        "name": skill.name,
        "description": skill.description,
        "tags": list(skill.tags),
        "inputModes": [skill.media_type_request, _PLAIN_JSON],
        "outputModes": [skill.media_type_response, _PLAIN_JSON],
    }


def _content_id(card: dict[str, Any]) -> str:
    return str(uuid.uuid5(_ID_NAMESPACE, json.dumps(card, sort_keys=True)))
