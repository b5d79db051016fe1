"""JSON whose parts are passed on as they were written.

A parsed number does not remember its form: `1e3`, `0.10` and `12.50` leave `json.dumps` changed. Who forwards
a part of a document to somebody else forwards its text; this reader parses a document once and keeps the text
of the wanted parts.
"""

import json
import re
from collections.abc import Mapping, Sequence
from itertools import chain
from math import isfinite
from typing import Any, Final, Never

from forecourt.base.strict_json import MAX_DEPTH, MalformedJson

ANY: Final = "*"
"""In a pattern: every entry of an array."""

Path = tuple[str | int, ...]

_CONTAINERS: Final = frozenset({dict, list})
_SPACE: Final = re.compile(r"[ \t\r\n]*")


def read_with_texts(body: bytes | str, pattern: Sequence[str]) -> tuple[Any, Mapping[Path, str]]:
    """Return the document and the texts of the parts whose path fits `pattern`.

    A pattern names members, and `ANY` for the entries of an array: `("parts", ANY, "data")` finds
    `("parts", 0, "data")`. Numbers are finite, nesting goes at most `MAX_DEPTH` levels. Equal keys are not
    refused, the last counts. Raises `MalformedJson`.
    """
    try:
        reader = _Reader(body if isinstance(body, str) else body.decode())
        document = reader.read(tuple(pattern))
    except UnicodeDecodeError:
        raise MalformedJson("not_utf8", "The body is not valid UTF-8.") from None
    except (json.JSONDecodeError, IndexError):
        raise MalformedJson("bad_syntax", "The body is not JSON.") from None
    except RecursionError:
        raise MalformedJson("too_deep", f"The body nests deeper than {MAX_DEPTH} levels.") from None
    except ValueError:  # an integer longer than the interpreter converts
        raise MalformedJson("number_out_of_range", "A number is too large.") from None
    if reader.text.count("[") + reader.text.count("{") > MAX_DEPTH and _nests_deeper(document):
        raise MalformedJson("too_deep", f"The body nests deeper than {MAX_DEPTH} levels.")
    return document, reader.texts


class _Reader:
    """Walks the objects and arrays on the pattern's way itself and leaves the rest to the C scanner."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.texts: dict[Path, str] = {}

    def read(self, pattern: tuple[str, ...]) -> Any:
        value, end = self._value(self._space(0), (), pattern)
        if self._space(end) != len(self.text):
            raise json.JSONDecodeError("trailing text", self.text, end)
        return value

    def _value(self, start: int, path: Path, pattern: tuple[str, ...]) -> tuple[Any, int]:
        opening = self.text[start]
        if pattern and opening == "{":
            return self._object(start, path, pattern)
        if pattern and pattern[0] == ANY and opening == "[":
            return self._array(start, path, pattern)
        value, end = _DECODER.raw_decode(self.text, start)
        if not pattern:
            self.texts[path] = self.text[start:end]
        return value, end

    def _object(self, start: int, path: Path, pattern: tuple[str, ...]) -> tuple[dict[str, Any], int]:
        members: dict[str, Any] = {}
        position = self._space(start + 1)
        if self.text[position] == "}":
            return members, position + 1
        while True:
            self._expect('"', position)
            key, position = _DECODER.raw_decode(self.text, position)
            position = self._expect(":", self._space(position))
            if key == pattern[0]:
                members[key], position = self._value(self._space(position), (*path, key), pattern[1:])
            else:
                members[key], position = _DECODER.raw_decode(self.text, self._space(position))
            position = self._space(position)
            if self.text[position] == "}":
                return members, position + 1
            position = self._space(self._expect(",", position))

    def _array(self, start: int, path: Path, pattern: tuple[str, ...]) -> tuple[list[Any], int]:
        entries: list[Any] = []
        position = self._space(start + 1)
        if self.text[position] == "]":
            return entries, position + 1
        while True:
            entry, position = self._value(position, (*path, len(entries)), pattern[1:])
            entries.append(entry)
            position = self._space(position)
            if self.text[position] == "]":
                return entries, position + 1
            position = self._space(self._expect(",", position))

    def _space(self, position: int) -> int:
        match = _SPACE.match(self.text, position)
        return match.end() if match else position

    def _expect(self, character: str, position: int) -> int:
        if self.text[position] != character:
            raise json.JSONDecodeError(f"expected {character}", self.text, position)
        return position + 1


def _nests_deeper(value: Any) -> bool:
    """Tell whether the value nests deeper than `MAX_DEPTH` levels, one layer of containers at a time."""
    layer: list[Any] = [value]
    for _ in range(MAX_DEPTH):
        children = chain.from_iterable(node.values() if type(node) is dict else node for node in layer)
        layer = [child for child in children if type(child) in _CONTAINERS]
        if not layer:
            return False
    return True


def _real(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise MalformedJson("number_out_of_range", "A number is too large.")
    return number


def _no_constant(text: str) -> Never:
    raise MalformedJson("not_a_number", f"{text} is not JSON.")


_DECODER: Final = json.JSONDecoder(parse_float=_real, parse_constant=_no_constant)
