"""The five skills of AAP, read from their one source `spec/latest/skills.yaml`."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from forecourt.aap.published import published_root
from forecourt.aap.schemas import schema_name


@dataclass(frozen=True, slots=True)
class Skill:
    """One skill: how it is named on cards and in tools, and which payloads go in and out.

    Schema files and media types of `inventory.vehicle` are called `vehicle-detail-…` (AAP 1.3, skill pages).
    """

    id: str
    name: str
    description: str
    tags: tuple[str, ...]
    request_schema: str
    response_schema: str
    request_type: str
    response_type: str
    media_type_request: str
    media_type_response: str

    @property
    def tool_name(self) -> str:
        """Name of the MCP tool: `aap_` and the id with underscores."""
        return f"aap_{self.id.replace('.', '_')}"

    @property
    def request_schema_name(self) -> str:
        """Name under which `aap.schemas` and `aap.validation` know the request."""
        return schema_name(self.request_schema)

    @property
    def response_schema_name(self) -> str:
        """Name under which `aap.schemas` and `aap.validation` know the response."""
        return schema_name(self.response_schema)


@dataclass(frozen=True, slots=True)
class SkillCatalogue:
    """What `skills.yaml` says: the contract's version and addresses, the MCP server, the skills in order."""

    version: str
    extension_uri: str
    schema_base_url: str
    mcp_name: str
    mcp_description: str
    mcp_protocol_version: str
    skills: tuple[Skill, ...]

    def schema_url(self, file: str) -> str:
        """Return the canonical address of a schema file."""
        return f"{self.schema_base_url}{file}"

    def annotations(self, skill: Skill) -> dict[str, str]:
        """Return what an MCP tool is annotated with (AAP 1.3, MCP page)."""
        return {
            "aap_skill_id": skill.id,
            "aap_request_type": skill.request_type,
            "aap_response_type": skill.response_type,
            "aap_response_schema": self.schema_url(skill.response_schema),
        }


def read_catalogue(file: Path) -> SkillCatalogue:
    """Read a `skills.yaml`; a missing or unknown key raises KeyError or TypeError."""
    document = yaml.safe_load(file.read_text(encoding="utf-8"))
    return SkillCatalogue(
        version=document["version"],
        extension_uri=document["extension_uri"],
        schema_base_url=document["schema_base_url"],
        mcp_name=document["mcp"]["name"],
        mcp_description=document["mcp"]["description"],
        mcp_protocol_version=document["mcp"]["protocol_version"],
        skills=tuple(_skill(entry) for entry in document["skills"]),
    )


def _skill(entry: Mapping[str, Any]) -> Skill:
    return Skill(**{**entry, "tags": tuple(entry["tags"])})


@cache
def catalogue() -> SkillCatalogue:
    """Return the catalogue of the version that is served."""
    return read_catalogue(published_root() / "spec" / "latest" / "skills.yaml")


def skills() -> tuple[Skill, ...]:
    """Return the five skills in the order of the protocol."""
    return catalogue().skills


@cache
def _by_request_type() -> dict[str, Skill]:
    return {skill.request_type: skill for skill in skills()}


@cache
def _by_tool_name() -> dict[str, Skill]:
    return {skill.tool_name: skill for skill in skills()}


def skill_of_request_type(request_type: object) -> Skill | None:
    """Return the skill that a payload's `type` asks for, or None (also when it is no text)."""
    return _by_request_type().get(request_type) if isinstance(request_type, str) else None


def skill_of_tool(tool_name: str) -> Skill | None:
    """Return the skill behind an MCP tool, or None."""
    return _by_tool_name().get(tool_name)
