"""JSON in any nesting, and JSON Lines: the list of vehicles is found, each vehicle is flattened."""

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, BinaryIO, Final

from forecourt.tables.batches import BATCH_ROWS, Batch, Detected, Table, batch_of_records
from forecourt.tables.charset import Charset, detect_charset
from forecourt.tables.errors import EmptyFile, TruncatedFile, UnreadableFile
from forecourt.tables.flattening import flatten, typed_decimal
from forecourt.tables.header_row import vehicle_score
from forecourt.tables.word_lists import listed

_DEEPEST_LIST: Final = 8
_SAMPLED: Final = 20
_LARGEST_DOCUMENT: Final = 1 << 30
_NEXT_PAGE: Final = listed(
    """next nexturl nextpage next_page nexttoken next_page_token nextpagetoken hasmore has_more"""
)
_TOTAL: Final = listed(
    """total totalresults total_results totalcount total_count totalvehicles numfound totalrecords
    total_records totalitems totalhits"""
)

_DECODER: Final = json.JSONDecoder(parse_float=typed_decimal, parse_int=str, parse_constant=lambda _: None)


def open_json(file: BinaryIO, *, charset: str | None = None) -> Table:
    """Open a JSON document; raises `EmptyFile`, `TruncatedFile` or `UnreadableFile`.

    A document that is one object after the other, line by line, is read as JSON Lines.
    """
    chosen = Charset(charset, "strict", "declared") if charset else detect_charset(file)
    text = io.TextIOWrapper(file, encoding=chosen.name, errors=chosen.errors)
    if _is_json_lines(text.read(64 * 1024)):
        text.seek(0)
        return Table(Detected("JSON Lines", charset=chosen.name.upper()), _line_batches(text), files=(text,))
    text.seek(0)
    document = _document(text.read(_LARGEST_DOCUMENT + 1))
    records = _vehicle_records(document)
    return Table(
        Detected(
            "JSON",
            charset=chosen.name.upper(),
            notes=tuple(_notes(document)),
            stated_total=_stated_total(document),
        ),
        _record_batches(records),
        files=(text,),
    )


def _is_json_lines(head: str) -> bool:
    lines = [line for line in head.split("\n") if line.strip()]
    if len(lines) < 2 or not lines[0].lstrip("\ufeff").lstrip().startswith("{"):
        return False
    try:
        return isinstance(_DECODER.decode(lines[0].strip("\ufeff \r,")), dict)
    except (ValueError, RecursionError):
        return False


def _line_batches(text: io.TextIOWrapper) -> Iterator[Batch]:
    numbered = ((number, line.strip("\ufeff \r\n\t")) for number, line in enumerate(text, start=1))
    filled = ((number, line) for number, line in numbered if line)
    while batch := list(islice(filled, BATCH_ROWS)):
        records = [flatten(_object_on(number, line)) for number, line in batch]
        yield batch_of_records(records, [number for number, _ in batch])


def _object_on(number: int, line: str) -> Mapping[str, Any]:
    try:
        value = _DECODER.decode(line)
    except (ValueError, RecursionError):
        raise TruncatedFile(f"Line {number} is not a whole JSON object.") from None
    if not isinstance(value, dict):
        raise UnreadableFile(f"Line {number} is JSON but no object.")
    return value


def _document(text: str) -> Any:
    if len(text) > _LARGEST_DOCUMENT:
        raise UnreadableFile("The JSON document is larger than 1 GB; use JSON Lines or CSV.")
    text = text.strip("\ufeff \r\n\t\x00")
    if not text:
        raise EmptyFile("The file is empty.")
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        at_end = error.pos >= len(text) - 1 or "Unterminated string" in error.msg or error.pos == len(text)
        kind = TruncatedFile if at_end else UnreadableFile
        raise kind(
            f"The JSON document cannot be read on: line {error.lineno}, column {error.colno}."
        ) from None
    except RecursionError:
        raise UnreadableFile("The JSON document is nested too deeply.") from None


def _vehicle_records(document: Any) -> Sequence[Mapping[str, Any]]:
    """Return the list of objects that speaks most of vehicles; of equals the deepest."""
    candidates = list(_object_lists(document, 0))
    if not candidates:
        raise UnreadableFile("The JSON document holds no list of objects.")
    return max(reversed(candidates), key=_list_score)


def _object_lists(value: Any, depth: int) -> Iterator[Sequence[Mapping[str, Any]]]:
    if depth > _DEEPEST_LIST:
        return
    if isinstance(value, dict):
        yield [value]
        objects = [inner for inner in value.values() if isinstance(inner, dict)]
        if len(objects) > 1 and len(objects) == len(value) and _are_alike(objects):
            yield objects
        for inner in value.values():
            yield from _object_lists(inner, depth + 1)
    elif isinstance(value, list):
        objects = [inner for inner in value if isinstance(inner, dict)]
        if objects:
            yield objects
            yield from _object_lists(objects[0], depth + 1)


def _are_alike(objects: Sequence[Mapping[str, Any]]) -> bool:
    """Tell vehicles by their id, which have the same members, from the parts of one vehicle."""
    first, *others = (set(record) for record in objects[:_SAMPLED])
    return all(len(first & other) * 2 > len(first | other) for other in others)


def _list_score(records: Sequence[Mapping[str, Any]]) -> tuple[int, int]:
    names = {name for record in records[:_SAMPLED] for name in flatten(_shallow(record))}
    return vehicle_score(names), len(records)


def _shallow(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a record without its long lists of objects, which may be the vehicles of a whole file."""
    return {name: value for name, value in record.items() if not _is_list_of_records(value)}


def _is_list_of_records(value: Any) -> bool:
    if not isinstance(value, list) or not value or not isinstance(value[0], dict):
        return False
    return vehicle_score(flatten(value[0])) >= 4


def _record_batches(records: Sequence[Mapping[str, Any]]) -> Iterator[Batch]:
    for start in range(0, len(records), BATCH_ROWS):
        part = records[start : start + BATCH_ROWS]
        yield batch_of_records([flatten(record) for record in part], range(start + 1, start + len(part) + 1))


def _notes(document: Any) -> Iterator[str]:
    if any(value and value not in {"false", "0"} for value in _members(document, _NEXT_PAGE)):
        yield "the document names a next page: it is one page of many"


def _stated_total(document: Any) -> int | None:
    totals = [
        int(value) for value in _members(document, _TOTAL) if isinstance(value, str) and value.isdecimal()
    ]
    return max(totals, default=None)


def _members(document: Any, names: frozenset[str]) -> Iterator[Any]:
    """Yield members of those names at the top of a document and in the objects directly below."""
    if not isinstance(document, dict):
        return
    for name, value in document.items():
        if name.lower() in names and not isinstance(value, dict | list):
            yield value
        if isinstance(value, dict):
            yield from (
                inner
                for key, inner in value.items()
                if key.lower() in names and not isinstance(inner, dict | list)
            )
