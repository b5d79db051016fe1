"""How assistants are told of a dealer's tools, as their makers document it in autumn 2026."""

import json
import shlex
from collections.abc import Sequence


def claude_code(name: str, command: Sequence[str]) -> str:
    """Return the command that registers a stdio server in Claude Code."""
    return f"claude mcp add {name} -- {shlex.join(command)}"


def claude_code_http(name: str, url: str) -> str:
    """Return the command that registers an HTTP server in Claude Code."""
    return f"claude mcp add --transport http {name} {url}"


def mcp_servers_json(name: str, command: Sequence[str]) -> str:
    """Return the entry that Claude Desktop (`claude_desktop_config.json`) and Cursor (`mcp.json`) share."""
    return json.dumps({"mcpServers": {name: _process(command)}}, ensure_ascii=False)


def vs_code_json(name: str, command: Sequence[str]) -> str:
    """Return the entry for `.vscode/mcp.json`, which says `servers` and names the type."""
    return json.dumps({"servers": {name: {"type": "stdio", **_process(command)}}}, ensure_ascii=False)


def codex(name: str, command: Sequence[str]) -> str:
    """Return the command that registers a stdio server in Codex."""
    return f"codex mcp add {name} -- {shlex.join(command)}"


def _process(command: Sequence[str]) -> dict[str, object]:
    return {"command": command[0], "args": list(command[1:])}
