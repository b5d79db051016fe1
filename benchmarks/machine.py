"""The machine under a run, so that figures of two runs are not compared in ignorance."""

import os
import platform
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

_LIBRARIES = (
    "starlette",
    "uvicorn",
    "uvloop",
    "httptools",
    "mcp",
    "fastmcp",
    "a2a-sdk",
    "numpy",
    "sqlalchemy",
)


def machine_note() -> dict[str, str | int | float]:
    """Return processor, cores, memory, load, system and versions."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count() or 1,
        "memory GiB": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "load before": round(os.getloadavg()[0], 2),
        "system": f"{platform.system()} {platform.release()}",
        "Python": platform.python_version(),
        "libraries": ", ".join(f"{name} {version(name)}" for name in _LIBRARIES),
    }


def _processor() -> str:
    return next(_model_names(), platform.machine())


def _model_names() -> Iterator[str]:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                yield line.partition(":")[2].strip()
