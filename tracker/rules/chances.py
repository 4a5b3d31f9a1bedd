"""Chances of tables: how often each row or band comes, and how a range of cells or totals is printed.

Knows dice that are rolled once and added up. Knows no exchange: those are in
`campaign/odds/exchange_odds.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from tracker.dice import D66
from tracker.errors import BadInput
from tracker.records import Record
from tracker.rules.conversion import ALL_CELLS, ENDLESS
from tracker.rules.rulebook import Book

USUAL_POOL = "2D6"
"""The roll of a chart whose dice a rule gathers, if nothing adds any."""


class UnknownTable(BadInput):
    """The book {book} has no table {table!r}.{table:nearest} Known: {known}."""

    table: str
    book: str
    known: tuple[str, ...]


class NoSuchPool(BadInput):
    """{pool!r} is no pool of dice: write D6, 2D6, D3 or D66, or with the dice that count 3D6kh2 (the two
    highest) or 3D6kl2 (the two lowest), up to six dice.
    """

    pool: str


class TableTakesNoPool(BadInput):
    """{table} is read by a D66 as it lies: it takes no other dice and no modifier."""

    table: str


class OutcomeLine(Record):
    """A row or band: its cells or totals as printed, and how many of `of` ways lead to it."""

    row: str
    name: str
    printed: str
    ways: int
    of: int

    @property
    def chance(self) -> Fraction:
        """The chance of one roll without modifiers."""
        return Fraction(self.ways, self.of)


class TableOdds(Record):
    """The lines of a table or chart with their chances, for one roll of `dice`."""

    table: str
    title: str
    source: str
    dice: str
    lines: tuple[OutcomeLine, ...]


def table_chances(book: Book, name: str, *, pool: str | None = None, modifier: int = 0) -> TableOdds:
    """The chance of each row of a table, or each band of a chart, on one roll.

    A chart can be read with another pool of dice and a modifier. Raises UnknownTable, TableTakesNoPool or
    NoSuchPool.
    """
    if name in book.tables:
        if pool is not None or modifier:
            raise TableTakesNoPool(table=name)
        table = book.tables[name]
        lines = tuple(
            OutcomeLine(
                row=row.id,
                name=row.name,
                printed=cells_printed(row.cells),
                ways=len(row.cells),
                of=len(ALL_CELLS),
            )
            for row in table.rows
        )
        return TableOdds(table=name, title=table.title, source=table.source, dice=D66, lines=lines)
    if name not in book.charts:
        raise UnknownTable(table=name, book=book.book, known=(*book.tables, *book.charts))
    chart = book.charts[name]
    pool = pool or (USUAL_POOL if chart.roll == "total" else chart.roll)
    totals = [total + modifier for total in pool_totals(pool)]
    bands = tuple(
        OutcomeLine(
            row=band.id,
            name=band.name,
            printed=totals_printed(band.totals),
            ways=sum(total in band.totals for total in totals),
            of=len(totals),
        )
        for band in chart.bands
    )
    dice = pool + (f"{modifier:+d}" if modifier else "")
    return TableOdds(table=name, title=chart.title, source=chart.source, dice=dice, lines=bands)


def pool_totals(pool: str) -> list[int]:
    """The totals of every way a pool can fall: '2D6', 'D66', '3D6kh2' (the two highest count), '4D6kl2'.

    Raises NoSuchPool.
    """
    if pool == D66:
        return [10 * tens + units for tens, units in product(range(1, 7), repeat=2)]
    before, _, after = pool.partition("D")
    sides, chosen, kept = after.partition("k")
    which, keep, count = kept[:1], kept[1:], before or "1"
    if not (count in tuple("123456") and sides in ("3", "6")) or (
        chosen and (which not in ("h", "l") or keep not in tuple("123456") or keep > count)
    ):
        raise NoSuchPool(pool=pool)
    counted = int(keep or count)
    return [
        sum(sorted(faces, reverse=which != "l")[:counted])
        for faces in product(range(1, int(sides) + 1), repeat=int(count))
    ]


def cells_printed(cells: Sequence[str]) -> str:
    """A run of cells as printed: '15-26', or '46' for one."""
    return cells[0] if len(cells) == 1 else f"{cells[0]}-{cells[-1]}"


def totals_printed(totals: range) -> str:
    """A range of totals as printed: '7-8', '9+', '1-'."""
    lowest, highest = totals.start, totals.stop - 1
    if totals.stop == ENDLESS:
        return f"{lowest}+"
    if totals.start == -ENDLESS:
        return f"{highest}-"
    return f"{lowest}" if lowest == highest else f"{lowest}-{highest}"
