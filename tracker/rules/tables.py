"""Tables: D66 tables by cell and charts by total, as a book prints them.

Knows cells, bands and rows. A table misses no cell and holds none twice; a chart covers every total.
"""

from __future__ import annotations

from tracker.dice import Die
from tracker.errors import BadInput
from tracker.records import Record, field, force_setattr
from tracker.rules.effects import Condition, Effect

ALL_CELLS: tuple[str, ...] = tuple(f"{tens}{units}" for tens in range(1, 7) for units in range(1, 7))


class Row(Record):
    """One row: the cells that lead to it, what it does, and when it counts as the table's default row.

    `rolled_again_when` says when the row is no result at all and the table is rolled on again.
    """

    id: str
    name: str
    cells: tuple[str, ...]
    effects: tuple[Effect, ...]
    counts_as_default_when: tuple[Condition, ...] = ()
    rolled_again_when: tuple[Condition, ...] = ()


class NoSuchRow(BadInput):
    """The {table} has no row {row!r}.{row:nearest} Give the D66 (such as 4-6) or one of: {known}."""

    table: str
    row: str
    known: tuple[str, ...]


class Table(Record):
    """A D66 table. `default_row` is what repeats count as."""

    id: str
    title: str
    source: str
    default_row: str
    rows: tuple[Row, ...]
    _by_cell: dict[str, Row] = field(default_factory=dict)
    _by_id: dict[str, Row] = field(default_factory=dict)

    def __post_init__(self) -> None:
        force_setattr(self, "_by_cell", {cell: row for row in self.rows for cell in row.cells})
        force_setattr(self, "_by_id", {row.id: row for row in self.rows})

    def row(self, row: str) -> Row:
        """The row of that id. Raises NoSuchRow."""
        found = self._by_id.get(row)
        if found is None:
            raise NoSuchRow(table=self.title, row=row, known=tuple(self._by_id))
        return found

    def has_row(self, row: str) -> bool:
        """Whether the table has a row of that id."""
        return row in self._by_id

    def read(self, die: Die) -> Row:
        """The row that a D66 leads to, or that was named instead of a D66. Raises NoSuchRow."""
        cell = die.cell
        return self._by_cell[cell] if cell is not None else self.row(die.symbol or "")


class Band(Record):
    """One line of a chart: the totals from `lowest` to `highest`, None having no end, and what it does."""

    id: str
    name: str
    lowest: int | None
    highest: int | None
    effects: tuple[Effect, ...] = ()

    def holds(self, total: int) -> bool:
        """Whether a total leads here."""
        return (self.lowest is None or total >= self.lowest) and (
            self.highest is None or total <= self.highest
        )


class Chart(Record):
    """A chart read by a total of dice and modifiers. Its bands leave out no total.

    `roll` is what is rolled for it: D6, 2D6; 'total' where a rule gathers the dice.
    """

    id: str
    title: str
    source: str
    bands: tuple[Band, ...]
    roll: str = "total"

    def read(self, total: int) -> Band:
        """The band that a total leads to."""
        return next(band for band in self.bands if band.holds(total))

    def band(self, band: str) -> Band:
        """The band of that id. Raises NoSuchRow."""
        found = next((one for one in self.bands if one.id == band), None)
        if found is None:
            raise NoSuchRow(table=self.title, row=band, known=tuple(one.id for one in self.bands))
        return found


def band_ends(text: str) -> tuple[int | None, int | None]:
    """'7-8' as (7, 8), '9+' as (9, None), '1-' as (None, 1), '4' as (4, 4). Raises ValueError."""
    if text.endswith("+"):
        return int(text[:-1]), None
    if text.endswith("-"):
        return None, int(text[:-1])
    first, _, last = text.partition("-")
    return int(first), int(last or first)


def cells_between(text: str) -> tuple[str, ...]:
    """'15-26' as the eight cells two D6 can show in that range; '46' as itself. Raises ValueError."""
    first, _, last = text.partition("-")
    ends = (first, last or first)
    if not all(end in ALL_CELLS for end in ends):
        raise ValueError(f"{text!r} is no range of D66 cells")
    return tuple(cell for cell in ALL_CELLS if ends[0] <= cell <= ends[1])
