"""Text, photo and equipment lists as feeds write them, cleaned of markup and of what nobody can see."""

import html
import json
import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import quote, urlsplit

from forecourt.tables.batches import SEVERAL

LONGEST_TEXT: Final = 20_000
MOST_PHOTOS: Final = 200
MOST_FEATURES: Final = 400

_INVISIBLE: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1e\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffd"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_BREAK: Final = re.compile(r"<\s*(?:br|/p|/li|/div|/tr|/h\d)\b[^>]*>", re.IGNORECASE)
_HIDDEN: Final = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_TAG: Final = re.compile(r"</?[a-zA-Z][^<>]{0,2000}>|<!--.*?-->|<!\[CDATA\[|\]\]>", re.DOTALL)
_RULE: Final = re.compile(r"(?:\{\{\{-+\}\}\})+|[-_=*~]{6,}")
_BLANKS: Final = re.compile(r"[ \t\r\x1f\u00a0\u2000-\u200a\u202f\u3000]+")
_LINES: Final = re.compile(r" ?\n ?")
_MANY_LINES: Final = re.compile(r"\n{3,}")


def _is_plain(text: str) -> bool:
    """Tell whether cleaning would change nothing, at a fraction of its cost; most cells are so."""
    if not (text.isascii() and text.isprintable()) or text[:1] == " " or text[-1:] == " ":
        return False
    no_markup = "<" not in text and "&" not in text and "\\\\" not in text and "  " not in text
    return no_markup and not ("------" in text or "******" in text or "======" in text or "______" in text)


def clean_text(text: str, *, longest: int = LONGEST_TEXT) -> str:
    """Return text on lines without markup, entities, control and bidirectional characters or doubled blanks.

    AutoScout24's doubled backslash is a line break; entities that were escaped twice are unescaped twice.
    """
    if _is_plain(text):
        return text[:longest]
    if "<" in text:
        text = _TAG.sub(" ", _BREAK.sub("\n", _HIDDEN.sub(" ", text)))
    if "&" in text:
        text = html.unescape(html.unescape(text))
        text = _TAG.sub(" ", _BREAK.sub("\n", text)) if "<" in text else text
    text = _RULE.sub("\n", text.replace("\\\\", "\n").replace("\r\n", "\n"))
    text = _BLANKS.sub(" ", _INVISIBLE.sub("", text))
    return _MANY_LINES.sub("\n\n", _LINES.sub("\n", text)).strip()[:longest]


def clean_line(text: str, *, longest: int = 500) -> str:
    """Return text cleaned and on one line."""
    return text[:longest] if _is_plain(text) else clean_text(text).replace("\n", " ")[:longest]


_BETWEEN_PHOTOS: Final = re.compile(r"[\s,;|\x1f{}\[\]\"']+(?=https?://|//|\Z)|[\s|\x1f]+", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"https?://[^\s/]+\.[^\s/]+(?:/\S*)?", re.IGNORECASE)
_PLACEHOLDER_PHOTO: Final = re.compile(
    r"no[-_]?(?:image|photo|picture|pic|img)|(?:image|photo|picture)s?[-_]?(?:not[-_]?(?:available|found)|coming)|"
    r"coming[-_]?soon|placeholder|default[-_](?:car|image|vehicle)|kein[-_]?bild|photo[-_]?unavailable|awaiting[-_]?(?:image|photo)|blank\.(?:png|gif|jpe?g)"
    r"|spacer\.gif|nophoto",
    re.IGNORECASE,
)


_PLAIN_LISTS: Final = tuple(
    (mark, re.compile(rf"(?:https?://[A-Za-z0-9-]+\.[A-Za-z0-9._~:/?#@!$&()*+=-]+(?:{re.escape(mark)}|\Z))+"))
    for mark in ("|", ",", ";", SEVERAL)
)
"""Lists of addresses that need no cleaning, by what separates them."""
_HINTS_OF_NO_PHOTO: Final = (
    "no-",
    "no_",
    "noi",
    "nop",
    "not",
    "holder",
    "coming",
    "default",
    "kein",
    "unavail",
    "awaiting",
    "blank.",
    "spacer",
)


def photo_list(text: str) -> list[str]:
    """Return the addresses in a cell, whatever separates them, each once and in order.

    Reads `url|url`, `url,url`, `url;url`, blanks, `{url, url}` and JSON lists; pictures that only say that
    there is no picture are left out.
    """
    photos = _plain_list(text) or list(dict.fromkeys(_addresses(text)))
    if photos and _may_show_nothing(photos):
        photos = [photo for photo in photos if not _PLACEHOLDER_PHOTO.search(photo)]
    return photos[:MOST_PHOTOS]


def _may_show_nothing(photos: list[str]) -> bool:
    """Tell whether the first or last picture may be one that says that there is none."""
    ends = (photos[0] if len(photos) == 1 else photos[0] + photos[-1]).lower()
    return any(hint in ends for hint in _HINTS_OF_NO_PHOTO)


def _plain_list(text: str) -> list[str] | None:
    for mark, pattern in _PLAIN_LISTS:
        if mark in text:
            return list(dict.fromkeys(filter(None, text.split(mark)))) if pattern.fullmatch(text) else None
    return None


def _addresses(text: str) -> Iterator[str]:
    if text.startswith(("[", '{"')):
        text = _json_addresses(text)
    for part in _BETWEEN_PHOTOS.split(text):
        address = web_address(part.strip("\"'{}[],;")) if part else None
        if address is not None:
            yield address


def _json_addresses(text: str) -> str:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return SEVERAL.join(_strings(value))


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for inner in value.values() for text in _strings(inner)]
    return [text for inner in value for text in _strings(inner)] if isinstance(value, list) else []


def web_address(text: str) -> str | None:
    """Return an absolute http or https address that is a valid URI, or None; `//host/…` becomes https."""
    text = text.strip().replace("&amp;", "&")
    if text.startswith("//"):
        text = "https:" + text
    elif text.lower().startswith("www."):
        text = "https://" + text
    if not _ADDRESS.fullmatch(text) or len(text) > 2_000:
        return None
    if text.isascii() and not set(text) & set('"<>\\^`{|}[]%'):
        return text
    return _quoted(text)


def _quoted(text: str) -> str | None:
    try:
        parts = urlsplit(text)
        host = parts.netloc.encode("idna").decode() if not parts.netloc.isascii() else parts.netloc
    except (ValueError, UnicodeError):
        return None
    escaped = quote(parts.path, safe="/%:@!$&'()*+,;=~-._")
    query = quote(parts.query, safe="/%:@!$&'()*+,;=~-._?")
    fixed = re.sub(r"%(?![0-9A-Fa-f]{2})", "%25", f"{escaped}?{query}" if parts.query else escaped)
    return f"{parts.scheme.lower()}://{host}{fixed}"


_FEATURE_BREAKS: Final = (SEVERAL, "\n", "|", ";", "•", "~", "\\\\", "·", "•")
_OUTSIDE_BRACKETS: Final = re.compile(r",\s*(?![^()]{0,80}\))")


def feature_list(text: str) -> list[str]:
    """Return the equipment in a cell as a list, each item once; the first separator that occurs divides."""
    if text.startswith("["):
        text = _json_addresses(text)
    text = _BREAK.sub("\n", text) if "<" in text else text
    mark = next((mark for mark in _FEATURE_BREAKS if mark in text), None)
    parts = text.split(mark) if mark is not None else _OUTSIDE_BRACKETS.split(text)
    cleaned = (clean_line(part.strip(" -*•,;"), longest=200) for part in parts)
    return list(dict.fromkeys(part for part in cleaned if part))[:MOST_FEATURES]


_COLOR_IN_BRACKETS: Final = re.compile(r"([^\[\]]*)\[([^\[\]]+)\]")


def color_name(text: str) -> str:
    """Return a colour's own name: in `Black[Tuxedo Black Metallic]` the maker's name stands in brackets."""
    found = _COLOR_IN_BRACKETS.fullmatch(text.strip())
    name = clean_line(found[2] if found else text, longest=120)
    return name.capitalize() if name.swapcase() == name.capitalize() else name
