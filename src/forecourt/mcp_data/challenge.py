"""How a client learns where to get rights: the challenge of RFC 6750 with the address of RFC 9728."""

from typing import Any, Final

from forecourt.accounts.access import ALL_SCOPES

METADATA_PATH: Final = "/.well-known/oauth-protected-resource"
MCP_PATH: Final = "/mcp"

CHALLENGE_META: Final = "mcp/www_authenticate"
"""Key in a result's `_meta` under which ChatGPT looks for a challenge."""


def challenge(public_url: str, *, error: str | None = None, scope: str | None = None) -> str:
    """Return a `WWW-Authenticate`; with `error` where a credential was sent, with `scope` where one lacks."""
    parts = [f'resource_metadata="{public_url}{METADATA_PATH}{MCP_PATH}"']
    parts += [f'error="{error}"'] if error else []
    parts += [f'scope="{scope}"'] if scope else []
    return "Bearer " + ", ".join(parts)


def protected_resource(public_url: str, *, service_name: str) -> dict[str, Any]:
    """Return the protected-resource document. It lists no authorization server while there is none."""
    return {
        "resource": public_url + MCP_PATH,
        "resource_name": service_name,
        "scopes_supported": list(ALL_SCOPES),
        "bearer_methods_supported": ["header"],
        "resource_documentation": f"{public_url}/docs/mcp",
    }
