"""The warning that an organisation gets once when its credits run low: a Standard Webhook."""

import json
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from forecourt.base.clock import isoformat
from forecourt.base.ids import new_id
from forecourt.credits.errors import WrongWarningHook

_URL: Final = re.compile(r"https?://[^\s@]+")
_ENVIRONMENT: Final = re.compile(r"[A-Z_][A-Z0-9_]{0,99}")

DESTINATION: Final = "credits"
"""The name of an organisation's webhook in the outbox."""


@dataclass(frozen=True, slots=True)
class WarningHook:
    """Where the warning goes. The variable `secret_env` holds `whsec_…` secrets separated by spaces."""

    url: str
    secret_env: str


def warning_hook(url: str, secret_env: str) -> WarningHook:
    """Return where a warning goes; raises `WrongWarningHook`."""
    if not _URL.fullmatch(url) or not _ENVIRONMENT.fullmatch(secret_env):
        raise WrongWarningHook("Give an https address and the name of a variable such as CREDITS_SECRET.")
    return WarningHook(url, secret_env)


def warning_parcel(organization_id: str, *, available: int, low_below: int, now: datetime) -> dict[str, Any]:
    """Return the outbox row of a warning; its `subject` is the stable id that every delivery carries."""
    event = {
        "type": "credits.low",
        "timestamp": isoformat(now),
        "data": {
            "organization_id": organization_id,
            "credits_remaining": available,
            "warned_below": low_below,
        },
    }
    return {
        "id": new_id("parcel"),
        "owner": organization_id,
        "subject": new_id("event"),
        "destination": DESTINATION,
        "format": "json",
        "body": json.dumps(event),
    }
