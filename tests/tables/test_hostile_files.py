"""Files made to keep us busy, to fill the memory, or broken in the middle: each is told, none takes long."""

import contextlib
import gzip
import io
import json
import random
import zipfile

import pytest
from openpyxl import Workbook

from forecourt.base.clock import SYSTEM_CLOCK
from forecourt.base.errors import ForecourtError
from forecourt.dealer.feed.reading import Reading, read_stock
from forecourt.dealer.profile import build_profile
from forecourt.tables.batches import MOST_COLUMNS
from forecourt.tables.errors import MappingInvalid, UnreadableFile
from forecourt.tables.mapping import NOTHING_DECLARED, build_mapping
from forecourt.tables.opening import open_stream

HEADER = "Stock,VIN,Make,Model,Year,Price,Miles,Transmission,Description"
ROW = "A1,4T3ZZZZZ5MX000417,Toyota,RAV4,2021,25980,38210,CVT,Clean"
WORKBOOK = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
PROFILE = build_profile("oak", {"name": "Oak", "rooftops": [{"name": "Oak"}]})


def read(content: bytes, *, charset: str | None = None) -> Reading:
    with open_stream(io.BytesIO(content), charset=charset) as table:
        reading = read_stock(table, PROFILE, mapping=NOTHING_DECLARED, now=SYSTEM_CLOCK.now())
        for chunk in reading.chunks:
            chunk.encoded()
    assert reading.report.rows_in == reading.report.accepted + reading.report.rejected_rows
    return reading


def zipped(parts: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return packed.getvalue()


def workbook_parts() -> dict[str, bytes]:
    workbook, saved = Workbook(write_only=True), io.BytesIO()
    sheet = workbook.create_sheet()
    for line in (HEADER, ROW):
        sheet.append(line.split(","))
    workbook.save(saved)
    with zipfile.ZipFile(saved) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def workbook_with_sheet(old: bytes, new: bytes) -> bytes:
    parts = workbook_parts()
    sheet = parts["xl/worksheets/sheet1.xml"]
    assert old in sheet
    return zipped({**parts, "xl/worksheets/sheet1.xml": sheet.replace(old, new, 1)})


def test_a_sheet_that_claims_to_be_huge_is_read_as_it_is() -> None:
    claimed = workbook_with_sheet(b"<sheetData>", b'<dimension ref="A1:XFD1048576"/><sheetData>')

    assert read(claimed).report.accepted == 1


def test_a_sheet_whose_rows_are_numbered_without_end_is_refused() -> None:
    with pytest.raises(UnreadableFile, match="more rows"):
        read(workbook_with_sheet(b'<row r="2"', b'<row r="999999999999"'))


def test_a_workbook_damaged_anywhere_is_refused_or_read() -> None:
    parts, dice = workbook_parts(), random.Random(7)
    for _ in range(60):
        name = dice.choice(list(parts))
        content = bytearray(parts[name])
        for _ in range(dice.randint(1, 8)):
            content[dice.randrange(len(content))] = dice.choice(b'<>"/&= 0aA9\x00')
        packed = bytearray(zipped({**parts, name: bytes(content)}))
        if dice.random() < 0.3:
            packed[dice.randrange(len(packed))] = dice.randrange(256)
        refused_or_read(bytes(packed))


def refused_or_read(content: bytes) -> None:
    with contextlib.suppress(ForecourtError):
        read(content)


def test_a_table_with_thousands_of_columns_is_refused() -> None:
    names = ",".join(f"field {number}" for number in range(MOST_COLUMNS))

    with pytest.raises(UnreadableFile, match="columns"):
        read(f"{HEADER},{names}\n{ROW}\n".encode())


def test_of_records_with_a_key_for_every_photo_the_common_keys_are_read() -> None:
    records = [
        {"vin": f"4T3ZZZZZ5MX{number:06}", "make": "Toyota", "model": "RAV4", "year": 2021, "price": 25980}
        | {f"photo_{number}_{photo}": "x" for photo in range(50)}
        for number in range(200)
    ]

    assert read(repr(records).replace("'", '"').encode()).report.accepted == 200


@pytest.mark.parametrize("packed", [gzip.compress, lambda content: zipped({"feed.csv": content})])
def test_a_line_without_end_is_refused_before_it_is_in_memory(packed) -> None:
    with pytest.raises(UnreadableFile, match="16 MB"):
        read(packed(f"{HEADER}\n{ROW}\n".encode() + b"a" * (18 << 20)))


def test_a_file_packed_again_and_again_is_refused() -> None:
    content = f"{HEADER}\n{ROW}\n".encode()
    twice = gzip.compress(gzip.compress(content))
    for _ in range(50):
        content = gzip.compress(content)

    assert read(twice).report.accepted == 1
    with pytest.raises(UnreadableFile, match="too many times"):
        read(content)


@pytest.mark.parametrize(
    "document",
    [
        "<a>" * 20_000 + "x" + "</a>" * 20_000,
        "<feed><car><vin>4T3ZZZZZ5MX000417</vin><make>Toyota</make>"
        + "<a>" * 900
        + "</a>" * 900
        + "</car></feed>",
    ],
)
def test_xml_nested_without_end_is_refused(document: str) -> None:
    with pytest.raises(UnreadableFile, match="nested"):
        read(document.encode())


def test_what_lies_too_deep_in_a_json_record_is_passed_over() -> None:
    deep = "[" * 900 + "1" + "]" * 900
    record = (
        f'{{"vin":"4T3ZZZZZ5MX000417","make":"Toyota","model":"RAV4","year":2021,"price":25980,"x":{deep}}}'
    )

    assert read(f"[{record}]".encode()).report.accepted == 1


@pytest.mark.parametrize("charset", ["shift_jis", "utf-7", "hex", "no-such"])
def test_xml_that_names_a_charset_that_is_not_read_is_refused(charset: str) -> None:
    with pytest.raises(UnreadableFile):
        read(f'<?xml version="1.0" encoding="{charset}"?><feed><car><vin>x</vin></car></feed>'.encode())


@pytest.mark.parametrize("charset", ["no-such", "rot13", "ascii", "utf-16", "undefined"])
@pytest.mark.parametrize("content", [f"{HEADER}\n{ROW}é\n", '[{"vin":"é"}]', '{"vin":"1"}\n{"vin":"é"}\n'])
def test_a_declared_charset_that_does_not_fit_is_told(charset: str, content: str) -> None:
    with pytest.raises(UnreadableFile, match="charset"):
        read(content.encode(), charset=charset)


@pytest.mark.parametrize("piece", ["(", "1 hp ", "a,", "<!--", "<br", "\u00a0", "AB ", "$1 ", "&"])
def test_a_long_cell_of_anything_is_read_in_a_moment(piece: str) -> None:
    long = piece * (30_000 // len(piece))
    row = ",".join(f'"{cell}"' for cell in ["A1", "4T3ZZZZZ5MX000417", *[long] * 7])

    assert read(f"{HEADER}\n{ROW}\n{row}\n".encode()).report.rows_in == 2


@pytest.mark.parametrize(
    "content",
    [
        {"values": {"condition": "used"}},
        {"values": {"condition": {"A": 5}}},
        {"values": {"condition": {"A": "second hand"}}},
        {"rooftops": {"4711": 5}},
        {"vehicle_types": ["spaceship"]},
    ],
)
def test_a_mapping_that_would_bring_in_a_word_of_nobodys_is_refused(content: dict[str, object]) -> None:
    with pytest.raises(MappingInvalid):
        build_mapping(content)


def test_half_a_surrogate_pair_is_replaced_wherever_it_stands() -> None:
    record = (
        r'{"vin":"4T3ZZZZZ5MX000417","make":"Toyota","model":"RAV4","year":2021,"price":25980,'
        r'"trim":"LE\ud800","description":"a\udc00b\u0000c","\ud83d":"\ud83d"}'
    )

    reading = read(f"[{record}]".encode())

    assert reading.report.accepted == 1
    json.dumps(reading.report.as_json(), ensure_ascii=False).encode()


def test_half_a_surrogate_pair_in_a_refused_cell_can_be_reported() -> None:
    record = r'{"vin":"4T3ZZZZZ5MX000417","make":"Toyota","model":"RAV4","year":2021,"price":"\ud83dx"}'

    reading = read(f"[{record}]".encode())

    assert reading.report.rejected_rows == 1
    json.dumps(reading.report.as_json(), ensure_ascii=False).encode()
