"""How a client learns where to get rights: the challenge of RFC 6750 with the address of RFC 9728.

Both faces send the same one.
"""

from typing import Any, Final

from forecourt.accounts.access import ALL_SCOPES
from forecourt.accounts.errors import MissingCredentials, NotAuthenticated

METADATA_PATH: Final = "/.well-known/oauth-protected-resource"
MCP_PATH: Final = "/mcp"


def sign_in(public_url: str, error: NotAuthenticated) -> str:
    """Return the challenge to a caller who is not known, and that a token that was sent is of no use."""
    return _challenge(public_url, "" if isinstance(error, MissingCredentials) else ', error="invalid_token"')


def step_up(public_url: str, *, scope: str) -> str:
    """Return the challenge to a caller whose credential lacks a scope."""
    return _challenge(public_url, f', error="insufficient_scope", scope="{scope}"')


def _challenge(public_url: str, attributes: str) -> str:
    return f'Bearer resource_metadata="{public_url}{METADATA_PATH}{MCP_PATH}"{attributes}'


def protected_resource(public_url: str, *, service_name: str) -> dict[str, Any]:
    """Return the protected-resource document. It lists no authorization server while there is none."""
    return {
        "resource": public_url + MCP_PATH,
        "resource_name": service_name,
        "scopes_supported": list(ALL_SCOPES),
        "bearer_methods_supported": ["header"],
        "resource_documentation": f"{public_url}/docs/mcp",
    }
