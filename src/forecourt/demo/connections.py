"""The two ways to tools that an assistant has: over HTTP, and through a local process."""

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from forecourt.demo.processes import forecourt_command
from forecourt.demo.visit import ToolAnswer, TourStopped
from forecourt.demo.workspace import Workspace

ANSWER_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Connection:
    """An MCP client that is connected to a server's tools."""

    client: Client

    @property
    def protocol_version(self) -> str:
        """The MCP revision that client and server agreed upon."""
        return str(self.client.protocol_version)

    async def tool_names(self) -> list[str]:
        """Return the names of the tools that the server offers."""
        return [tool.name for tool in (await self.client.list_tools()).tools]

    async def call_tool(self, tool: str, arguments: Mapping[str, Any]) -> ToolAnswer:
        """Call one tool and return its payload. Raises `TourStopped` when there is no result at all."""
        try:
            result = await self.client.call_tool(tool, dict(arguments))
        except MCPError as error:
            raise TourStopped(f"{tool} cannot be called: {error.error.message}") from None
        return ToolAnswer(payload=dict(result.structured_content or {}), is_error=bool(result.is_error))


@asynccontextmanager
async def over_http(url: str, *, key: str | None = None) -> AsyncIterator[Connection]:
    """Connect to the tools at an address, with an API key where one is needed, by no proxy."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    async with httpx2.AsyncClient(trust_env=False, timeout=ANSWER_SECONDS, headers=headers) as http_client:
        transport = streamable_http_client(url, http_client=http_client)
        with single_errors():
            async with Client(transport, read_timeout_seconds=ANSWER_SECONDS) as client:
                yield Connection(client)


@asynccontextmanager
async def over_stdio(
    workspace: Workspace, *arguments: str, key: str | None = None
) -> AsyncIterator[Connection]:
    """Start `forecourt mcp …` as desktop assistants do, by the handshake that most of them still speak."""
    command, *options = forecourt_command("mcp", *arguments)
    environment = workspace.environment() | ({"FORECOURT_API_KEY": key} if key else {})
    adapter = StdioServerParameters(command=command, args=options, env=environment)
    with workspace.log_file.open("a", encoding="utf-8") as log:
        transport = stdio_client(adapter, errlog=log)
        with single_errors():
            async with Client(transport, mode="legacy", read_timeout_seconds=ANSWER_SECONDS) as client:
                yield Connection(client)


@contextmanager
def single_errors() -> Iterator[None]:
    """Let an error that task groups have wrapped, each in a group of its own, come out as itself."""
    try:
        yield
    except BaseExceptionGroup as group:
        error: BaseException = group
        while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
            error = error.exceptions[0]
        raise error from None
