"""The TOML profile of a dealer: what `dealer.information` tells, and how the dealer is reached."""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from forecourt.aap.validation import failures
from forecourt.dealer.errors import ProfileInvalid

SLUG: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_DOMAIN: Final = re.compile(
    r"(?=.{1,253}\Z)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]"
)
_SECTIONS: Final = ("appointments", "destinations", "leads")
"""What the profile says to other parts of the dealer's server; each reads and checks its own."""
_OWN_KEYS: Final = ("domains", "provider", *_SECTIONS)
CLOSED: Final = "closed"
"""TOML has no null: this word in place of a day's hours means that the rooftop is closed."""


@dataclass(frozen=True, slots=True)
class Provider:
    """Who runs the agent, as its card says (A2A `AgentProvider`)."""

    organization: str
    url: str


@dataclass(frozen=True, slots=True)
class DealerProfile:
    """A dealer as hosted here. `information` is a valid AAP DealerInformation.

    `sections` keeps `appointments`, `destinations` and `leads` as the profile gives them, unchecked.
    """

    slug: str
    information: Mapping[str, Any]
    domains: tuple[str, ...] = ()
    provider: Provider | None = None
    sections: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The business name that buyers see."""
        return str(self.information["name"])

    @property
    def rooftops(self) -> tuple[str, ...]:
        """The names of the rooftops, in the profile's order; `Vehicle.rooftop` is one of them."""
        return tuple(rooftop["name"] for rooftop in self.information["rooftops"])

    @property
    def capabilities(self) -> frozenset[str]:
        """Every capability that some rooftop advertises."""
        return frozenset(
            tag for rooftop in self.information["rooftops"] for tag in rooftop.get("capabilities", ())
        )

    @property
    def country(self) -> str | None:
        """The country of the first rooftop that gives one, as ISO 3166-1 alpha-2."""
        countries = (rooftop.get("address", {}).get("country") for rooftop in self.information["rooftops"])
        return next((country.upper() for country in countries if country), None)


def read_profile(slug: str, path: Path) -> DealerProfile:
    """Read and check the profile in a TOML file; raises `ProfileInvalid` naming every wrong key."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise ProfileInvalid(f"{path.name} is not UTF-8 text.") from None
    except tomllib.TOMLDecodeError as error:  # says line and column
        raise ProfileInvalid(f"{path.name} is not TOML: {error}.") from None
    except RecursionError:
        raise ProfileInvalid(f"{path.name} is nested too deeply.") from None
    return build_profile(slug, content)


def build_profile(slug: str, content: Mapping[str, Any]) -> DealerProfile:
    """Check a profile given as plain data: the keys of DealerInformation, `domains`, `provider` and sections.

    Raises `ProfileInvalid` naming every wrong key.
    """
    information = _null_for_closed({key: value for key, value in content.items() if key not in _OWN_KEYS})
    domains = content.get("domains", [])
    provider = content.get("provider")
    problems = [
        *_slug_problems(slug),
        *_information_problems(information),
        *_domain_problems(domains),
        *_provider_problems(provider),
    ]
    if problems:
        raise ProfileInvalid("; ".join(problems) + ".", details={"problems": problems})
    sections = {key: _dates_as_text(content[key]) for key in _SECTIONS if key in content}
    return recorded_profile(slug, {**content, **information, **sections})


def recorded_profile(slug: str, content: Mapping[str, Any]) -> DealerProfile:
    """Return the profile of content that was checked before, as `profile_content` wrote it."""
    provider = content.get("provider")
    return DealerProfile(
        slug,
        {key: value for key, value in content.items() if key not in _OWN_KEYS},
        tuple(dict.fromkeys(domain.lower() for domain in content.get("domains", ()))),
        None if provider is None else Provider(provider["organization"], provider["url"]),
        {key: content[key] for key in _SECTIONS if key in content},
    )


def profile_content(profile: DealerProfile) -> dict[str, Any]:
    """Return the plain data from which `recorded_profile` makes the same profile."""
    content: dict[str, Any] = {**profile.information, **profile.sections, "domains": list(profile.domains)}
    if profile.provider is not None:
        content["provider"] = {"organization": profile.provider.organization, "url": profile.provider.url}
    return content


def _dates_as_text(section: Any) -> Any:
    """TOML has dates and times, JSON has not."""
    return json.loads(json.dumps(section, default=str))


def _null_for_closed(information: dict[str, Any]) -> dict[str, Any]:
    rooftops = information.get("rooftops")
    if not isinstance(rooftops, list):
        return information
    return {**information, "rooftops": [_open_days(rooftop) for rooftop in rooftops]}


def _open_days(rooftop: Any) -> Any:
    if not isinstance(rooftop, dict) or not isinstance(rooftop.get("schedules"), list):
        return rooftop
    return {**rooftop, "schedules": [_open_hours(schedule) for schedule in rooftop["schedules"]]}


def _open_hours(schedule: Any) -> Any:
    if not isinstance(schedule, dict) or not isinstance(schedule.get("value"), dict):
        return schedule
    days = {day: None if hours == CLOSED else hours for day, hours in schedule["value"].items()}
    return {**schedule, "value": days}


def _slug_problems(slug: str) -> list[str]:
    if SLUG.fullmatch(slug):
        return []
    return ["slug: use 1 to 63 of a-z, 0-9 and inner hyphens"]


def _information_problems(information: Mapping[str, Any]) -> list[str]:
    found = failures("dealer-information", information)
    if found:
        return [f"{_key(failure.instance_location)}: {failure.error.rstrip('.')}" for failure in found]
    return _rooftop_name_problems(information)


def _key(pointer: str) -> str:
    """Write a JSON Pointer the way a TOML author thinks of it: `rooftops[0].geo.latitude`."""
    steps = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
    path = "".join(f"[{step}]" if step.isdecimal() else f".{step}" for step in steps)
    return path.removeprefix(".") or "profile"


def _rooftop_name_problems(information: Mapping[str, Any]) -> list[str]:
    """A rooftop's name joins vehicles to it, so two of one name cannot be told apart (AAP v1.3, rooftops)."""
    names = [rooftop["name"] for rooftop in information["rooftops"]]
    return sorted({f"rooftops: the name {name!r} is used twice" for name in names if names.count(name) > 1})


def _domain_problems(domains: Any) -> list[str]:
    if not isinstance(domains, list):
        return ["domains: give a list of host names"]
    return [
        f"domains[{number}]: not a host name such as cars.example.com"
        for number, domain in enumerate(domains)
        if not isinstance(domain, str) or not _DOMAIN.fullmatch(domain.lower())
    ]


def _provider_problems(provider: Any) -> list[str]:
    if provider is None:
        return []
    if not isinstance(provider, dict) or set(provider) != {"organization", "url"}:
        return ["provider: give organization and url"]
    if not all(isinstance(value, str) and value.strip() for value in provider.values()):
        return ["provider: organization and url must not be empty"]
    if not provider["url"].startswith(("https://", "http://")):
        return ["provider.url: give an absolute http or https address"]
    return []
