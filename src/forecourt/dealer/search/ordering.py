"""One page of the matching vehicles in the wanted order: nulls last both ways, ties in default order."""

from typing import Final

import numpy as np

from forecourt.dealer.search.columns import Column, Rows

FEW: Final = 6_000
"""Up to so many matches their keys are sorted; of more the ready order is walked until the page is full."""


def page_of(rows: Rows, column: Column | None, *, descending: bool, skip: int, limit: int) -> Rows:
    """Return the rows of a page. Without a column the order is the default one, which rows ascend in."""
    if column is None or skip >= len(rows):
        return rows[skip : skip + limit]
    if len(rows) <= FEW:
        return _selected(rows, column, descending=descending, wanted=skip + limit)[skip:]
    return _walked(rows, column, descending=descending, wanted=skip + limit)[skip:]


def _selected(rows: Rows, column: Column, *, descending: bool, wanted: int) -> Rows:
    """Return the first rows by partial sorting of keys that hold rank and row."""
    size = len(column.codes)
    keys = column.ranks(rows, descending=descending) * size + rows
    if wanted < len(keys):
        keys = np.partition(keys, wanted - 1)[:wanted]
    keys.sort()
    return keys % size


def _walked(rows: Rows, column: Column, *, descending: bool, wanted: int) -> Rows:
    """Return the first rows by walking all rows in order, in growing steps."""
    order = column.descending if descending else column.order
    matching = np.zeros(len(order), dtype=np.bool_)
    matching[rows] = True
    found, start, step = np.empty(0, dtype=np.intp), 0, 1024
    while len(found) < wanted and start < len(order):
        candidates = order[start : start + step]
        found = np.concatenate((found, candidates[matching[candidates]]))
        start, step = start + step, 2 * step
    return found[:wanted]
