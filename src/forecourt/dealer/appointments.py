"""May an appointment stand at the wished time? Decided by the rooftop's own clock, hours and bookings.

Everything here is a pure function of what it is given. Local times live only at the edges: opening hours are
turned into instants day by day in the rooftop's zone, so a day on which the clocks change simply has other
instants, and a time that does not exist is never offered.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from forecourt.base.errors import InvalidInput

Kind = Literal["sales", "service", "test_drive", "trade_in"]
Status = Literal["requested", "proposed", "confirmed", "rejected"]
Reason = Literal[
    "open", "no_time_given", "calendar_unknown", "not_offered", "past", "too_soon", "too_far", "closed",
    "between_slots", "full", "nothing_free",
]  # fmt: skip

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
PROPOSALS = 4
PROPOSALS_A_DAY = 2
LEAST_PROPOSALS = 2
LONGEST = timedelta(days=7)
_NEEDS = {
    "sales": {"sales", "motorcycle_sales", "powersports"},
    "test_drive": {"sales", "motorcycle_sales", "powersports"},
    "service": {"service"},
    "trade_in": {"trade_in", "sales"},
}
_DURATIONS = {
    "sales": timedelta(minutes=60),
    "service": timedelta(minutes=60),
    "test_drive": timedelta(minutes=60),
    "trade_in": timedelta(minutes=30),
}


class WrongAppointmentRules(InvalidInput):
    """The `[appointments]` section of a dealer profile cannot be used; the message names the entry."""

    code = "wrong_appointment_rules"


@dataclass(frozen=True)
class AppointmentRules:
    """How a dealer lets its calendar be booked; without rules nothing is booked automatically."""

    lead_time: timedelta = timedelta(hours=2)
    slot: timedelta = timedelta(minutes=30)
    capacity: int = 1
    horizon: timedelta = timedelta(days=60)
    durations: Mapping[str, timedelta] = field(default_factory=lambda: _DURATIONS)
    holidays: frozenset[str] = frozenset()
    """Closed days: `2026-12-24` once, `12-25` every year."""

    def closed_on(self, day: date) -> bool:
        """Say whether the day is a holiday."""
        return not self.holidays.isdisjoint((day.isoformat(), day.strftime("%m-%d")))


@dataclass(frozen=True)
class Wish:
    """What the customer asks for: `at` is aware, or None when staff shall find a time."""

    kind: Kind
    at: datetime | None = None
    duration: timedelta | None = None

    @classmethod
    def of_minutes(cls, kind: Kind, at: datetime | None, minutes: int | None) -> "Wish":
        """Build from an AAP appointment, whose minutes may be beyond what a duration can hold."""
        longest = LONGEST // timedelta(minutes=1)
        return cls(kind, at, None if minutes is None else timedelta(minutes=min(minutes, longest)))


@dataclass(frozen=True)
class Booking:
    """A confirmed appointment that takes one place of the capacity."""

    start: datetime
    end: datetime


@dataclass(frozen=True)
class Decision:
    """What becomes of the wish. Times are aware, in the rooftop's zone where it is known."""

    status: Status
    reason: Reason
    confirmed_at: datetime | None = None
    proposed_times: tuple[datetime, ...] = ()


@dataclass(frozen=True)
class _Calendar:
    zone: ZoneInfo
    hours: Mapping[str, Any]
    rules: AppointmentRules
    booked: Sequence[Booking]
    duration: timedelta
    earliest: datetime
    latest: datetime

    def opening(self, day: date) -> tuple[datetime, datetime] | None:
        """Return when the rooftop opens and closes on a day, as instants."""
        hours = self.hours.get(WEEKDAYS[day.weekday()])
        if not hours or self.rules.closed_on(day):
            return None
        opens, closes = _minutes(hours["open"]), _minutes(hours["close"])
        closes += 24 * 60 if closes <= opens else 0  # open past midnight
        return self._instant(day, opens), self._instant(day, closes)

    def slots(self, day: date) -> Iterator[datetime]:
        """Yield every start at which an appointment would fit into the opening of a day."""
        if opening := self.opening(day):
            start, closes = opening
            while start + self.duration <= closes:
                yield start
                start += self.rules.slot

    def is_free(self, start: datetime) -> bool:
        """Say whether a place is left from `start` on for the whole duration."""
        end = start + self.duration
        moments = [start, *(b.start for b in self.booked if start < b.start < end)]
        return all(
            sum(booking.start <= moment < booking.end for booking in self.booked) < self.rules.capacity
            for moment in moments
        )

    def is_bookable(self, start: datetime) -> bool:
        """Say whether `start`, a slot, may be booked now."""
        return self.earliest <= start <= self.latest and self.is_free(start)

    def _instant(self, day: date, minutes: int) -> datetime:
        extra, minute_of_day = divmod(minutes, 24 * 60)
        hour, minute = divmod(minute_of_day, 60)
        local_day = day + timedelta(days=extra)
        return datetime(
            local_day.year, local_day.month, local_day.day, hour, minute, tzinfo=self.zone
        ).astimezone(UTC)


def decide(
    wish: Wish,
    *,
    rooftop: Mapping[str, Any],
    rules: AppointmentRules | None,
    booked: Sequence[Booking],
    now: datetime,
) -> Decision:
    """Decide on a wish at a rooftop (an AAP rooftop: `timezone`, `schedules`, `capabilities`).

    Confirmed only when the rooftop is open for that kind of visit, the time is a slot, not too soon and not
    full. Otherwise at least two free times nearest to the wish are proposed; `rejected` means that there are
    none, or that the rooftop has no such department. `requested` leaves it to the staff.
    """
    if not _offers(rooftop, wish.kind):
        return Decision("rejected", "not_offered")
    if wish.at is None:
        return Decision("requested", "no_time_given")
    calendar = _calendar(wish, rooftop=rooftop, rules=rules, booked=booked, now=now)
    if calendar is None:
        return Decision("requested", "calendar_unknown")
    reason = _reason(calendar, wish.at, now)
    if reason == "open":
        return Decision("confirmed", reason, confirmed_at=wish.at.astimezone(calendar.zone))
    proposals = _nearest(calendar, wish.at)
    if len(proposals) < LEAST_PROPOSALS:
        return Decision("rejected", "nothing_free")
    return Decision("proposed", reason, proposed_times=proposals)


def duration_of(wish: Wish, rules: AppointmentRules | None) -> timedelta:
    """Return how long the visit takes: as wished, else the dealer's default for its kind."""
    default = (rules or AppointmentRules()).durations.get(wish.kind, _DURATIONS[wish.kind])
    return min(wish.duration or default, LONGEST)


def _offers(rooftop: Mapping[str, Any], kind: Kind) -> bool:
    """A rooftop that lists no capabilities is taken to offer everything."""
    capabilities = rooftop.get("capabilities") or ()
    return not capabilities or not _NEEDS[kind].isdisjoint(capabilities)


def _calendar(
    wish: Wish,
    *,
    rooftop: Mapping[str, Any],
    rules: AppointmentRules | None,
    booked: Sequence[Booking],
    now: datetime,
) -> _Calendar | None:
    hours, zone = _hours_for(rooftop.get("schedules") or (), wish.kind), zone_of(rooftop.get("timezone"))
    if rules is None or hours is None or zone is None:
        return None
    return _Calendar(
        zone, hours, rules, booked, duration_of(wish, rules), now + rules.lead_time, now + rules.horizon
    )


def _hours_for(schedules: Sequence[Mapping[str, Any]], kind: Kind) -> Mapping[str, Any] | None:
    """Choose the schedule by its name; a nameless one counts for everything, the first one for sales."""
    department = "service" if kind == "service" else "sales"
    named = [one for one in schedules if department in (one.get("name") or "").casefold()]
    nameless = [one for one in schedules if not one.get("name")]
    first = list(schedules[:1]) if department == "sales" else []
    chosen = next(iter([*named, *nameless, *first]), None)
    return chosen["value"] if chosen else None


def zone_of(name: str | None) -> ZoneInfo | None:
    """Return the IANA time zone of that name, None when there is none."""
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError):
        return None


def _reason(calendar: _Calendar, at: datetime, now: datetime) -> Reason:
    """Say why `at` cannot be confirmed, or `open` when it can."""
    if at < calendar.earliest:
        return "past" if at < now else "too_soon"
    if at > calendar.latest:
        return "too_far"
    day = at.astimezone(calendar.zone).date()
    days = (day, day - timedelta(days=1))  # yesterday's opening may last past midnight
    openings = [opening for one in days if (opening := calendar.opening(one))]
    if not any(opens <= at and at + calendar.duration <= closes for opens, closes in openings):
        return "closed"
    if not any(at == slot for one in days for slot in calendar.slots(one)):
        return "between_slots"
    return "open" if calendar.is_free(at) else "full"


def _nearest(calendar: _Calendar, at: datetime) -> tuple[datetime, ...]:
    """Return free slots near `at`, in order of time: day by day away from it, no day more than twice."""
    anchor = min(max(at, calendar.earliest), calendar.latest)
    middle, found = anchor.astimezone(calendar.zone).date(), list[datetime]()

    def distance(slot: datetime) -> timedelta:
        return abs(slot - anchor)

    for days in range((calendar.latest - calendar.earliest).days + 2):
        for day in {middle + timedelta(days), middle - timedelta(days)}:
            free = [slot for slot in calendar.slots(day) if calendar.is_bookable(slot)]
            found += sorted(free, key=distance)[:PROPOSALS_A_DAY]
        if days and len(found) >= PROPOSALS:
            break
    nearest = sorted(found, key=distance)[:PROPOSALS]
    return tuple(slot.astimezone(calendar.zone) for slot in sorted(nearest))


def _minutes(text: str) -> int:
    hour, minute = text.split(":")
    return int(hour) * 60 + int(minute)


def parse_appointment_rules(section: Mapping[str, Any] | None) -> AppointmentRules | None:
    """Read the `[appointments]` section of a dealer profile; None when the dealer has none.

    `lead_time_minutes`, `slot_minutes`, `capacity`, `horizon_days`, `durations` (minutes by kind) and
    `holidays` (`2026-12-24` or `12-25`). Raises `WrongAppointmentRules`.
    """
    if section is None:
        return None
    rest = dict(section)
    defaults = AppointmentRules()
    rules = AppointmentRules(
        lead_time=timedelta(minutes=_whole(rest, "lead_time_minutes", default=120, least=0)),
        slot=timedelta(minutes=_whole(rest, "slot_minutes", default=30, least=5)),
        capacity=_whole(rest, "capacity", default=defaults.capacity, least=1),
        horizon=timedelta(days=_whole(rest, "horizon_days", default=60, least=1)),
        durations=_parse_durations(rest.pop("durations", {})),
        holidays=_parse_holidays(rest.pop("holidays", [])),
    )
    if rest:
        raise WrongAppointmentRules(f"unknown in [appointments]: {', '.join(sorted(rest))}")
    return rules


def _whole(section: dict[str, Any], name: str, *, default: int, least: int) -> int:
    value = section.pop(name, default)
    if type(value) is not int or not least <= value <= 10_000:
        raise WrongAppointmentRules(f"appointments.{name} must be a whole number from {least} to 10000")
    return value


def _parse_durations(given: Any) -> Mapping[str, timedelta]:
    if not isinstance(given, Mapping) or not set(given) <= set(get_args(Kind)):
        raise WrongAppointmentRules(f"appointments.durations knows {', '.join(get_args(Kind))}")
    minutes = dict(given)
    return _DURATIONS | {
        kind: timedelta(minutes=_whole(minutes, kind, default=60, least=15)) for kind in given
    }


def _parse_holidays(given: Any) -> frozenset[str]:
    days = [str(day) for day in given] if isinstance(given, list) else [""]
    if not all(re.fullmatch(r"(\d{4}-)?(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])", day) for day in days):
        raise WrongAppointmentRules('appointments.holidays is a list of "2026-12-24" or "12-25"')
    return frozenset(days)
