"""A process killed at any point of a valuation leaves books that add up, and nothing stays put aside."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.credits.bank import NOW, Bank

from forecourt.base.crash_points import CRASH_VARIABLE
from forecourt.credits.ledger import RESERVED_FOR
from forecourt.guard import store as guard
from forecourt.guard.idempotency import ABANDONED_AFTER

CHILD = Path(__file__).with_name("crash_child.py")
UNDONE = ("after_claim", "after_reserve", "after_enter")
ACCEPTED = ("accepted", "after_capture", "after_finish")


def run_until(point: str, url: str, bank: Bank) -> None:
    ended = subprocess.run(
        [sys.executable, str(CHILD), url, bank.organization_id],
        env={**os.environ, CRASH_VARIABLE: point},
        check=False,
        timeout=60,
    )
    assert ended.returncode == 137
    bank.check()


@pytest.mark.parametrize("point", UNDONE)
def test_before_a_valuation_is_accepted_nothing_remains(point: str, database_url: str, bank: Bank) -> None:
    bank.grant(5)
    run_until(point, database_url, bank)

    assert (bank.balance.available, bank.balance.reserved) == (5, 0)
    assert bank.kinds() == ["grant"]
    assert abandoned(bank) == []


@pytest.mark.parametrize("point", ACCEPTED)
@pytest.mark.requirement("money.claim-first")
def test_a_valuation_that_was_accepted_only_is_closed_after_a_minute(
    point: str, database_url: str, bank: Bank
) -> None:
    bank.grant(5)
    run_until(point, database_url, bank)
    assert (bank.balance.available, bank.balance.reserved) == (4, 1)

    bank.now = NOW + RESERVED_FOR
    assert abandoned(bank) == ["val_1"]
    bank.sweep()

    assert (bank.balance.available, bank.balance.reserved) == (5, 0)
    bank.check()


def test_a_valuation_that_was_settled_stays_so(database_url: str, bank: Bank) -> None:
    bank.grant(5)
    run_until("settled", database_url, bank)

    assert (bank.balance.available, bank.balance.reserved) == (4, 0)
    bank.now = NOW + RESERVED_FOR
    assert abandoned(bank) == []
    assert bank.sweep() == (0, 0)


def abandoned(bank: Bank) -> list[str]:
    found = bank.write(lambda connection: guard.abandoned(connection, now=NOW + ABANDONED_AFTER, limit=9))
    return [claim.valuation_id for claim in found]
