"""Open any file of vehicles: what it is shows in its first bytes, not in its name."""

import gzip
import tempfile
import zipfile
import zlib
from dataclasses import replace
from pathlib import Path
from typing import IO, BinaryIO, Final, cast

from forecourt.tables.batches import Table
from forecourt.tables.errors import EmptyFile, UnreadableFile
from forecourt.tables.json_cells import with_cells_expanded

_LARGEST_UNPACKED: Final = 4 << 30
_IN_MEMORY: Final = 32 << 20
_WORKBOOK_PARTS: Final = ("xl/", "[Content_Types].xml")


def open_table(path: Path, *, charset: str | None = None, delimiter: str | None = None) -> Table:
    """Open a file as a table of vehicles: CSV and its kin, JSON, XML, XLSX or Parquet, maybe packed.

    What is not declared is detected. Close the table when it is read. Raises a leaf of `tables.errors`, also
    later, while rows are read.
    """
    try:
        file = path.open("rb")
    except OSError:
        raise UnreadableFile(f"{path.name} cannot be opened.") from None
    try:
        return open_stream(file, charset=charset, delimiter=delimiter).owning(file)
    except BaseException:
        file.close()
        raise


def open_stream(file: BinaryIO, *, charset: str | None = None, delimiter: str | None = None) -> Table:
    """Do what `open_table` does for an open, seekable file."""
    head = _head(file)
    if head.startswith(b"\x1f\x8b"):
        unpacked = _unpacked(cast("IO[bytes]", gzip.GzipFile(fileobj=file)))
        return open_stream(unpacked, charset=charset, delimiter=delimiter).owning(unpacked)
    if head.startswith(b"PK\x03\x04"):
        return _open_archive(file, charset=charset, delimiter=delimiter)
    if head.startswith(b"PAR1"):
        from forecourt.tables.parquet import open_parquet

        return open_parquet(file)
    if head.startswith(b"\xd0\xcf\x11\xe0"):
        raise UnreadableFile("This is an old Excel file (XLS); save it as XLSX or CSV.")
    return _open_text(file, head, charset=charset, delimiter=delimiter)


def _open_text(file: BinaryIO, head: bytes, *, charset: str | None, delimiter: str | None) -> Table:
    start = head.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n\x00")
    if not start and not file.read(1 << 16).strip():
        raise EmptyFile("The file is empty.")
    if start.startswith(b"<"):
        from forecourt.tables.xml_records import open_xml

        _refuse_page(start)
        return open_xml(file)
    if start.startswith((b"{", b"[")):
        from forecourt.tables.json_records import open_json

        return open_json(file, charset=charset)
    from forecourt.tables.delimited import open_delimited

    return _with_nested_cells(open_delimited(file, charset=charset, delimiter=delimiter))


def _with_nested_cells(table: Table) -> Table:
    return replace(table, batches=map(with_cells_expanded, table.batches))


def _refuse_page(start: bytes) -> None:
    if start[:200].lower().replace(b"\x00", b"").startswith((b"<!doctype html", b"<html")):
        raise UnreadableFile("This is a web page, not a feed; perhaps the address asks for a sign-in.")


def _open_archive(file: BinaryIO, *, charset: str | None, delimiter: str | None) -> Table:
    try:
        archive = zipfile.ZipFile(file)
    except zipfile.BadZipFile:
        raise UnreadableFile("The file is a damaged archive.") from None
    names = [entry.filename for entry in archive.infolist() if not entry.is_dir()]
    if any(name.startswith(_WORKBOOK_PARTS) for name in names):
        from forecourt.tables.workbooks import open_workbook

        file.seek(0)
        return _with_nested_cells(open_workbook(file))
    tables = [
        name
        for name in names
        if name.lower().endswith((".csv", ".txt", ".tsv", ".json", ".jsonl", ".xml", ".xlsx"))
    ]
    if len(tables) != 1:
        raise UnreadableFile("The archive must hold exactly one file of vehicles.")
    try:
        unpacked = _unpacked(archive.open(tables[0]))
    except RuntimeError:
        raise UnreadableFile("The archive is protected by a password.") from None
    return open_stream(unpacked, charset=charset, delimiter=delimiter).owning(unpacked)


def _head(file: BinaryIO) -> bytes:
    file.seek(0)
    head = file.read(512)
    file.seek(0)
    if not head:
        raise EmptyFile("The file is empty.")
    return head


def _unpacked(packed: IO[bytes]) -> BinaryIO:
    """Unpack into a temporary file, never more than the limit."""
    target = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - closed with the table
    try:
        with packed:
            _copy(packed, cast("BinaryIO", target))
    except (OSError, EOFError, zipfile.BadZipFile, zlib.error):
        target.close()
        raise UnreadableFile("The packed file is damaged or incomplete.") from None
    target.seek(0)
    return cast("BinaryIO", target)


def _copy(packed: IO[bytes], target: BinaryIO) -> None:
    size = 0
    for block in iter(lambda: packed.read(1 << 20), b""):
        size += len(block)
        if size > _LARGEST_UNPACKED:
            raise UnreadableFile("The file is larger than 4 GB once unpacked.")
        target.write(block)
