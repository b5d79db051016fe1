"""XML of any layout: the element that stands for a vehicle is found, each one is flattened and let go.

Read by defusedxml (no entities, no external files) in one pass after a look at the beginning.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, BinaryIO, Final
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import iterparse

from forecourt.tables.batches import BATCH_ROWS, Batch, Detected, Table, batch_of_records
from forecourt.tables.errors import EmptyFile, TruncatedFile, UnreadableFile
from forecourt.tables.flattening import flatten
from forecourt.tables.header_row import vehicle_score
from forecourt.tables.xml_repair import RepairedXml

_LOOKED_AT: Final = 4_000
"""Elements of the beginning that are looked at to find the vehicle's element."""
_VALUE_ATTRIBUTES: Final = ("value", "key", "code", "name")
_ENDS: Final = frozenset(
    {3, 5, 6, 20}
)  # expat: no element found, unclosed token, partial character, unclosed CDATA
_NAMESPACE: Final = re.compile(r"\{.*?\}")

Path = tuple[str, ...]


def open_xml(file: BinaryIO) -> Table:
    """Open an XML document; raises `EmptyFile`, `TruncatedFile` or `UnreadableFile`."""
    record_path = _find_record_path(file)
    layout = f"XML, one <{record_path[-1]}> per vehicle"
    return Table(Detected(layout, charset="as the XML declaration says"), _batches(file, record_path))


def _find_record_path(file: BinaryIO) -> Path:
    below: defaultdict[Path, set[str]] = defaultdict(set)
    seen = Counter[Path]()
    for number, (path, element, _) in enumerate(_walk(file)):
        seen[path] += 1
        if len(element) == 0:
            for depth in range(1, len(path)):
                below[path[:depth]].add(".".join(path[depth:]))
        if number > _LOOKED_AT:
            break
    if not below:
        raise UnreadableFile("The XML document holds no elements with content.")
    return max(below, key=lambda path: (vehicle_score(below[path]), len(path), seen[path]))


def _walk(file: BinaryIO) -> Iterator[tuple[Path, Element, Element | None]]:
    """Yield every element that is complete, with its path and its parent."""
    file.seek(0)
    open_elements: list[Element] = []
    path: list[str] = []
    try:
        for event, element in iterparse(RepairedXml(file), events=("start", "end")):
            if event == "start":
                path.append(_local(element.tag))
                open_elements.append(element)
            else:
                open_elements.pop()
                yield tuple(path), element, open_elements[-1] if open_elements else None
                path.pop()
    except ParseError as error:
        raise _unreadable(error) from None
    except DefusedXmlException:
        raise UnreadableFile("The XML document declares entities, which are not read.") from None


def _unreadable(error: ParseError) -> UnreadableFile | TruncatedFile | EmptyFile:
    line, column = error.position
    if error.code == 3 and line == 1 and column == 0:
        return EmptyFile("The file is empty.")
    if error.code in _ENDS:
        return TruncatedFile(f"The XML document stops on line {line} before it is complete.")
    return UnreadableFile(f"The XML document is damaged on line {line}, column {column}.")


def _batches(file: BinaryIO, record_path: Path) -> Iterator[Batch]:
    records: list[dict[str, str]] = []
    first = 1
    for path, element, parent in _walk(file):
        if path != record_path:
            continue
        records.append(flatten(_content(element)))
        (element if parent is None else parent).clear()
        if len(records) == BATCH_ROWS:
            yield batch_of_records(records, range(first, first + len(records)))
            first += len(records)
            records = []
    if records:
        yield batch_of_records(records, range(first, first + len(records)))


def _local(tag: str) -> str:
    return _NAMESPACE.sub("", tag)


def _content(element: Element) -> dict[str, Any]:
    """Return an element's children and attributes as an object; a repeated child becomes a list."""
    content: dict[str, Any] = {f"@{_local(name)}": value for name, value in element.attrib.items()}
    for child in element:
        if not isinstance(child.tag, str):
            continue
        name, value = _local(child.tag), _value(child)
        if name not in content:
            content[name] = value
        elif isinstance(content[name], list):
            content[name].append(value)
        else:
            content[name] = [content[name], value]
    return content


def _value(element: Element) -> Any:
    text = (element.text or "").strip()
    if len(element):
        return _content(element)
    if text and not element.attrib:
        return text
    for name in _VALUE_ATTRIBUTES:
        if not text and name in element.attrib:
            others = {f"@{_local(key)}": value for key, value in element.attrib.items() if key != name}
            return {"value": element.attrib[name], **others} if others else element.attrib[name]
    attributes = {f"@{_local(key)}": value for key, value in element.attrib.items()}
    return {"value": text, **attributes} if attributes else text
