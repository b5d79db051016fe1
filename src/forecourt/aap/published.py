"""Where the published texts lie: `spec/` (edited) and `releases/` (frozen).

Both stand at the root of the repository. A wheel carries copies of them inside this package; an editable
install reads them where they are edited.
"""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def published_root() -> Path:
    """Return the folder that holds `spec/` and `releases/`."""
    return _PACKAGE if (_PACKAGE / "spec").is_dir() else _PACKAGE.parents[2]
