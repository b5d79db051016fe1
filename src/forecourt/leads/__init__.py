"""Leads: consent, appointments made with them, ADF, durable delivery to the dealer's CRM, privacy."""
