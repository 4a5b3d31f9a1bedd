"""Workbooks: the first sheet of an .xlsx file as rows by the names in its first line.

A workbook is an archive of XML, so it is measured before a byte of it is unpacked.
"""

from __future__ import annotations

import io
import warnings
import zipfile
import zlib
from typing import Final
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
    RuntimeError,  # NotImplementedError is one: a compression that nobody here unpacks
)
"""What the reader of workbooks raises of damaged ones: it trusts what stands in them."""


def is_workbook(content: bytes) -> bool:
    """Whether an archive is a workbook."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return PART in archive.namelist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError):
        return False


def workbook_rows(content: bytes, file: str) -> list[dict[str, str]]:
    """The rows of the first sheet, every cell as text. Raises SourceUnreadable."""
    try:
        from openpyxl import load_workbook
        from openpyxl.utils.exceptions import InvalidFileException
    except ModuleNotFoundError as missing:
        why = "spreadsheets need one package more: pip install 'campaign-tracker[xlsx]', or save it as CSV"
        raise SourceUnreadable(file=file, why=why) from missing
    _refuse_large(content, file)
    try:
        with warnings.catch_warnings(action="ignore"):  # of what it passes over: only cells are of interest
            workbook = load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
            sheet = workbook.worksheets[0]
            lines = sheet.iter_rows(max_row=ROWS_MAX + 2, max_col=COLUMNS_MAX + 1, values_only=True)
            table = [[_text(cell) for cell in line] for line in lines]
    except (InvalidFileException, *_DAMAGE) as wrong:
        raise SourceUnreadable(file=file, why="it is a damaged or protected spreadsheet") from wrong
    if len(table) > ROWS_MAX + 1 or any(len(line) > COLUMNS_MAX and line[COLUMNS_MAX] for line in table):
        raise SourceUnreadable(file=file, why=f"it has more than {ROWS_MAX} rows or {COLUMNS_MAX} columns")
    head, *rows = table or [[]]
    named = [dict(zip(head, line, strict=False)) for line in rows if any(line)]
    return [{column: cell for column, cell in row.items() if column} for row in named]


def _text(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return " ".join(str(cell).split())


def _refuse_large(content: bytes, file: str) -> None:
    """An archive never gives more than it says it holds: more is refused as damage when it is read."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = archive.infolist()
    if len(members) > PARTS_MAX or sum(member.file_size for member in members) > 4 * BYTES_MAX:
        raise SourceUnreadable(file=file, why=f"it unpacks to more than {4 * BYTES_MAX // 1024 // 1024} MiB")
