"""Cells that hold JSON: Meta's feeds write an address, a mileage or all pictures into one cell."""

import json
from dataclasses import replace
from typing import Any

from forecourt.tables.batches import Batch, Column, batch_of_records
from forecourt.tables.flattening import flatten


def with_cells_expanded(batch: Batch) -> Batch:
    """Return a batch whose cells of JSON are columns of their own: Meta's feeds write nested fields so."""
    nested = [number for number, column in enumerate(batch.columns) if _holds_json(column)]
    if not nested:
        return batch
    names, columns = list(batch.names), list(batch.columns)
    for number in nested:
        records = [_read_cell(batch.names[number], text) for text in batch.columns[number]]
        part = batch_of_records(records, batch.lines)
        names += part.names
        columns += part.columns
    kept = [number for number in range(len(names)) if number not in nested]
    return replace(batch, names=tuple(names[n] for n in kept), columns=[columns[n] for n in kept])


def _holds_json(column: Column) -> bool:
    first = next(filter(None, column), "")
    return first.startswith(('{"', '[{"')) and isinstance(_parsed(first), dict | list)


def _read_cell(name: str, text: str) -> dict[str, str]:
    value = _parsed(text)
    return flatten({name: text if value is None else value})


def _parsed(text: str) -> Any:
    try:
        return json.loads(text) if text else None
    except (ValueError, RecursionError):
        return None
