"""Which charset a text file is in: UTF-8 with or without mark, UTF-16, Windows-1252 or ISO-8859-15.

The whole file is tried as UTF-8, because one accented letter on the last line decides. What is not UTF-8 is
one of the two single-byte charsets that dealer systems write; they differ in few bytes, which tell them
apart.
"""

import codecs
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import BinaryIO, Final, NamedTuple

_BLOCK: Final = 1 << 20
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_ONLY_1252: Final = range(0x80, 0xA0)
"""Letters and quotation marks in Windows-1252, control codes in ISO-8859-15."""
_DIFFERENT_IN_885915: Final = (0xA4, 0xA6, 0xA8, 0xB4, 0xB8, 0xBC, 0xBD, 0xBE)
"""€ Š š Ž ž Œ œ Ÿ in ISO-8859-15; ¤ ¦ ¨ ´ ¸ ¼ ½ ¾ in Windows-1252."""
_ASCII: Final = bytes(range(0x80))
_REPLACEMENT: Final = "\ufffd".encode()
DAMAGED_UTF8: Final = "forecourt-damaged-utf-8"
"""Name of the error handler that reads a stray byte in UTF-8 text as Windows-1252."""


class Charset(NamedTuple):
    """A codec name, how to treat bytes that do not fit, and why it was chosen."""

    name: str
    errors: str
    reason: str


def detect_charset(file: BinaryIO) -> Charset:
    """Return the charset of a text file and leave the file at its start."""
    file.seek(0)
    head = file.read(4096)
    found = _by_mark(head) or _by_zero_bytes(head) or _by_content(file)
    file.seek(0)
    return found


def _by_mark(head: bytes) -> Charset | None:
    for mark, name in _MARKS:
        if head.startswith(mark):
            return Charset(name, "replace", "byte order mark")
    return None


def _by_zero_bytes(head: bytes) -> Charset | None:
    """Plain text in UTF-16 has a zero in every second byte; other charsets have none."""
    pairs = max(len(head) // 2, 1)
    if head[1::2].count(0) > 0.4 * pairs:
        return Charset("utf-16-le", "replace", "zero bytes")
    if head[0::2].count(0) > 0.4 * pairs:
        return Charset("utf-16-be", "replace", "zero bytes")
    return None


def _by_content(file: BinaryIO) -> Charset:
    misfits = _count_misfits(_blocks(file))
    if not misfits:
        return Charset("utf-8", "strict", "valid UTF-8")
    high = Counter[int]()
    for block in _blocks(file):
        high.update(block.translate(None, _ASCII))
    if misfits * 20 < high.total():
        return Charset("utf-8", DAMAGED_UTF8, f"UTF-8 with {misfits} damaged bytes")
    return _single_byte(high)


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    file.seek(0)
    return iter(lambda: file.read(_BLOCK), b"")


def _count_misfits(blocks: Iterable[bytes]) -> int:
    """Count the places that are not UTF-8; a character may straddle two blocks."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    misfits = 0
    for block in blocks:
        misfits += decoder.decode(block).count("\ufffd") - block.count(_REPLACEMENT)
    return misfits + decoder.decode(b"", final=True).count("\ufffd")


def _single_byte(high: Counter[int]) -> Charset:
    if any(high[byte] for byte in _ONLY_1252):
        return Charset("cp1252", "replace", "bytes 80 to 9F are in use")
    if any(high[byte] for byte in _DIFFERENT_IN_885915):
        return Charset("iso8859-15", "replace", "euro sign or a letter that only ISO-8859-15 has")
    return Charset("cp1252", "replace", "not UTF-8")


def _read_as_1252(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


codecs.register_error(DAMAGED_UTF8, _read_as_1252)
