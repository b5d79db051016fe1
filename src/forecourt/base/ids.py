"""Identifiers: time-ordered, unguessable, and telling what they name."""

import os
import time
import uuid


def uuid7() -> uuid.UUID:
    """Return a UUID version 7 (RFC 9562 section 5.7); the standard library has one from 3.14 on."""
    value = (time.time_ns() // 1_000_000) << 80 | int.from_bytes(os.urandom(10))
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return uuid.UUID(int=value)


def new_id(noun: str) -> str:
    """Return an id such as `lead_0198…`: the noun says what it names."""
    return f"{noun}_{uuid7().hex}"
