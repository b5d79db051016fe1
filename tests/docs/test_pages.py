"""What the pages show is run: commands typed, Python executed, files written, JSON and TOML read.

A page gets a folder and a port of its own; `…` in the expected output stands for any text. Blocks marked
`sh`, `text` or `nginx` need what a test machine lacks and are not run.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import tomllib
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from forecourt.settings import Settings

REPOSITORY = Path(__file__).resolve().parents[2]
PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md"))]
SHOWN_PORT = "8080"
FENCE = re.compile(
    r"^```(?P<language>\w+)(?: title=\"(?P<file>[^\"]+)\")?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)


class Block(NamedTuple):
    language: str
    file: str | None
    text: str
    line: int


class Step(NamedTuple):
    command: str
    expected: str


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(found["language"], found["file"], found["text"], text.count("\n", 0, found.start()) + 1)
        for found in FENCE.finditer(text)
    ]


def steps(block: Block) -> Iterator[Step]:
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, expected = re.sub(r"\\\n", "", part).partition("\n")
        yield Step(command, expected)


class Workbench:
    """A folder, a port and the processes that a page leaves running."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.running: list[subprocess.Popen[bytes]] = []
        kept = {name: value for name, value in os.environ.items() if not name.startswith("FORECOURT_")}
        self.environment = {
            **kept,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{kept['PATH']}",
            "COLUMNS": "110",
            "FORECOURT_PORT": self.port,
            "FORECOURT_PUBLIC_URL": f"http://127.0.0.1:{self.port}",
        }

    def ours(self, text: str) -> str:
        return text.replace(SHOWN_PORT, self.port)

    def write(self, block: Block) -> None:
        (self.folder / str(block.file)).write_text(self.ours(block.text), encoding="utf-8")

    def type(self, step: Step) -> str:
        if step.command.endswith(" &"):
            self.start(step.command.removesuffix(" &"))
            return ""
        return self.run([str(shutil.which("bash")), "-c", self.ours(step.command)])

    def run(self, command: list[str]) -> str:
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        return done.stdout.replace(self.port, SHOWN_PORT)

    def start(self, command: str) -> None:
        log = (self.folder / "background.log").open("ab")
        with log:
            process = subprocess.Popen(
                [str(shutil.which("bash")), "-c", f"exec {self.ours(command)}"],
                cwd=self.folder,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        self.running.append(process)
        wait_for(f"http://127.0.0.1:{self.port}/readyz", process)

    def close(self) -> None:
        for process in self.running:
            process.terminate()
            process.wait(30)


def free_port() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


def wait_for(address: str, process: "subprocess.Popen[bytes]") -> None:
    give_up = time.monotonic() + 60
    while time.monotonic() < give_up:
        assert process.poll() is None, "the server ended"
        try:
            with urllib.request.urlopen(address, timeout=2):
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"{address} does not answer")


@pytest.fixture
def workbench(tmp_path):
    bench = Workbench(tmp_path)
    yield bench
    bench.close()


def matches(expected: str, output: str) -> bool:
    pattern = re.escape(expected.rstrip()).replace("…", ".*?")
    shown = re.sub(r" +$", "", output.rstrip(), flags=re.MULTILINE)
    return re.fullmatch(pattern, shown, re.DOTALL) is not None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_the_page_shows_happens(page, workbench):
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed")
    for block in blocks(page):
        if block.file:
            workbench.write(block)
        elif block.language == "console":
            for step in steps(block):
                output = workbench.type(step)
                assert matches(step.expected, output), f"{page.name}:{block.line}: {step.command}\n{output}"
        elif block.language == "python" and "import " in block.text:  # a program, not a fragment
            script = workbench.folder / "example.py"
            script.write_text(workbench.ours(block.text), encoding="utf-8")
            output = workbench.run([sys.executable, str(script)])
            assert "Error" not in output, f"{page.name}:{block.line}:\n{output}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_json_and_toml_on_the_page_can_be_read(page):
    for block in blocks(page):
        if block.language == "json":
            json.loads(block.text)
        if block.language == "toml":
            tomllib.loads(block.text)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_forecourt_toml_on_the_page_holds_settings_that_exist(page):
    for block in blocks(page):
        if block.language == "toml" and (block.file or block.text.splitlines()[0]).endswith("forecourt.toml"):
            assert tomllib.loads(block.text).keys() <= Settings.model_fields.keys()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_to_a_file_of_the_checkout_leads_somewhere(page):
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!https?://|#|mailto:)([^)#]+)[^)]*\)", text):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"
