"""The demo types what a person would type: each command of Forecourt is a process of its own."""

import contextlib
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import httpx2

from forecourt.base.errors import Broken, Conflict
from forecourt.demo.workspace import Workspace

START_SECONDS = 60
STOP_SECONDS = 20
COMMAND_SECONDS = 120
OUTPUT_COLUMNS = 110


class PortTaken(Conflict):
    """Another program listens on the port of the demo."""

    code = "port_taken"


class CommandFailed(Broken):
    """A command of the demo ended with an error; what it wrote is in the message."""

    code = "demo_command_failed"
    retryable = False


def forecourt_command(*arguments: str) -> list[str]:
    """Return the command line that runs Forecourt with this very Python."""
    script = Path(sys.executable).with_name("forecourt")
    start = [str(script)] if script.is_file() else [sys.executable, "-m", "forecourt"]
    return [*start, *arguments]


def run_forecourt(workspace: Workspace, arguments: Sequence[str]) -> str:
    """Run a command with the demo's settings to its end and return what it wrote.

    Raises `CommandFailed` when its exit code is not 0.
    """
    done = subprocess.run(  # noqa: S603  our own command line
        forecourt_command(*arguments),
        env={**workspace.environment(), "COLUMNS": str(OUTPUT_COLUMNS)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=COMMAND_SECONDS,
        check=False,
    )
    if done.returncode:
        raise CommandFailed(f"`forecourt {' '.join(arguments)}` failed: {done.stderr.strip()}")
    return done.stdout


def refuse_a_taken_port(port: int) -> None:
    """Raise `PortTaken` when somebody listens on the port already."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            raise PortTaken(
                f"Port {port} cannot be used: another program has it. Choose another with --port."
            ) from None


@contextlib.contextmanager
def running_server(workspace: Workspace) -> Iterator["subprocess.Popen[bytes]"]:
    """Run `forecourt serve` until the block ends; it is ready when the block starts.

    Raises `PortTaken`, or `CommandFailed` when the server does not come up.
    """
    refuse_a_taken_port(workspace.port)
    with workspace.log_file.open("wb") as log:
        server = subprocess.Popen(  # noqa: S603  our own command line
            forecourt_command("serve"),
            env=workspace.environment(),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        _wait_until_ready(workspace, server)
        yield server
    finally:
        _stop(server)


def _wait_until_ready(workspace: Workspace, server: "subprocess.Popen[bytes]") -> None:
    give_up = time.monotonic() + START_SECONDS
    with httpx2.Client(trust_env=False, timeout=2) as client:
        while server.poll() is None and time.monotonic() < give_up:
            with contextlib.suppress(httpx2.HTTPError):
                if client.get(f"{workspace.base_url}/readyz").status_code == 200:
                    return
            time.sleep(0.05)
    raise CommandFailed(f"The server did not start; {workspace.log_file} says why.")


def _stop(server: "subprocess.Popen[bytes]") -> None:
    server.terminate()
    try:
        server.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
