"""Tables in a terminal: aligned, and within its width.

A table that is too wide wraps its long cells. Where that is not enough it is cut into several, one below the
other, each with the first columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tracker.reports.escaping import for_terminal
from tracker.reports.page import Table

_SHORT = 12
"""A cell of so many columns is never wrapped, and a longer one never made narrower."""


def numeric(table: Table, place: int) -> bool:
    """Whether a column holds numbers only."""
    cells = [row[place] for row in table.rows if row[place] not in (None, "")]
    return bool(cells) and all(isinstance(cell, int) for cell in cells)


def table_text(table: Table, *, width: int | None = None, colour: bool = False) -> str:
    """The table within `width` columns; without a width nothing is wrapped or cut."""
    from rich.cells import cell_len

    lines = [[for_terminal(column) for column in table.columns]]
    lines += [["" if cell is None else for_terminal(cell) for cell in row] for row in table.rows]
    places = range(len(table.columns))
    cells = [max((cell_len(line[place]) for line in lines[1:]), default=0) for place in places]
    widest = [max(cells[place], cell_len(lines[0][place])) for place in places]
    least = [max(min(_SHORT, cells[place]), *map(cell_len, lines[0][place].split(" "))) for place in places]
    right = [numeric(table, place) for place in places]
    if width is None or _wide(widest, 2) <= width:
        bands = [list(places)]
    else:
        bands = _bands(table, least, width)
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


def _wide(widths: Sequence[int], gap: int) -> int:
    return sum(widths) + gap * (len(widths) - 1)


def _bands(table: Table, least: Sequence[int], width: int) -> list[list[int]]:
    """The columns of each table that the whole is cut into."""
    keys = list(range(table.keys))
    bands, band = [], list(keys)
    for group in _groups(table):
        fits = _wide([least[place] for place in (*band, *group)], 1) <= width
        alone = _wide([least[place] for place in (*keys, *group)], 1) <= width
        if fits:
            band += group
            continue
        for part in [group] if alone else [[place] for place in group]:
            if len(band) > len(keys) and _wide([least[place] for place in (*band, *part)], 1) > width:
                bands.append(band)
                band = list(keys)
            band += part
    return [*bands, band]


def _groups(table: Table) -> list[list[int]]:
    starts = sorted({table.keys, *table.breaks}) if table.breaks else range(table.keys, len(table.columns))
    ends = [*list(starts)[1:], len(table.columns)]
    return [list(range(start, end)) for start, end in zip(starts, ends, strict=True)]


def _narrowed(widths: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """The widths, those of the widest columns made smaller until all have room."""
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
    """The words in lines of at most `width`; a word that is longer is broken."""
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
