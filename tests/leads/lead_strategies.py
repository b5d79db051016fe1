"""Every request that AAP 1.3 lets a dealer accept, as far as a test can draw them."""

from typing import Any

from hypothesis import strategies as st
from tests.leads.leads_made_up import NOW, VIN

from forecourt.aap.consent import refuse_without_consent
from forecourt.base.errors import ForecourtError
from forecourt.leads.cleaning import clean_json

texts = st.text(max_size=40)
instants = st.sampled_from(
    [
        "2026-11-30T10:00:00Z", "2026-05-03T11:00:00-07:00", "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00", "2026-11-30t10:00:00.123456789z",
    ]
)  # fmt: skip
phones = st.from_regex(r"\+[1-9][0-9]{6,12}", fullmatch=True)
emails = st.sampled_from(["ada@example.com", "o'brien+cars@example.com", "x.y@sub.example.com"])
uris = st.sampled_from(["https://agent.example.com/a?b=1&c=2", "https://agent.example.com"])
scalars = st.one_of(texts, st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.booleans())
json_values = st.recursive(
    scalars | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)


def some(**members: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=members)


fees = st.lists(
    st.fixed_dictionaries({"name": st.sampled_from(["Doc & title", "Prep"]), "amount": st.integers(0, 999)}),
    max_size=1,
)
KNOWN = {
    "vehicle_type": st.sampled_from(["car", "motorcycle", "trailer", "rv", "other"]),
    "vin": st.just(VIN),
    "year": st.integers(1900, 2100),
    "make": texts,
    "model": texts,
    "trim": texts,
    "stock": texts,
    "body": texts,
    "transmission": texts | st.sampled_from(["automatic", "8-speed manual", "CVT"]),
    "rooftop": texts | st.none(),
    "mileage": st.integers(0, 10**7),
    "price": st.integers(0, 10**7),
    "msrp": st.integers(0, 10**7),
    "fees": fees,
    "exterior_color": texts,
    "interior_color": texts,
    "displacement_cc": st.integers(0, 3000),
    "dc_fast_charge": st.booleans(),
    "charge_port": texts | st.none(),
    "features": st.lists(texts, max_size=3),
    "photos": st.lists(uris, max_size=2),
    "description": st.text(max_size=400),
    "other_attributes": st.dictionaries(texts, scalars | st.lists(texts, max_size=2), max_size=3),
}


def vehicles(conditions: list[str]) -> st.SearchStrategy[dict[str, Any]]:
    known = some(**KNOWN, condition=st.sampled_from(conditions))
    strangers = st.dictionaries(
        texts.filter(lambda name: name not in VEHICLE_MEMBERS), json_values, max_size=2
    )
    return st.builds(lambda left, right: {**right, **left}, known, strangers)


VEHICLE_MEMBERS = {
    *KNOWN, "condition", "status", "list_price", "dealer_id", "vehicle_id", "driveline", "engine", "fuel",
    "city_mpg", "highway_mpg", "electric_range_mi", "battery_kwh", "motor_power_hp", "vdp_url", "notes",
    "inventory_date", "updated_at",
}  # fmt: skip

contacts = st.one_of(
    st.fixed_dictionaries({"email": emails}),
    st.fixed_dictionaries({"phone": phones}),
    st.fixed_dictionaries({"email": emails, "phone": phones}),
)
customers = st.builds(
    lambda names, contact, more: {**names, **contact, **more},
    st.fixed_dictionaries({"first_name": texts, "last_name": texts}),
    contacts,
    some(
        preferred_contact=st.sampled_from(["email", "phone", "sms", "any"]),
        address=some(
            country=texts, state=texts, city=texts, address_line_1=texts, address_line_2=texts, zip=texts
        ),
    ),
)
consents = st.fixed_dictionaries(
    {
        "granted_at": st.just("2026-11-30T15:00:00Z"),
        "allowed_channels": st.lists(st.sampled_from(["email", "phone", "sms"]), min_size=1, unique=True),
        "consent_text": st.text(min_size=1, max_size=60),
        "scope": st.just(["lead_submission"]),
    },
    optional={"expires_at": instants},
)
appointments = st.fixed_dictionaries(
    {"appointment_type": st.sampled_from(["sales", "service", "test_drive", "trade_in"])},
    optional={"appointment_at": instants, "duration_minutes": st.integers(15, 10**6), "notes": texts},
)


def passes_the_gate(request: dict[str, Any]) -> bool:
    try:
        refuse_without_consent(clean_json(request), now=NOW)
    except ForecourtError:
        return False
    return True


requests = st.fixed_dictionaries(
    {
        "type": st.just("lead.submit.request"),
        "customer": customers,
        "consent": consents,
        "source_agent": st.fixed_dictionaries(
            {"name": st.text(min_size=1, max_size=30)}, optional={"url": uris, "agent_card_url": uris}
        ),
    },
    optional={
        "vehicle_of_interest": vehicles(["new", "used", "cpo"]),
        "trade_in": vehicles(["excellent", "good", "fair", "poor"]),
        "appointment": appointments,
        "message": st.text(max_size=4000),
        "submitted_at": instants,
        "idempotency_key": st.text(min_size=1, max_size=128),
    },
).filter(passes_the_gate)
