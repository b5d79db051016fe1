"""Which versions of AAP are known."""

import pytest

from forecourt.aap.skills import catalogue
from forecourt.aap.versions import SERVED, VERSIONS, version_of_extension


def test_the_served_version_is_the_one_of_the_skill_catalogue():
    assert SERVED.label == "v1.3"
    assert (SERVED.release, SERVED.extension_uri, SERVED.schema_base_url) == (
        catalogue().version,
        catalogue().extension_uri,
        catalogue().schema_base_url,
    )


@pytest.mark.requirement("aap.card.versions")
@pytest.mark.parametrize("version", VERSIONS, ids=lambda version: version.label)
def test_a_card_tells_its_version_by_the_extension(version):
    assert version_of_extension(version.extension_uri) is version


@pytest.mark.requirement("aap.card.versions")
def test_the_first_version_had_another_extension_name():
    assert VERSIONS[0].extension_uri == "https://autoagentprotocol.org/extensions/a2a-automotive-retail/v1.0"


@pytest.mark.parametrize(
    "uri", ["", "https://autoagentprotocol.org/extensions/aap/v2.0", "https://example.com"]
)
def test_another_extension_is_none_of_ours(uri):
    assert version_of_extension(uri) is None
