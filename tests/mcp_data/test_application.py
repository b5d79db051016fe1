"""`/mcp` in the whole application: the dealer's on a dealer's own domain, the service's everywhere else."""

import tomllib

import httpx2
import pytest

from forecourt.app import create_app
from forecourt.base.clock import SYSTEM_CLOCK
from forecourt.dealer import store as dealer_store
from forecourt.dealer.profile import build_profile
from forecourt.demo.dealer import DEALER_SLUG, profile_toml
from forecourt.settings import Settings
from forecourt.storage.database import open_database

pytestmark = pytest.mark.anyio

LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


def application(folder, **settings):
    chosen = Settings(data_dir=folder, **settings)
    database = open_database(chosen.effective_database_url)
    database.upgrade()
    profile = build_profile(DEALER_SLUG, {**tomllib.loads(profile_toml()), "domains": ["cars.example.com"]})
    now = SYSTEM_CLOCK.now()
    database.write_sync(lambda connection: dealer_store.add_dealer(connection, profile, now=now))
    database.close()
    return create_app(chosen)


async def request(app, method, url, **options):
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app)) as client:
        return await client.request(method, url, **options)


async def test_a_dealer_s_own_domain_keeps_its_tools_and_every_other_has_those_of_the_service(tmp_path):
    app = application(tmp_path, public_url="https://data.example.com")
    dealer = await request(app, "POST", "https://cars.example.com/mcp", json=LIST)
    assert len(dealer.json()["result"]["tools"]) == 5
    for host in ("data.example.com", "192.0.2.9"):
        service = await request(app, "POST", f"https://{host}/mcp", json=LIST)
        assert service.status_code == 401
        assert "https://data.example.com/.well-known" in service.headers["www-authenticate"]


@pytest.mark.parametrize(
    "path", ["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"]
)
async def test_the_protected_resource_is_described_at_both_places_without_an_authorization_server(
    tmp_path, path
):
    app = application(tmp_path, public_url="https://data.example.com")
    answer = await request(app, "GET", f"https://data.example.com{path}")
    assert answer.headers["access-control-allow-origin"] == "*"
    described = answer.json()
    assert described["resource"] == "https://data.example.com/mcp"
    assert described["bearer_methods_supported"] == ["header"]
    assert len(described["scopes_supported"]) == 5
    assert "authorization_servers" not in described


async def test_on_a_developer_s_machine_only_its_own_names_are_answered(tmp_path):
    app = application(tmp_path, public_url="http://127.0.0.1:8080", port=8080)
    assert (await request(app, "POST", "http://localhost:8080/mcp", json=LIST)).status_code == 401
    assert (await request(app, "POST", "http://evil.example.com:8080/mcp", json=LIST)).status_code == 403


async def test_the_pages_of_the_clients_are_served_with_the_server_s_own_address(tmp_path):
    app = application(tmp_path, public_url="https://data.example.com")
    page = await request(app, "GET", "https://data.example.com/docs/mcp/claude-code.md")
    assert page.status_code == 200
    assert "https://data.example.com/mcp" in page.text
    assert "cars.example.com" not in page.text
    index = await request(app, "GET", "https://data.example.com/docs/mcp/")
    assert 'href="cursor"' in index.text
