"""Text in a terminal, within its width: long lines, and tables.

A long line is wrapped under its own beginning. It may begin with short columns, such as an entry's number,
time and writer, or with the branches of a tree: the wrapped text stays to the right of them. A table that is
too wide wraps its long cells. If that is not enough, it is cut into several, one below the other, each with
the first columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from tracker.reports.escaping import for_terminal
from tracker.reports.page import DataTable

_BRANCHES = re.compile(r"[│├└─ ]*")
_COPIED = re.compile(r" *arbitrator |— \S+ [A-Za-z0-9+/]{40,}=*$")
_COLUMN = re.compile(r"\S+(?: \S+)* {2,}")
_COLUMNS_MAX = 40
"""Two spaces beyond this column do not end a column."""
_COMBINING = "\u0300"
"""Characters below it are one column wide; wider ones are looked up."""
_HANGING = 2
_LEAST = 30
"""The least width of wrapped text, however far right it begins."""
_SHORT = 12
"""Cells up to this width are never wrapped."""
_COMFORTABLE = 24
"""The width that a text column may keep if the table is cut anyway."""


# --- lines ------------------------------------------------------------------------------------------------


def wrapped_line(line: str, width: int | None) -> Iterator[str]:
    """The line, wrapped if it is longer than `width`; words keep the spaces between them.

    Commands and signatures of notes are never cut, because people copy them.
    """
    if width is None or len(line) <= width // 2 or _cells(line) <= width or _COPIED.match(line):
        yield line
        return
    hang = _hanging(line, width)
    words = re.split(r"(?<=\S)(?= )", line)
    shown = ""
    for word in words:
        for piece in _pieces(word, width - len(hang)):
            if shown.strip() and _cells(shown + piece) > width:
                yield shown.rstrip()
                shown = hang + piece.lstrip()
            else:
                shown += piece
    yield shown.rstrip()


def _hanging(line: str, width: int) -> str:
    """The prefix of wrapped text: blank columns, and the branches of a tree that continue."""
    branches = _BRANCHES.match(line)
    at = branches.end() if branches is not None else 0
    start = at
    while (column := _COLUMN.match(line, at)) and column.end() <= start + _COLUMNS_MAX:
        at = column.end()
    before = line[:start].replace("├─", "│ ").replace("└─", "  ")
    blank = before + " " * (_cells(line[start:at]) if at > start else _HANGING)
    return blank[: max(width - _LEAST, 0)]


def _pieces(word: str, room: int) -> list[str]:
    """A word, cut into pieces if it is too long by itself."""
    if len(word) <= room // 2 or _cells(word) <= room:
        return [word]
    from rich.cells import chop_cells

    return chop_cells(word, room)


def _cells(text: str) -> int:
    if text.isascii() or max(text) < _COMBINING:
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


# --- tables ------------------------------------------------------------------------------------------------


def numeric(table: DataTable, place: int) -> bool:
    """Whether a column holds numbers only."""
    cells = [row[place] for row in table.rows if row[place] not in (None, "")]
    return bool(cells) and all(isinstance(cell, int) for cell in cells)


def table_text(table: DataTable, *, width: int | None = None, colour: bool = False) -> str:
    """The table within `width` columns; without a width, nothing is wrapped or cut."""
    from rich.cells import cell_len

    lines = [[for_terminal(column) for column in table.columns]]
    lines += [["" if cell is None else for_terminal(cell) for cell in row] for row in table.rows]
    places = range(len(table.columns))
    widest = [max(cell_len(line[place]) for line in lines) for place in places]
    least = [
        max(_least(line[place], max(_SHORT, (width or 80) // 2 - 2), head=line is lines[0]) for line in lines)
        for place in places
    ]
    right = [numeric(table, place) for place in places]
    if width is None or _wide(widest, 2) <= width or _wide(least, 1) <= width:
        bands = [list(places)]
    else:
        bands = _bands(
            table, [min(wide, max(few, _COMFORTABLE)) for wide, few in zip(widest, least, strict=True)], width
        )
    printed = []
    for band in bands:
        widths = [widest[place] for place in band]
        gap = 2
        if width is not None:
            gap = 2 if _wide([least[place] for place in band], 2) <= width else 1
            widths = _narrowed(widths, [least[place] for place in band], width - gap * (len(band) - 1))
        shown = [[line[place] for place in band] for line in lines]
        printed.append(_aligned(shown, widths, [right[place] for place in band], " " * gap, colour=colour))
    return "\n\n".join(printed)


def _least(text: str, word: int, *, head: bool) -> int:
    """The least width of a cell; words of up to `word` columns are not broken."""
    from rich.cells import cell_len

    if not head and cell_len(text) <= _SHORT:
        return cell_len(text)
    return min(word, max(map(cell_len, text.split(" "))))


def _wide(widths: Sequence[int], gap: int) -> int:
    return sum(widths) + gap * (len(widths) - 1)


def _bands(table: DataTable, widths: Sequence[int], width: int) -> list[list[int]]:
    """The columns of each table that the whole is cut into. If a table has groups of columns, each group goes
    into the first table with room for it.
    """
    keys = list(range(table.keys))
    starts = [table.keys, *(place for place in table.breaks if place > table.keys)]
    groups = [[*range(start, end)] for start, end in pairwise([*starts, len(widths)])]
    if not table.breaks:
        groups = [[place] for group in groups for place in group]
    bands: list[list[int]] = []

    def fits(band: Sequence[int]) -> bool:
        return _wide([widths[place] for place in band], 2) <= width

    for group in groups:
        for part in [group] if fits([*keys, *group]) else [[place] for place in group]:
            open_bands = bands if table.breaks else bands[-1:]
            band = next((band for band in open_bands if fits([*band, *part])), None)
            if band is None:
                bands.append([*keys, *part])
            else:
                band += part
    return bands


def _narrowed(widths: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """The widths, with the widest columns narrowed until all fit."""
    widths = list(widths)
    while sum(widths) > room:
        spare = [width if width > fewest else 0 for width, fewest in zip(widths, least, strict=True)]
        if not any(spare):
            break
        widths[spare.index(max(spare))] -= 1
    return widths


def _aligned(
    lines: Sequence[Sequence[str]], widths: Sequence[int], right: Sequence[bool], gap: str, *, colour: bool
) -> str:
    """The lines, the first of them the head."""
    from rich.cells import cell_len

    printed = []
    for number, line in enumerate(lines):
        wrapped = [
            [text] if cell_len(text) <= width else list(_wrapped(text, width))
            for text, width in zip(line, widths, strict=True)
        ]
        for row in range(max(map(len, wrapped))):
            cells = []
            for parts, width, to_the_right in zip(wrapped, widths, right, strict=True):
                text = parts[row] if row < len(parts) else ""
                blank = " " * (width - cell_len(text))
                cells.append(blank + text if to_the_right else text + blank)
            shown = gap.join(cells)
            printed.append(f"\x1b[1m{shown}\x1b[0m" if colour and number == 0 else shown)
    return "\n".join(line.rstrip() for line in printed)


def _wrapped(text: str, width: int) -> Iterator[str]:
    """The words in lines of at most `width`; a longer word is broken."""
    from rich.cells import cell_len, chop_cells

    line = ""
    for word in text.split():
        joined = f"{line} {word}" if line else word
        if cell_len(joined) <= width:
            line = joined
            continue
        if line:
            yield line
        *whole, line = chop_cells(word, width)
        yield from whole
    yield line
