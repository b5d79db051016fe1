"""A million spendings by many threads at once: the books still add up, on both databases."""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Connection
from tests.credits.bank import Bank

from forecourt.contract.errors import InsufficientCredits
from forecourt.credits.store import capture, release, reserve
from forecourt.storage.database import Database

SPENDINGS = 1_000_000
THREADS = 64
IN_ONE_TRANSACTION = 50
CREDITS = 700_000


@pytest.mark.soak
def test_a_million_spendings_overspend_nothing(database: Database) -> None:
    bank = Bank(database)
    for _ in range(7):
        bank.grant(CREDITS // 7)

    def spend(number: int) -> int:
        dice = random.Random(number)

        def some(connection: Connection) -> int:
            captured = 0
            for _ in range(IN_ONE_TRANSACTION):
                spending = bank.spending(key_id=f"key_{number % 8}")
                try:
                    reserve(connection, spending, now=bank.now)
                except InsufficientCredits:
                    return captured
                if dice.random() < 0.9:
                    capture(connection, spending, now=bank.now)
                    captured += 1
                else:
                    release(connection, spending, now=bank.now)
            return captured

        return bank.write(some)

    with ThreadPoolExecutor(THREADS) as threads:
        captured = sum(threads.map(spend, range(SPENDINGS // IN_ONE_TRANSACTION)))

    assert captured == CREDITS
    assert (bank.balance.available, bank.balance.reserved) == (0, 0)
    bank.check()
