"""A process of its own that makes one valuation's two transactions, and may be killed on the way.

Usage: python crash_child.py DATABASE_URL ORGANIZATION
"""

import sys
from datetime import UTC, datetime

from sqlalchemy import Connection

from forecourt.base.crash_points import crash_point
from forecourt.credits import store
from forecourt.credits.ledger import Spending
from forecourt.guard import store as guard
from forecourt.guard.idempotency import ClaimedKey
from forecourt.storage.database import open_database

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def main(url: str, organization_id: str) -> None:
    """Claim, reserve and enter; then capture, leave and finish; a point after each step."""
    database = open_database(url)
    claimed = ClaimedKey(organization_id, "live", "car-1", "f")
    spending = Spending(organization_id, "val_1", "key_1", "req_1", 1, 10)

    def accept(connection: Connection) -> None:
        guard.claim(connection, claimed, valuation_id="val_1", now=NOW)
        crash_point("after_claim")
        store.reserve(connection, spending, now=NOW)
        crash_point("after_reserve")
        guard.enter(
            connection,
            organization_id,
            mode="live",
            valuation_id="val_1",
            places=1,
            now=NOW,
        )
        crash_point("after_enter")

    def settle(connection: Connection) -> None:
        store.capture(connection, spending, now=NOW)
        crash_point("after_capture")
        guard.leave(connection, "val_1")
        guard.finish(connection, claimed)
        crash_point("after_finish")

    database.write_sync(accept)
    crash_point("accepted")
    database.write_sync(settle)
    crash_point("settled")
    database.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
