"""How German type keys are written: fields 2.1 (HSN) and 2.2 (TSN) of the registration certificate.

Field 2.2 goes on behind the three characters that count: five of variant and version, and a check digit.
Papers from before October 2005 have the numbers under "zu 2" and "zu 3".
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

from forecourt.contract.errors import HsnTsnNotFound, InvalidHsn, InvalidTsn

_CODE: Final = re.compile(r"\s*([0-9]{4})\s*[/\- ]?\s*([A-Za-z0-9]{3})([A-Za-z0-9 ]{0,6})\s*")
_HSN: Final = re.compile(r"[0-9]{4}")
_SHORT_HSN: Final = re.compile(r"[0-9]{1,3}")
_TSN: Final = re.compile(r"([A-Za-z0-9]{3})([A-Za-z0-9 ]{0,6})")
_LABELS: Final = re.compile(r"\b(?:HSN|TSN|ZU\s*[23]|2\.[12])\b[\s:.]*|[,;]")
_MEANT: Final = re.compile(
    r"\s*([0-9]{1,4})\s*[/\-\s]\s*([A-Z0-9]{3})[A-Z0-9 ]{0,6}\s*|\s*([0-9]{4})([A-Z0-9]{3})\s*"
)
_COLLECTIVE: Final = frozenset({"0800", "0801", "0900", "0901"})
_NO_TYPE: Final = "000"
_CONFUSED: Final = {"O": "O0", "0": "0O", "I": "I1", "1": "1I"}


@dataclass(frozen=True, slots=True)
class WrittenKey:
    """A type key of the right form; `cut` tells whether characters behind the TSN were left out."""

    hsn: str
    tsn: str
    cut: bool = False

    @property
    def code(self) -> str:
        """Both parts, such as 0603/BJM."""
        return f"{self.hsn}/{self.tsn}"

    def misread(self) -> tuple["WrittenKey", ...]:
        """Return the keys that differ in O for 0 and I for 1, or the other way round, in the TSN."""
        choices = product(*(_CONFUSED.get(character, character) for character in self.tsn))
        tsns = ("".join(choice) for choice in choices)
        return tuple(WrittenKey(self.hsn, tsn) for tsn in tsns if tsn != self.tsn)


def read_type_key(arguments: Mapping[str, Any]) -> WrittenKey:
    """Read `hsn` and `tsn`, or both in `code`.

    Raises `InvalidHsn` or `InvalidTsn`, with a `suggestion` when it is plain what is meant, and
    `HsnTsnNotFound` for a key that stands for many cars.
    """
    key = (
        _of_code(arguments["code"]) if "code" in arguments else _of_parts(arguments["hsn"], arguments["tsn"])
    )
    if key.hsn in _COLLECTIVE or key.tsn == _NO_TYPE:
        raise HsnTsnNotFound("This key stands for many cars.", details={"reason": "collective_key"})
    return key


def _of_code(code: str) -> WrittenKey:
    found = _CODE.fullmatch(code)
    if found is not None:
        return WrittenKey(found[1], found[2].upper(), bool(found[3].strip()))
    details = _suggested(code)
    if _HSN.match(code.strip()) and not details:
        raise InvalidTsn("A TSN has 3 letters or digits behind the HSN, as in 0603/BJM.")
    raise InvalidHsn("Write HSN and TSN as 0603/BJM.", details=details)


def _of_parts(hsn: str, tsn: str) -> WrittenKey:
    hsn, tsn = hsn.strip(), tsn.strip()
    if not _HSN.fullmatch(hsn):
        short = _SHORT_HSN.fullmatch(hsn) is not None
        raise InvalidHsn("An HSN has 4 digits.", details={"suggestion": hsn.zfill(4)} if short else {})
    found = _TSN.fullmatch(tsn)
    if found is None:
        raise InvalidTsn("A TSN begins with 3 letters or digits.")
    return WrittenKey(hsn, found[1].upper(), bool(found[2].strip()))


def _suggested(code: str) -> dict[str, str]:
    """Read a code with labels, or with an HSN that lost its zeros; it is asked back, never taken silently."""
    found = _MEANT.fullmatch(_LABELS.sub(" ", code.upper()))
    if found is None:
        return {}
    hsn, tsn = found[1] or found[3], found[2] or found[4]
    return {"suggestion": f"{hsn.zfill(4)}/{tsn}"}
