"""Many at once: credits are neither overspent nor granted twice, on both databases."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

import pytest
from tests.credits.bank import NOW, Bank

from forecourt.contract.errors import InsufficientCredits
from forecourt.credits.errors import NotCaptured, NotReserved

THREADS = 64
T = TypeVar("T")


def all_at_once(deed: Callable[[int], T], times: int = THREADS) -> list[T]:
    together = Barrier(times)

    def start(number: int) -> T:
        together.wait()
        return deed(number)

    with ThreadPoolExecutor(times) as threads:
        return list(threads.map(start, range(times)))


def test_of_ten_calls_on_one_credit_one_is_served(bank: Bank) -> None:
    bank.grant(1)

    def call(_: int) -> bool:
        try:
            bank.capture(bank.reserve())
        except InsufficientCredits:
            return False
        return True

    assert sum(all_at_once(call, 10)) == 1
    assert (bank.balance.available, bank.balance.reserved) == (0, 0)
    bank.check()


@pytest.mark.requirement("money.bursts")
def test_sixty_four_threads_spend_what_there_is_and_no_more(bank: Bank) -> None:
    for amount in (30, 40, 50):
        bank.grant(amount)

    def call(number: int) -> int:
        spent = 0
        for turn in range(4):
            try:
                spending = bank.reserve()
            except InsufficientCredits:
                continue
            if (number + turn) % 4 == 0:
                bank.release(spending)
            else:
                bank.capture(spending)
                spent += 1
        return spent

    spent = sum(all_at_once(call))

    assert bank.available == 120 - spent >= 0
    assert bank.balance.reserved == 0
    bank.check()


@pytest.mark.requirement("money.granted-once")
def test_one_payment_told_many_times_is_credited_once(bank: Bank) -> None:
    lines = all_at_once(lambda _: bank.grant(100, "payment 1"), 10)

    assert len({line.number for line in lines}) == 1
    assert bank.available == 100
    bank.check()


@pytest.mark.requirement("money.settled-once")
def test_a_reservation_that_many_settle_is_settled_once(bank: Bank) -> None:
    bank.grant(5)
    spending = bank.reserve(2)

    def settle(number: int) -> bool:
        if number % 2:
            bank.release(spending)
            return False
        try:
            bank.capture(spending)
        except NotReserved:
            return False
        return True

    captures = sum(all_at_once(settle, 16))

    assert captures in {0, 1}
    assert bank.available == (3 if captures else 5)
    bank.check()


def test_two_sweepers_release_a_dead_reservation_once(bank: Bank) -> None:
    bank.grant(5)
    for _ in range(3):
        bank.reserve()
    bank.now = NOW.replace(hour=13)

    released = sum(dead for dead, _ in all_at_once(lambda _: bank.sweep(), 4))

    assert released == 3
    assert bank.available == 5
    bank.check()


def test_a_cost_given_back_by_many_is_given_back_once(bank: Bank) -> None:
    bank.grant(1)
    spending = bank.reserve()
    bank.capture(spending)

    def give_back(_: int) -> bool:
        try:
            bank.refund(spending.valuation_id)
        except NotCaptured:
            return False
        return True

    assert sum(all_at_once(give_back, 8)) == 1
    assert bank.available == 1
    bank.check()
