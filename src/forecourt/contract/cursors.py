"""Cursors of pages: opaque to the caller, bound to nothing but a position; every page is filtered anew."""

import base64
import binascii

from forecourt.contract.errors import ValidationFailed
from forecourt.contract.validation import invalid_member


def write_cursor(position: str) -> str:
    """Return the cursor of a position."""
    return base64.urlsafe_b64encode(position.encode()).decode().rstrip("=")


def read_cursor(cursor: str | None) -> str | None:
    """Return the position of a cursor; raises `ValidationFailed` for one that was not given out."""
    if cursor is None:
        return None
    try:
        position = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode()
    except (binascii.Error, UnicodeError, ValueError):
        raise not_ours() from None
    if not position.isascii() or not position.isprintable():
        raise not_ours()
    return position


def not_ours() -> ValidationFailed:
    """Return the error for a cursor that was not given out."""
    return invalid_member("cursor", "Send next_cursor of the page before.")
