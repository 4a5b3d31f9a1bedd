"""Workbooks: the first sheet of an .xlsx file as rows by the names in its first line.

A workbook is an archive of XML, so it is measured before a byte of it is unpacked.
"""

from __future__ import annotations

import io
import warnings
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from typing import Any, Final
from xml.etree.ElementTree import ParseError

from defusedxml import DefusedXmlException

from tracker.imports.bounds import BYTES_MAX, COLUMNS_MAX, ROWS_MAX, SourceUnreadable

PART: Final = "xl/workbook.xml"
PARTS_MAX: Final = 200
_DAMAGE: Final = (
    zipfile.BadZipFile,
    zlib.error,
    DefusedXmlException,
    ParseError,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    EOFError,
    OSError,
    RuntimeError,  # includes NotImplementedError, for an unknown compression
)
"""The exceptions of the workbook reader for damaged files: it trusts their content."""


def is_workbook(content: bytes) -> bool:
    """Whether an archive is a workbook."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return PART in archive.namelist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError):
        return False


def workbook_rows(content: bytes, file: str) -> Any:
    """The rows of the first sheet, every cell as text; with the content of the others, if there are any.

    Raises SourceUnreadable.
    """
    try:
        from openpyxl import load_workbook
        from openpyxl.utils.exceptions import InvalidFileException
    except ModuleNotFoundError as missing:
        why = "spreadsheets need one package more: pip install 'campaign-tracker[xlsx]', or save it as CSV"
        raise SourceUnreadable(file=file, why=why) from missing
    _refuse_large(content, file)
    try:
        with warnings.catch_warnings(action="ignore"):  # about parts that it ignores: only cells matter
            workbook = load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
            tables = {sheet.title: _cells(sheet) for sheet in workbook.worksheets}
    except (InvalidFileException, *_DAMAGE) as wrong:
        raise SourceUnreadable(file=file, why="it is a damaged or protected spreadsheet") from wrong
    for table in tables.values():
        if len(table) > ROWS_MAX + 1 or any(len(line) > COLUMNS_MAX and line[COLUMNS_MAX] for line in table):
            raise SourceUnreadable(
                file=file, why=f"it has more than {ROWS_MAX} rows or {COLUMNS_MAX} columns"
            )
    first, *others = tables.items() or [("", [])]
    rows = rows_by_head(first[1][0] if first[1] else [], first[1][1:])
    apart = {
        title: [[cell for cell in line if cell] for line in table if any(line)] for title, table in others
    }
    return {"rows": rows, "other sheets": apart} if any(apart.values()) else rows


def rows_by_head(head: Sequence[str], lines: Iterable[Sequence[str]]) -> list[dict[str, str]]:
    """Rows by the names in the first line. A repeated name is numbered, and a cell without one is named by
    its column, so that no cell is lost.
    """
    named: list[str] = []
    for place, column in enumerate(head, start=1):
        base = column.strip() or f"column {place}"
        ways = (base, *(f"{base} ({number})" for number in range(2, len(head) + 2)))
        named.append(next(way for way in ways if way not in named))
    return [
        {
            (named[place] if place < len(named) else f"column {place + 1}"): cell
            for place, cell in enumerate(line)
            if cell or (place < len(named) and head[place].strip())
        }
        for line in lines
        if any(line)
    ]


def _cells(sheet: Any) -> list[list[str]]:
    lines = sheet.iter_rows(max_row=ROWS_MAX + 2, max_col=COLUMNS_MAX + 1, values_only=True)
    return [[_text(cell) for cell in line] for line in lines]


def _text(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return " ".join(str(cell).split())


def _refuse_large(content: bytes, file: str) -> None:
    """An archive never unpacks to more than it states: a read beyond that is refused as damage."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = archive.infolist()
    if len(members) > PARTS_MAX or sum(member.file_size for member in members) > 4 * BYTES_MAX:
        raise SourceUnreadable(file=file, why=f"it unpacks to more than {4 * BYTES_MAX // 1024 // 1024} MiB")
