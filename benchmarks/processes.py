"""Servers under measurement: each a process of its own, pinned to one core where the system can."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import httpx2

SERVER_CORE, CLIENT_CORE = 0, 1
START_SECONDS = 60.0


@contextmanager
def running(
    command: Sequence[str], *, url: str, environment: Mapping[str, str], core: int = SERVER_CORE
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server until the block ends; the block starts once `url` answers anything but a 5xx."""
    process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL)
    pin(process.pid, core)
    try:
        wait_until_answering(url, process)
        yield process
    finally:
        process.terminate()
        process.wait(timeout=30)


@contextmanager
def running_asgi(
    peer: ModuleType, *, port: int, environment: Mapping[str, str], core: int = SERVER_CORE
) -> Iterator[subprocess.Popen[bytes]]:
    """Run the `application()` of a module on uvicorn at its best: uvloop, httptools, no access log."""
    command = [
        *(
            sys.executable,
            "-m",
            "uvicorn",
            f"{peer.__name__}:application",
            "--host",
            "127.0.0.1",
            "--port",
            str(port),
        ),
        *(
            "--factory",
            "--loop",
            "uvloop",
            "--http",
            "httptools",
            "--no-access-log",
            "--log-level",
            "warning",
        ),
    ]
    url = f"http://127.0.0.1:{port}/"
    with running(command, url=url, environment=os.environ | environment, core=core) as process:
        yield process


def free_port() -> int:
    """Return a port of the loopback address that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def pin(pid: int, core: int) -> None:
    """Keep a process on one core, where the system has such a call and such a core."""
    if hasattr(os, "sched_setaffinity") and core in os.sched_getaffinity(0):
        os.sched_setaffinity(pid, {core})


def wait_until_answering(url: str, process: subprocess.Popen[bytes]) -> None:
    """Return once the URL is answered with less than 500; raise when the server ends or takes too long."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with code {process.returncode}")
        try:
            if httpx2.get(url, timeout=5).status_code < 500:
                return
        except httpx2.TransportError:
            pass
        time.sleep(0.01)
    raise RuntimeError(f"nothing answered at {url} within {START_SECONDS:g} s")


def cpu_seconds(pid: int) -> float:
    """Return the processor time that a process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_mb(pid: int) -> float:
    """Return the memory that a process holds now, in MB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
