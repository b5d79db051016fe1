"""The wheel: built from the checkout alone, with all data files, and usable once installed."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from forecourt import __version__

REPOSITORY = Path(__file__).parents[2]
PACKAGE = REPOSITORY / "src/forecourt"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout, built without isolation: nothing is fetched for it."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, cwd=REPOSITORY, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def test_the_wheel_carries_every_file_of_the_package(wheel: Path) -> None:
    here = {
        file.relative_to(PACKAGE.parent).as_posix()
        for file in PACKAGE.rglob("*")
        if file.is_file() and file.suffix != ".pyc"
    }
    assert "forecourt/py.typed" in here
    assert here - set(zipfile.ZipFile(wheel).namelist()) == set()


@pytest.mark.parametrize("text", ["spec/latest/skills.yaml", "releases/v1.3/artifacts/mcp.json"])
def test_the_wheel_carries_the_published_texts_as_they_are_in_the_checkout(wheel: Path, text: str) -> None:
    with zipfile.ZipFile(wheel) as archive:
        assert archive.read(f"forecourt/aap/{text}") == (REPOSITORY / text).read_bytes()


def test_an_installed_wheel_runs_and_finds_its_published_texts(wheel: Path, tmp_path: Path) -> None:
    install = ["install", "--quiet", "--no-deps", "--no-index", "--target", str(tmp_path), str(wheel)]
    subprocess.run([sys.executable, "-m", "pip", *install], check=True)
    assert _run(tmp_path, "-m", "forecourt", "--version").split()[-1] == __version__
    shown = _run(
        tmp_path, "-c", "from forecourt.aap.published import published_root; print(published_root())"
    )
    assert Path(shown.strip()) == tmp_path / "forecourt/aap"


def _run(installed: Path, *arguments: str) -> str:
    environment = os.environ | {"PYTHONPATH": str(installed)}
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, cwd=installed, env=environment, check=True, capture_output=True, encoding="utf-8"
    ).stdout
