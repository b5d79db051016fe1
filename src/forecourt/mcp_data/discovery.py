"""The protected-resource document, where clients that were not let in look for a way to sign in."""

from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from forecourt.operations.challenge import MCP_PATH, METADATA_PATH, protected_resource

_HEADERS: Final = {"access-control-allow-origin": "*", "cache-control": "public, max-age=3600"}


def discovery_routes(public_url: str, *, service_name: str) -> list[Route]:
    """Return the document by the path of the MCP endpoint, and at the root for clients that look there."""
    document: dict[str, Any] = protected_resource(public_url, service_name=service_name)

    async def describe(_: Request) -> Response:
        return JSONResponse(document, headers=_HEADERS)

    return [Route(path, describe) for path in (METADATA_PATH + MCP_PATH, METADATA_PATH)]
