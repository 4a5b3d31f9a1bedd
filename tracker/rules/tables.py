"""Tables: a D66 table and its rows, as a book prints them.

Knows cells and rows. Refuses a table that misses a cell, holds one twice, or names a cell that two D6
cannot show.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tracker.dice import Die
from tracker.errors import BadInput, nearest
from tracker.rules.effects import Condition, Effect

ALL_CELLS: tuple[str, ...] = tuple(f"{tens}{units}" for tens in range(1, 7) for units in range(1, 7))


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row: the cells that lead to it, what it does, and when it counts as the table's default row."""

    id: str
    name: str
    cells: tuple[str, ...]
    effects: tuple[Effect, ...]
    counts_as_default_when: tuple[Condition, ...] = ()


@dataclass(eq=False)
class NoSuchRow(BadInput):
    """A row was named that the table does not have."""

    table: str
    row: str
    known: tuple[str, ...]

    def message(self) -> str:
        return (
            f"The {self.table} has no row {self.row!r}.{nearest(self.row, self.known)}"
            f" Give the D66 (such as 4-6) or one of: {', '.join(self.known)}."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A D66 table. `default_row` is what repeats count as."""

    id: str
    title: str
    source: str
    default_row: str
    rows: tuple[Row, ...]
    _by_cell: dict[str, Row] = field(init=False, repr=False, compare=False)
    _by_id: dict[str, Row] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_cell", {cell: row for row in self.rows for cell in row.cells})
        object.__setattr__(self, "_by_id", {row.id: row for row in self.rows})

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


def cells_between(text: str) -> tuple[str, ...]:
    """'15-26' as the eight cells two D6 can show in that range; '46' as itself. Raises ValueError."""
    first, _, last = text.partition("-")
    ends = (first, last or first)
    if not all(end in ALL_CELLS for end in ends):
        raise ValueError(f"{text!r} is no range of D66 cells")
    return tuple(cell for cell in ALL_CELLS if ends[0] <= cell <= ends[1])
