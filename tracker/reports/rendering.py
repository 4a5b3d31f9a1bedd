"""Paper: how text reaches a terminal, a page, a sheet or a program without doing harm there.

Knows characters, cells and columns. Knows no campaign. Whatever a user typed passes through `sanitize` (or
through `json_text`, which escapes instead of dropping) before anybody sees it. No text here ends in a
line break: whoever prints adds one.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

Row: TypeAlias = Mapping[str, Any]
"""A board's row, as `tracker.projections` makes it."""

Cell: TypeAlias = str | int | None

# Line ends and tabs would join two words when dropped, so they become a space.
_SPACES = re.compile("[\t\n\v\f\r\x85\u2028\u2029]")
# C0, DEL, C1; zero-width, bidi and invisible letters that names can hide in; lone surrogates.
_HARMFUL_SET = (
    "\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff\U000e0000-\U000e0fff"
)
_HARMFUL = re.compile(f"[{_HARMFUL_SET}]")
_MARKDOWN = re.compile(r"([\\`*_\[\]<>|~&#$])")
_FORMULA_STARTS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def sanitize(text: object) -> str:
    """The text without control, escape, bidi and zero-width characters; line breaks become spaces."""
    return _HARMFUL.sub("", _SPACES.sub(" ", str(text)))


def markdown_cell(text: object) -> str:
    """The text as it reads, whatever Markdown it holds; fit for a table's cell and for a line."""
    return _MARKDOWN.sub(r"\\\1", sanitize(text)).strip()


def markdown_table(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """A Markdown table; columns of numbers are aligned right."""
    right = [_numeric(rows, place) for place in range(len(columns))]
    lines = [_markdown_line(columns), _markdown_line_raw(["---:" if number else "---" for number in right])]
    lines += [_markdown_line(["" if cell is None else cell for cell in row]) for row in rows]
    return "\n".join(lines)


def csv_text(rows: Sequence[Row], columns: Sequence[str]) -> str:
    """A sheet with a heading line. Text that a spreadsheet would run as a formula gets a leading '."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([_csv_cell(column) for column in columns])
    writer.writerows([_csv_cell(row.get(column)) for column in columns] for row in rows)
    return out.getvalue().removesuffix("\n")


def json_text(schema_name: str, payload: Mapping[str, Any]) -> str:
    """JSON for programs, `schema` first. Nothing is lost: what `sanitize` drops is escaped here."""
    text = json.dumps(
        {"schema": f"arbitrator/{schema_name}/1", **payload}, indent=2, ensure_ascii=False, allow_nan=False
    )
    # Our own line breaks are the only control characters that json.dumps leaves as they are.
    return "\n".join(_HARMFUL.sub(_escaped, line) for line in text.split("\n"))


def table_text(
    columns: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    *,
    width: int | None = None,
    colour: bool = False,
) -> str:
    """An aligned table. `width` is a terminal's: long cells wrap to fit it. Without one nothing wraps."""
    from rich.cells import cell_len

    shown = [["" if cell is None else sanitize(cell) for cell in row] for row in rows]
    longest = [
        max(cell_len(text) for text in [sanitize(column), *(row[place] for row in shown)])
        for place, column in enumerate(columns)
    ]
    numeric = [_numeric(rows, place) for place in range(len(columns))]
    if width is None or sum(longest) + 2 * len(columns) <= width:
        return _aligned([[sanitize(column) for column in columns], *shown], longest, numeric, colour=colour)

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    least = sum(min(length, _SHORT) for length in longest)
    # A narrow terminal gets narrow gaps; a word is broken before a cell is cut.
    gap = 2 if least + 2 * len(columns) <= width else 1
    table = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0), header_style="bold" if colour else "")
    for place, column in enumerate(columns):
        table.add_column(
            Text(sanitize(column)),
            justify="right" if numeric[place] else "left",
            no_wrap=longest[place] <= _SHORT,
            overflow="fold",
        )
    for row in shown:
        table.add_row(*(Text(text) for text in row))
    out = io.StringIO()
    console = Console(
        file=out,
        width=max(width, least + gap * len(columns)),
        color_system="standard" if colour else None,
        force_terminal=colour,
        no_color=not colour,
        legacy_windows=False,
    )
    console.print(table, crop=False)
    return "\n".join(line.rstrip() for line in out.getvalue().rstrip("\n").split("\n"))


_SHORT = 12


def _aligned(
    lines: Sequence[Sequence[str]], longest: Sequence[int], numeric: Sequence[bool], *, colour: bool
) -> str:
    """Lines that fit, the first of them the head: no layout is needed, and rich takes a millisecond a row."""
    from rich.cells import cell_len

    padded = []
    for line in lines:
        cells = []
        for text, length, to_the_right in zip(line, longest, numeric, strict=True):
            blank = " " * (length - cell_len(text))
            cells.append(blank + text if to_the_right else text + blank)
        padded.append("  ".join(cells))
    if colour:
        padded[0] = f"\x1b[1m{padded[0]}\x1b[0m"
    return "\n".join(line.rstrip() for line in padded)


def _numeric(rows: Sequence[Sequence[Cell]], place: int) -> bool:
    cells = [row[place] for row in rows if row[place] not in (None, "")]
    return bool(cells) and all(isinstance(cell, int) for cell in cells)


def _markdown_line(cells: Sequence[Cell]) -> str:
    return _markdown_line_raw([markdown_cell(cell) for cell in cells])


def _markdown_line_raw(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _csv_cell(cell: object) -> str | int:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int):
        return cell
    # Looked for before and behind the cleaning: a tab may start a formula, a zero-width may hide one.
    text = sanitize(cell)
    starts_formula = text.lstrip().startswith(_FORMULA_STARTS) or str(cell).startswith(("\t", "\r", "\n"))
    return f"'{text}" if starts_formula else text


def _escaped(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code <= 0xFFFF:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
