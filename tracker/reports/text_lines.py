"""Lines in a terminal: what is too long goes on below, under its own beginning.

A line may begin with short columns, such as an entry's number, moment and writer, or with the branches of a
tree: what goes on stands to the right of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_BRANCHES = re.compile(r"[│├└─ ]*")
_COPIED = re.compile(r" *arbitrator |— \S+ [A-Za-z0-9+/]{40,}=*$")
_COLUMN = re.compile(r"\S+(?: \S+)* {2,}")
_COLUMNS_MAX = 40
"""Two spaces further to the right are no column's end."""
_COMBINING = "\u0300"
"""Letters below it are one column wide; for those above, tables are looked up."""
_HANGING = 2
_LEAST = 30
"""So many columns are left for what goes on, however deep the line stands."""


def wrapped_line(line: str, width: int | None) -> Iterator[str]:
    """The line, in several where it is longer than `width`; words keep the spaces between them.

    A command is never cut, nor a signature of a note: they are there to be copied.
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
    """What stands before that which goes on: blank columns, and the branches that go on themselves."""
    branches = _BRANCHES.match(line)
    at = branches.end() if branches is not None else 0
    start = at
    while (column := _COLUMN.match(line, at)) and column.end() <= start + _COLUMNS_MAX:
        at = column.end()
    before = line[:start].replace("├─", "│ ").replace("└─", "  ")
    blank = before + " " * (_cells(line[start:at]) if at > start else _HANGING)
    return blank[: max(width - _LEAST, 0)]


def _pieces(word: str, room: int) -> list[str]:
    """A word, in pieces where it alone is too long."""
    if len(word) <= room // 2 or _cells(word) <= room:
        return [word]
    from rich.cells import chop_cells

    return chop_cells(word, room)


def _cells(text: str) -> int:
    if text.isascii() or max(text) < _COMBINING:
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)
