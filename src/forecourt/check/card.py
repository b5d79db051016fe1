"""Rules about the agent card and its discovery (AAP 1.3 discovery page, A2A 1.0 section 8)."""

from collections.abc import Collection, Iterator
from typing import Any
from urllib.parse import urlsplit

from forecourt.aap.skills import catalogue, skills
from forecourt.aap.versions import SERVED
from forecourt.check.dealer import DealerUnderTest, listed
from forecourt.check.expectations import valid
from forecourt.check.rule import Level, Rule
from forecourt.fetch.addresses import is_loopback


async def _is_json(dealer: DealerUnderTest) -> Collection[str]:
    answer = await dealer.get_card()
    return (
        [] if answer.media_type == "application/json" else [f"Content type: {answer.media_type or 'none'}."]
    )


async def _fits_its_schema(dealer: DealerUnderTest) -> Collection[str]:
    return valid("agent-card", dealer.card)


async def _announces_the_version(dealer: DealerUnderTest) -> Collection[str]:
    return [] if _extension(dealer) else [f"No extension {SERVED.extension_uri}."]


async def _has_a_json_rpc_interface(dealer: DealerUnderTest) -> Collection[str]:
    url = urlsplit(dealer.endpoint)
    return (
        [] if url.scheme in {"http", "https"} and url.hostname else ["The interface's url is not absolute."]
    )


async def _offers_json_rpc_only(dealer: DealerUnderTest) -> Collection[str]:
    bindings = {str(each.get("protocolBinding")) for each in listed(dealer.card, "supportedInterfaces")}
    return [f"It offers {binding} too." for binding in sorted(bindings - {"JSONRPC"})]


async def _uses_https(dealer: DealerUnderTest) -> Collection[str]:
    urls = [str(each.get("url")) for each in listed(dealer.card, "supportedInterfaces")]
    return [f"Interface {number} is not https." for number, url in enumerate(urls) if not _is_safe(url)]


def _is_safe(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme == "https" or is_loopback(parts.hostname or "")


async def _lists_an_aap_skill(dealer: DealerUnderTest) -> Collection[str]:
    return [] if dealer.offered else ["None of the five AAP skills is listed."]


async def _lists_search_and_lead(dealer: DealerUnderTest) -> Collection[str]:
    wanted = ("inventory.search", "lead.submit")
    return [f"{skill_id} is not listed." for skill_id in wanted if not dealer.offers(skill_id)]


async def _skills_are_strict_a2a(dealer: DealerUnderTest) -> Collection[str]:
    known = {
        "id",
        "name",
        "description",
        "tags",
        "inputModes",
        "outputModes",
        "security",
        "securityRequirements",
    }
    return [
        f"Skill {number} carries {name}."
        for number, entry in enumerate(listed(dealer.card, "skills"))
        for name in sorted(entry.keys() - known)
    ]


async def _params_tell_the_schemas(dealer: DealerUnderTest) -> Collection[str]:
    params = _params(dealer)
    told = params.get("skills")
    expected = {
        skill.id: {
            "request_schema": catalogue().schema_url(skill.request_schema),
            "response_schema": catalogue().schema_url(skill.response_schema),
        }
        for skill in dealer.offered
    }
    found = (
        []
        if told == expected
        else ["params.skills is not the schema addresses of exactly the listed skills."]
    )
    found += [] if params.get("version") == SERVED.release else [f"params.version is not {SERVED.release}."]
    base = SERVED.schema_base_url
    return found + (
        [] if params.get("schema_base_url") == base else [f"params.schema_base_url is not {base}."]
    )


async def _params_have_an_id(dealer: DealerUnderTest) -> Collection[str]:
    return [] if isinstance(_params(dealer).get("id"), str) else ["params.id is missing."]


async def _announces_what_it_answers_in(dealer: DealerUnderTest) -> Collection[str]:
    return list(_unannounced_modes(dealer.card))


def _unannounced_modes(card: dict[str, Any]) -> Iterator[str]:
    for skill in skills():
        for entry in listed(card, "skills"):
            modes = entry.get("outputModes", card.get("defaultOutputModes"))
            if entry.get("id") == skill.id and not _accepts(modes, skill.media_type_response):
                yield f"{skill.id} announces neither application/json nor {skill.media_type_response}."


def _accepts(modes: object, media_type: str) -> bool:
    return isinstance(modes, list) and bool({"application/json", media_type} & set(map(str, modes)))


async def _revalidates(dealer: DealerUnderTest) -> Collection[str]:
    first = await dealer.get_card()
    etag = first.headers.get("etag")
    if etag is None:
        return ["There is no ETag."]
    again = await dealer.get_card(if_none_match=etag)
    found = [] if again.status == 304 else [f"The same ETag gets HTTP {again.status} instead of 304."]
    found += ["The 304 has a body."] if again.status == 304 and again.body else []
    other = await dealer.get_card(if_none_match='"another"')
    return found + ([] if other.status == 200 else [f"Another ETag gets HTTP {other.status} instead of 200."])


async def _says_how_long_it_keeps(dealer: DealerUnderTest) -> Collection[str]:
    control = (await dealer.get_card()).headers.get("cache-control", "")
    return [] if "max-age=" in control else ["Cache-Control has no max-age."]


async def _stays_the_same(dealer: DealerUnderTest) -> Collection[str]:
    bodies = {(await dealer.get_card()).body for _ in range(2)}
    return [] if len(bodies) == 1 else ["Two readings differ although nothing changed."]


def _extension(dealer: DealerUnderTest) -> dict[str, Any]:
    capabilities = dealer.card.get("capabilities")
    found = listed(capabilities, "extensions") if isinstance(capabilities, dict) else []
    return next((each for each in found if each.get("uri") == SERVED.extension_uri), {})


def _params(dealer: DealerUnderTest) -> dict[str, Any]:
    params = _extension(dealer).get("params")
    return params if isinstance(params, dict) else {}


_AAP = "AAP 1.3, discovery"
_A2A = "A2A 1.0, section 8"
MUST, SHOULD = Level.MUST, Level.SHOULD

RULES = (
    Rule("card.json", MUST, _A2A, "The card is answered as application/json.", _is_json),
    Rule("card.schema", MUST, _AAP, "The card fits the AAP agent card schema.", _fits_its_schema),
    Rule("card.extension", MUST, _AAP, "The card announces the AAP 1.3 extension.", _announces_the_version),
    Rule(
        "card.interface",
        MUST,
        _AAP,
        "The card has a JSONRPC interface of A2A 1.0 with an absolute address.",
        _has_a_json_rpc_interface,
    ),
    Rule("card.json-rpc-only", SHOULD, _AAP, "The card offers no other binding.", _offers_json_rpc_only),
    Rule("card.https", MUST, _A2A, "Interfaces are https, except on the machine itself.", _uses_https),
    Rule("card.skills", MUST, _AAP, "The card lists the AAP skills it implements.", _lists_an_aap_skill),
    Rule(
        "card.recommended-skills",
        SHOULD,
        "AAP 1.3, intro",
        "A dealer implements at least inventory.search and lead.submit.",
        _lists_search_and_lead,
    ),
    Rule(
        "card.strict-skills",
        MUST,
        _AAP,
        "Skills carry A2A's members only: no schema addresses and no examples.",
        _skills_are_strict_a2a,
    ),
    Rule(
        "card.params",
        SHOULD,
        _AAP,
        "The extension's params tell version, schema base and schema addresses of exactly the listed skills.",
        _params_tell_the_schemas,
    ),
    Rule("card.id", SHOULD, _AAP, "The extension's params carry an id of this card.", _params_have_an_id),
    Rule(
        "card.modes",
        SHOULD,
        "AAP 1.3, JSON-RPC binding",
        "The announced output modes include what the skills answer in.",
        _announces_what_it_answers_in,
    ),
    Rule("card.etag", SHOULD, _A2A, "The card has an ETag and answers 304 to it.", _revalidates),
    Rule("card.cache-control", SHOULD, _A2A, "The card says how long it keeps.", _says_how_long_it_keeps),
    Rule("card.stable", SHOULD, _AAP, "The card changes only when something changed.", _stays_the_same),
)
