"""The demo's processes: the real command line, started with the demo's settings and ended for certain."""

import socket

import pytest

from forecourt.demo.processes import CommandFailed, PortTaken, refuse_a_taken_port, run_forecourt
from forecourt.demo.workspace import Workspace, write_inputs


def test_a_port_that_somebody_listens_on_is_refused_with_the_way_out():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(PortTaken, match=f"Port {port} .* another with --port"):
            refuse_a_taken_port(port)
    refuse_a_taken_port(port)


def test_a_command_runs_with_the_settings_of_the_demo(tmp_path):
    workspace = Workspace(tmp_path / "demo", 8123)
    write_inputs(workspace)
    run_forecourt(workspace, ["db", "upgrade"])
    assert (workspace.folder / "forecourt.db").is_file()


def test_a_command_that_fails_says_which_and_why(tmp_path):
    workspace = Workspace(tmp_path / "demo", 8123)
    write_inputs(workspace)
    with pytest.raises(CommandFailed, match=r"(?s)forecourt serve --port nowhere.*not a valid integer"):
        run_forecourt(workspace, ["serve", "--port", "nowhere"])
