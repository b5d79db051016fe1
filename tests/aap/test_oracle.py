"""Our schemas judge exactly as the official ones do, asked in another validator with formats asserted."""

import jsonschema_rs
import pytest
from tests.aap.official import OfficialSchemas, examples, structure, variants

from forecourt.aap.schemas import schema, schema_names
from forecourt.aap.skills import skills
from forecourt.aap.tool_schemas import inline_input_schema
from forecourt.aap.validation import failures, is_valid

VARIANTS_PER_EXAMPLE = 120


@pytest.fixture(scope="module")
def official(shared):
    return OfficialSchemas(shared / "aap-v1.3")


@pytest.fixture(scope="module")
def judged(shared, official):
    """Every example with its variants and the official verdict: (schema, payload, verdict)."""
    return [
        (name, payload, official.is_valid(name, payload))
        for seed, (name, example) in enumerate(examples(shared / "aap-v1.3").values())
        for payload in [example, *variants(example, count=VARIANTS_PER_EXAMPLE, seed=seed)]
    ]


@pytest.mark.requirement("aap.schemas.structure")
def test_every_official_schema_has_a_counterpart_of_the_same_structure(official):
    assert set(schema_names()) == set(official.documents)
    for name, document in official.documents.items():
        assert structure(schema(name)) == structure(document), name


def test_no_description_is_the_official_one(official):
    def texts(node):
        if isinstance(node, dict):
            yield from (
                value for key, value in node.items() if key == "description" and isinstance(value, str)
            )
            node = list(node.values())
        for child in node if isinstance(node, list) else ():
            yield from texts(child)

    ours = {text for name in schema_names() for text in texts(schema(name))}
    assert not ours & {text for document in official.documents.values() for text in texts(document)}


@pytest.mark.requirement("aap.schemas.examples")
def test_the_official_examples_are_valid(shared):
    for file, (name, payload) in examples(shared / "aap-v1.3").items():
        assert failures(name, payload) == [], file


@pytest.mark.requirement("aap.schemas.verdicts")
def test_thousands_of_variants_get_the_official_verdict(judged):
    assert len(judged) >= 2_000
    assert min(sum(verdict for *_, verdict in judged), sum(not verdict for *_, verdict in judged)) >= 300
    disagreed = [(name, payload) for name, payload, verdict in judged if is_valid(name, payload) != verdict]
    assert disagreed == []


@pytest.mark.requirement("aap.errors.all-failures")
def test_every_failure_is_found_at_or_below_the_official_place_and_nowhere_else(judged, official):
    for name, payload, verdict in judged:
        if not verdict:
            theirs = official.locations(name, payload)
            ours = {failure.instance_location for failure in failures(name, payload)}
            assert all(any(_within(place, other) for place in ours) for other in theirs), (theirs, ours)
            assert all(any(_within(place, other) for other in theirs) for place in ours), (theirs, ours)


def _within(place, other):
    return place == other or place.startswith(f"{other}/")


@pytest.mark.requirement("mcp.tool-schema.covers")
def test_a_tool_schema_accepts_every_valid_request(judged):
    tools = {
        skill.request_schema_name: jsonschema_rs.validator_for(
            inline_input_schema(skill), validate_formats=True
        )
        for skill in skills()
    }
    valid = [(name, payload) for name, payload, verdict in judged if verdict and name in tools]
    assert len(valid) >= 100
    for name, payload in valid:
        assert tools[name].is_valid(payload), payload


@pytest.mark.requirement("aap.schemas.formats")
@pytest.mark.parametrize(
    ("name", "member", "text"),
    [
        ("customer", "email", "ada b@example.com"),
        ("customer", "email", "@example.com"),
        ("customer", "email", "ada@@example.com"),
        ("vehicle", "vdp_url", "https://example.com/\n"),
        ("vehicle", "updated_at", "2030-01-31T09:30:00Z\n"),
        ("customer", "phone", "+14155550123\n"),
    ],
)
def test_what_only_a_lax_checker_lets_pass_is_refused(name, member, text):
    payload = {"first_name": "Ada", "last_name": "Doe", "email": "ada@example.com", member: text}
    assert [failure.instance_location for failure in failures(name, payload)] == [f"/{member}"]


def test_a_leap_second_is_a_time():
    assert is_valid("vehicle", {"updated_at": "2016-12-31T23:59:60Z"})
