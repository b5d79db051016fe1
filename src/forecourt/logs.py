"""Logging: one line per event, for people or for machines, with personal data and secrets taken out."""

import json
import logging
import re
import sys
import traceback
from datetime import UTC, datetime
from typing import Any, TextIO

ROOT = "forecourt"

_SECRETS = (
    (re.compile(r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b"), "[e-mail]"),
    (re.compile(r"(?i)\b(bearer|basic)\s+[^\s,;\"']+"), r"\1 [credential]"),
    (re.compile(r"\b[a-z]{2,8}_(?:test|live)_\w{8,}\b"), "[key]"),
    (re.compile(r"(?<![\w-])[A-HJ-NPR-Z0-9]{17}(?![\w-])", re.IGNORECASE), "[vin]"),
    (re.compile(r"(?<![\w.:/-])\+\d[\d ()./-]{6,18}\d(?![\w:])"), "[phone]"),
)


def redact(text: str) -> str:
    """Replace what looks like an e-mail address, credential, key, VIN or phone number.

    A net below the rule that such things are never logged in the first place.
    """
    for pattern, replacement in _SECRETS:
        text = pattern.sub(replacement, text)
    return text


class TextFormatter(logging.Formatter):
    """`2026-11-30T12:00:00Z INFO forecourt.agent: message key=value`, for people."""

    def format(self, record: logging.LogRecord) -> str:
        """Write one record as one redacted line, a traceback below it."""
        fields = "".join(f" {name}={value}" for name, value in _fields(record).items())
        line = f"{_time(record)} {record.levelname} {record.name}: {record.getMessage()}{fields}"
        return redact(line + _traceback(record))


class JsonFormatter(logging.Formatter):
    """One JSON object per line, for machines."""

    def format(self, record: logging.LogRecord) -> str:
        """Write one record as one redacted JSON object."""
        entry = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": redact(record.getMessage()),
            **{name: redact(str(value)) for name, value in _fields(record).items()},
        }
        if trace := _traceback(record):
            entry["traceback"] = redact(trace.strip())
        return json.dumps(entry, ensure_ascii=False)


def set_up_logging(*, level: str, form: str, stream: TextIO | None = None) -> None:
    """Send everything of ours and of the libraries to `stream` (stderr) as `text` or `json`."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonFormatter() if form == "json" else TextFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger(ROOT).setLevel(level.upper())


_STANDARD = {*vars(logging.makeLogRecord({})), "message", "asctime", "taskName", "color_message"}


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    """Return what the caller gave as `extra`."""
    return {name: value for name, value in vars(record).items() if name not in _STANDARD}


def _time(record: logging.LogRecord) -> str:
    return (
        datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    )


def _traceback(record: logging.LogRecord) -> str:
    """Return where an exception and its causes came from, without their texts: these may name people."""
    error = record.exc_info[1] if record.exc_info else None
    lines: list[str] = []
    while error is not None:
        lines[:0] = [*traceback.format_tb(error.__traceback__), type(error).__name__, "\n"]
        error = error.__cause__ or error.__context__
    return "\n" + "".join(lines).rstrip() if lines else ""
