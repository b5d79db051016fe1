"""The page of each client: its configuration can be read, and says what this client's format says."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from forecourt import __version__

REPOSITORY = Path(__file__).parents[2]
PAGES = REPOSITORY / "docs/mcp"
URL = "https://cars.example.com/mcp"
ENTRIES = {
    "claude-code": ("mcpServers", "url", "Bearer ${FORECOURT_API_KEY}"),
    "cursor": ("mcpServers", "url", "Bearer ${env:FORECOURT_API_KEY}"),
    "windsurf": ("mcpServers", "serverUrl", "Bearer ${env:FORECOURT_API_KEY}"),
    "vs-code": ("servers", "url", "Bearer ${input:vehicle-data-key}"),
    "gemini-cli": ("mcpServers", "httpUrl", "Bearer au_test_YOUR_KEY"),
    "zed": ("context_servers", "url", "Bearer au_test_YOUR_KEY"),
}
OTHERS = {"index", "claude-desktop", "claude-ai", "chatgpt", "codex"}


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (PAGES / f"{page}.md").read_text(), re.DOTALL)


def test_there_is_a_page_for_every_client_and_the_index_links_each():
    pages = {path.stem for path in PAGES.glob("*.md")}
    assert pages == set(ENTRIES) | OTHERS
    linked = set(re.findall(r"\]\(([\w-]+)\.md\)", (PAGES / "index.md").read_text()))
    assert linked == pages - {"index"}


@pytest.mark.parametrize("page", sorted(set(ENTRIES) | OTHERS))
def test_every_block_of_configuration_can_be_read(page):
    for block in blocks(page, "json"):
        json.loads(block)
    for block in blocks(page, "toml"):
        tomllib.loads(block)
    assert "mcp" in (PAGES / f"{page}.md").read_text()


@pytest.mark.parametrize("page", ENTRIES)
def test_a_client_is_given_the_address_and_the_key_in_its_own_words(page):
    section, address, authorization = ENTRIES[page]
    entry = json.loads(blocks(page, "json")[0])[section]["vehicle-data"]
    assert entry[address] == URL
    assert entry["headers"] == {"Authorization": authorization}


def test_codex_reads_the_key_from_a_variable():
    entry = tomllib.loads(blocks("codex", "toml")[0])["mcp_servers"]["vehicle-data"]
    assert entry == {"url": URL, "bearer_token_env_var": "FORECOURT_API_KEY"}


def test_the_registry_entry_names_this_version_and_the_endpoint():
    entry = json.loads((REPOSITORY / "server.json").read_text())
    assert entry["version"] == __version__
    assert len(entry["description"]) <= 100
    (remote,) = entry["remotes"]
    assert remote["type"] == "streamable-http"
    assert remote["url"] == "https://{host}/mcp"
    (header,) = remote["headers"]
    assert header["isSecret"]
