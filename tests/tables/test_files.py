"""Any file of vehicles: charset, delimiter, header and records are found out, damage is told."""

import gzip
import io
import json
import zipfile
from pathlib import Path

import pytest

from forecourt.tables.errors import EmptyFile, TruncatedFile, UnreadableFile
from forecourt.tables.opening import open_table

HEADER = "Stock,Make,Model,Price"
ROW = "A1,Citroën,C4 – “Élysée”,9500 €"


def rows_of(path: Path) -> list[dict[str, str]]:
    with open_table(path) as table:
        return [
            dict(zip(batch.names, cells, strict=True))
            for batch in table.batches
            for cells in zip(*batch.columns, strict=True)
        ]


def first_row(path: Path, content: bytes) -> dict[str, str]:
    path.write_bytes(content)
    return rows_of(path)[0]


@pytest.mark.parametrize("charset", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_the_charset_is_found_out(tmp_path: Path, charset: str) -> None:
    row = first_row(tmp_path / "feed.csv", f"{HEADER}\r\n{ROW}\r\n".encode(charset))

    assert row == {"Stock": "A1", "Make": "Citroën", "Model": "C4 – “Élysée”", "Price": "9500 €"}


def test_a_euro_sign_tells_iso_8859_15(tmp_path: Path) -> None:
    row = first_row(tmp_path / "feed.csv", f"{HEADER}\r\nA1,Citroën,C4,9500 €\r\n".encode("iso8859-15"))

    assert (row["Make"], row["Price"]) == ("Citroën", "9500 €")


def test_one_damaged_byte_does_not_change_the_charset_of_the_rest(tmp_path: Path) -> None:
    good = "".join(f"A{number},Citroën,Élysée,9500\r\n" for number in range(40))

    row = first_row(tmp_path / "feed.csv", f"{HEADER}\r\n{good}".encode() + b"Z,Citro\xebn,C4,1\r\n")

    assert row["Model"] == "Élysée"
    assert rows_of(tmp_path / "feed.csv")[-1]["Make"] == "Citroën"


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found_out(tmp_path: Path, delimiter: str) -> None:
    lines = [HEADER.split(","), ["A1", "Ford", "Focus", '"1, 2; 3"']]

    row = first_row(tmp_path / "feed.csv", "\n".join(delimiter.join(line) for line in lines).encode() + b"\n")

    assert (row["Stock"], row["Price"]) == ("A1", "1, 2; 3")


def test_titles_above_the_header_are_passed_over(tmp_path: Path) -> None:
    content = f"Inventory report\r\n\r\nPrinted 2026-11-30,,,\r\n{HEADER}\r\nA1,Ford,Focus,9500\r\n"

    assert first_row(tmp_path / "feed.csv", content.encode())["Make"] == "Ford"


def test_a_line_number_counts_lines_within_quoted_cells(tmp_path: Path) -> None:
    path = tmp_path / "feed.csv"
    path.write_text('Stock,Make,Description\nA1,Ford,"one\ntwo\nthree"\nA2,Ford,x\n', encoding="utf-8")

    with open_table(path) as table:
        (batch,) = table.batches

    assert list(batch.lines) == [2, 5]


def test_a_row_with_too_many_cells_is_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "feed.csv"
    path.write_text(f"{HEADER}\nA1,Ford,Focus,9500\nA2,Ford,Focus,9,500\nA3,Ford\n\n", encoding="utf-8")

    with open_table(path) as table:
        (batch,) = table.batches

    assert [row.line for row in batch.broken] == [3]
    assert batch.columns[0] == ("A1", "A3")
    assert batch.blank == 1


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf", b"  \r\n"])
def test_a_file_with_nothing_in_it_is_empty(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "feed.csv"
    path.write_bytes(content)

    with pytest.raises(EmptyFile):
        rows_of(path)


@pytest.mark.parametrize(
    "content",
    [
        b'[{"stock": "A1", "make": "Ford"}, {"stock": "A',
        b"<vehicles><vehicle><make>Ford</make></vehicle><vehi",
        b"Stock,Make,Model\nA1,Ford,Focus\nA2,For",
    ],
)
def test_a_file_that_stops_in_the_middle_is_truncated(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "feed"
    path.write_bytes(content)

    with pytest.raises(TruncatedFile):
        rows_of(path)


@pytest.mark.parametrize(
    "content",
    [
        b"<!DOCTYPE html><html><body>Sign in</body></html>",
        b"\xd0\xcf\x11\xe0old excel",
        b"PK\x03\x04broken",
        b"\x1f\x8bbroken",
        b"PAR1broken",
        b'<!DOCTYPE x [<!ENTITY a "b">]><vehicles><vehicle><make>&a;</make></vehicle></vehicles>',
        b"[" * 100_000,
        b"[1, 2, 3]",
    ],
)
def test_what_is_no_table_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "feed"
    path.write_bytes(content)

    with pytest.raises((UnreadableFile, TruncatedFile)):
        rows_of(path)


def test_json_is_found_at_any_depth_and_numbers_keep_one_reading(tmp_path: Path) -> None:
    car = {
        "vin": "1FADP3K25EL000017",
        "make": {"name": "Ford"},
        "price": {"amount": 9.135, "currency": "EUR"},
    }
    document = {
        "meta": {"count": 1},
        "data": {"results": [{"car": car, "photos": [{"url": "a"}, {"url": "b"}]}]},
    }

    row = first_row(tmp_path / "feed.json", json.dumps(document).encode())

    assert row["car.make.name"] == "Ford"
    assert row["car.price.amount"] == "9.1350"
    assert row["photos.url"] == "a\x1fb"


def test_json_lines_are_read_one_by_one(tmp_path: Path) -> None:
    first_row(
        tmp_path / "feed.jsonl", b'{"stock": "1", "make": "Ford"}\n\n{"stock": "2", "model": "Focus"}\n'
    )

    assert rows_of(tmp_path / "feed.jsonl")[1] == {"stock": "2", "make": "", "model": "Focus"}


def test_xml_with_bare_ampersands_and_control_characters_is_mended(tmp_path: Path) -> None:
    content = b"<list><car><stock>1</stock><make>Lynk & Co\x08</make><model>01 &amp; 02</model></car></list>"

    row = first_row(tmp_path / "feed.xml", content)

    assert (row["make"], row["model"]) == ("Lynk & Co", "01 & 02")


def test_xml_values_in_attributes_and_typed_entries_are_read(tmp_path: Path) -> None:
    content = b"""<ads><ad key="7">
    <vehicle><make key="BMW"/><model key="320"/><mileage value="1000"/></vehicle>
    <prices>
    <price type="public"><value>9000</value></price>
    <price type="dealer"><value>8000</value></price>
    </prices></ad></ads>"""

    row = first_row(tmp_path / "feed.xml", content)

    assert (row["vehicle.make"], row["vehicle.mileage"]) == ("BMW", "1000")
    assert (row["prices.price.public.value"], row["prices.price.dealer.value"]) == ("9000", "8000")


def test_packed_files_are_unpacked(tmp_path: Path) -> None:
    text = f"{HEADER}\nA1,Ford,Focus,9500\n".encode()
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as target:
        target.writestr("stock.csv", text)
        target.writestr("1.jpg", b"picture")

    assert first_row(tmp_path / "feed.gz", gzip.compress(text))["Make"] == "Ford"
    assert first_row(tmp_path / "feed.zip", archive.getvalue())["Make"] == "Ford"


def test_parquet_is_read_when_the_extra_is_there(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "feed.parquet"
    parquet.write_table(pyarrow.table({"stock": ["00042"], "make": ["Ford"], "price": [12500.5]}), path)

    assert rows_of(path) == [{"stock": "00042", "make": "Ford", "price": "12500.5"}]
