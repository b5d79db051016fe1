"""The rights of the person behind a lead: to see all that is kept and to have it erased. Old leads go too.

What stays of an erased lead names nobody: its id and times, the hash of the consent text, and that it was
delivered.
"""

import asyncio
import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from forecourt.base.clock import SYSTEM_CLOCK, Clock
from forecourt.base.errors import InvalidInput
from forecourt.dealer.profile import DealerProfile
from forecourt.dealer.store import list_dealers
from forecourt.leads.store import erase_leads, export_leads, leads_before, leads_of_contact
from forecourt.storage.compaction import compact
from forecourt.storage.database import Database

BATCH = 500
LOOK_S = 3600.0

_log = logging.getLogger(__name__)


class WrongRetention(InvalidInput):
    """The `[leads]` section of a dealer profile cannot be used."""

    code = "wrong_retention"


def export_contact(
    connection: Connection, contact: str, *, dealer: str | None = None
) -> list[dict[str, Any]]:
    """Return all that is kept about a person, found by e-mail address or telephone number, as JSON values."""
    return export_leads(connection, leads_of_contact(connection, contact, dealer=dealer))


def erase_contact(
    connection: Connection, contact: str, *, now: datetime, dealer: str | None = None
) -> list[str]:
    """Erase every lead of a person and return their ids; what was waiting to be sent is not sent any more.

    Call `forget_bytes` afterwards, so that the file of SQLite holds no trace either.
    """
    lead_ids = leads_of_contact(connection, contact, dealer=dealer)
    if lead_ids:
        erase_leads(connection, lead_ids, now=now)
    return lead_ids


def forget_bytes(database_url: str) -> None:
    """Rewrite the database file without what was erased; raises `DatabaseUnavailable` when it is busy."""
    compact(database_url)


def retention_of(profile: DealerProfile) -> timedelta | None:
    """Return how long a dealer keeps leads: `[leads] retention_days` of the profile; None keeps them.

    Raises `WrongRetention`.
    """
    section = profile.sections.get("leads", {})
    if not isinstance(section, Mapping) or not set(section) <= {"retention_days"}:
        raise WrongRetention("leads: only retention_days is known here.")
    days = section.get("retention_days")
    if days is None:
        return None
    if type(days) is not int or not 1 <= days <= 36_500:
        raise WrongRetention("leads.retention_days must be a whole number from 1 to 36500.")
    return timedelta(days=days)


def erase_expired(connection: Connection, *, now: datetime) -> int:
    """Erase leads that are older than their dealer keeps them, a batch of each dealer; return how many."""
    expired = [
        lead_id
        for dealer in list_dealers(connection)
        if (kept := _retention_or_none(dealer.profile))
        for lead_id in leads_before(connection, now - kept, dealer=dealer.slug, limit=BATCH)
    ]
    if expired:
        erase_leads(connection, expired, now=now)
    return len(expired)


def _retention_or_none(profile: DealerProfile) -> timedelta | None:
    """A section that cannot be read keeps the leads: what is erased does not come back."""
    try:
        return retention_of(profile)
    except WrongRetention as error:
        _log.error("profile of dealer %s: %s", profile.slug, error.code)
        return None


async def erase_expired_forever(
    database: Database, *, clock: Clock = SYSTEM_CLOCK, look_s: float = LOOK_S
) -> None:
    """Erase expired leads every `look_s` seconds until cancelled; any number of workers may do it."""
    while True:
        try:
            while await database.write(lambda connection: erase_expired(connection, now=clock.now())):
                pass
        except Exception as error:  # noqa: BLE001 - tried again at the next look
            _log.error("expired leads could not be erased: %s", type(error).__name__)
        await asyncio.sleep(look_s)
