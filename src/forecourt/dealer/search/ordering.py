"""One page of the matching vehicles in the wanted order: nulls last both ways, ties in default order."""

from typing import Final

import numpy as np

from forecourt.dealer.search.columns import Codes, Column, Rows
from forecourt.dealer.search.matching import Matches

SORTING_COST: Final = 8
"""How many rows are walked in the time in which one match is sorted, with a margin for matches in heaps."""
FIRST_STEP: Final = 8
"""Rows looked at first for each one that is wanted."""


def page_of(
    matches: Matches,
    column: Column | None,
    *,
    descending: bool,
    skip: int,
    limit: int,
    span: slice | None = None,
) -> Rows:
    """Return the rows of a page. Without a column the order is the default one, which rows ascend in.

    All matches have a code of `span` in the column, if it is given. Few matches are sorted; where they stand
    close together, the ready order is walked until the page is full.
    """
    if column is None or skip >= matches.count:
        return matches.rows()[skip : skip + limit]
    wanted = skip + limit
    stretch = column.stretch(span, descending=descending)
    if matches.count**2 > SORTING_COST * wanted * len(stretch):
        return _walked(matches, stretch, wanted=wanted)[skip:]
    return _selected(matches.rows(), column, descending=descending, wanted=wanted)[skip:]


def _selected(rows: Rows, column: Column, *, descending: bool, wanted: int) -> Rows:
    """Return the first rows by partial sorting of keys that hold rank and row."""
    size = len(column.codes)
    keys = column.ranks(rows, descending=descending) * size + rows
    if wanted < len(keys):
        keys = np.partition(keys, wanted - 1)[:wanted]
    keys.sort()
    return keys % size


def _walked(matches: Matches, stretch: Codes, *, wanted: int) -> Rows:
    """Return the first rows by walking rows in order, in growing steps."""
    flags = matches.flags()
    found: list[Codes] = []
    start, step, missing = 0, FIRST_STEP * wanted, wanted
    while missing > 0 and start < len(stretch):
        candidates = stretch[start : start + step]
        found.append(candidates[flags[candidates]])
        start, step, missing = start + step, 4 * step, missing - len(found[-1])
    rows = found[0] if len(found) == 1 else np.concatenate(found)
    return rows[:wanted].astype(np.intp)
