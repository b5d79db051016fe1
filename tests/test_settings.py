"""What an operator sees when setting things right or wrong."""

from ipaddress import ip_network
from pathlib import Path

import pytest

from forecourt.settings import WrongSettings, read_settings


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_without_anything_given_the_data_folder_holds_a_sqlite_file() -> None:
    assert read_settings().effective_database_url == "sqlite:///data/forecourt.db"


def test_the_environment_wins_over_the_file(empty_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (empty_folder / "forecourt.toml").write_text('port = 9000\nlog_level = "debug"\n')
    monkeypatch.setenv("FORECOURT_PORT", "9001")

    settings = read_settings()

    assert (settings.port, settings.log_level) == (9001, "debug")


def test_an_option_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORECOURT_PORT", "9001")

    assert read_settings(port=9002, host=None).port == 9002


def test_a_list_is_given_with_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORECOURT_TRUSTED_PROXIES", "10.0.0.0/8, 192.0.2.1")

    assert read_settings().trusted_proxies == (ip_network("10.0.0.0/8"), ip_network("192.0.2.1/32"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("FORECOURT_PORT", "abc"),
        ("FORECOURT_PORT", "0"),
        ("FORECOURT_WORKERS", "-1"),
        ("FORECOURT_PUBLIC_URL", "cars.example.com"),
        ("FORECOURT_PUBLIC_URL", "https://cars.example.com/path"),
        ("FORECOURT_LOG_LEVEL", "loud"),
        ("FORECOURT_TRUSTED_PROXIES", "10.0.0.0/40"),
    ],
)
def test_a_wrong_value_is_refused_with_the_name_of_the_setting(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)

    with pytest.raises(WrongSettings, match=name):
        read_settings()


def test_a_misspelt_variable_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORECOURT_PROT", "8080")

    with pytest.raises(WrongSettings, match="FORECOURT_PROT"):
        read_settings()


def test_an_unknown_name_in_the_file_is_refused(empty_folder: Path) -> None:
    (empty_folder / "forecourt.toml").write_text("prot = 8080\n")

    with pytest.raises(WrongSettings, match="PROT"):
        read_settings()


def test_a_file_that_is_no_toml_is_refused_with_its_line(empty_folder: Path) -> None:
    (empty_folder / "forecourt.toml").write_text("port = = 1\n")

    with pytest.raises(WrongSettings, match="line 1"):
        read_settings()


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="frozen"):
        read_settings().port = 1
