"""The command line starts at once, because heavy modules wait until a command needs them."""

import json
import subprocess
import sys

HEAVY = {
    "alembic",
    "httpx2",
    "jsonschema_rs",
    "mcp",
    "mcp_types",
    "numpy",
    "openpyxl",
    "pydantic",
    "rich",
    "sqlalchemy",
    "starlette",
    "uvicorn",
}

PROBE = """
import contextlib, io, json, sys
from forecourt.cli.main import main
with contextlib.redirect_stdout(io.StringIO()) as shown, contextlib.suppress(SystemExit):
    main(["--help"])
print(json.dumps([shown.getvalue(), sorted(sys.modules)]))
"""


def test_help_is_shown_without_loading_a_heavy_module() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROBE], capture_output=True, encoding="utf-8", check=True, timeout=60
    )
    shown, loaded = json.loads(done.stdout)
    assert "serve" in shown
    assert HEAVY & set(loaded) == set()
