"""The locked requirements: complete, pinned by hash, equal where they overlap, and free of addresses."""

import ast
import json
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

REPOSITORY = Path(__file__).parents[2]
LOCKS = ["requirements/run.txt", "requirements/dev.txt"]
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())
EXTRAS = [
    requirement for group in PROJECT["project"]["optional-dependencies"].values() for requirement in group
]


def pins(lock: str) -> dict[str, str]:
    """The locked version by the package's name."""
    found = re.findall(r"^([\w.-]+)==([^\s;\\]+)", (REPOSITORY / lock).read_text(), re.MULTILINE)
    return {canonicalize_name(name): version for name, version in found}


def dependency_group(name: str) -> list[str]:
    """The requirements of a group, with those of the groups that it includes."""
    entries = PROJECT["dependency-groups"][name]
    included = [group for entry in entries if isinstance(entry, dict) for group in entry.values()]
    own = [entry for entry in entries if isinstance(entry, str)]
    return own + [requirement for group in included for requirement in dependency_group(group)]


@pytest.mark.parametrize("lock", [*LOCKS, "tests/js/package-lock.json"])
def test_a_lock_file_holds_no_address_and_names_no_index(lock: str) -> None:
    text = (REPOSITORY / lock).read_text()
    assert "://" not in text
    assert not re.search(r"^\s*(-i|--index|--extra-index|--find-links)", text, re.MULTILINE)


@pytest.mark.parametrize("lock", LOCKS)
def test_every_locked_package_is_pinned_by_hash(lock: str) -> None:
    text = re.sub(r"\\\n", " ", (REPOSITORY / lock).read_text())
    lines = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]
    assert [line for line in lines if "==" not in line or "--hash=sha256:" not in line] == []


@pytest.mark.parametrize(
    ("lock", "wanted"),
    [
        ("requirements/run.txt", PROJECT["project"]["dependencies"] + dependency_group("build")),
        ("requirements/dev.txt", PROJECT["project"]["dependencies"] + EXTRAS + dependency_group("dev")),
    ],
)
def test_the_lock_meets_every_requirement_of_the_project(lock: str, wanted: list[str]) -> None:
    locked = pins(lock)
    requirements = [Requirement(text) for text in wanted]
    unmet = [
        str(requirement)
        for requirement in requirements
        if not requirement.specifier.contains(locked.get(canonicalize_name(requirement.name), "0"))
    ]
    assert unmet == [], "run `make lock`"


def test_what_the_demo_installs_is_what_the_tests_ran_with() -> None:
    development = pins("requirements/dev.txt")
    differing = {
        name: (version, development.get(name))
        for name, version in pins("requirements/run.txt").items()
        if development.get(name) != version
    }
    assert differing == {}, "run `make lock`"


def test_the_package_imports_nothing_that_it_does_not_declare() -> None:
    declared = {
        canonicalize_name(Requirement(text).name) for text in PROJECT["project"]["dependencies"] + EXTRAS
    }
    owners = packages_distributions()
    undeclared = {
        module
        for module in _imported_modules()
        if module not in sys.stdlib_module_names
        and module != "forecourt"
        and not declared & {canonicalize_name(name) for name in owners.get(module, [])}
    }
    assert undeclared == set()


def test_the_javascript_lock_has_the_versions_that_the_manifest_asks_for() -> None:
    folder = REPOSITORY / "tests/js"
    manifest = json.loads((folder / "package.json").read_text())
    packages = json.loads((folder / "package-lock.json").read_text())["packages"]
    wanted = manifest["dependencies"] | manifest["optionalDependencies"]
    assert {name: packages[f"node_modules/{name}"]["version"] for name in wanted} == wanted


def _imported_modules() -> Iterator[str]:
    for file in (REPOSITORY / "src/forecourt").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from (alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield node.module.partition(".")[0]
