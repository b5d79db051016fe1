"""Vehicles that come as columns make the same index as vehicles that come one by one."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from tests.search.stocks import generated_filters, generated_stock

from forecourt.dealer.search import Block, SearchIndex
from forecourt.dealer.search.blocks import PlainColumn, blocks_of

STOCK = generated_stock(300, seed=21)
CURRENCIES = [("EUR", "SEK"), (), ("CAD",)]


def listed() -> list[tuple[dict[str, Any], tuple[str, ...]]]:
    return [(vehicle, CURRENCIES[place % 3]) for place, vehicle in enumerate(STOCK)]


def with_each_value_once(block: Block) -> Block:
    """Return the block with equal values coded once, in another order, and without empty columns."""
    columns = {field: _once(list(column.values)) for field, column in block.columns.items()}
    said = {field: column for field, column in columns.items() if set(map(str, column.values)) != {"None"}}
    return Block(block.vehicles, said, _once(list(block.left_out.values)))


def _once(values: list[Any]) -> PlainColumn:
    keys = sorted({repr(value): value for value in values}.items(), reverse=True)
    places = {key: place for place, (key, _) in enumerate(keys)}
    return PlainColumn(
        [value for _, value in keys], np.array([places[repr(value)] for value in values], np.int32)
    )


def small_blocks() -> Iterator[Block]:
    for start in range(0, len(STOCK), 70):
        yield from map(with_each_value_once, blocks_of(listed()[start : start + 70]))


def test_columns_and_single_vehicles_make_indexes_that_answer_alike() -> None:
    one_by_one, in_columns = SearchIndex.build(listed()), SearchIndex.build_from_blocks(small_blocks())

    for filters in generated_filters(150, seed=4):
        expected, found = one_by_one.search({"filters": filters}), in_columns.search({"filters": filters})
        assert (found.data(), found.message) == (expected.data(), expected.message), filters
    for vehicle in STOCK:
        identifier = {"vehicle_id": vehicle["vehicle_id"]}
        assert in_columns.find(identifier) == one_by_one.find(identifier)
