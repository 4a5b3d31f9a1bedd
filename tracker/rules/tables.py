"""Tables: D66 tables by cell and charts by total, as a book prints them.

Knows cells, bands and rows. A table has every cell once; a chart covers every total.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise

from msgspec import field

from tracker.dice import Die
from tracker.errors import BadInput
from tracker.rules.conversion import ALL_CELLS, BookTable, Cells, Chapter, refuse_repeated, refuse_unknown
from tracker.rules.effects import Condition, Effect, RollAgain


class Row(BookTable):
    """One row: its cells, its effects, and when it counts as the table's default row.

    `rolled_again_when`: when the row is no result, and the table is rolled on again.
    """

    id: str
    name: str
    cells: Cells
    effects: tuple[Effect, ...]
    counts_as_default_when: tuple[Condition, ...] = ()
    rolled_again_when: tuple[Condition, ...] = ()


class NoSuchRow(BadInput):
    """The {table} has no row {row!r}.{row:nearest} Give the D66 (such as 4-6) or one of: {known}."""

    table: str
    row: str
    known: tuple[str, ...]


class Table(Chapter, dict=True):
    """A D66 table. Repeats count as `default_row`."""

    id: str
    title: str
    roll: str
    default_row: str
    rows: tuple[Row, ...] = field(name="row")

    def __post_init__(self) -> None:
        cells = [cell for row in self.rows for cell in row.cells]
        missing = [cell for cell in ALL_CELLS if cell not in cells]
        twice = [cell for cell in ALL_CELLS if cells.count(cell) > 1]
        if missing or twice:
            raise ValueError(f"cells missing: {_listed(missing)}; cells twice: {_listed(twice)}")
        ids = [row.id for row in self.rows]
        refuse_repeated(ids, "the row")
        named = [("default_row", self.default_row)]
        for row in self.rows:
            for effect in row.effects:
                if isinstance(effect, RollAgain):
                    named += [(f"row {row.id}, rerolls", name) for name in effect.rerolls]
        refuse_unknown(named, ids, "row of this table")

    @cached_property
    def _by_cell(self) -> dict[str, Row]:
        return {cell: row for row in self.rows for cell in row.cells}

    @cached_property
    def _by_id(self) -> dict[str, Row]:
        return {row.id: row for row in self.rows}

    def row(self, row: str) -> Row:
        """The row of that id. Raises NoSuchRow."""
        if row not in self._by_id:
            raise NoSuchRow(table=self.title, row=row, known=tuple(self._by_id))
        return self._by_id[row]

    def has_row(self, row: str) -> bool:
        """Whether the table has a row of that id."""
        return row in self._by_id

    def read(self, die: Die) -> Row:
        """The row of a D66, or the row named instead of one. Raises NoSuchRow."""
        cell = die.cell
        return self._by_cell[cell] if cell is not None else self.row(die.symbol or "")


class Band(BookTable):
    """One line of a chart: its totals and its effects."""

    id: str
    name: str
    totals: range
    effects: tuple[Effect, ...] = ()

    def as_row(self, name: str | None = None) -> Row:
        """The line as a row without cells, by its own name or another."""
        return Row(id=self.id, name=name or self.name, cells=Cells(), effects=self.effects)


class Chart(Chapter):
    """A chart read by a total of dice and modifiers, without gaps. `roll` is its roll: D6, 2D6; 'total' if a
    rule gathers the dice.
    """

    id: str
    title: str
    roll: str
    bands: tuple[Band, ...] = field(name="band")

    def __post_init__(self) -> None:
        for band, following in pairwise(self.bands):
            if following.totals.start != band.totals.stop:
                raise ValueError(f"{following.id} does not follow {band.id} without a gap")

    def read(self, total: int) -> Band:
        """The band of a total."""
        # `total in band.totals` would compare a symbolic total with each number of the range.
        return next(band for band in self.bands if band.totals.start <= total < band.totals.stop)

    def band(self, band: str) -> Band:
        """The band of that id. Raises NoSuchRow."""
        for line in self.bands:
            if line.id == band:
                return line
        raise NoSuchRow(table=self.title, row=band, known=tuple(line.id for line in self.bands))


def _listed(cells: list[str]) -> str:
    return ", ".join(cells) or "none"
