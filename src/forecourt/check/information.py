"""Rules about `dealer.information` and about skills in general."""

from collections import Counter
from collections.abc import Collection

from forecourt.aap.skills import skills
from forecourt.check.dealer import DealerUnderTest, listed
from forecourt.check.expectations import aap_error, refused_at, valid
from forecourt.check.rule import Level, Rule

_REQUEST_TYPE = "dealer.information.request"


async def _fits_its_schema(dealer: DealerUnderTest) -> Collection[str]:
    return valid("dealer-information-response", (await dealer.ask(_REQUEST_TYPE)).payload)


async def _takes_nothing_else(dealer: DealerUnderTest) -> Collection[str]:
    return refused_at(await dealer.ask(_REQUEST_TYPE, verbose=True), "/verbose")


async def _names_rooftops_once(dealer: DealerUnderTest) -> Collection[str]:
    names = Counter(
        str(each.get("name")) for each in listed((await dealer.ask(_REQUEST_TYPE)).data, "rooftops")
    )
    return [f"{count} rooftops have the same name." for count in names.values() if count > 1]


async def _names_the_rooftops_of_vehicles(dealer: DealerUnderTest) -> Collection[str]:
    if not dealer.offers("inventory.search"):
        return []
    data = (await dealer.ask("inventory.search.request", pagination={"limit": 100})).data
    named = {each["rooftop"] for each in listed(data, "vehicles") if each.get("rooftop")}
    known = {each.get("name") for each in listed((await dealer.ask(_REQUEST_TYPE)).data, "rooftops")}
    return [f"{len(named - known)} rooftops of vehicles are not in the profile."] if named - known else []


async def _refuses_unknown_skills(dealer: DealerUnderTest) -> Collection[str]:
    return aap_error(await dealer.ask("inventory.reserve.request"), "UNSUPPORTED_SKILL")


async def _refuses_skills_not_offered(dealer: DealerUnderTest) -> Collection[str]:
    found: list[str] = []
    for skill in skills():
        if not dealer.offers(skill.id):
            sentences = aap_error(await dealer.ask(skill.request_type), "UNSUPPORTED_SKILL")
            found += [f"{skill.id}: {sentence}" for sentence in sentences]
    return found


async def _gives_every_error_its_id(dealer: DealerUnderTest) -> Collection[str]:
    errors = [(await dealer.ask("inventory.reserve.request")).error.get("data") for _ in range(2)]
    ids = {error.get("error_id") for error in errors if isinstance(error, dict)}
    return [] if len(ids) == len(errors) else ["Two errors share their error_id or have none."]


MUST, SHOULD = Level.MUST, Level.SHOULD
_SKILL = "AAP 1.3, dealer.information"
_NEEDED = ("dealer.information",)

RULES = (
    Rule("information.schema", MUST, _SKILL, "The profile fits its schema.", _fits_its_schema, _NEEDED),
    Rule(
        "information.closed",
        MUST,
        _SKILL,
        "A request with another member is refused.",
        _takes_nothing_else,
        _NEEDED,
    ),
    Rule(
        "information.rooftops",
        SHOULD,
        _SKILL,
        "Rooftops have different names.",
        _names_rooftops_once,
        _NEEDED,
    ),
    Rule(
        "information.join",
        SHOULD,
        _SKILL,
        "Every rooftop that a vehicle names is in the profile.",
        _names_the_rooftops_of_vehicles,
        _NEEDED,
    ),
    Rule(
        "skill.unknown",
        MUST,
        "AAP 1.3, errors",
        "An unknown request type is UNSUPPORTED_SKILL.",
        _refuses_unknown_skills,
    ),
    Rule(
        "skill.not-offered",
        MUST,
        "AAP 1.3, errors",
        "A skill that the card does not list is UNSUPPORTED_SKILL.",
        _refuses_skills_not_offered,
    ),
    Rule("error.id", MUST, "AAP 1.3, errors", "Every error has an id of its own.", _gives_every_error_its_id),
)
