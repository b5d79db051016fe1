"""May the dealer use this contact? The gate that every lead passes before anything of it is kept.

The order is fixed: no consent at all, then one that cannot count, then a channel that it does not allow. The
gate reads the request as it came, before the schema, because each of these has an error of its own.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NoReturn

from forecourt.aap.errors import ContactConsentRequired, InvalidConsent
from forecourt.base.instants import parse_instant

SCOPE = ["lead_submission"]
CLOCK_DIFFERENCE = timedelta(seconds=60)
"""How far the buyer agent's clock may be ahead of ours."""

_FIELD_OF_CHANNEL = {"email": "email", "phone": "phone", "sms": "phone"}


def refuse_without_consent(request: Mapping[str, Any], *, now: datetime) -> None:
    """Let a request with a consent that counts pass.

    Raises `ContactConsentRequired` when consent is absent or does not allow the channel that the customer
    prefers (with `any` or no preference: any channel for which there is an address), and `InvalidConsent`
    when the grant is malformed, of another scope, expired, given in the future, or without its text.
    """
    consent = request.get("consent")
    if consent is None:
        raise ContactConsentRequired(
            "A lead needs the person's consent: show the text, ask, and send the grant as `consent`.",
            details={"missing": ["consent"], "expected_scope": SCOPE},
        )
    _refuse_invalid(consent, now)
    _refuse_channel(consent, request.get("customer"))


def _refuse_invalid(consent: Any, now: datetime) -> None:
    if not isinstance(consent, Mapping):
        _invalid("The consent is not an object.", "consent")
    if consent.get("scope") != SCOPE:
        _invalid("The consent has another scope than lead submission.", "scope", expected_scope=SCOPE)
    if "expires_at" in consent:
        expires_at = parse_instant(consent["expires_at"])
        if expires_at is None or expires_at <= now:
            _invalid("The consent has expired, or its end is no time with offset.", "expires_at")
    granted_at = parse_instant(consent.get("granted_at"))
    if granted_at is None or granted_at > now + CLOCK_DIFFERENCE:
        _invalid("The consent says no time in the past at which it was given.", "granted_at")
    text = consent.get("consent_text")
    if not isinstance(text, str) or not text.strip():
        _invalid("The consent does not hold the text that the person agreed to.", "consent_text")


def _invalid(message: str, field: str, **details: Any) -> NoReturn:
    raise InvalidConsent(message, details={"field": field, **details})


def _refuse_channel(consent: Mapping[str, Any], customer: Any) -> None:
    allowed = allowed_channels(consent)
    if missing := _missing_channels(allowed, customer):
        raise ContactConsentRequired(
            "The consent does not allow the channel by which the dealer would have to answer.",
            details={"missing_channels": missing, "allowed_channels": sorted(allowed)},
        )


def _missing_channels(allowed: set[str], customer: Any) -> list[str]:
    """Return what the consent would have to allow; a customer without any address is the schema's matter."""
    preferred = customer.get("preferred_contact") if isinstance(customer, Mapping) else None
    if isinstance(preferred, str) and preferred in _FIELD_OF_CHANNEL and preferred not in allowed:
        return [preferred]
    given = _given_channels(customer)
    if allowed.isdisjoint(given) and (given or not allowed):
        return sorted(given or _FIELD_OF_CHANNEL)
    return []


def allowed_channels(consent: Mapping[str, Any]) -> set[str]:
    """Return the channels that a consent allows, of those that AAP knows."""
    channels = consent.get("allowed_channels")
    given = channels if isinstance(channels, list) else []
    return {channel for channel in _FIELD_OF_CHANNEL if channel in given}


def _given_channels(customer: Any) -> set[str]:
    if not isinstance(customer, Mapping):
        return set()
    return {channel for channel, field in _FIELD_OF_CHANNEL.items() if customer.get(field)}
