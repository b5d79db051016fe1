"""What every test can ask for."""

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]


def shared_folder() -> Path:
    """Return where the shared facts and data lie: FORECOURT_SHARED, else beside the checkout."""
    return Path(os.environ.get("FORECOURT_SHARED", REPOSITORY.parent / "shared"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The shared folder with the official schemas, feeds and data; absent on some machines."""
    folder = shared_folder()
    if not folder.is_dir():
        pytest.skip(f"the shared folder is not at {folder} (set FORECOURT_SHARED)")
    return folder
