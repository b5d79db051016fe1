"""Parquet files; needs the extra `parquet` (pyarrow)."""

from collections.abc import Iterator
from typing import Any, BinaryIO

from forecourt.tables.batches import BATCH_ROWS, Batch, Detected, Table, batch_of_records
from forecourt.tables.errors import ExtraMissing, UnreadableFile
from forecourt.tables.flattening import flatten


def open_parquet(file: BinaryIO) -> Table:
    """Open a Parquet file; raises `ExtraMissing` or `UnreadableFile`."""
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise ExtraMissing("Reading Parquet needs an extra: install forecourt[parquet].") from None
    try:
        content = ParquetFile(file)
    except (ArrowException, OSError):
        raise UnreadableFile("The Parquet file is damaged.") from None
    return Table(Detected("Parquet"), _batches(content))


def _batches(content: Any) -> Iterator[Batch]:
    first = 1
    for part in content.iter_batches(batch_size=BATCH_ROWS):
        records = [flatten(_plain(record)) for record in part.to_pylist()]
        yield batch_of_records(records, range(first, first + len(records)))
        first += len(records)


def _plain(record: dict[str, Any]) -> dict[str, Any]:
    """Write dates as ISO text; everything else is flattened as it is."""
    return {
        name: value.isoformat() if hasattr(value, "isoformat") else value for name, value in record.items()
    }
