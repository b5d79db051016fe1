"""The tree as it is committed: it names no registry host and no machine, and agrees on its version."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from forecourt import __version__

REPOSITORY = Path(__file__).parents[2]
REGISTRY_HOST = re.compile(
    r"\b(pypi|python[h]osted|npmjs|npm[m]irror|yarnpkg|debian|ubuntu|anaconda)\.(org|com)\b"
)
MACHINE_PATH = re.compile(r"(?<![\w.}/-])/(work|root)/")


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    """Every committed text file by its path."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=REPOSITORY, capture_output=True, encoding="utf-8", check=False
    )
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    paths = [path for path in listed.stdout.split("\0") if path and (REPOSITORY / path).is_file()]
    contents = {path: (REPOSITORY / path).read_bytes() for path in paths}
    return {path: data.decode("utf-8") for path, data in contents.items() if b"\0" not in data}


@pytest.mark.parametrize("pattern", [REGISTRY_HOST, MACHINE_PATH], ids=["registry host", "machine path"])
def test_no_file_names_a_registry_host_or_a_path_of_one_machine(
    texts: dict[str, str], pattern: re.Pattern[str]
) -> None:
    found = {path: match.group() for path, text in texts.items() if (match := pattern.search(text))}
    assert found == {}


def test_the_versions_of_package_project_and_changelog_agree() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    released = re.findall(r"^## \[?(\d+\.\d+\.\d+)", (REPOSITORY / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert project["version"] == __version__
    assert released[:1] in ([], [__version__])
