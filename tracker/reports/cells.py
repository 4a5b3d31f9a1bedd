"""Cells and moves as pages. Addresses are shown without passwords."""

from __future__ import annotations

from collections.abc import Sequence

from tracker.reports.page import DataTable, Page, Text
from tracker.reports.plain_data import plain_data
from tracker.service.cells import Cell, MoveResult


def cells_page(cells: Sequence[Cell]) -> Page:
    """Every cell on one line, the home database first."""
    columns = ("Cell", "Campaigns", "Database", "Standby")
    rows = [(cell.cell, cell.campaigns, cell.place, cell.standby or "") for cell in cells]
    return Page(
        schema="host-cells",
        blocks=lambda: [[DataTable(columns, rows)]],
        data=lambda: {"cells": [plain_data(cell) for cell in cells]},
    )


def cell_added_page(cell: Cell) -> Page:
    """A cell that campaigns can be moved to now."""
    line = f"{cell.cell} is {cell.place}. Move a campaign there: arbitrator host move CAMPAIGN {cell.cell}"
    return Page(schema="host-cell", blocks=lambda: [[Text([line])]], data=lambda: {"cell": plain_data(cell)})


def moved_page(moved: MoveResult, name: str) -> Page:
    """The old and new cell of a campaign, and how long nobody could write."""
    if moved.source == moved.target:
        line = f"{name} is in {moved.target} already, {moved.events} events."
    else:
        line = (
            f"{name} went from {moved.source} to {moved.target}, {moved.events} events."
            f" Nobody could record for {moved.seconds_held:.1f} s."
        )
    return Page(schema="host-move", blocks=lambda: [[Text([line])]], data=lambda: plain_data(moved))
