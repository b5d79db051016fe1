"""Run the processes of `crash_child.py`, many from one that has done the imports."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple, Self

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, str(ROOT / "tests" / "leads" / "crash_child.py")]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


class Ended(NamedTuple):
    code: int
    said: list[str]


class Children:
    """Children of one parent that waits for orders."""

    def __init__(self) -> None:
        self._parent = subprocess.Popen(
            [*COMMAND, "fork"], env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._parent.communicate()

    def run(self, *arguments: object, crash_at: str = "") -> Ended:
        """Run one child to its end."""
        self.begin(*arguments, crash_at=crash_at)
        return self.end()

    def begin(self, *arguments: object, crash_at: str = "") -> int:
        """Start one child and return its process id."""
        self._pipe("stdin").write("|".join([crash_at, *map(str, arguments)]) + "\n")
        self._pipe("stdin").flush()
        return int(self._pipe("stdout").readline().split()[1])

    def end(self) -> Ended:
        """Read what the child says until it ends."""
        said = []
        while not (line := self._pipe("stdout").readline()).startswith("exit"):
            assert line, "the parent of the children ended"
            said.append(line.rstrip("\n"))
        return Ended(int(line.split()[1]), said)

    def kill_after_first_word(self, pid: int, after_s: float) -> list[str]:
        """Kill a child some time after it has said something; return all that it said."""
        first = self._pipe("stdout").readline().rstrip("\n")
        time.sleep(after_s)
        os.kill(pid, signal.SIGKILL)
        return [first, *self.end().said]

    def _pipe(self, name: str) -> Any:
        return getattr(self._parent, name)
