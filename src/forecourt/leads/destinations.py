"""Where a dealer wants its leads: the `[[destinations]]` of the profile.

Secrets stand there only by the names of environment variables.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from forecourt.base.errors import InvalidInput
from forecourt.dealer.profile import DealerProfile
from forecourt.leads.adf import CRM_PROFILES, CrmProfile
from forecourt.leads.cleaning import one_line

Format = Literal["adf", "json"]
Security = Literal["starttls", "tls", "none"]

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
_ENVIRONMENT = re.compile(r"[A-Z_][A-Z0-9_]*")
_ADDRESS = re.compile(r"[!-;=?A-~]+@[A-Za-z0-9.-]+")


class WrongDestinations(InvalidInput):
    """The `[[destinations]]` of a dealer profile cannot be used; the message names each entry."""

    code = "wrong_destinations"


@dataclass(frozen=True, slots=True)
class Mail:
    """ADF as the whole body of a plain text mail. `recipient` is one address, `subject` holds the dealer."""

    name: str
    crm: CrmProfile
    host: str
    port: int
    security: Security
    sender: str
    recipient: str
    subject: str
    username: str | None
    password_env: str | None
    format: Format = "adf"


@dataclass(frozen=True, slots=True)
class Post:
    """ADF as the body of an HTTPS POST; `authorization_env` holds the whole value of `Authorization`."""

    name: str
    crm: CrmProfile
    url: str
    authorization_env: str | None
    format: Format = "adf"


@dataclass(frozen=True, slots=True)
class Webhook:
    """JSON, signed as Standard Webhooks says.

    The variable `secret_env` holds one or more `whsec_…` secrets separated by spaces.
    """

    name: str
    url: str
    secret_env: str
    format: Format = "json"


@dataclass(frozen=True, slots=True)
class Folder:
    """One file for each lead in a folder of this machine."""

    name: str
    crm: CrmProfile
    path: Path
    format: Format


Destination = Mail | Post | Webhook | Folder


def parse_destinations(profile: DealerProfile) -> tuple[Destination, ...]:
    """Return the destinations of a dealer, in the profile's order.

    Raises `WrongDestinations` with every problem; among them a rooftop that has neither e-mail nor telephone
    while a destination wants ADF, whose vendor needs one.
    """
    given = profile.sections.get("destinations", [])
    if not isinstance(given, list) or not all(isinstance(entry, Mapping) for entry in given):
        raise WrongDestinations("destinations: write each as a table [[destinations]].")
    problems: list[str] = []
    found = [
        _destination(_Entry(entry, problems, f"destinations[{n}]"), profile) for n, entry in enumerate(given)
    ]
    destinations = tuple(destination for destination in found if destination)
    problems += _name_problems(destinations) + _vendor_problems(destinations, profile)
    if problems:
        raise WrongDestinations("; ".join(problems) + ".", details={"problems": problems})
    return destinations


class _Entry:
    """One table of the profile: hands out its values checked and collects what is wrong with it."""

    def __init__(self, table: Mapping[str, Any], problems: list[str], place: str) -> None:
        self._rest = dict(table)
        self._problems = problems
        self._place = place

    def text(
        self, key: str, pattern: re.Pattern[str] = re.compile(r"(?s).+"), *, default: str | None = None
    ) -> str:
        value = self._rest.pop(key, default)
        if isinstance(value, str) and pattern.fullmatch(value):
            return value
        return self.wrong(key, "is missing" if value is None else "cannot be used")

    def optional(self, key: str, pattern: re.Pattern[str]) -> str | None:
        return self.text(key, pattern) if key in self._rest else None

    def choice(self, key: str, choices: Sequence[str], *, default: str | None = None) -> Any:
        value = self._rest.pop(key, default)
        if isinstance(value, str) and value in choices:
            return value
        self.wrong(key, f"must be one of {', '.join(choices)}")
        return choices[0]

    def port(self, default: int) -> int:
        value = self._rest.pop("port", default)
        if type(value) is int and 0 < value < 65536:
            return value
        self.wrong("port", "must be a number from 1 to 65535")
        return default

    def wrong(self, key: str, problem: str) -> str:
        self._problems.append(f"{self._place}.{key} {problem}")
        return ""

    def close(self) -> None:
        for key in self._rest:
            self.wrong(key, "is not known here")


def _destination(entry: _Entry, profile: DealerProfile) -> Destination | None:
    build = _KINDS.get(entry.text("kind"))
    if build is None:
        entry.wrong("kind", f"must be one of {', '.join(_KINDS)}")
        return None
    destination = build(entry, entry.text("name", _NAME), profile)
    entry.close()
    return destination


def _mail(entry: _Entry, name: str, profile: DealerProfile) -> Mail:
    crm, security = _crm(entry), entry.choice("security", ["starttls", "tls", "none"], default="starttls")
    username = entry.optional("username", re.compile(r"\S+"))
    password_env = entry.optional("password_env", _ENVIRONMENT)
    if (username is None) != (password_env is None):
        entry.wrong("username", "and password_env belong together")
    if username and security == "none":
        entry.wrong("security", "must not be none with a password")
    return Mail(
        name=name,
        crm=crm,
        host=entry.text("host", re.compile(r"[A-Za-z0-9.:-]+")),
        port=entry.port(465 if security == "tls" else 587),
        security=security,
        sender=entry.text("from", _ADDRESS),
        recipient=entry.text("to", _ADDRESS),
        subject=one_line(entry.text("subject", default=crm.subject).replace("{dealer}", profile.name)),
        username=username,
        password_env=password_env,
    )


def _post(entry: _Entry, name: str, _profile: DealerProfile) -> Post:
    return Post(name, _crm(entry), _url(entry), entry.optional("authorization_env", _ENVIRONMENT))


def _webhook(entry: _Entry, name: str, _profile: DealerProfile) -> Webhook:
    return Webhook(name, _url(entry), entry.text("secret_env", _ENVIRONMENT))


def _folder(entry: _Entry, name: str, _profile: DealerProfile) -> Folder:
    return Folder(
        name, _crm(entry), Path(entry.text("path")), entry.choice("format", ["adf", "json"], default="adf")
    )


_KINDS: Mapping[str, Callable[[_Entry, str, DealerProfile], Destination]] = {
    "adf-email": _mail,
    "adf-https": _post,
    "webhook": _webhook,
    "folder": _folder,
}


def _crm(entry: _Entry) -> CrmProfile:
    chosen: CrmProfile = CRM_PROFILES[entry.choice("crm", [*CRM_PROFILES], default="generic")]
    return chosen


def _url(entry: _Entry) -> str:
    return entry.text("url", re.compile(r"https?://\S+"))


def _name_problems(destinations: Sequence[Destination]) -> list[str]:
    names = [destination.name for destination in destinations]
    return sorted({f"destinations: the name {name} is used twice" for name in names if names.count(name) > 1})


def _vendor_problems(destinations: Sequence[Destination], profile: DealerProfile) -> list[str]:
    """ADF wants an address of the selling rooftop; a mail's own recipient can stand in for it."""
    if not any(one.format == "adf" and not isinstance(one, Mail) for one in destinations):
        return []
    return [
        f"rooftops: {rooftop['name']} needs an e-mail address or telephone number for ADF"
        for rooftop in profile.information["rooftops"]
        if not rooftop.get("emails") and not rooftop.get("phones")
    ]
