"""The published versions of AAP, as data. Only one is served; a client meets them all."""

from dataclasses import dataclass

_HOME = "https://autoagentprotocol.org"


@dataclass(frozen=True, slots=True)
class AapVersion:
    """A minor version of AAP and how a card announces it.

    `label` is how URLs write it, `release` how its documents do, `extension_uri` stands in the card's
    `capabilities.extensions[]`, `schema_base_url` is where its schema files are published.
    """

    label: str
    release: str
    extension_uri: str
    schema_base_url: str

    def schema_url(self, file: str) -> str:
        """Return the canonical address of a schema file of this version."""
        return f"{self.schema_base_url}{file}"


def _version(label: str, extension: str) -> AapVersion:
    return AapVersion(
        label=label,
        release=f"{label.removeprefix('v')}.0",
        extension_uri=f"{_HOME}/extensions/{extension}/{label}",
        schema_base_url=f"{_HOME}/{label}/schemas/",
    )


#: Oldest first. The extension was renamed between 1.0 and 1.1.
VERSIONS: tuple[AapVersion, ...] = (
    _version("v1.0", "a2a-automotive-retail"),
    _version("v1.1", "aap"),
    _version("v1.2", "aap"),
    _version("v1.3", "aap"),
)

SERVED: AapVersion = VERSIONS[-1]


def version_of_extension(uri: str) -> AapVersion | None:
    """Return the version that an extension URI of a card announces, or None when it is not AAP's."""
    return next((version for version in VERSIONS if version.extension_uri == uri), None)
