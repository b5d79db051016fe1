"""What a client needs from an agent card: where to call, in which version, with which credentials.

A card is written by a stranger. Members that are not needed are not looked at, those that are needed are
checked, and the endpoint is only a text here: `fetch` judges it before anything is sent there.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from forecourt.aap.dealer_errors import CardUnusable
from forecourt.aap.versions import VERSIONS, AapVersion, version_of_extension
from forecourt.fetch.policy import origin_of, read_url

Credentials = Literal["none", "bearer", "unsupported"]

A2A_VERSION = "1.0"
_BEARER_SCHEMES = ("oauth2SecurityScheme", "openIdConnectSecurityScheme", "oauth2", "openIdConnect")


@dataclass(frozen=True, slots=True)
class DealerCard:
    """An AAP dealer as its card describes it."""

    name: str
    endpoint: str
    host: str
    tenant: str | None
    version: AapVersion
    skills: frozenset[str]
    credentials: Credentials


def read_card(document: object) -> DealerCard:
    """Read an A2A 1.0 card of an AAP dealer; raises `CardUnusable`, or `UrlRefused` for its endpoint."""
    if not isinstance(document, dict):
        raise _unusable("not_an_object", "The agent card is not a JSON object.")
    interface = _interface(document)
    endpoint = interface["url"]
    return DealerCard(
        name=_text(document.get("name")) or "unnamed dealer",
        endpoint=endpoint,
        host=origin_of(read_url(endpoint)).host,
        tenant=_text(interface.get("tenant")),
        version=_newest_version(document),
        skills=frozenset(skill["id"] for skill in _objects(document.get("skills")) if _text(skill.get("id"))),
        credentials=_credentials(document),
    )


def endpoints(document: object) -> list[str]:
    """Return the URLs of all interfaces on a card, usable or not."""
    interfaces = _objects(document.get("supportedInterfaces")) if isinstance(document, dict) else ()
    return [url for interface in interfaces if (url := _text(interface.get("url")))]


def _interface(document: dict[str, Any]) -> dict[str, Any]:
    """Return the first JSON-RPC interface of A2A 1.0, in the order of the card (A2A 1.0 section 8.3)."""
    for interface in _objects(document.get("supportedInterfaces")):
        version = _text(interface.get("protocolVersion")) or ""
        fits = version == A2A_VERSION or version.startswith(f"{A2A_VERSION}.")
        if interface.get("protocolBinding") == "JSONRPC" and fits and _text(interface.get("url")):
            return interface
    if "supportedInterfaces" not in document and "url" in document:
        raise _unusable("a2a_0_3", "The agent card is of A2A 0.3; A2A 1.0 is needed.")
    raise _unusable("no_interface", "The agent card lists no JSON-RPC interface of A2A 1.0.")


def _newest_version(document: dict[str, Any]) -> AapVersion:
    """Return the newest AAP version that the card announces among those that are known."""
    capabilities = document.get("capabilities")
    extensions = capabilities.get("extensions") if isinstance(capabilities, dict) else None
    uris = [uri for extension in _objects(extensions) if (uri := _text(extension.get("uri")))]
    known = [version for uri in uris if (version := version_of_extension(uri))]
    if known:
        return max(known, key=VERSIONS.index)
    if any("autoagentprotocol.org/extensions/" in uri for uri in uris):
        raise _unusable("unknown_aap_version", "The dealer speaks a version of AAP that is not known here.")
    raise _unusable("not_an_aap_dealer", "The agent does not announce the Auto Agent Protocol.")


def _credentials(document: dict[str, Any]) -> Credentials:
    """Say what the card asks for: one of several alternatives suffices, an empty one means anyone.

    A2A 1.0 names the member `securityRequirements` and wraps its alternatives in `schemes`; the AAP schema
    and A2A 0.3 name it `security`, as OpenAPI does.
    """
    alternatives = [*_objects(document.get("securityRequirements")), *_objects(document.get("security"))]
    asked = [alternative.get("schemes", alternative) for alternative in alternatives]
    if not all(asked):
        return "none"
    schemes = document.get("securitySchemes")
    known = schemes if isinstance(schemes, dict) else {}
    if not asked:
        return "none"
    return (
        "bearer"
        if any(all(_is_bearer(known.get(name)) for name in names) for names in asked)
        else "unsupported"
    )


def _is_bearer(scheme: object) -> bool:
    """Tell whether a bearer token satisfies a security scheme, in A2A's or OpenAPI's writing."""
    if not isinstance(scheme, dict):
        return False
    if any(name in scheme or scheme.get("type") == name for name in _BEARER_SCHEMES):
        return True
    http = scheme.get("httpAuthSecurityScheme", scheme if scheme.get("type") == "http" else None)
    return isinstance(http, dict) and str(http.get("scheme")).lower() == "bearer"


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _objects(value: object) -> Iterator[dict[str, Any]]:
    if isinstance(value, list):
        yield from (entry for entry in value if isinstance(entry, dict))


def _unusable(reason: str, message: str) -> CardUnusable:
    return CardUnusable(message, details={"reason": reason})
