"""Rendering: a page as text, Markdown, HTML, a sheet, JSON or chat messages.

Knows formats and no campaign. No text here ends in a line break: the printer adds one.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from typing import assert_never

from tracker.reports import terminal_text
from tracker.reports.bar_charts import bar_lines, bar_table
from tracker.reports.discord import chat_messages
from tracker.reports.escaping import for_markdown, for_sheet, for_terminal, json_text
from tracker.reports.page import (
    Alert,
    Bars,
    Block,
    Bullets,
    DataTable,
    Details,
    Form,
    Heading,
    Page,
    Part,
    PerFormat,
    Pictures,
    Section,
    Sheet,
    Text,
    in_form,
)
from tracker.reports.terminal_text import wrapped_line

_RED, _PLAIN = "\x1b[31m", "\x1b[0m"


def render(page: Page, form: Form = "text", *, width: int | None = None, colour: bool = False) -> str:
    """The page in a format. `width` and `colour` are for text in a terminal."""
    match form:
        case "text":
            return _text(page.blocks(), width, colour=colour)
        case "md":
            return "\n\n".join(_markdown(part for block in page.blocks() for part in in_form(block, "md")))
        case "json":
            return json_text(page.schema, page.data())
        case "csv":
            assert page.sheet is not None, "asked of reports that have a sheet"
            return sheet_text(page.sheet())
        case "html":
            from tracker.reports.html import html_page

            return html_page(page)
        case "discord":
            return chat_messages(page)
        case _:
            assert_never(form)


def sheet_text(sheet: Sheet) -> str:
    """A heading line, then a line for each row."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([for_sheet(column) for column in sheet.columns])
    writer.writerows([for_sheet(row.get(column)) for column in sheet.columns] for row in sheet.rows)
    return out.getvalue().removesuffix("\n")


# --- text ---------------------------------------------------------------------------------------------------


def _text(blocks: Iterable[Block], width: int | None, *, colour: bool) -> str:
    written = ("\n".join(_lines(in_form(block, "text"), width, colour=colour)) for block in blocks)
    return "\n\n".join(block for block in written if block)


def _lines(parts: Iterable[Part], width: int | None, *, colour: bool) -> Iterator[str]:
    """The lines of one block; lines under a third-level heading are indented."""
    indent = ""
    for part in parts:
        match part:
            case Heading():
                if part.context:
                    yield from (*wrapped_line(for_terminal(part.context), width), "")
                indent = "    " if part.level == 3 else ""
                yield from wrapped_line(indent[:2] + for_terminal(part.text), width)
            case Text() | Bullets():
                for line in part.lines:
                    yield from wrapped_line(indent + for_terminal(line), width)
            case Alert():
                for line in part.lines:
                    for shown in wrapped_line(indent + for_terminal(line), width):
                        yield f"{_RED}{shown}{_PLAIN}" if colour else shown
            case DataTable():
                yield terminal_text.table_text(part, width=width, colour=colour)
            case Bars():
                yield from wrapped_line(for_terminal(part.title), width)
                yield from (for_terminal(line) for line in bar_lines(part))
            case Details():
                yield from wrapped_line(for_terminal(part.summary), width)
                yield from _lines(in_form(part.parts, "text"), width, colour=colour)
            case Section():
                yield _text(part.blocks, width, colour=colour)
            case Pictures() | PerFormat():
                pass
            case _:
                assert_never(part)


# --- Markdown -----------------------------------------------------------------------------------------------


def _markdown(parts: Iterable[Part]) -> Iterator[str]:
    for part in parts:
        match part:
            case Heading():
                text = for_markdown(part.text)
                yield f"**{text}**" if part.level == 4 else f"{'#' * part.level} {text}"
                if part.context:
                    yield f"*{for_markdown(part.context)}*"
            case Text():
                yield from (for_markdown(line) for line in part.lines if line.strip())
            case Alert():
                yield from (f"**{for_markdown(line)}**" for line in part.lines)
            case Bullets():
                if part.lines:
                    yield "\n".join(f"- {for_markdown(line)}" for line in part.lines)
            case DataTable():
                yield _markdown_table(part)
            case Bars():
                yield _markdown_table(bar_table(part))
            case Details():
                yield f"## {for_markdown(part.summary)}"
                yield from _markdown(in_form(part.parts, "md"))
            case Section():
                yield from _markdown(inner for block in part.blocks for inner in in_form(block, "md"))
            case Pictures() | PerFormat():
                pass
            case _:
                assert_never(part)


def _markdown_table(table: DataTable) -> str:
    """The table, with columns of numbers aligned right."""
    rules = ["---:" if terminal_text.numeric(table, place) else "---" for place in range(len(table.columns))]
    rows = [[for_markdown("" if cell is None else cell) for cell in row] for row in table.rows]
    lines = [[for_markdown(column) for column in table.columns], rules, *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
