"""The published MCP manifest: built from `skills.yaml`, frozen at a release, then never built again.

    spec/latest/skills.yaml ──build──▶ generated/latest/mcp.json ──release──▶ releases/vX.Y/artifacts/mcp.json

What is built is a draft and not committed. A release freezes the reviewed draft beside `integrity.json`, the
SHA-256 of every frozen file; a frozen file is served byte for byte and never written again.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from forecourt.aap.published import published_root
from forecourt.aap.skills import Skill, SkillCatalogue, read_catalogue
from forecourt.aap.versions import SERVED
from forecourt.base.errors import Conflict, NotFound

_SPECIFICATION = Path("spec/latest/skills.yaml")
_DRAFT = Path("generated/latest/mcp.json")
_ARTIFACT = Path("artifacts/mcp.json")
_INTEGRITY = Path("integrity.json")


class SpecificationMissing(NotFound):
    """The folder holds no `spec/latest/skills.yaml`: it is no checkout."""

    code = "specification_missing"


class ReleaseMissing(NotFound):
    """The version was never released."""

    code = "release_missing"


class AlreadyReleased(Conflict):
    """The version is frozen; what is to change needs a new version."""

    code = "already_released"


class DraftOutdated(Conflict):
    """The draft is missing or differs from what `skills.yaml` says now, so nobody can have reviewed it."""

    code = "draft_outdated"


class ReleaseDiffers(Conflict):
    """A frozen file is not what was released, or not what the specification says."""

    code = "release_differs"


def build_manifest(catalogue: SkillCatalogue) -> dict[str, Any]:
    """Return the manifest of a catalogue: the server and one tool per skill, schemas by address."""
    return {
        "name": catalogue.mcp_name,
        "version": catalogue.version,
        "description": catalogue.mcp_description,
        "protocolVersion": catalogue.mcp_protocol_version,
        "tools": [_tool(catalogue, skill) for skill in catalogue.skills],
    }


def _tool(catalogue: SkillCatalogue, skill: Skill) -> dict[str, Any]:
    return {
        "name": skill.tool_name,
        "description": skill.description,
        "inputSchema": {"$ref": catalogue.schema_url(skill.request_schema)},
        "annotations": catalogue.annotations(skill),
    }


def write_draft(root: Path) -> Path:
    """Build the manifest of a checkout and write it as the draft; return where it lies."""
    draft = root / _DRAFT
    draft.parent.mkdir(parents=True, exist_ok=True)
    draft.write_bytes(_built(root))
    return draft


def freeze_release(root: Path) -> Path:
    """Freeze the draft of a checkout as the release of its version; return the release's folder.

    Raises AlreadyReleased when the version is frozen, DraftOutdated when the draft is not what a build gives.
    """
    folder = _release_folder(root, _read(root).version)
    if (folder / _INTEGRITY).exists():
        raise AlreadyReleased(f"{folder.name} is released; a change needs a new version.")
    built = _built(root)
    draft = root / _DRAFT
    if not draft.is_file() or draft.read_bytes() != built:
        raise DraftOutdated("Build the manifest and review it before it is released.")
    (folder / _ARTIFACT).parent.mkdir(parents=True, exist_ok=True)
    (folder / _ARTIFACT).write_bytes(built)
    (folder / _INTEGRITY).write_text(_as_text({_ARTIFACT.as_posix(): _sha256(built)}), encoding="utf-8")
    return folder


def verify_release(root: Path) -> Path:
    """Check the release of a checkout's version against its hashes and against a fresh build.

    Returns the release's folder. Raises ReleaseMissing or ReleaseDiffers.
    """
    folder = _release_folder(root, _read(root).version)
    frozen = _frozen(folder)
    if frozen != _built(root):
        raise ReleaseDiffers(f"{_SPECIFICATION} says something else than {folder.name} froze.")
    return folder


def frozen_manifest(label: str = SERVED.label) -> bytes:
    """Return the frozen manifest of a released version, such as `v1.3`, byte for byte.

    Raises ReleaseMissing or ReleaseDiffers.
    """
    return _frozen(published_root() / "releases" / label)


def _frozen(folder: Path) -> bytes:
    if not (folder / _INTEGRITY).is_file():
        raise ReleaseMissing(f"{folder.name} is not released.")
    hashes = json.loads((folder / _INTEGRITY).read_bytes())
    changed = [file for file, expected in hashes.items() if _hash_of(folder / file) != expected]
    if changed:
        raise ReleaseDiffers(f"{', '.join(changed)} of {folder.name} is not what was released.")
    return (folder / _ARTIFACT).read_bytes()


def _hash_of(file: Path) -> str | None:
    return _sha256(file.read_bytes()) if file.is_file() else None


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _read(root: Path) -> SkillCatalogue:
    file = root / _SPECIFICATION
    if not file.is_file():
        raise SpecificationMissing(f"There is no {_SPECIFICATION} here; name the checkout.")
    return read_catalogue(file)


def _built(root: Path) -> bytes:
    return _as_text(build_manifest(_read(root))).encode()


def _as_text(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _release_folder(root: Path, version: str) -> Path:
    major, minor, _ = version.split(".")
    return root / "releases" / f"v{major}.{minor}"
