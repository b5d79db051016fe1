"""The trial balance: whether accounts, lots, reservations and the ledger say the same."""

from typing import Final

import sqlalchemy as sa
from sqlalchemy import Connection

_TRIAL_BALANCE: Final = {
    "the account differs from the sum of its ledger": """
        SELECT a.organization_id FROM credit_accounts a LEFT JOIN credit_entries e
          ON e.organization_id = a.organization_id
        GROUP BY a.organization_id, a.available, a.reserved, a.last_entry
        HAVING coalesce(sum(e.available_change), 0) <> a.available
            OR coalesce(sum(e.reserved_change), 0) <> a.reserved OR count(e.number) <> a.last_entry
    """,
    "the account differs from the sum of its lots": """
        SELECT a.organization_id FROM credit_accounts a LEFT JOIN credit_lots l
          ON l.organization_id = a.organization_id
        GROUP BY a.organization_id, a.available HAVING coalesce(sum(l.remaining), 0) <> a.available
    """,
    "the account differs from the sum of its open reservations": """
        SELECT a.organization_id FROM credit_accounts a LEFT JOIN credit_reservations r
          ON r.organization_id = a.organization_id AND r.state = 'open'
        GROUP BY a.organization_id, a.reserved HAVING coalesce(sum(r.amount), 0) <> a.reserved
    """,
    "a line's balance differs from the lines up to it": """
        SELECT DISTINCT organization_id FROM (
          SELECT organization_id, number, available_after, reserved_after,
            sum(available_change) OVER running AS available, sum(reserved_change) OVER running AS reserved,
            row_number() OVER running AS position
          FROM credit_entries WINDOW running AS (PARTITION BY organization_id ORDER BY number)
        ) AS lines
        WHERE available <> available_after OR reserved <> reserved_after OR position <> number
    """,
    "a reservation's state differs from its lines": """
        SELECT DISTINCT r.organization_id FROM credit_reservations r LEFT JOIN credit_entries e
          ON e.organization_id = r.organization_id AND e.valuation_id = r.valuation_id
        GROUP BY r.organization_id, r.valuation_id, r.state, r.amount
        HAVING count(DISTINCT e.kind) <> count(e.kind) OR count(e.kind) <>
          CASE r.state WHEN 'open' THEN 1 WHEN 'refunded' THEN 3 ELSE 2 END
          OR sum(CASE WHEN e.amount = r.amount THEN 1 ELSE 0 END) <> count(e.kind)
    """,
}


def discrepancies(connection: Connection) -> list[str]:
    """Return what does not add up, as sentences: the trial balance of every account."""
    return [
        f"{organization_id}: {problem}"
        for problem, query in _TRIAL_BALANCE.items()
        for organization_id in connection.scalars(sa.text(query))
    ]
