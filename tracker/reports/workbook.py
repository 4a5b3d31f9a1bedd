"""Workbooks: tables as an .xlsx file. A cell holds text or a number, never a formula."""

from __future__ import annotations

import io
from collections.abc import Mapping

from tracker.errors import BadInput
from tracker.reports.page import Sheet


class WorkbooksMissing(BadInput):
    """Spreadsheets need one package more: pip install 'campaign-tracker[xlsx]'. Or take --format csv."""


def workbook(tables: Mapping[str, Sheet]) -> bytes:
    """The bytes of a workbook with these sheets. Raises WorkbooksMissing."""
    try:
        from openpyxl import Workbook
        from openpyxl.styles import Font
    except ModuleNotFoundError as missing:
        raise WorkbooksMissing from missing
    book = Workbook()
    book.remove(book.worksheets[0])
    for title, table in tables.items():
        sheet = book.create_sheet(title)
        sheet.append([*table.columns])
        for row in table.rows:
            sheet.append([row.get(column) for column in table.columns])
        for line in sheet.iter_rows():
            for cell in line:
                if isinstance(cell.value, str):
                    cell.data_type = "s"
        for cell in sheet[1]:
            cell.font = Font(bold=True)
        sheet.freeze_panes = "A2"
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()
