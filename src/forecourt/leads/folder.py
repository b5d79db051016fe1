"""Leads as files in a folder, for whatever picks them up there."""

import os
from pathlib import Path

from forecourt.leads.destinations import Folder
from forecourt.leads.outcome import NotSent, Sent


def put_into(folder: Folder, name: str, body: str) -> Sent | NotSent:
    """Write the file under another name, sync it, then rename it: a reader never sees half a lead."""
    target = folder.path / f"{name}.{'json' if folder.format == 'json' else 'xml'}"
    try:
        folder.path.mkdir(parents=True, exist_ok=True)
        _write_synced(target.with_suffix(".part"), body.encode())
        target.with_suffix(".part").replace(target)
        _sync_folder(folder.path)
    except OSError as error:
        return NotSent(f"file_{error.errno}")
    return Sent("written")


def _write_synced(path: Path, content: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
