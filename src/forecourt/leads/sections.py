"""Check all that a dealer profile says about leads, before the dealer is hosted with it."""

from forecourt.dealer.appointments import parse_appointment_rules
from forecourt.dealer.profile import DealerProfile
from forecourt.leads.destinations import parse_destinations
from forecourt.leads.privacy import retention_of


def check_lead_sections(profile: DealerProfile) -> None:
    """Raise `WrongAppointmentRules`, `WrongDestinations` or `WrongRetention` for a section that is wrong."""
    parse_appointment_rules(profile.sections.get("appointments"))
    parse_destinations(profile)
    retention_of(profile)
