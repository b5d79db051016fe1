"""Take the addresses (sponsorship links and the like) out of an npm lock file; names and hashes stay."""

import json
import sys
from pathlib import Path

ADDRESS_KEYS = ("funding", "resolved")


def strip(lock: dict) -> dict:
    """Return the lock with no member that holds an address."""
    packages = {
        place: {key: value for key, value in package.items() if key not in ADDRESS_KEYS}
        for place, package in lock["packages"].items()
    }
    return lock | {"packages": packages}


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(json.dumps(strip(json.loads(path.read_text())), indent=2, ensure_ascii=False) + "\n")
