"""What a customer hears about the time wished for, at rooftops with clocks and closed days of their own."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forecourt.dealer.appointments import (
    AppointmentRules,
    Booking,
    Wish,
    WrongAppointmentRules,
    decide,
    parse_appointment_rules,
)

WEEK = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
NINE_TO_EIGHT = {"open": "09:00", "close": "20:00"}
PORTLAND = {
    "name": "Larkfield Motors Portland",
    "timezone": "America/Los_Angeles",
    "capabilities": ["sales", "trade_in"],
    "schedules": [{"name": "sales", "value": dict.fromkeys(WEEK, NINE_TO_EIGHT) | {"sunday": None}}],
}
RULES = AppointmentRules()
HALF_HOUR = timedelta(minutes=30)
MONDAY = datetime(2026, 3, 2, 17, tzinfo=UTC)  # 09:00 in Portland
PACIFIC = ZoneInfo("America/Los_Angeles")


def ask(at, *, kind="test_drive", rooftop=PORTLAND, rules=RULES, booked=(), now=MONDAY, duration=None):
    return decide(Wish(kind, at, duration), rooftop=rooftop, rules=rules, booked=booked, now=now)


def local(day, hour, minute=0, *, month=3):
    return datetime(2026, month, day, hour, minute, tzinfo=PACIFIC)


def test_a_free_slot_in_opening_hours_is_confirmed_at_exactly_that_time():
    decision = ask(datetime(2026, 3, 3, 19, tzinfo=UTC))

    assert decision.status == "confirmed"
    assert decision.confirmed_at == datetime(2026, 3, 3, 19, tzinfo=UTC)
    assert decision.confirmed_at.isoformat() == "2026-03-03T11:00:00-08:00"


@pytest.mark.parametrize(
    ("at", "reason"),
    [
        (local(1, 12), "past"),
        (local(2, 10), "too_soon"),
        (local(8, 12), "closed"),
        (local(3, 8, 30), "closed"),
        (local(3, 19, 30), "closed"),
        (local(3, 11, 10), "between_slots"),
        (local(1, 12, month=8), "too_far"),
        (datetime(9999, 12, 30, tzinfo=UTC), "too_far"),
        (datetime(1, 1, 2, tzinfo=UTC), "past"),
    ],
)
def test_an_impossible_time_gets_real_alternatives(at, reason):
    decision = ask(at)

    assert (decision.status, decision.reason) == ("proposed", reason)
    assert len(decision.proposed_times) >= 2
    for time in decision.proposed_times:
        assert ask(time).status == "confirmed"


def test_alternatives_are_the_nearest_ones_in_order():
    times = ask(local(8, 12)).proposed_times

    assert [time.isoformat() for time in times] == [
        "2026-03-07T18:30:00-08:00",
        "2026-03-07T19:00:00-08:00",
        "2026-03-09T09:00:00-07:00",
        "2026-03-09T09:30:00-07:00",
    ]


def test_a_full_slot_is_not_confirmed_twice():
    taken = Booking(local(3, 11), local(3, 12))

    assert ask(local(3, 11), booked=[taken]).reason == "full"
    assert ask(local(3, 10, 30), booked=[taken]).reason == "full"
    assert ask(local(3, 12), booked=[taken]).status == "confirmed"
    assert ask(local(3, 11), booked=[taken], rules=AppointmentRules(capacity=2)).status == "confirmed"


def test_two_short_visits_one_after_the_other_take_one_place():
    short = [Booking(local(3, 11), local(3, 11, 30)), Booking(local(3, 11, 30), local(3, 12))]

    assert ask(local(3, 11), booked=short, rules=AppointmentRules(capacity=2)).status == "confirmed"
    assert ask(local(3, 11), booked=[*short, short[1]], rules=AppointmentRules(capacity=2)).reason == "full"


def test_a_holiday_is_closed_once_or_every_year():
    rules = AppointmentRules(holidays=frozenset({"2026-03-03", "03-04"}))

    assert ask(local(3, 11), rules=rules).reason == "closed"
    assert ask(local(4, 11), rules=rules).reason == "closed"
    assert ask(local(5, 11), rules=rules).status == "confirmed"


def test_opening_hours_follow_the_change_to_summer_time():
    assert ask(datetime(2026, 3, 7, 17, tzinfo=UTC)).status == "confirmed"  # 09:00 PST
    assert ask(datetime(2026, 3, 9, 16, tzinfo=UTC)).status == "confirmed"  # 09:00 PDT
    assert ask(datetime(2026, 3, 9, 15, 30, tzinfo=UTC)).reason == "closed"  # 08:30 PDT


def test_the_night_of_the_clock_change_never_offers_an_hour_that_does_not_exist():
    night = {**PORTLAND, "schedules": [{"value": {day: {"open": "22:00", "close": "05:00"} for day in WEEK}}]}

    before, after = datetime(2026, 3, 8, 9, 50, tzinfo=UTC), datetime(2026, 3, 8, 10, 20, tzinfo=UTC)
    times = ask(before, rooftop=night).proposed_times[:2] + ask(after, rooftop=night).proposed_times[:2]

    assert [time.strftime("%H:%M") for time in times] == ["01:30", "03:00", "03:00", "03:30"]


def test_an_opening_past_midnight_belongs_to_the_day_before():
    night = {**PORTLAND, "schedules": [{"value": {"tuesday": {"open": "18:00", "close": "02:00"}}}]}

    assert ask(local(4, 1), rooftop=night).status == "confirmed"
    assert ask(local(5, 1), rooftop=night).reason == "closed"


def test_without_a_time_the_staff_will_find_one():
    assert ask(None).status == "requested"


def test_without_rules_hours_or_zone_nothing_is_booked_automatically():
    assert ask(local(3, 11), rules=None).status == "requested"
    assert ask(local(3, 11), rooftop={"name": "Bare"}).status == "requested"
    assert ask(local(3, 11), rooftop={**PORTLAND, "timezone": "Mars/Base"}).status == "requested"


def test_a_rooftop_without_a_workshop_rejects_a_service_visit():
    assert ask(local(3, 11), kind="service").status == "rejected"


def test_a_rooftop_that_never_opens_rejects_rather_than_proposes_nothing():
    closed = {**PORTLAND, "schedules": [{"name": "sales", "value": dict.fromkeys(WEEK)}]}

    assert ask(local(3, 11), rooftop=closed).status == "rejected"


def test_a_visit_longer_than_any_day_is_rejected():
    assert ask(local(3, 11), duration=timedelta(days=400)).status == "rejected"


@given(
    at=st.integers(-100_000, 1_000_000).map(lambda minutes: MONDAY + timedelta(minutes=minutes)),
    now=st.integers(0, 500_000).map(lambda minutes: MONDAY + timedelta(minutes=minutes)),
    starts=st.lists(st.integers(0, 2000), max_size=30),
    zone=st.sampled_from(["America/Los_Angeles", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kathmandu"]),
)
def test_whatever_is_proposed_could_be_confirmed(at, now, starts, zone):
    rooftop = {**PORTLAND, "timezone": zone}
    booked = [Booking(now + n * HALF_HOUR, now + (n + 2) * HALF_HOUR) for n in starts]

    decision = ask(at, rooftop=rooftop, booked=booked, now=now)

    assert (decision.status == "confirmed") == (decision.confirmed_at is not None)
    assert (decision.status == "proposed") == (len(decision.proposed_times) >= 2)
    assert list(decision.proposed_times) == sorted(set(decision.proposed_times))
    for time in decision.proposed_times:
        assert ask(time, rooftop=rooftop, booked=booked, now=now).status == "confirmed"


def test_rules_are_read_from_the_profile():
    rules = parse_appointment_rules(
        {"lead_time_minutes": 0, "capacity": 3, "durations": {"test_drive": 45}, "holidays": ["12-25"]}
    )

    assert rules.lead_time == timedelta(0)
    assert rules.durations["test_drive"] == timedelta(minutes=45)
    assert rules.durations["trade_in"] == timedelta(minutes=30)
    assert parse_appointment_rules(None) is None


@pytest.mark.parametrize(
    "section",
    [
        {"capacity": 0},
        {"slot_minutes": "30"},
        {"capacity": True},
        {"holidays": ["Christmas"]},
        {"durations": {"wash": 10}},
        {"holidays": "12-25"},
        {"speed": 1},
    ],
)
def test_wrong_rules_are_refused_by_name(section):
    with pytest.raises(WrongAppointmentRules, match=next(iter(section))):
        parse_appointment_rules(section)
