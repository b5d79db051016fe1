"""What an agent is answered to lead.submit, on both databases."""

import json
from datetime import timedelta

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from tests.leads.desk import Desk, HeldClock, dealer_profile, host
from tests.leads.lead_strategies import requests
from tests.leads.leads_made_up import VIN, lead_request

from forecourt.aap.errors import (
    ContactConsentRequired,
    IdempotencyConflict,
    InvalidCondition,
    InvalidConsent,
    MissingRequiredField,
    RateLimited,
    SchemaValidationFailed,
)
from forecourt.aap.validation import failures
from forecourt.leads.contact_limit import ContactLimit
from forecourt.leads.store import CONSENTS, LEADS, list_leads
from forecourt.storage.database import open_database
from forecourt.storage.outbox import OUTBOX

FOLDERS = [{"kind": "folder", "name": name, "path": f"/nowhere/{name}"} for name in ("crm", "copy")]
CAR = {"vin": VIN, "year": 2024, "make": "Honda", "model": "CR-V"}
TUESDAY = "2026-12-01T19:00:00Z"  # 11:00 in Portland


@pytest.fixture
def clock():
    return HeldClock()


@pytest.fixture
def sqlite(tmp_path):
    opened = open_database(f"sqlite:///{tmp_path / 'forecourt.db'}")
    opened.upgrade()
    yield opened
    opened.close()


@pytest.fixture
def desk(sqlite, clock):
    return Desk.hosting(sqlite, dealer_profile(destinations=FOLDERS, appointments={}), clock)


@pytest.fixture
def each_desk(database, clock):
    """The same on SQLite and on PostgreSQL."""
    return Desk.hosting(database, dealer_profile(destinations=FOLDERS, appointments={}), clock)


def drive(at=TUESDAY, **more):
    return {"appointment_type": "test_drive", "appointment_at": at, **more}


def test_a_lead_is_received_with_the_dealers_telephone_and_plain_words(each_desk):
    response = each_desk.submit(lead_request(vehicle_of_interest={"vin": VIN}, message="Is it still there?"))

    assert response["data"]["status"] == "received"
    assert response["data"]["dealer"] == {"name": "Larkfield Motors Portland", "phone": "+15035550110"}
    assert response["message"] == (
        "Thank you. Larkfield Motors Portland has this request. "
        "It is about the 2024 Honda CR-V EX-L, which is in stock. Someone will answer by telephone."
    )
    assert (each_desk.rows(LEADS), each_desk.rows(CONSENTS), each_desk.rows(OUTBOX)) == (1, 1, 2)


def test_the_consent_is_kept_word_for_word(desk):
    request = lead_request()
    desk.submit(request)

    consent = desk.database.read_sync(lambda connection: connection.scalar(sa.select(CONSENTS.c.consent)))

    assert consent == request["consent"]


def test_the_rooftop_of_the_vehicle_answers(desk):
    response = desk.submit(lead_request(vehicle_of_interest={"stock": "E-1"}))

    assert response["data"]["dealer"]["name"] == "Larkfield Electric Boise"


def test_a_vehicle_that_is_not_in_stock_does_not_refuse_the_lead(desk):
    response = desk.submit(lead_request(vehicle_of_interest={"stock": "GONE", "make": "Honda"}))

    assert response["data"]["status"] == "received"
    assert "not in stock" in response["message"]


# -- refusals -----------------------------------------------------------------------------------------------

DRIVE = {"appointment_type": "test_drive"}
UNFIT = [
    (lead_request(consent=None, customer=None), ContactConsentRequired),
    (lead_request(consent={"scope": ["x"]}), InvalidConsent),
    (lead_request(trade_in={"condition": "used"}), InvalidCondition),
    (lead_request(vehicle_of_interest={"condition": "good"}, surprise=1), InvalidCondition),
    (lead_request(appointment={"appointment_type": "test_drive"}), MissingRequiredField),
    (
        lead_request(appointment={"appointment_type": "test_drive"}, vehicle_of_interest={}),
        MissingRequiredField,
    ),
    (lead_request(source_agent=None), MissingRequiredField),
    (lead_request(source_agent=None, customer=None), SchemaValidationFailed),
    (lead_request(surprise=1), SchemaValidationFailed),
    (lead_request(message="x" * 4001), SchemaValidationFailed),
    (lead_request(idempotency_key=""), SchemaValidationFailed),
    (lead_request(idempotency_key=5), SchemaValidationFailed),
    (lead_request(customer={"first_name": "Ada", "last_name": "Example"}), SchemaValidationFailed),
]


@pytest.mark.parametrize(("request_", "error"), UNFIT)
def test_an_unfit_lead_is_refused_with_the_first_error_that_applies(desk, request_, error):
    with pytest.raises(error):
        desk.submit(request_)

    assert desk.rows(LEADS) == 0


def test_a_refusal_lists_every_failure(desk):
    appointment = {"appointment_type": "test_drive", "duration_minutes": 1}
    with pytest.raises(MissingRequiredField) as raised:
        desk.submit(lead_request(appointment=appointment, surprise=1))

    places = {error["instanceLocation"] for error in raised.value.details["errors"]}
    assert places == {"", "/appointment/duration_minutes"}
    assert len(raised.value.details["errors"]) == 3


def test_no_refusal_repeats_the_contact(desk):
    marker = lead_request(message="x" * 4001)
    with pytest.raises(SchemaValidationFailed) as raised:
        desk.submit(marker)

    told = raised.value.message + json.dumps(raised.value.details)
    assert "ada@example.com" not in told
    assert "+15035550123" not in told


# -- the same lead again ------------------------------------------------------------------------------------


def test_a_retry_with_its_key_gets_the_original_answer(each_desk, clock):
    request = lead_request(idempotency_key="k1", submitted_at="2026-11-30T15:00:00Z", message="Hello")
    first = each_desk.submit(request)
    clock.advance(timedelta(days=200))

    again = each_desk.submit({**dict(reversed(request.items())), "submitted_at": "2026-11-30T15:01:00Z"})

    assert again == first
    assert (each_desk.rows(LEADS), each_desk.rows(OUTBOX)) == (1, 2)


def test_a_retry_is_answered_although_its_consent_expired_meanwhile(desk, clock):
    request = lead_request(idempotency_key="k1")
    request["consent"]["expires_at"] = "2026-12-01T00:00:00Z"
    first = desk.submit(request)
    clock.advance(timedelta(days=2))

    assert desk.submit(request) == first
    with pytest.raises(InvalidConsent):
        desk.submit({**request, "message": "more"})


def test_a_key_with_another_payload_is_a_conflict(each_desk):
    each_desk.submit(lead_request(idempotency_key="k1"))

    with pytest.raises(IdempotencyConflict):
        each_desk.submit(lead_request(idempotency_key="k1", message="Hello"))
    assert each_desk.rows(LEADS) == 1


def test_a_key_belongs_to_one_dealer(each_desk, clock):
    other_profile = dealer_profile(slug="other")
    host(each_desk.database, other_profile)
    request = lead_request(idempotency_key="k1")

    first, second = each_desk.submit(request), Desk(each_desk.database, other_profile, clock).submit(request)

    assert first["data"]["lead_id"] != second["data"]["lead_id"]


def test_32_submissions_at_once_with_one_key_are_one_lead(each_desk):
    request = lead_request(idempotency_key="k1", vehicle_of_interest=CAR, appointment=drive())

    answers = each_desk.submit_all([request] * 32)

    assert all(answer == answers[0] for answer in answers)
    assert answers[0]["data"]["appointment"]["status"] == "confirmed"
    assert (each_desk.rows(LEADS), each_desk.rows(OUTBOX)) == (1, 2)


@pytest.mark.known_bug("A23")
def test_32_equal_submissions_at_once_without_a_key_are_one_lead(each_desk):
    answers = each_desk.submit_all([lead_request(vehicle_of_interest=CAR)] * 32)

    assert len({answer["data"]["lead_id"] for answer in answers}) == 1
    assert sorted(answer["data"]["status"] for answer in answers) == ["duplicate"] * 31 + ["received"]
    assert (each_desk.rows(LEADS), each_desk.rows(OUTBOX), each_desk.rows(CONSENTS)) == (1, 2, 32)


@pytest.mark.parametrize(
    "later",
    [
        {},
        {"customer": {"first_name": "ADA", "last_name": "example", "email": "ADA@example.com"}},
        {"message": None},
        {"trade_in": None, "appointment": None, "vehicle_of_interest": None},
        {"vehicle_of_interest": {"vin": VIN}},
        {"source_agent": {"name": "another-agent"}},
    ],
)
def test_a_later_lead_that_says_nothing_new_is_a_duplicate(each_desk, clock, later):
    whole = {
        "vehicle_of_interest": CAR,
        "trade_in": {"make": "Ford"},
        "appointment": drive(),
        "message": "Hi",
    }
    first = each_desk.submit(lead_request(**whole))
    clock.advance(timedelta(hours=23))

    again = each_desk.submit(lead_request(**{**whole, **later}))

    assert again["data"]["status"] == "duplicate"
    assert again["data"]["lead_id"] == first["data"]["lead_id"]
    assert again["data"]["appointment"]["appointment_id"] == first["data"]["appointment"]["appointment_id"]


@pytest.mark.parametrize(
    "later",
    [
        {"message": "And what about insurance?"},
        {"vehicle_of_interest": {"stock": "E-1"}},
        {"trade_in": {"make": "Opel"}},
        {"appointment": drive("2026-12-02T19:00:00Z"), "vehicle_of_interest": CAR},
        {"customer": {"first_name": "Grace", "last_name": "Example", "phone": "+15035550123"}},
        {
            "customer": {
                "first_name": "Ada",
                "last_name": "Example",
                "phone": "+15035550123",
                "address": {"zip": "97204"},
            }
        },
    ],
)
def test_a_later_lead_with_something_new_is_a_lead_that_names_the_earlier_one(each_desk, later):
    first = each_desk.submit(lead_request(vehicle_of_interest=CAR))

    second = each_desk.submit(lead_request(**{"vehicle_of_interest": CAR, **later}))

    assert second["data"]["status"] == "received"
    assert first["data"]["lead_id"] in second["message"]
    newest, _ = each_desk.database.read_sync(
        lambda database: list_leads(database, dealer="larkfield", limit=9)
    )
    assert newest.follows == first["data"]["lead_id"]


def test_a_wider_consent_is_something_new(each_desk):
    narrow = lead_request()
    narrow["customer"]["preferred_contact"] = "email"
    wide = json.loads(json.dumps(narrow))
    narrow["consent"]["allowed_channels"] = ["email"]
    each_desk.submit(narrow)

    assert each_desk.submit(wide)["data"]["status"] == "received"
    assert each_desk.submit(narrow)["data"]["status"] == "duplicate"


def test_an_equal_lead_a_day_later_is_a_new_one(desk, clock):
    desk.submit(lead_request())
    clock.advance(timedelta(hours=24, seconds=1))

    response = desk.submit(lead_request())

    assert response["data"]["status"] == "received"
    assert "earlier" not in response["message"]


# -- appointments -------------------------------------------------------------------------------------------


def test_a_free_time_is_booked_and_said_by_the_rooftops_clock(desk):
    response = desk.submit(lead_request(vehicle_of_interest=CAR, appointment=drive()))

    assert response["data"]["appointment"]["status"] == "confirmed"
    assert response["data"]["appointment"]["confirmed_at"] == "2026-12-01T11:00:00-08:00"
    assert "booked for Tuesday, December 1, 2026 at 11:00 (PST)" in response["message"]


def test_a_taken_time_gets_alternatives_one_of_which_books_the_same_appointment(each_desk):
    taken = lead_request(vehicle_of_interest=CAR, appointment=drive())
    each_desk.submit(taken)
    grace = {"first_name": "Grace", "last_name": "Example", "email": "grace@example.com"}
    hers = lead_request(customer=grace, vehicle_of_interest=CAR, appointment=drive())

    first = each_desk.submit(hers)
    appointment = first["data"]["appointment"]
    assert appointment["status"] == "proposed"
    assert len(appointment["proposed_times"]) >= 2
    assert "because that time is taken" in first["message"]

    chosen = {**hers, "appointment": drive(appointment["proposed_times"][0])}
    second = each_desk.submit(chosen)

    assert second["data"]["status"] == "received"
    assert second["data"]["lead_id"] != first["data"]["lead_id"]
    assert second["data"]["appointment"]["appointment_id"] == appointment["appointment_id"]
    assert second["data"]["appointment"]["status"] == "confirmed"
    assert first["data"]["lead_id"] in second["message"]


def test_the_last_place_is_given_once_to_many_who_ask_at_the_same_time(each_desk):
    people = [
        lead_request(
            customer={"first_name": "A", "last_name": str(n), "email": f"a{n}@example.com"},
            vehicle_of_interest=CAR,
            appointment=drive(),
        )
        for n in range(12)
    ]

    answers = each_desk.submit_all(people)

    statuses = [answer["data"]["appointment"]["status"] for answer in answers]
    assert sorted(statuses) == ["confirmed"] + ["proposed"] * 11


def test_a_service_visit_where_there_is_no_workshop_is_rejected_inside_an_accepted_lead(desk):
    response = desk.submit(lead_request(appointment={"appointment_type": "service"}))

    assert response["data"]["status"] == "received"
    assert response["data"]["appointment"]["status"] == "rejected"
    assert "does not offer a service appointment" in response["message"]


def test_a_dealer_without_rules_answers_requested(sqlite, clock):
    profile = dealer_profile(slug="plain")

    response = Desk.hosting(sqlite, profile, clock).submit(
        lead_request(vehicle_of_interest=CAR, appointment=drive())
    )

    assert response["data"]["appointment"]["status"] == "requested"
    assert "not booked" in response["message"]


# -- limits, profiles, everything AAP allows ----------------------------------------------------------------


def test_a_flood_of_leads_from_one_contact_is_told_to_wait(sqlite, clock):
    profile = dealer_profile(destinations=FOLDERS)
    desk = Desk.hosting(sqlite, profile, clock, limit=ContactLimit(per_contact=2, per_agent=0, clock=clock))
    desk.submit(lead_request(message="1"))
    desk.submit(lead_request(message="2"))

    with pytest.raises(RateLimited) as raised:
        desk.submit(lead_request(message="3"))

    assert 3_599_000 < raised.value.details["retry_after_ms"] <= 3_600_001
    assert desk.submit(lead_request(message="2"))["data"]["status"] == "duplicate"
    clock.advance(timedelta(hours=1, seconds=1))
    assert desk.submit(lead_request(message="3"))["data"]["status"] == "received"


def test_one_agent_can_be_held_back_without_hurting_another(sqlite, clock):
    profile = dealer_profile()
    desk = Desk.hosting(sqlite, profile, clock, limit=ContactLimit(per_contact=0, per_agent=1, clock=clock))
    desk.submit(lead_request(message="1"))

    with pytest.raises(RateLimited):
        desk.submit(lead_request(message="2"))
    desk.submit(lead_request(message="3", source_agent={"name": "other"}))


def test_a_broken_section_of_the_profile_costs_no_lead(sqlite, clock):
    profile = dealer_profile(destinations=[{"kind": "pigeon"}], appointments={"capacity": 0})

    assert Desk.hosting(sqlite, profile, clock).submit(lead_request())["data"]["status"] == "received"


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, *HealthCheck]
)
@given(request=requests)
def test_every_lead_that_aap_allows_gets_a_valid_answer(each_desk, request):
    try:
        response = each_desk.submit(request)
    except (MissingRequiredField, IdempotencyConflict):
        return
    assert response["data"]["status"] in {"received", "duplicate"}
    assert failures("lead-submit-response", response) == []


EXAMPLES = ["", ".appointment", ".minimal", ".motorcycle", ".vehicle-only"]


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_published_examples_get_valid_answers(desk, shared, example):
    file = shared / "aap-v1.3" / "examples" / f"lead-submit-request{example}.example.json"
    request = json.loads(file.read_text())

    response = desk.submit(request)

    assert response["data"]["status"] == "received"
    assert ("appointment" in response["data"]) == ("appointment" in request)
