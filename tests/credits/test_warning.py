"""The warning that credits run low, on both databases."""

import json
from datetime import timedelta

import pytest
from tests.credits.bank import NOW, Bank

from forecourt.accounts.errors import OrganizationUnknown
from forecourt.credits.ledger_store import find_warning_hook, set_warning
from forecourt.credits.warning import DESTINATION, WarningHook
from forecourt.storage.outbox import Parcel, claim

HOOK = WarningHook("https://hooks.example.com/credits", "CREDITS_SECRET")


def warn_below(bank: Bank, low_below: int, hook: WarningHook | None = HOOK) -> None:
    bank.write(
        lambda connection: set_warning(connection, bank.organization_id, low_below=low_below, hook=hook)
    )


def sent(bank: Bank) -> list[Parcel]:
    return bank.write(
        lambda connection: claim(connection, now=bank.now, lasting=timedelta(days=999), limit=9)
    )


def spend(bank: Bank, amount: int = 1) -> None:
    bank.capture(bank.reserve(amount))


def test_a_webhook_tells_once_that_credits_run_low(bank: Bank) -> None:
    bank.grant(12)
    warn_below(bank, 10)
    spend(bank, 2)
    assert not bank.balance.low
    assert sent(bank) == []

    for _ in range(3):
        spend(bank)

    assert bank.balance.low
    [parcel] = sent(bank)
    assert (parcel.owner, parcel.destination) == (bank.organization_id, DESTINATION)
    assert json.loads(parcel.body or "") == {
        "type": "credits.low",
        "timestamp": "2026-11-30T12:00:00Z",
        "data": {"organization_id": bank.organization_id, "credits_remaining": 9, "warned_below": 10},
    }


def test_after_a_grant_it_tells_again(bank: Bank) -> None:
    bank.grant(10)
    warn_below(bank, 10)
    spend(bank)
    bank.grant(1)
    spend(bank)

    assert len(sent(bank)) == 2


def test_valuations_that_cost_nothing_do_not_warn_again(bank: Bank) -> None:
    bank.grant(10)
    warn_below(bank, 10)
    spend(bank)
    for _ in range(3):
        bank.release(bank.reserve())

    assert len(sent(bank)) == 1


def test_credits_that_expire_warn_too(bank: Bank) -> None:
    bank.grant(10, expires_at=NOW + timedelta(days=1))
    warn_below(bank, 10)
    bank.now = NOW + timedelta(days=1)
    bank.sweep()

    assert len(sent(bank)) == 1


def test_without_a_webhook_only_the_balance_says_it(bank: Bank) -> None:
    bank.grant(10)
    warn_below(bank, 10, None)
    spend(bank)

    assert bank.balance.low
    assert sent(bank) == []


def test_where_warnings_go_can_be_changed(bank: Bank) -> None:
    def hook() -> WarningHook | None:
        return bank.write(lambda connection: find_warning_hook(connection, bank.organization_id))

    assert hook() is None
    warn_below(bank, 1)
    assert hook() == HOOK
    warn_below(bank, 1, None)
    assert hook() is None


def test_an_unknown_organisation_is_not_warned(bank: Bank) -> None:
    bank.organization_id = "org_x"
    with pytest.raises(OrganizationUnknown):
        warn_below(bank, 1)
