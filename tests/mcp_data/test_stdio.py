"""`forecourt mcp data` as a process: the key of the environment, the local database, both eras."""

import os
import subprocess
import sys

import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError

from forecourt.accounts import store
from forecourt.accounts.access import ALL_SCOPES
from forecourt.accounts.keys import NewKey
from forecourt.accounts.secret import server_secret
from forecourt.base.clock import SYSTEM_CLOCK
from forecourt.storage.database import open_database

pytestmark = pytest.mark.anyio

COMMAND = [sys.executable, "-m", "forecourt", "mcp", "data"]


@pytest.fixture
def folder(tmp_path):
    database = open_database(f"sqlite:///{tmp_path / 'forecourt.db'}")
    database.upgrade()
    database.close()
    return tmp_path


def in_database(folder, job):
    database = open_database(f"sqlite:///{folder / 'forecourt.db'}")
    try:
        return database.write_sync(job)
    finally:
        database.close()


def new_key(folder):
    secret = server_secret(given=None, data_dir=folder, database_is_shared=False)

    def job(connection):
        now = SYSTEM_CLOCK.now()
        organization = store.add_organization(connection, "Larkfield Data", countries=("DE",), now=now)
        new = NewKey("tests", "test", ALL_SCOPES, (), None, None)
        return store.add_key(connection, organization.id, new, key_prefix="au_", secret=secret, now=now)

    return in_database(folder, job)


def environment(folder, **more):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FORECOURT_")}
    return {**kept, "FORECOURT_DATA_DIR": str(folder), **more}


@pytest.mark.parametrize("mode", ["legacy", "auto", "2026-07-28"])
async def test_a_client_calls_tools_until_the_key_is_revoked(folder, mode):
    key, bearer = new_key(folder)
    server = StdioServerParameters(
        command=COMMAND[0], args=COMMAND[1:], env=environment(folder, FORECOURT_API_KEY=bearer)
    )
    async with Client(stdio_client(server), mode=mode) as client:
        assert len((await client.list_tools()).tools) == 8
        assert (await client.list_prompts()).prompts[0].name == "value_a_car"
        account = await client.call_tool("get_account", {})
        assert account.structured_content["key"]["id"] == key.id
        with pytest.raises(MCPError, match="Unknown tool"):
            await client.call_tool("other", {})
        in_database(folder, lambda connection: store.revoke_key(connection, key.id, at=SYSTEM_CLOCK.now()))
        with pytest.raises(MCPError) as caught:
            await client.call_tool("get_account", {})
    assert caught.value.code == -32001
    assert caught.value.data["code"] == "invalid_api_key"


@pytest.mark.parametrize(
    ("given", "status", "words"),
    [
        ({}, 2, "FORECOURT_API_KEY"),
        ({"FORECOURT_API_KEY": "au_test_nonsense"}, 1, "invalid_api_key"),
        ({"FORECOURT_API_KEY": "something"}, 1, "invalid_token"),
    ],
)
def test_the_command_says_what_is_wrong_with_the_key_and_not_the_key(folder, given, status, words):
    done = subprocess.run(
        COMMAND,
        env=environment(folder, **given),
        check=False,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
    )
    assert done.returncode == status, done.stderr
    assert words in done.stderr
    assert "nonsense" not in done.stderr + done.stdout
    assert "Traceback" not in done.stderr
