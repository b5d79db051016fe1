"""Workers share the encoded vehicles through a file that is whole or not there."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.search.stocks import generated_stock

from forecourt.dealer.search import SearchIndex

STOCK = [{**vehicle, "description": "Well kept. " * 3_000} for vehicle in generated_stock(200, seed=2)]


def listed(stock: list[dict[str, Any]] = STOCK) -> Iterator[tuple[dict[str, Any], tuple[str, ...]]]:
    return ((vehicle, ()) for vehicle in stock)


def answers(index: SearchIndex) -> list[Any]:
    page = {"pagination": {"limit": 100}}
    every = [index.find({"vehicle_id": vehicle["vehicle_id"]}) for vehicle in STOCK]
    return [index.search(page).data(), index.facets({}).data(), [shown and shown.vehicle for shown in every]]


def test_an_index_with_a_payload_file_answers_like_one_in_memory(tmp_path: Path) -> None:
    with_file = SearchIndex.build(listed(), payload_path=tmp_path / "v1.vehicles")

    assert answers(with_file) == answers(SearchIndex.build(listed()))
    assert [path.name for path in tmp_path.iterdir()] == ["v1.vehicles"]


def test_a_second_worker_uses_the_file_of_the_first(tmp_path: Path) -> None:
    first = SearchIndex.build(listed(), payload_path=tmp_path / "v1.vehicles")
    written = (tmp_path / "v1.vehicles").stat()

    second = SearchIndex.build(listed(), payload_path=tmp_path / "v1.vehicles")

    now = (tmp_path / "v1.vehicles").stat()
    assert (now.st_ino, now.st_mtime_ns) == (written.st_ino, written.st_mtime_ns)
    assert answers(second) == answers(first)


def test_an_index_outlives_the_removal_of_its_file(tmp_path: Path) -> None:
    index = SearchIndex.build(listed(), payload_path=tmp_path / "v1.vehicles")
    (tmp_path / "v1.vehicles").unlink()

    assert answers(index) == answers(SearchIndex.build(listed()))


@pytest.mark.parametrize("damage", ["empty", "cut", "foreign"])
def test_a_damaged_file_is_written_anew(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "v1.vehicles"
    SearchIndex.build(listed(), payload_path=path)
    content = path.read_bytes()
    path.write_bytes(
        {"empty": b"", "cut": content[: len(content) // 2], "foreign": b"something else" * 99}[damage]
    )

    index = SearchIndex.build(listed(), payload_path=path)

    assert path.read_bytes() == content
    assert answers(index) == answers(SearchIndex.build(listed()))


def test_a_file_of_another_stock_is_refused(tmp_path: Path) -> None:
    SearchIndex.build(listed(), payload_path=tmp_path / "v1.vehicles")

    with pytest.raises(ValueError, match="another number of vehicles"):
        SearchIndex.build(listed(STOCK[:50]), payload_path=tmp_path / "v1.vehicles")


def test_a_feed_that_breaks_off_leaves_no_file(tmp_path: Path) -> None:
    def broken() -> Iterator[tuple[dict[str, Any], tuple[str, ...]]]:
        yield from listed()
        raise OSError("the feed ended early")

    with pytest.raises(OSError, match="ended early"):
        SearchIndex.build(broken(), payload_path=tmp_path / "v1.vehicles")

    assert list(tmp_path.iterdir()) == []


def test_a_small_stock_needs_no_file(tmp_path: Path) -> None:
    stock = generated_stock(200, seed=2)

    index = SearchIndex.build(listed(stock), payload_path=tmp_path / "v1.vehicles")

    assert list(tmp_path.iterdir()) == []
    assert answers(index) == answers(SearchIndex.build(listed(stock)))


def test_an_empty_stock_needs_no_file(tmp_path: Path) -> None:
    index = SearchIndex.build([], payload_path=tmp_path / "v0.vehicles")

    assert index.search({}).data()["vehicles"] == []
    assert list(tmp_path.iterdir()) == []
