"""Organisations, users and memberships: what they are, and which names and addresses can be used."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from forecourt.accounts.access import Role
from forecourt.accounts.errors import WrongAccount

MARKETS: Final = ("DE", "AT", "DK", "IT", "ES", "PL", "PT", "SE", "FI", "RO", "GB", "NL", "CH", "FR")
"""The countries that an organisation can have enabled (ISO 3166-1 alpha-2)."""

LONGEST_NAME: Final = 200
_EMAIL: Final = re.compile(r"[^@\s]{1,64}@[^@\s.]+(?:\.[^@\s.]+)+")


@dataclass(frozen=True, slots=True)
class Organization:
    """A customer of the service; keys, credits and dealers belong to it."""

    id: str
    name: str
    countries: tuple[str, ...]
    suspended_at: datetime | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Member:
    """A person with a role in an organisation."""

    user_id: str
    email: str
    role: Role


def organization_name(text: str) -> str:
    """Return a usable name; raises `WrongAccount`."""
    name = " ".join(text.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise WrongAccount(f"An organisation's name has 1 to {LONGEST_NAME} printable characters.")
    return name


def email_address(text: str) -> str:
    """Return an address in the form in which it is compared; raises `WrongAccount`."""
    address = text.strip().lower()
    if not _EMAIL.fullmatch(address) or len(address) > 254:
        raise WrongAccount("That is not an e-mail address.")
    return address


def country_codes(codes: Iterable[str]) -> tuple[str, ...]:
    """Return the markets of these codes, in order; raises `WrongAccount` naming the others."""
    wanted = {code.strip().upper() for code in codes}
    if unknown := sorted(wanted - set(MARKETS)):
        raise WrongAccount(f"No market of the service: {', '.join(unknown)}.", details={"markets": MARKETS})
    return tuple(code for code in MARKETS if code in wanted)


def role(text: str) -> Role:
    """Return the role of that name; raises `WrongAccount`."""
    try:
        return Role(text)
    except ValueError:
        raise WrongAccount(f"A role is one of {', '.join(Role)}.") from None
