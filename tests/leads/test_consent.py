"""Which leads are refused for their consent, with which error, in which order."""

from datetime import UTC, datetime

import pytest
from tests.leads.leads_made_up import NOW, lead_request

from forecourt.aap.consent import refuse_without_consent
from forecourt.aap.errors import ContactConsentRequired, InvalidConsent
from forecourt.base.instants import parse_instant


def refused(error, request):
    with pytest.raises(error) as raised:
        refuse_without_consent(request, now=NOW)
    return raised.value.details


def with_consent(customer=None, **changes):
    request = lead_request()
    request["consent"] |= changes
    request["customer"] |= customer or {}
    return request


@pytest.mark.parametrize("consent", [None, ...])
def test_no_consent_means_no_lead(consent):
    request = lead_request() | {"consent": None}
    if consent is ...:
        del request["consent"]

    assert refused(ContactConsentRequired, request) == {
        "missing": ["consent"],
        "expected_scope": ["lead_submission"],
    }


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"scope": ["marketing"]}, "scope"),
        ({"scope": []}, "scope"),
        ({"scope": "lead_submission"}, "scope"),
        ({"scope": ["lead_submission", "marketing"]}, "scope"),
        ({"expires_at": "2026-11-30T15:29:59Z"}, "expires_at"),
        ({"expires_at": "2026-11-30T15:30:00Z"}, "expires_at"),
        ({"expires_at": "tomorrow"}, "expires_at"),
        ({"expires_at": None}, "expires_at"),
        ({"granted_at": "2026-11-30T15:32:00Z"}, "granted_at"),
        ({"granted_at": "2026-11-30T15:00:00"}, "granted_at"),
        ({"granted_at": 5}, "granted_at"),
        ({"consent_text": ""}, "consent_text"),
        ({"consent_text": " \n"}, "consent_text"),
        ({"consent_text": ["I agree"]}, "consent_text"),
    ],
)
def test_a_consent_that_cannot_count_is_invalid(changes, field):
    assert refused(InvalidConsent, with_consent(**changes))["field"] == field


def test_a_consent_that_is_no_object_is_invalid():
    refused(InvalidConsent, lead_request(consent="yes"))


@pytest.mark.parametrize("absent", ["scope", "granted_at", "consent_text"])
def test_a_consent_with_a_hole_is_invalid(absent):
    request = lead_request()
    del request["consent"][absent]

    assert refused(InvalidConsent, request)["field"] == absent


def test_a_consent_that_is_invalid_and_too_narrow_is_called_invalid():
    refused(InvalidConsent, with_consent(scope=["x"], allowed_channels=[]))


@pytest.mark.parametrize(
    ("customer", "allowed", "missing"),
    [
        ({"preferred_contact": "phone"}, ["email"], ["phone"]),
        ({"preferred_contact": "email"}, ["phone", "sms"], ["email"]),
        ({"preferred_contact": "sms"}, ["email", "phone"], ["sms"]),
        ({"preferred_contact": "any"}, [], ["email", "phone", "sms"]),
        ({"preferred_contact": "any"}, None, ["email", "phone", "sms"]),
        ({"preferred_contact": "any", "phone": None}, ["phone", "sms"], ["email"]),
        ({"preferred_contact": "email", "email": None}, ["email"], ["phone", "sms"]),
        ({"preferred_contact": ["email"]}, ["fax"], ["email", "phone", "sms"]),
    ],
)
def test_a_channel_that_is_needed_must_be_allowed(customer, allowed, missing):
    details = refused(ContactConsentRequired, with_consent(customer, allowed_channels=allowed))

    assert details["missing_channels"] == missing


@pytest.mark.parametrize(
    ("customer", "allowed"),
    [
        ({"preferred_contact": "email"}, ["email"]),
        ({"preferred_contact": "any"}, ["sms"]),
        ({"preferred_contact": "email", "email": None}, ["email", "phone"]),
        ({"preferred_contact": "pigeon"}, ["email"]),
    ],
)
def test_any_allowed_way_to_answer_is_enough(customer, allowed):
    refuse_without_consent(with_consent(customer, allowed_channels=allowed), now=NOW)


def test_a_customer_that_is_no_object_is_left_to_the_schema():
    refuse_without_consent(lead_request(customer=[]), now=NOW)


def test_an_agent_whose_clock_is_a_little_ahead_is_let_in():
    refuse_without_consent(with_consent(granted_at="2026-11-30T15:30:30Z"), now=NOW)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-05-03T18:00:00Z", datetime(2026, 5, 3, 18, tzinfo=UTC)),
        ("2026-05-03 11:00:00.1234567-07:00", datetime(2026, 5, 3, 18, 0, 0, 123456, tzinfo=UTC)),
        ("2016-12-31t23:59:60z", datetime(2016, 12, 31, 23, 59, 59, tzinfo=UTC)),
        ("0001-01-01T00:00:00+14:00", datetime(1, 1, 2, tzinfo=UTC)),
        ("9999-12-31T23:59:59-14:00", datetime(9999, 12, 30, tzinfo=UTC)),
        ("2026-02-30T00:00:00Z", None),
        ("2026-05-03T18:00:61Z", None),
        ("2026-05-03T18:00:00", None),
        ("20260503T180000Z", None),
        (None, None),
    ],
)
def test_times_are_read_as_rfc_3339_says(text, moment):
    assert parse_instant(text) == moment
