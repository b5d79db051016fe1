"""What a CRM receives: valid ADF for every lead, with all the customer said and nothing not allowed."""

from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.leads.lead_strategies import requests
from tests.leads.leads_made_up import NOW, VIN, lead_request, stored_lead

from forecourt.aap.validation import failures
from forecourt.leads.adf import CRM_PROFILES, write_adf
from forecourt.leads.adf_grammar import PHONE_FIRST_CONTACT, problems_of
from forecourt.leads.adf_reading import read_adf
from forecourt.leads.cleaning import clean_json, clean_text, one_line
from forecourt.leads.lead import Appointment

GENERIC = CRM_PROFILES["generic"]
CAR = {
    "vin": VIN,
    "year": 2024,
    "make": "Honda",
    "model": "CR-V",
    "trim": "EX-L",
    "condition": "used",
}


def adf(request=None, crm=GENERIC, **changes):
    return write_adf(stored_lead(request, **changes), crm)


def element(document, path):
    found = fromstring(document).find(f"prospect/{path}")
    return None if found is None else found.text


def tags(document, path):
    return [child.tag for child in fromstring(document).find(f"prospect/{path}")]


@settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much], max_examples=150, deadline=None
)
@given(
    request=requests,
    crm=st.sampled_from(sorted(CRM_PROFILES)),
    rooftop_has=st.sampled_from(["emails", "phones"]),
)
def test_every_lead_that_aap_allows_becomes_valid_adf(request, crm, rooftop_has):
    assert failures("lead-submit-request", request) == []
    cleaned = clean_json(request)
    rooftop = {"name": "A & B", rooftop_has: [{"value": "+15035550110"}]}

    document = write_adf(stored_lead(cleaned, rooftop=rooftop), CRM_PROFILES[crm])

    assert document.isascii()
    [lead] = read_adf(document)
    assert lead.unread == ()
    assert lead.ids == ("lead_0001",)
    assert lead.name == (stored_lead(cleaned).contact.full_name or "Name not given")
    assert lead.provider == one_line(cleaned["source_agent"]["name"])
    for word in cleaned.get("message", "").split():
        assert word in lead.comments


def test_elements_stand_in_the_order_of_the_format():
    more = {"stock": "D-1", "body": "suv", "transmission": "automatic", "mileage": 14820, "price": 32995}
    trade_in = {"year": 2020, "make": "Volkswagen", "condition": "good", "mileage": 62000}
    request = lead_request(vehicle_of_interest={**CAR, **more}, trade_in=trade_in, message="Hi")

    document = adf(request, listing=CAR)

    assert [child.tag for child in fromstring(document).find("prospect")] == (
        ["id", "requestdate", "vehicle", "vehicle", "customer", "vendor", "provider"]
    )
    assert tags(document, "vehicle") == (
        ["year", "make", "model", "vin", "stock", "trim", "bodystyle", "transmission", "odometer", "price"]
    )
    assert element(document, "vehicle[@interest='trade-in']/comments") == "Condition: good"
    assert document.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<?adf version="1.0"?>\n<adf>')


def test_a_customer_alone_gets_the_placeholder_vehicle_of_the_profile():
    document = adf(lead_request(message="Which cars do you have?"))

    assert [element(document, f"vehicle/{tag}") for tag in ("year", "make", "model")] == [
        "0000",
        "Unspecified",
        "Unspecified",
    ]


def test_what_the_stock_knows_completes_what_the_customer_named():
    document = adf(
        lead_request(vehicle_of_interest={"vin": VIN}), listing={**CAR, "stock": "D-1", "price": 1}
    )

    assert element(document, "vehicle/make") == "Honda"
    assert element(document, "vehicle/stock") == "D-1"
    assert element(document, "vehicle/price") is None


def test_a_certified_car_is_used_with_a_comment():
    document = adf(lead_request(vehicle_of_interest={**CAR, "condition": "cpo"}), listing=CAR)

    assert fromstring(document).find("prospect/vehicle").get("status") == "used"
    assert element(document, "vehicle/comments") == "Certified pre-owned"


def test_everything_without_an_element_stands_in_the_one_comment_of_its_vehicle():
    bike = {
        "vehicle_type": "motorcycle",
        "make": "Acme Moto",
        "displacement_cc": 1868,
        "dc_fast_charge": False,
        "fees": [{"name": "Preparation", "amount": 100}],
        "other_attributes": {"final_drive": "belt", "abs": True},
        "sidecar": {"left": 1},
        "transmission": "6-speed manual",
    }

    document = adf(lead_request(vehicle_of_interest=bike))

    assert document.count("<comments>") == 2  # the vehicle's and the customer's
    assert element(document, "vehicle/comments").split("\n") == [
        "Vehicle type: motorcycle",
        "Displacement: 1868cc",
        "Dc fast charge: no",
        "Fees: Preparation 100 USD",
        'Sidecar: {"left": 1}',
        "Transmission: 6-speed manual",
        "Final drive: belt",
        "Abs: yes",
    ]
    assert element(document, "vehicle/transmission") == "M"


@pytest.mark.parametrize(
    ("channels", "email", "phone", "kind"),
    [
        (["email"], "ada@example.com", None, None),
        (["phone"], None, "+15035550123", "voice"),
        (["sms"], None, "+15035550123", "cellphone"),
        (["email", "phone", "sms"], "ada@example.com", "+15035550123", "voice"),
    ],
)
def test_only_addresses_whose_channel_is_allowed_are_passed_on(channels, email, phone, kind):
    request = lead_request()
    request["consent"]["allowed_channels"] = channels

    document = adf(request)

    assert element(document, "customer/contact/email") == email
    assert element(document, "customer/contact/phone") == phone
    if phone:
        assert fromstring(document).find("prospect/customer/contact/phone").get("type") == kind
    assert ("text messages only" in document) == (channels == ["sms"])


def test_an_appointment_is_told_by_the_rooftops_clock():
    wish = {
        "appointment_type": "test_drive",
        "appointment_at": "2026-05-03T18:00:00Z",
        "duration_minutes": 45,
    }
    appointment = Appointment("appt_1", "test_drive", "confirmed", "Larkfield Motors Portland")

    document = adf(lead_request(vehicle_of_interest=CAR, appointment=wish), appointment=appointment)

    assert "Requested appointment: test drive on 2026-05-03 11:00 PDT, 45 minutes." in document
    assert "Appointment status: confirmed (appt_1)." in document
    assert '<vehicle interest="test-drive" status="used">' in document


def test_a_lead_without_email_keeps_its_name():
    request = lead_request(customer={"first_name": "John", "last_name": "", "phone": "+15035550199"})

    assert element(adf(request), "customer/contact/name") == "John"


def test_a_resent_lead_and_a_test_lead_are_marked():
    assert '<prospect status="resend">' in write_adf(stored_lead(), GENERIC, resend=True)
    assert "TEST LEAD" in adf(test=True)
    assert "TEST LEAD" not in adf()


def test_markup_in_a_name_is_text_and_survives():
    name = {"first_name": "O'Brien & Sons", "last_name": '<b>"x"</b> \U0001f697', "email": "ada@example.com"}

    [lead] = read_adf(adf(lead_request(customer=name)))

    assert lead.name == 'O\'Brien & Sons <b>"x"</b> \U0001f697'


def test_control_characters_never_reach_the_document():
    request = clean_json(lead_request(message="a\x00b\x08c\x0bd￾e\ud800f\r\ng"))

    assert request["message"] == "abcdef\ng"
    assert "abcdef" in element(adf(request), "customer/comments")


def test_long_comments_are_broken_into_lines_that_a_mail_can_carry():
    document = adf(lead_request(message="größe \U0001f697 " * 500))

    assert max(len(line) for line in document.splitlines()) < 998


def test_a_profile_for_receivers_that_want_the_telephone_first():
    document = adf(crm=CRM_PROFILES["phone-first"])

    assert tags(document, "customer/contact") == ["name", "phone", "email"]
    assert problems_of(document)
    assert problems_of(document, contact=PHONE_FIRST_CONTACT) == []


def test_a_profile_for_receivers_that_want_names_apart():
    document = adf(crm=CRM_PROFILES["eleads"])

    assert element(document, "customer/contact/name[@part='first']") == "Ada"
    assert element(document, "customer/contact/name[@part='last']") == "Example"


def test_a_rooftop_without_address_falls_back_to_the_dealers_own():
    document = write_adf(stored_lead(rooftop={"name": "Bare"}), GENERIC, fallback_email="crm@example.com")

    assert element(document, "vendor/contact/email") == "crm@example.com"


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ("<adf></adf>", "adf"),
        ("<adf><prospect><condition/></prospect></adf>", "condition"),
        ('<adf><prospect status="cpo"/></adf>', "status"),
        ("<lead/>", "root"),
        ("<adf>", "well-formed"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><adf>&a;</adf>', "document type"),
    ],
)
def test_the_grammar_finds_what_is_wrong(wrong, problem):
    assert any(problem in line for line in problems_of(f'<?adf version="1.0"?>{wrong}'))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('<phone type="voice"', '<phone type="mobile"'),
        ('interest="buy"', 'interest="cpo"'),
        ("<year>", "<trim>x</trim><year>"),
        ("</vendorname>", "</vendorname><condition>x</condition>"),
        ("<prospect ", "<prospect rank='1' "),
    ],
)
def test_one_wrong_piece_in_a_valid_document_is_found(old, new):
    document = adf()
    assert problems_of(document) == []
    assert old in document

    assert problems_of(document.replace(old, new, 1))


def test_the_request_date_is_the_agents_own_without_fractions():
    assert element(adf(lead_request(submitted_at="2026-11-30T10:00:00.1234567-08:00")), "requestdate") == (
        "2026-11-30T18:00:00Z"
    )
    assert element(adf(), "requestdate") == NOW.isoformat().replace("+00:00", "Z")


REAL_MAIL = """<html><body>Thank you for your mail!
<!--Body <?xml version="1.0"?><?adf version="1.0"?><adf><prospect>
<requestdate>2026-01-02T03:04:05.1234567-05:00</requestdate><leadtype>sales</leadtype>
<vehicle status="cpo"><year>2020</year><make>Ford</make><model>F-150</model>
<comments><![CDATA[VIN: 1ftew1ep6pk000161 & more]]></comments></vehicle>
<customer><contact><name part="first">Jo</name><name part="last">Doe & Sons</name>
<email>jo@example.com</email><phone type="mobile">555-0100</phone></contact></customer>
<vendor><vendorname>Parts & Service</vendorname></vendor>
<provider><name>Site</name><url>Sent from VDP page</url></provider></prospect></adf> -->
<ADF></ADF><adf><prospect><requestdate>T8:47:50</requestdate></prospect></adf></body></html>"""


def test_the_reader_bears_what_really_arrives():
    first, second = read_adf(REAL_MAIL)

    assert (first.name, first.email, first.phones) == ("Jo Doe & Sons", "jo@example.com", ("555-0100",))
    assert first.vendor == "Parts & Service"
    assert first.unread == ("leadtype",)
    assert first.vehicles[0].vin == "1FTEW1EP6PK000161"
    assert second.request_date == "T8:47:50"


def test_the_reader_says_when_it_can_read_nothing():
    assert read_adf("no lead here") == []
    assert read_adf("<adf><prospect></adf>")[0].unread == ("the document is not well-formed XML",)


@given(st.text())
def test_the_reader_never_breaks(text):
    read_adf(f"<adf>{text}</adf>")
    read_adf(text)


@given(st.text(alphabet=st.characters(codec=None)))
def test_cleaned_text_stays_clean(text):
    assert clean_text(clean_text(text)) == clean_text(text)
