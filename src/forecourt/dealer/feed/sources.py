"""Get a feed's file over HTTPS, from an SFTP server or out of a folder; unchanged ones are left alone."""

import asyncio
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from forecourt.base.errors import Unreachable
from forecourt.dealer.feed.schedules import Schedule, kind_of
from forecourt.fetch.client import Fetch, Limits, Outgoing
from forecourt.tables.errors import ExtraMissing

LARGEST_FEED: Final = 512 << 20
LONGEST_SECONDS: Final = 600.0
SETTLED: Final = timedelta(seconds=10)
"""A file in a folder is taken once nobody has written to it for this long."""


class SourceFailed(Unreachable):
    """The source could not be reached, or gave no file; `details["reason"]` is a stable word."""

    code = "feed_source_failed"

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message, details={"reason": reason})


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What a source gave: a file, or None when it is the one that `memory` describes."""

    path: Path | None
    memory: Mapping[str, Any]


async def retrieve(
    schedule: Schedule, memory: Mapping[str, Any], *, fetch: Fetch, folder: Path, now: datetime
) -> Retrieved:
    """Get the file of a schedule, into `folder` where it is not on this machine yet.

    An empty `memory` gets the file in any case. Raises `SourceFailed`, a leaf of `fetch.errors` or
    `ExtraMissing`.
    """
    kind = kind_of(schedule.source)
    if kind == "folder":
        return await asyncio.to_thread(_newest_file, schedule.source, memory, now)
    target = folder / f"{schedule.slug}.feed"
    if kind == "sftp":
        return await _from_sftp(schedule, memory, target)
    return await _from_web(schedule, memory, fetch, target)


async def _from_web(schedule: Schedule, memory: Mapping[str, Any], fetch: Fetch, target: Path) -> Retrieved:
    names = {"etag": "if-none-match", "last-modified": "if-modified-since"}
    headers = {names[name]: value for name, value in memory.items() if name in names}
    password = os.environ.get(schedule.password_env) if schedule.password_env else None
    if password:
        headers["authorization"] = f"Bearer {password}"
    limits = Limits(max_bytes=LARGEST_FEED, seconds=LONGEST_SECONDS)
    answer = await fetch.send(Outgoing("GET", schedule.source, limits, headers=headers))
    if answer.status == 304:
        return Retrieved(None, memory)
    if answer.status != 200:
        raise SourceFailed(f"status_{answer.status}", f"The feed's server answered {answer.status}.")
    await asyncio.to_thread(target.write_bytes, answer.body)
    return Retrieved(target, {name: answer.headers[name] for name in names if name in answer.headers})


def _newest_file(source: str, memory: Mapping[str, Any], now: datetime) -> Retrieved:
    """Return the file of a folder that was written last and is not being written to."""
    given = Path(source)
    folder, pattern = (given, "*") if given.is_dir() else (given.parent, given.name)
    files = [path for path in folder.glob(pattern) if path.is_file() and not path.name.startswith(".")]
    settled = [path for path in files if path.stat().st_mtime <= (now - SETTLED).timestamp()]
    if not settled:
        raise SourceFailed("no_file", "There is no finished file in the folder.")
    newest = max(settled, key=lambda path: path.stat().st_mtime)
    seen = {"name": newest.name, "size": newest.stat().st_size, "modified": newest.stat().st_mtime_ns}
    return Retrieved(None if seen == memory else newest, seen)


async def _from_sftp(schedule: Schedule, memory: Mapping[str, Any], target: Path) -> Retrieved:
    try:
        import asyncssh
    except ImportError:
        raise ExtraMissing("SFTP sources need an extra: install forecourt[sftp].") from None

    parts = urlsplit(schedule.source)
    port = parts.port or 22
    password = os.environ.get(schedule.password_env) if schedule.password_env else None
    known = asyncssh.import_known_hosts(f"* {schedule.host_key}\n")
    try:
        async with (
            asyncssh.connect(
                parts.hostname or "",
                port,
                username=unquote(parts.username or ""),
                password=password,
                known_hosts=known,
                connect_timeout=30,
                config=None,
            ) as connection,
            connection.start_sftp_client() as client,
        ):
            return await _copied(client, unquote(parts.path), memory, target)
    except asyncssh.HostKeyNotVerifiable:
        raise SourceFailed(
            "host_key", "The SFTP server has another key than the one that is known."
        ) from None
    except asyncssh.PermissionDenied:
        raise SourceFailed("permission", "The SFTP server refused the user or password.") from None
    except asyncssh.SFTPError:
        raise SourceFailed("no_file", "The SFTP server has no such file.") from None
    except (asyncssh.Error, OSError):
        raise SourceFailed(
            "connection", "The SFTP server could not be reached, or the connection broke."
        ) from None


async def _copied(client: Any, path: str, memory: Mapping[str, Any], target: Path) -> Retrieved:
    found = await client.stat(path)
    if found.permissions is not None and not stat.S_ISREG(found.permissions):
        raise SourceFailed("no_file", "The path on the SFTP server is no file.")
    seen = {"size": found.size, "modified": found.mtime}
    if seen == memory:
        return Retrieved(None, memory)
    if (found.size or 0) > LARGEST_FEED:
        raise SourceFailed("too_large", "The feed is larger than 512 MB.")
    await client.get(path, target)
    copied = await asyncio.to_thread(target.stat)
    if copied.st_size != found.size:
        raise SourceFailed("connection", "The file on the SFTP server changed while it was read.")
    return Retrieved(target, seen)
