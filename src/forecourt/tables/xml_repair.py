"""A stream that mends what hand-written XML exporters break: bare ampersands and control characters."""

import re
from typing import BinaryIO, Final

_BARE_AMPERSAND: Final = re.compile(rb"&(?!#\d{1,7};|#x[0-9A-Fa-f]{1,6};|(?:amp|lt|gt|quot|apos);)")
_CONTROL: Final = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_LONGEST_REFERENCE: Final = 12


class RepairedXml:
    """Reads like a file. In UTF-16 nothing is mended; HTML's named entities are read as the text they are."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._held = b""
        start = file.read(2)
        file.seek(0)
        self._wide = start in {b"\xff\xfe", b"\xfe\xff"} or b"\x00" in start

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes; a reference that the block cuts in two waits for the next one."""
        block = self._file.read(size)
        if self._wide:
            return block
        data = self._held + block
        cut = data.rfind(b"&", -_LONGEST_REFERENCE) if block else -1
        data, self._held = (data, b"") if cut < 0 else (data[:cut], data[cut:])
        if not data and self._held:
            return self.read(size)
        return _CONTROL.sub(b"", _BARE_AMPERSAND.sub(b"&amp;", data))
