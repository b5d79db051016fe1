"""What a dealer wrote, without the characters that people do not see and language models read.

Hidden are control characters, bidirectional overrides and isolates, Unicode tags, zero-width characters and
stray variation selectors. What has a job stays: line feeds and tabs, the marks of Arabic and Hebrew, joiners
inside emoji and inside Arabic or Indic words. Shape, keys, numbers and order of a payload do not change.
Cleaning does not stop an instruction written in plain words; that is why answers are labelled as well.
"""

import json
import re
from typing import Final

_EMOJI: Final = r"[\u2190-\u21ff\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]"
_WITH_SELECTOR: Final = r"[#*0-9\u00a9\u00ae\u203c\u2049\u2122\u2139\u3030\u303d\u3297\u3299]"
_JOINED: Final = r"[\u0620-\u07ff\u0900-\u0dff]"
_USED: Final = (
    rf"(?:(?<={_EMOJI})|(?<={_EMOJI}\ufe0f))\u200d(?={_EMOJI})"
    rf"|(?<={_JOINED})[\u200c\u200d](?={_JOINED})"
    rf"|(?:(?<={_EMOJI})|(?<={_WITH_SELECTOR}))[\ufe0e\ufe0f]"
)
_INVISIBLE: Final = (
    r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # C0 and C1 without tab, line feed and carriage return
    r"\u00ad\u180e\u200b-\u200d\u2060-\u2064\ufeff"  # zero width
    r"\u202a-\u202e\u2066-\u206f"  # bidirectional overrides and isolates, deprecated formats
    r"\ufe00-\ufe0f\U000e0100-\U000e01ef"  # variation selectors
    r"\ufff9-\ufffb\U000e0000-\U000e007f"  # annotations, tags
)
_HIDDEN: Final = re.compile(rf"(?P<used>{_USED})|[{_INVISIBLE}]|(?P<return>\r\n?)|(?P<half>[\ud800-\udfff])")
_SUSPECT: Final = re.compile(rf"\\[ubfr]|[{_INVISIBLE}]")
"""Finds in JSON text what may be hidden, raw or as an escape; most answers have none of it."""

_STRING: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"')


def clean_text(text: str) -> str:
    """Return `text` without hidden characters; half a surrogate pair becomes U+FFFD, a CR LF a line feed."""
    return _HIDDEN.sub(_replacement, text)


def clean_json(text: str) -> tuple[str, bool]:
    """Return valid JSON text with every string in it cleaned, and whether anything was taken out.

    What needs no cleaning is returned as it stands, character for character.
    """
    if text.isascii() and "\\" not in text and "\x7f" not in text:
        return text, False
    if not _SUSPECT.search(text):
        return text, False
    cleaned = _STRING.sub(_clean_string, text)
    return cleaned, cleaned != text


def _clean_string(match: re.Match[str]) -> str:
    written = match[0]
    value = json.loads(written)
    cleaned = clean_text(value)
    return written if cleaned == value else json.dumps(cleaned, ensure_ascii=False)


def _replacement(match: re.Match[str]) -> str:
    if match["return"]:
        return "\n"
    return "\ufffd" if match["half"] else match["used"] or ""
