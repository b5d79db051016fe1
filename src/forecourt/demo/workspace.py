"""The folder of a demo: profile, feed, settings, database, and demo.json for other programs."""

import json
import os
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from forecourt.base.errors import InvalidInput
from forecourt.demo.dealer import DEALER_SLUG, dealer_stock, homenet_csv, profile_toml

_HOST = "127.0.0.1"
_FIRST_LINE = "# Settings of a Forecourt demo, written anew by each `forecourt demo`."


class FolderUnusable(InvalidInput):
    """The folder for the demo cannot be made or written."""

    code = "demo_folder_unusable"


class FolderState(Enum):
    """What stands in the folder already."""

    EMPTY = "empty"
    DEMO = "demo"
    FOREIGN = "foreign"


@dataclass(frozen=True, slots=True)
class Workspace:
    """Where a demo keeps its files, at which port it answers, and at which the dealer takes mail in."""

    folder: Path
    port: int
    mail_port: int | None = None

    @property
    def base_url(self) -> str:
        """The address of the server, without a path."""
        return f"http://{_HOST}:{self.port}"

    @property
    def dealer_url(self) -> str:
        """The address below which the dealer's card, agent and tools are."""
        return f"{self.base_url}/dealers/{DEALER_SLUG}"

    @property
    def profile_file(self) -> Path:
        """The dealer's profile."""
        return self.folder / "profile.toml"

    @property
    def feed_file(self) -> Path:
        """The dealer's stock as its provider exports it."""
        return self.folder / "stock.csv"

    @property
    def settings_file(self) -> Path:
        """The settings that the demo's server and commands run with."""
        return self.folder / "forecourt.toml"

    @property
    def endpoints_file(self) -> Path:
        """The addresses of a running demo and its test key, as JSON."""
        return self.folder / "demo.json"

    @property
    def mail_folder(self) -> Path:
        """The mails that the dealer's CRM has got."""
        return self.folder / "mail"

    @property
    def log_file(self) -> Path:
        """What the demo's server has logged."""
        return self.folder / "server.log"

    def endpoints(self) -> dict[str, str]:
        """Return the addresses of demo.json."""
        return {
            "base_url": self.base_url,
            "dealer_slug": DEALER_SLUG,
            "dealer_card_url": f"{self.dealer_url}/.well-known/agent-card.json",
            "dealer_a2a_url": f"{self.dealer_url}/a2a",
            "dealer_mcp_url": f"{self.dealer_url}/mcp",
            "manifest_url": f"{self.base_url}/v1.3/mcp.json",
            "mcp_url": f"{self.base_url}/mcp",
        }

    def environment(self) -> dict[str, str]:
        """Return the variables for the demo's processes: its own settings and none of the caller's.

        A `FORECOURT_DATABASE_URL` of the caller must never lead a demo into a real database.
        """
        foreign = {name: value for name, value in os.environ.items() if not name.startswith("FORECOURT_")}
        return {**foreign, "FORECOURT_CONFIG": str(self.settings_file.resolve())}


def folder_state(folder: Path) -> FolderState:
    """Return what stands in `folder`. Raises `FolderUnusable` when it is a file or cannot be read."""
    try:
        if not folder.exists() or not any(folder.iterdir()):
            return FolderState.EMPTY
        settings = folder / "forecourt.toml"
        is_demo = settings.is_file() and settings.read_text(encoding="utf-8").startswith(_FIRST_LINE)
    except (OSError, UnicodeDecodeError):
        raise FolderUnusable(
            f"{folder} is not a folder that can be read; choose another with --data."
        ) from None
    return FolderState.DEMO if is_demo else FolderState.FOREIGN


def write_inputs(workspace: Workspace) -> None:
    """Write settings, profile and feed, and take away the addresses of an earlier run.

    Raises `FolderUnusable` when the folder cannot be written.
    """
    try:
        workspace.folder.mkdir(parents=True, exist_ok=True)
        workspace.endpoints_file.unlink(missing_ok=True)
        workspace.settings_file.write_text(_settings_toml(workspace), encoding="utf-8")
        workspace.profile_file.write_text(profile_toml(workspace.mail_port), encoding="utf-8")
        workspace.feed_file.write_text(homenet_csv(dealer_stock()), encoding="utf-8", newline="")
    except OSError:
        raise FolderUnusable(f"{workspace.folder} cannot be written; choose another with --data.") from None


def write_endpoints(workspace: Workspace, *, test_key: str) -> None:
    """Write demo.json in one step, so that whoever waits for it never reads half of it."""
    draft = workspace.endpoints_file.with_suffix(".json.new")
    content = {**workspace.endpoints(), "test_key": test_key}
    draft.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    draft.replace(workspace.endpoints_file)


def _settings_toml(workspace: Workspace) -> str:
    # A JSON string is a TOML basic string; it keeps backslashes and quotes of odd folder names apart.
    return "\n".join(
        [
            _FIRST_LINE,
            f"data_dir = {json.dumps(str(workspace.folder.resolve()), ensure_ascii=False)}",
            f"public_url = {json.dumps(workspace.base_url)}",
            f"host = {json.dumps(_HOST)}",
            f"port = {workspace.port}",
            "",
        ]
    )
