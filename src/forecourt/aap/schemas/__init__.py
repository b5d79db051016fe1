"""The JSON Schemas of AAP 1.3, as files beside this module.

A schema is named by its file without the ending: `inventory-search-request`, `vehicle`, `agent-card`,
`_primitives/address`. Files are read when they are first asked for; nobody changes what is handed out.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

_ENDING = ".schema.json"
_FOLDER = Path(__file__).resolve().parent / "v1.3"

Schema = dict[str, Any]


@cache
def schema_names() -> tuple[str, ...]:
    """Return the names of all schemas, sorted."""
    files = (path.relative_to(_FOLDER).as_posix() for path in _FOLDER.rglob(f"*{_ENDING}"))
    return tuple(sorted(file.removesuffix(_ENDING) for file in files))


@cache
def schema(name: str) -> Schema:
    """Return the schema of that name as it stands in its file, with relative references.

    Raises KeyError when there is no such schema.
    """
    if name not in schema_names():
        raise KeyError(name)
    document: Schema = json.loads((_FOLDER / f"{name}{_ENDING}").read_bytes())
    return document


def schema_name(file: str) -> str:
    """Return the name of the schema in a published file."""
    return file.removesuffix(_ENDING)
