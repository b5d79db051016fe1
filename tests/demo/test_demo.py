"""`forecourt demo` as a person runs it: right exit code, nothing left running, and it can be run again.

`WRITE_REFERENCE=1 pytest tests/demo/test_demo.py` writes the transcript in the README anew.
"""

import email.policy
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from email import message_from_bytes
from pathlib import Path
from typing import NamedTuple

import httpx2
import pytest

README = Path(__file__).resolve().parents[2] / "README.md"
TRANSCRIPT = re.compile(
    r"(?P<before>.*<!-- transcript: written by tests/demo/test_demo.py -->\n```text\n)"
    r"(?P<shown>.*?)"
    r"(?P<after>```\n<!-- end -->.*)",
    re.DOTALL,
)


class Run(NamedTuple):
    folder: Path
    port: int
    exit_code: int
    output: str
    errors: str


def demo_command(folder, port, *options):
    return [sys.executable, "-m", "forecourt", "demo", "--data", str(folder), "--port", str(port), *options]


def run_demo(folder, port, *options):
    done = subprocess.run(
        demo_command(folder, port, *options),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    return Run(folder, port, done.returncode, done.stdout, done.stderr)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="module")
def once(tmp_path_factory):
    return run_demo(tmp_path_factory.mktemp("demo") / "demo-data", free_port(), "--once")


def test_the_tour_gets_every_answer_right_and_exits_with_0(once):
    assert once.exit_code == 0, once.output + once.errors
    assert "Every answer is right." in once.output
    assert "WRONG" not in once.output


def test_nothing_is_left_running(once):
    assert not listens(once.port)


def test_the_addresses_of_the_demo_stand_in_demo_json(once):
    addresses = json.loads((once.folder / "demo.json").read_text())
    assert addresses["base_url"] == f"http://127.0.0.1:{once.port}"
    assert addresses["dealer_slug"] == "larkfield"


def test_the_readme_shows_what_the_demo_prints(once):
    readme = README.read_text(encoding="utf-8")
    page = TRANSCRIPT.fullmatch(readme)
    assert page, "the README has no place for the transcript"
    if os.environ.get("WRITE_REFERENCE"):
        README.write_text(f"{page['before']}{transcript(once)}{page['after']}", encoding="utf-8")
    else:
        assert masked(page["shown"]) == masked(transcript(once))


def transcript(run):
    """Return the output as it looks in the default folder and at the default port, without new keys."""
    output = re.sub(r"\bau_test_\w{38}\b", "au_test_…", run.output)
    output = re.sub(r"\btour-[0-9a-f-]{36}", "tour-…", output)
    return output.replace(str(run.folder), "demo-data").replace(str(run.port), "8080")


MASKS = {
    r"\s+": " ",  # what changes from run to run also moves the ends of lines
    r"\b\d+(\.\d+)? ?(ms|s|seconds)\b": "TIME",
    r"\b[a-z]+_[0-9a-f]{32}\b": "ID",
    r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b": "UUID",
    r"\b\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)": "MOMENT",
    r"\b\d{4}-\d\d-\d\d \d\d:\d\d [A-Z]{3}\b": "MOMENT",
    r"\b[A-Z][a-z]+day, [A-Z][a-z]+ \d+, \d{4} at \d\d:\d\d \([A-Z]{3}\)": "MOMENT",
    r"\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} [+]0000": "MOMENT",
}


def masked(text):
    for pattern, name in MASKS.items():
        text = re.sub(pattern, name, text)
    return text


def test_the_mail_of_the_lead_stands_in_the_folder(once):
    (path,) = (once.folder / "mail").iterdir()
    mail = message_from_bytes(path.read_bytes(), policy=email.policy.SMTP)
    assert "Larkfield Auto Group" in mail["Subject"]
    assert f'<id sequence="1" source="Forecourt">{path.stem}</id>' in mail.get_content()


def test_a_second_run_in_the_same_folder_serves_until_it_is_told_to_stop(once):
    port = free_port()
    with (once.folder.parent / "output").open("w") as output:
        demo = subprocess.Popen(
            demo_command(once.folder, port), stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )
    try:
        wait_for_text(once.folder.parent / "output", "Serving until Ctrl-C.", demo)
        addresses = json.loads((once.folder / "demo.json").read_text())
        card = httpx2.get(addresses["dealer_card_url"], trust_env=False)
        assert card.json()["name"].startswith("Larkfield Auto Group")
        assert httpx2.get(addresses["manifest_url"], trust_env=False).json()["name"] == "auto-agent-protocol"
    finally:
        demo.send_signal(signal.SIGTERM)
        exit_code = demo.wait(90)
    assert exit_code == 0
    assert not listens(port)


def wait_for_text(path, text, process):
    give_up = time.monotonic() + 240
    while text not in path.read_text():
        assert process.poll() is None, path.read_text()
        assert time.monotonic() < give_up, path.read_text()
        time.sleep(0.1)


def test_a_taken_port_is_one_clear_line_and_nothing_is_written(tmp_path):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        run = run_demo(tmp_path / "demo-data", other.getsockname()[1], "--once")
    assert run.exit_code == 1
    assert re.fullmatch(r"forecourt: Port \d+ cannot be used: .* \(port_taken\)\n", run.errors)
    assert not run.folder.exists()


def test_a_folder_with_other_files_is_left_alone_unless_one_says_yes(tmp_path):
    (tmp_path / "letter.txt").write_text("keep me")
    run = run_demo(tmp_path, free_port(), "--once")
    assert run.exit_code == 1
    assert "(demo_folder_unusable)" in run.errors
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]
