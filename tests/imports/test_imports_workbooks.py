"""A spreadsheet comes in as the same table saved as CSV does; a hostile one is refused within bounds."""

import csv
import io
import sys
import zipfile

import import_sources as sources
import pytest
from openpyxl import Workbook
from tables import every

from tracker.imports.answers import Answers
from tracker.imports.bounds import SourceUnreadable
from tracker.imports.importing import imported_data
from tracker.imports.source_files import data_of

TABLE = [*csv.reader(io.StringIO(sources.TABLE), delimiter=";")]
KIM = Answers(player="Kim", house="Forge Clans", injuries_counted=True, columns={"Rank": "category"})


def workbook(*rows: list[object]) -> bytes:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append(row)
    book.create_sheet("Empty")
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()


def with_numbers(row: list[str]) -> list[object]:
    return [int(cell) if cell.isdecimal() else cell or None for cell in row]


def test_a_spreadsheet_is_the_table_that_it_would_be_as_csv() -> None:
    rows = [list[object](TABLE[0]), *map(with_numbers, TABLE[1:])]
    from_book = imported_data(data_of(workbook(*rows), "t"), "t", KIM)
    from_csv = imported_data(data_of(sources.TABLE.encode(), "t"), "t", KIM)
    assert from_book.sheet == from_csv.sheet
    assert from_book.findings == from_csv.findings


def test_numbers_with_a_point_and_empty_lines_are_read_as_people_mean_them() -> None:
    rows = data_of(workbook(["name", "cost"], ["Yol", 60.0], [None, None], ["Mik", 57.5]), "t")
    assert rows == [{"name": "Yol", "cost": "60"}, {"name": "Mik", "cost": "57.5"}]


def test_columns_without_a_name_or_of_one_name_and_other_sheets_are_read_past_by_nobody() -> None:
    book = Workbook()
    first = book.active
    assert first is not None
    for row in (["name", "name", None], ["Yol", "Yolanda", "loose"]):
        first.append(row)
    book.create_sheet("Stash")["A1"] = "rope"
    written = io.BytesIO()
    book.save(written)
    assert data_of(written.getvalue(), "t") == {
        "rows": [{"name": "Yol", "name (2)": "Yolanda", "column 3": "loose"}],
        "other sheets": {"Stash": [["rope"]]},
    }


@every(
    ("content", "why"),
    [
        (workbook(["a"], *[[number] for number in range(1200)]), "more than 1000 rows"),
        (workbook(list(range(1, 260))), "or 200 columns"),
        (sources.zipped(("xl/workbook.xml", b"<x/>")), "damaged or protected spreadsheet"),
        (
            sources.zipped(("xl/workbook.xml", b"x"), ("bomb", b"0" * (41 * 1024 * 1024))),
            "unpacks to more than 40 MiB",
        ),
    ],
)
def test_a_spreadsheet_beyond_its_bounds_is_refused(content: bytes, why: str) -> None:
    with pytest.raises(SourceUnreadable, match=why):
        data_of(content, "t")


def test_entities_in_a_spreadsheet_are_refused() -> None:
    whole, evil = workbook(["name"], ["Yol"]), io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(whole)) as source, zipfile.ZipFile(evil, "w") as target:
        for name in source.namelist():
            part = source.read(name)
            if name == "xl/workbook.xml":
                part = b'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>' + part
            target.writestr(name, part)
    with pytest.raises(SourceUnreadable):
        data_of(evil.getvalue(), "t")


def test_a_spreadsheet_cut_or_flipped_anywhere_is_read_or_refused() -> None:
    whole = workbook(["name"], ["Yol"])
    for place in range(0, len(whole), 37):
        for content in (whole[:place], whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :]):
            try:
                data_of(content, "t")
            except SourceUnreadable:
                continue


def test_without_the_package_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(SourceUnreadable, match=r"campaign-tracker\[xlsx\]"):
        data_of(workbook(["name"], ["Yol"]), "t")
