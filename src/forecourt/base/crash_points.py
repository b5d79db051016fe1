"""Places where a test can kill the process, to prove what survives a crash.

`CRASH_FORECOURT_AT=after_lead` in the environment makes `crash_point("after_lead")` end the process at once,
as `kill -9` would: no cleanup, no flush, no `finally`. Without the variable a point costs one look-up.
"""

import os

CRASH_VARIABLE = "CRASH_FORECOURT_AT"


def crash_point(name: str) -> None:
    """End the process here if the environment asks for it."""
    if os.environ.get(CRASH_VARIABLE) == name:
        os._exit(137)
