"""The database of the settings, prepared and closed again, for one command."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from forecourt.storage.database import Database


@contextmanager
def opened_database() -> Iterator["Database"]:
    """Open the database of the settings with its newest schema, and close it when the command is done."""
    from forecourt.settings import read_settings
    from forecourt.storage.database import open_database

    settings = read_settings()
    if not settings.database_url:
        Path(settings.data_dir).mkdir(parents=True, exist_ok=True)
    database = open_database(settings.effective_database_url)
    try:
        database.upgrade()
        yield database
    finally:
        database.close()
