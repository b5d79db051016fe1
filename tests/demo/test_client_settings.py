"""What is pasted into an assistant's settings starts the very command, whatever its path looks like."""

import json
import shlex

from forecourt.demo.client_settings import (
    claude_code,
    claude_code_http,
    codex,
    mcp_servers_json,
    vs_code_json,
)

COMMAND = [
    "/home/dealer's own/.venv/bin/forecourt",
    "mcp",
    "aap",
    "--dealer",
    "http://127.0.0.1:8080/dealers/x",
]


def test_a_shell_reads_the_command_of_claude_code_and_codex_unharmed():
    assert shlex.split(claude_code("x", COMMAND)) == ["claude", "mcp", "add", "x", "--", *COMMAND]
    assert shlex.split(codex("x", COMMAND)) == ["codex", "mcp", "add", "x", "--", *COMMAND]


def test_claude_code_takes_an_http_address():
    assert claude_code_http("x", "http://127.0.0.1:8080/dealers/x/mcp").endswith(
        "--transport http x http://127.0.0.1:8080/dealers/x/mcp"
    )


def test_desktop_and_cursor_read_mcp_servers_and_vs_code_reads_servers():
    process = {"command": COMMAND[0], "args": COMMAND[1:]}
    assert json.loads(mcp_servers_json("x", COMMAND)) == {"mcpServers": {"x": process}}
    assert json.loads(vs_code_json("x", COMMAND)) == {"servers": {"x": {"type": "stdio", **process}}}
