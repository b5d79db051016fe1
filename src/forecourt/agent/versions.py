"""Which clients are understood: the version of A2A they speak and the extension they declare."""

import re
from collections.abc import Collection

from forecourt.aap.errors import ExtensionSupportRequired, VersionNotSupported
from forecourt.aap.versions import SERVED

A2A_VERSION = "1.0"
_SPOKEN = re.compile(r"1\.0(?:\.[0-9]+)?")


def refuse_other_versions(version: str, *, required: bool) -> None:
    """Accept 1.0 and its patches; an absent version counts as 1.0 unless it is `required`.

    A2A reads an absent version as 0.3 (section 3.6), but AAP 1.3 never tells its clients to send one, and the
    methods spoken here do not exist in 0.3. Raises `VersionNotSupported`.
    """
    if _SPOKEN.fullmatch(version) or (not version and not required):
        return
    raise VersionNotSupported(
        f"This agent speaks A2A {A2A_VERSION}; say so in the header A2A-Version.",
        details={"supportedVersions": A2A_VERSION},
    )


def refuse_undeclared_extension(extensions: Collection[str]) -> None:
    """Insist that the client declares the served version of AAP. Raises `ExtensionSupportRequired`."""
    if SERVED.extension_uri not in extensions:
        raise ExtensionSupportRequired(
            f"Declare the extension {SERVED.extension_uri} in the header A2A-Extensions.",
            details={"extension": SERVED.extension_uri, "header": "A2A-Extensions"},
        )


def activated_extensions(extensions: Collection[str]) -> tuple[str, ...]:
    """Return what an answer names in `A2A-Extensions`.

    A client that declares nothing speaks AAP all the same, as its payload shows; one that declares other
    extensions only is not told that they are active.
    """
    return (SERVED.extension_uri,) if not extensions or SERVED.extension_uri in extensions else ()
