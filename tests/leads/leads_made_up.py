"""Leads for tests, of invented people only."""

from datetime import UTC, datetime
from typing import Any

from forecourt.leads.lead import Lead

NOW = datetime(2026, 11, 30, 15, 30, tzinfo=UTC)
VIN = "1HGCY2F57RA000001"

ROOFTOP = {
    "name": "Larkfield Motors Portland",
    "website": "https://motors.larkfield.example.com",
    "emails": [{"name": "Sales", "value": "sales@motors.larkfield.example.com"}],
    "phones": [{"name": "Sales", "value": "+15035550110"}],
    "timezone": "America/Los_Angeles",
}


def lead_request(**changes: Any) -> dict[str, Any]:
    """A valid request; a member given as None is left out."""
    request = {
        "type": "lead.submit.request",
        "customer": {
            "first_name": "Ada",
            "last_name": "Example",
            "email": "ada@example.com",
            "phone": "+15035550123",
            "preferred_contact": "phone",
        },
        "consent": {
            "granted_at": "2026-11-30T15:00:00Z",
            "allowed_channels": ["email", "phone"],
            "consent_text": "I agree that Larkfield contacts me by phone or e-mail about this car.",
            "scope": ["lead_submission"],
        },
        "source_agent": {"name": "test-agent"},
        **changes,
    }
    return {name: value for name, value in request.items() if value is not None}


def stored_lead(request: dict[str, Any] | None = None, **changes: Any) -> Lead:
    values: dict[str, Any] = {
        "id": "lead_0001",
        "dealer": "larkfield",
        "received_at": NOW,
        "request": request or lead_request(),
        "rooftop": ROOFTOP,
    }
    return Lead(**{**values, **changes})
