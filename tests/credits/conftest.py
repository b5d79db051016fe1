"""A bank on each database."""

import pytest
from tests.credits.bank import Bank

from forecourt.storage.database import Database


@pytest.fixture
def bank(database: Database) -> Bank:
    """One organisation without credits, on each database."""
    return Bank(database)
