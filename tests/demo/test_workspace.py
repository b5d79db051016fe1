"""The folder of a demo: recognised when it is one, left alone when not, and never with foreign settings."""

import json
import tomllib

import pytest

from forecourt.demo.workspace import (
    FolderState,
    FolderUnusable,
    Workspace,
    folder_state,
    write_endpoints,
    write_inputs,
)


@pytest.fixture
def workspace(tmp_path):
    return Workspace(tmp_path / 'a "demo" folder', 8123)


def test_a_missing_or_empty_folder_is_empty(tmp_path):
    assert folder_state(tmp_path / "nothing") is FolderState.EMPTY
    assert folder_state(tmp_path) is FolderState.EMPTY


def test_a_folder_with_somebody_elses_files_is_foreign(tmp_path):
    (tmp_path / "forecourt.toml").write_text("port = 8080\n")
    assert folder_state(tmp_path) is FolderState.FOREIGN


def test_a_prepared_folder_is_a_demo_even_before_it_was_served(workspace):
    write_inputs(workspace)
    assert folder_state(workspace.folder) is FolderState.DEMO


def test_a_file_in_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / "demo").write_text("not a folder")
    with pytest.raises(FolderUnusable):
        folder_state(tmp_path / "demo")
    with pytest.raises(FolderUnusable):
        write_inputs(Workspace(tmp_path / "demo", 8123))


def test_the_settings_survive_quotes_in_the_name_of_the_folder(workspace):
    write_inputs(workspace)
    settings = tomllib.loads(workspace.settings_file.read_text(encoding="utf-8"))
    assert settings["data_dir"] == str(workspace.folder.resolve())
    assert settings["public_url"] == "http://127.0.0.1:8123"


def test_settings_of_the_caller_never_reach_the_demo(workspace, monkeypatch):
    monkeypatch.setenv("FORECOURT_DATABASE_URL", "postgresql+psycopg://somebody@127.0.0.1/production")
    environment = workspace.environment()
    assert "FORECOURT_DATABASE_URL" not in environment
    assert environment["FORECOURT_CONFIG"] == str(workspace.settings_file.resolve())


def test_the_endpoints_file_holds_the_addresses_and_the_test_key(workspace):
    write_inputs(workspace)
    write_endpoints(workspace, test_key="au_test_…")
    assert json.loads(workspace.endpoints_file.read_text()) == {
        "base_url": "http://127.0.0.1:8123",
        "dealer_slug": "larkfield",
        "dealer_card_url": "http://127.0.0.1:8123/dealers/larkfield/.well-known/agent-card.json",
        "dealer_a2a_url": "http://127.0.0.1:8123/dealers/larkfield/a2a",
        "dealer_mcp_url": "http://127.0.0.1:8123/dealers/larkfield/mcp",
        "manifest_url": "http://127.0.0.1:8123/v1.3/mcp.json",
        "mcp_url": "http://127.0.0.1:8123/mcp",
        "test_key": "au_test_…",
    }


def test_preparing_again_takes_the_addresses_of_the_earlier_run_away(workspace):
    write_inputs(workspace)
    write_endpoints(workspace, test_key="au_test_…")
    write_inputs(workspace)
    assert not workspace.endpoints_file.exists()
