"""What an organisation sees of its credits, on both databases."""

from datetime import UTC, date, datetime, timedelta

import pytest
import sqlalchemy as sa
from tests.credits.bank import NOW, Bank

from forecourt.accounts.errors import OrganizationUnknown
from forecourt.contract.errors import InsufficientCredits
from forecourt.credits import store
from forecourt.credits.audit_store import discrepancies
from forecourt.credits.errors import NotCaptured, NotReserved, ReferenceUsed, WrongAmount
from forecourt.credits.ledger import RESERVED_FOR
from forecourt.storage.database import Database


def test_a_valuation_takes_one_credit_out_of_a_grant(bank: Bank) -> None:
    bank.grant(10, "invoice 1")
    spending = bank.reserve()
    assert (bank.balance.available, bank.balance.reserved) == (9, 1)

    assert bank.capture(spending) == 9

    assert (bank.balance.available, bank.balance.reserved) == (9, 0)
    assert bank.kinds() == ["grant", "reserve", "capture"]
    bank.check()


@pytest.mark.requirement("money.every-line-has-a-cause")
def test_every_line_names_its_cause(bank: Bank) -> None:
    bank.grant(10, "invoice 1")
    spending = bank.reserve()
    bank.capture(spending)

    granted, reserved, captured = bank.ledger()

    assert (granted.number, granted.amount, granted.balance_after, granted.reference) == (
        1,
        10,
        10,
        "invoice 1",
    )
    for line in (reserved, captured):
        assert (line.valuation_id, line.key_id, line.request_id) == (
            spending.valuation_id,
            spending.key_id,
            spending.request_id,
        )
        assert (line.amount, line.balance_after, line.created_at, line.reference) == (1, 9, NOW, None)


def test_a_released_reservation_costs_nothing(bank: Bank) -> None:
    bank.grant(10)
    spending = bank.reserve(3)

    assert bank.release(spending) == 10
    assert bank.release(spending) == 10

    assert bank.kinds() == ["grant", "reserve", "release"]
    bank.check()


def test_without_credits_nothing_is_reserved_and_the_answer_says_what_is_missing(bank: Bank) -> None:
    with pytest.raises(InsufficientCredits) as never_granted:
        bank.reserve()
    bank.grant(2)
    with pytest.raises(InsufficientCredits) as too_few:
        bank.reserve(3)

    assert never_granted.value.details == {"credits_required": 1, "credits_remaining": 0}
    assert too_few.value.details == {"credits_required": 3, "credits_remaining": 2}
    assert bank.kinds() == ["grant"]
    bank.check()


@pytest.mark.requirement("money.reserved-is-gone")
def test_what_is_reserved_cannot_be_spent_by_another(bank: Bank) -> None:
    bank.grant(1)
    bank.reserve()

    with pytest.raises(InsufficientCredits):
        bank.reserve()
    with pytest.raises(InsufficientCredits):
        bank.adjust(-1)


def test_a_reservation_is_settled_once(bank: Bank) -> None:
    bank.grant(1)
    captured, released = bank.reserve(), bank.spending()
    bank.capture(captured)

    with pytest.raises(NotReserved):
        bank.capture(captured)
    with pytest.raises(NotReserved):
        bank.capture(released)
    assert bank.release(captured) == 0
    bank.check()


@pytest.mark.requirement("money.granted-once")
def test_the_same_grant_again_changes_nothing(bank: Bank) -> None:
    first = bank.grant(500, "payment 1", datetime(2027, 1, 1, tzinfo=UTC))

    assert bank.grant(500, " payment 1 ", datetime(2027, 1, 1, tzinfo=UTC)) == first
    assert bank.available == 500


def test_the_same_grant_again_is_the_same_after_it_expired(bank: Bank) -> None:
    first = bank.grant(500, "payment 1", NOW + timedelta(days=1))
    bank.now = NOW + timedelta(days=2)

    assert bank.grant(500, "payment 1", NOW + timedelta(days=1)) == first


def test_another_grant_of_a_used_reference_is_refused(bank: Bank) -> None:
    bank.grant(500, "payment 1")

    with pytest.raises(ReferenceUsed):
        bank.grant(501, "payment 1")
    with pytest.raises(ReferenceUsed):
        bank.grant(500, "payment 1", NOW + timedelta(days=1))
    assert bank.available == 500


def test_organisations_have_references_and_credits_of_their_own(bank: Bank, database: Database) -> None:
    other = Bank(database)
    bank.grant(1, "payment 1")
    other.grant(2, "payment 1")

    assert (bank.available, other.available) == (1, 2)
    assert len(other.ledger()) == 1


@pytest.mark.parametrize("amount", [0, -1, 10**12 + 1])
def test_an_amount_that_is_none_is_refused(bank: Bank, amount: int) -> None:
    with pytest.raises(WrongAmount):
        bank.grant(amount)


@pytest.mark.parametrize("reference", [" ", "x" * 201, "nul\0"])
def test_a_reference_that_nobody_can_read_is_refused(bank: Bank, reference: str) -> None:
    with pytest.raises(WrongAmount):
        bank.grant(1, reference)


def test_credits_cannot_expire_in_the_past(bank: Bank) -> None:
    with pytest.raises(WrongAmount):
        bank.grant(1, expires_at=NOW)


def test_an_unknown_organisation_gets_nothing(bank: Bank) -> None:
    bank.organization_id = "org_x"
    with pytest.raises(OrganizationUnknown):
        bank.grant(1)
    assert bank.available == 0


def test_credits_that_expire_first_are_spent_first(bank: Bank) -> None:
    bank.grant(2, expires_at=None)
    bank.grant(2, expires_at=NOW + timedelta(days=60))
    bank.grant(2, expires_at=NOW + timedelta(days=30))
    bank.capture(bank.reserve(3))

    assert bank.balance.next_expiry == (date(2027, 1, 29), 1)
    bank.now = NOW + timedelta(days=61)
    assert bank.available == 2


def test_the_next_expiry_counts_a_whole_day(bank: Bank) -> None:
    bank.grant(2, expires_at=datetime(2027, 3, 31, 10, tzinfo=UTC))
    bank.grant(3, expires_at=datetime(2027, 3, 31, 20, tzinfo=UTC))
    bank.grant(5, expires_at=datetime(2027, 4, 1, tzinfo=UTC))

    assert bank.balance.next_expiry == (date(2027, 3, 31), 5)


def test_expired_credits_are_gone_before_anybody_sweeps(bank: Bank) -> None:
    bank.grant(5, expires_at=NOW + timedelta(days=1))
    bank.grant(1)
    bank.now = NOW + timedelta(days=1)

    assert bank.available == 1
    bank.reserve()
    with pytest.raises(InsufficientCredits):
        bank.reserve()
    assert bank.kinds() == ["grant", "grant", "expire", "reserve"]
    bank.check()


def test_the_sweeper_takes_expired_credits_once(bank: Bank) -> None:
    bank.grant(5, expires_at=NOW + timedelta(days=1))
    bank.now = NOW + timedelta(days=1)

    assert [bank.sweep(), bank.sweep()] == [(0, 1), (0, 0)]
    assert [(line.type, line.amount, line.balance_after) for line in bank.ledger()] == [
        ("grant", 5, 5),
        ("expire", 5, 0),
    ]
    bank.check()


def test_credits_released_after_their_expiry_expire_too(bank: Bank) -> None:
    bank.grant(5, expires_at=NOW + timedelta(days=1))
    spending = bank.reserve(2)
    bank.now = NOW + timedelta(days=1)
    bank.sweep()

    bank.release(spending)
    assert bank.available == 0
    bank.sweep()

    assert bank.kinds() == ["grant", "reserve", "release", "expire"]
    bank.check()


def test_a_dead_reservation_is_released_after_a_minute_and_not_before(bank: Bank) -> None:
    bank.grant(1)
    spending = bank.reserve()

    bank.now = NOW + RESERVED_FOR - timedelta(seconds=1)
    assert bank.sweep() == (0, 0)
    bank.now = NOW + RESERVED_FOR
    assert [bank.sweep(), bank.sweep()] == [(1, 0), (0, 0)]

    assert bank.available == 1
    with pytest.raises(NotReserved):
        bank.capture(spending)
    bank.check()


def test_the_cost_of_a_withdrawn_valuation_is_given_back_once(bank: Bank) -> None:
    bank.grant(1, expires_at=NOW + timedelta(days=1))
    spending = bank.reserve()
    with pytest.raises(NotCaptured):
        bank.refund(spending.valuation_id)
    bank.capture(spending)
    bank.now = NOW + timedelta(days=2)

    assert bank.refund(spending.valuation_id).balance_after == 1
    with pytest.raises(NotCaptured):
        bank.refund(spending.valuation_id)
    assert bank.available == 1
    bank.check()


def test_an_adjustment_adds_or_takes_once_for_each_reference(bank: Bank) -> None:
    assert bank.adjust(5, "note 1") == bank.adjust(5, "note 1")
    bank.adjust(-2, "note 2")

    with pytest.raises(ReferenceUsed):
        bank.adjust(-3, "note 2")
    with pytest.raises(InsufficientCredits):
        bank.adjust(-4, "note 3")
    assert bank.available == 3
    bank.check()


def test_a_key_spends_no_more_than_its_cap_of_the_month(bank: Bank) -> None:
    bank.grant(100)
    bank.capture(bank.reserve(2, monthly_cap=3))
    bank.release(bank.reserve(1, monthly_cap=3))
    bank.reserve(1, monthly_cap=3)

    with pytest.raises(InsufficientCredits) as capped:
        bank.reserve(1, monthly_cap=3)
    assert capped.value.details == {"credits_required": 1, "credits_remaining": 0}

    bank.reserve(1, key_id="key_2", monthly_cap=3)
    bank.now = datetime(2026, 12, 1, tzinfo=UTC)
    bank.reserve(3, monthly_cap=3)
    bank.check()


def test_a_cap_counts_what_the_key_spent_before_it_was_set(bank: Bank) -> None:
    bank.grant(100)
    bank.capture(bank.reserve(5))

    with pytest.raises(InsufficientCredits):
        bank.reserve(1, monthly_cap=5)


@pytest.mark.parametrize(
    "deed", ["UPDATE credit_entries SET amount = 1", "DELETE FROM credit_entries WHERE number = 1"]
)
def test_no_line_of_the_ledger_can_be_changed_or_deleted(bank: Bank, deed: str) -> None:
    bank.grant(10)
    before = bank.ledger()

    with pytest.raises(sa.exc.DatabaseError, match="the ledger only grows"):
        bank.write(lambda connection: connection.execute(sa.text(deed)))
    assert bank.ledger() == before


@pytest.mark.parametrize("column", ["available", "reserved"])
@pytest.mark.requirement("money.never-negative")
def test_the_database_itself_refuses_a_negative_account(bank: Bank, column: str) -> None:
    bank.grant(10)

    with pytest.raises(sa.exc.IntegrityError):
        bank.write(
            lambda connection: connection.execute(sa.text(f"UPDATE credit_accounts SET {column} = -1"))
        )


@pytest.mark.parametrize(
    "tampering",
    [
        "UPDATE credit_accounts SET available = available + 1",
        "UPDATE credit_accounts SET reserved = reserved + 1",
        "UPDATE credit_lots SET remaining = remaining - 1",
        "UPDATE credit_reservations SET state = 'captured'",
    ],
)
def test_the_trial_balance_finds_what_was_tampered_with(bank: Bank, tampering: str) -> None:
    bank.grant(10)
    bank.reserve(2)
    bank.check()
    bank.write(lambda connection: connection.execute(sa.text(tampering)))

    found = bank.database.read_sync(discrepancies)

    assert found
    assert all(sentence.startswith(bank.organization_id) for sentence in found)


def test_the_ledger_is_read_newest_first_in_pages(bank: Bank) -> None:
    for number in range(5):
        bank.grant(1, f"payment {number}")

    def page(before: int | None) -> list[int]:
        lines = bank.database.read_sync(
            lambda connection: store.entries(connection, bank.organization_id, before=before, limit=2)
        )
        return [line.number for line in lines]

    assert [page(None), page(4), page(2), page(1)] == [[5, 4], [3, 2], [1], []]
