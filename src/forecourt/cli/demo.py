"""`forecourt demo`: a simulated dealer group, a tour through real MCP clients, then a server that goes on."""

import signal
import sys
import textwrap
from pathlib import Path

import click

_COLORS = {
    "Shopper": "cyan",
    "Owner": "cyan",
    "Assistant": "blue",
    "Dealer": "green",
    "Service": "green",
    "Mail": "magenta",
    "Checked": "bright_black",
    "WRONG": "red",
}
_ASKERS = {"Shopper", "Owner"}
_WIDTH = 110
_INDENT = 13


@click.command()
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    default=Path("demo-data"),
    show_default=True,
    help="Folder of the demo: made when it is not there, used again when it is.",
)
@click.option(
    "--port", type=click.IntRange(1, 65535), default=8080, show_default=True, help="Port to serve on."
)
@click.option(
    "--once", is_flag=True, help="Stop after the tour; exit code 0 when every answer was right, else 1."
)
@click.option("--yes", is_flag=True, help="Do not ask before using a folder that holds something else.")
def demo(*, data: Path, port: int, once: bool, yes: bool) -> int:
    """Simulate a dealer group, serve it with a test key, and ask for cars and values as an assistant does."""
    from forecourt.demo.show import run_demo
    from forecourt.demo.workspace import FolderState, FolderUnusable, Workspace, folder_state

    if folder_state(data) is FolderState.FOREIGN and not (yes or _agrees(data)):
        raise FolderUnusable(
            f"{data} holds something that is not a demo; choose another with --data or say --yes."
        )
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    right = run_demo(Workspace(data, port), once=once, announce=click.echo, say=_say)
    return 0 if right else 1


def _agrees(folder: Path) -> bool:
    question = f"{folder} holds something that is not a demo. Add the demo's files to it?"
    return sys.stdin.isatty() and click.confirm(question)


def _say(speaker: str, text: str) -> None:
    """Write one line of the conversation, wrapped below its own beginning; a question starts a new turn."""
    if speaker in _ASKERS:
        click.echo()
    name = click.style(f"  {speaker:<{_INDENT - 2}}", fg=_COLORS[speaker])
    lines = textwrap.wrap(text, _WIDTH - _INDENT, break_long_words=False, break_on_hyphens=False)
    click.echo(name + f"\n{' ' * _INDENT}".join(lines))
