"""What a lead may contain once it is taken in: text that XML, SQL and mail can all carry."""

import re
from typing import Any

_NONCHARACTERS = "".join(f"{chr(end - 1)}{chr(end)}" for end in range(0xFFFF, 0x110000, 0x10000))
_ILLEGAL = re.compile(
    f"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef{_NONCHARACTERS}]"
)
_EXACT = 2**53
_LINE_END = re.compile("\r\n?|\x85|\u2028|\u2029")


def clean_text(text: str) -> str:
    """Drop what XML 1.0 forbids or only machines write (controls, non-characters); line ends become `\\n`."""
    if text.isascii() and text.isprintable():
        return text
    return _ILLEGAL.sub("", _LINE_END.sub("\n", text))


def clean_json(value: Any) -> Any:
    """Clean every string of a JSON value, the names of members included, and write whole numbers one way.

    Clients built on protobuf send `26780.0` where `26780` is meant.
    """
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, dict):
        return {clean_text(name): clean_json(member) for name, member in value.items()}
    if isinstance(value, list):
        return [clean_json(item) for item in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return int(value)
    return value


def one_line(text: str) -> str:
    """Fold every run of white space into one space: for names, subjects and other single-line places."""
    return " ".join(clean_text(text).split())
