"""A scheduled feed: where it comes from, how often, and when its silence is an alarm."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import PurePosixPath
from typing import Any, Final
from urllib.parse import urlsplit

from forecourt.dealer.errors import ScheduleInvalid
from forecourt.tables.mapping import build_mapping

SHORTEST: Final = timedelta(minutes=5)
LONGEST: Final = timedelta(days=7)
KINDS: Final = ("https", "http", "sftp", "folder")


@dataclass(frozen=True, slots=True)
class Schedule:
    """One dealer's feed. `source` is an address (https, sftp) or a folder, maybe with a pattern for the file.

    Secrets stand in environment variables; `password_env` is the name of one. `host_key` is the public key of
    an SFTP server as `ssh-ed25519 AAAA…`. `mapping` is the content of a mapping file.
    """

    slug: str
    source: str
    every: timedelta
    stale_after: timedelta
    mapping: Mapping[str, Any] = field(default_factory=dict)
    password_env: str | None = None
    host_key: str | None = None
    alarm_mail: str | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a schedule is. `memory` is what an unchanged file is recognised by (ETag, size)."""

    schedule: Schedule
    next_run_at: datetime
    memory: Mapping[str, Any]
    imported_at: datetime | None
    seen_at: datetime | None
    outcome: str | None
    alarmed_at: datetime | None
    created_at: datetime

    def is_stale(self, now: datetime) -> bool:
        """Tell whether the source was not reached with a good file for longer than it may be."""
        return now - (self.seen_at or self.created_at) > self.schedule.stale_after


def kind_of(source: str) -> str:
    """Return `https`, `http`, `sftp` or `folder`."""
    scheme = urlsplit(source).scheme
    return scheme if scheme in KINDS else "folder"


def checked(schedule: Schedule) -> Schedule:
    """Return the schedule; raises `ScheduleInvalid` or `MappingInvalid` with everything that is wrong."""
    problems = [*_interval_problems(schedule), *_source_problems(schedule)]
    if problems:
        raise ScheduleInvalid("; ".join(problems) + ".", details={"problems": problems})
    build_mapping(schedule.mapping)
    return schedule


def _interval_problems(schedule: Schedule) -> list[str]:
    problems = []
    if not SHORTEST <= schedule.every <= LONGEST:
        problems.append("every: give between 5 minutes and 7 days")
    if schedule.stale_after < schedule.every:
        problems.append("stale-after: give at least one interval")
    return problems


def _source_problems(schedule: Schedule) -> list[str]:
    parts = urlsplit(schedule.source)
    kind = kind_of(schedule.source)
    if kind == "folder":
        absolute = PurePosixPath(schedule.source).is_absolute() and "://" not in schedule.source
        return [] if absolute else ["source: give an https or sftp address, or the absolute path of a folder"]
    problems = [] if parts.hostname else ["source: the address has no host"]
    if parts.password:
        problems.append(
            "source: put the password into an environment variable and name it with --password-env"
        )
    if kind == "sftp" and not schedule.host_key:
        problems.append("host-key: an SFTP server must be known by its public key")
    return problems
