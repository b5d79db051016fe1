"""What the tests of the adapter share."""

import pytest


@pytest.fixture
def anyio_backend():
    return "asyncio"
