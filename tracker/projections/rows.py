"""Rows of the boards read back: JSON becomes the row that its board writes, or is refused as damage.

Knows which shape each board's rows have. Knows no query and no log.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, TypeAlias

import msgspec

from tracker.errors import LogDamaged
from tracker.records import decoder_of

Row: TypeAlias = dict[str, Any]


class BoardDamaged(LogDamaged):
    """A row of the board of {board} is damaged ({reason}). The log is stored apart: 'arbitrator boards
    rebuild' makes the boards again from it; then 'arbitrator audit verify' checks everything.
    """

    board: str
    reason: str


# By name: who reads one board need not import what the others are made from.
_ROW_OF = {
    "board_gangs": "standings.GangRow",
    "board_fighters": "roster.FighterRow",
    "board_battles": "battles.BattleRow",
    "board_disputes": "dispute_rows.DisputeRow",
}


def read_row(board: str, text: str) -> Row:
    """The row that a board holds as this text. Raises BoardDamaged for one of another shape."""
    try:
        row: Row = decoder_of(_row_of(board)).decode(text)
    except (msgspec.MsgspecError, RecursionError, TypeError) as wrong:
        raise BoardDamaged(board=board.removeprefix("board_"), reason=str(wrong)) from wrong
    return row


@cache
def _row_of(board: str) -> type:
    module, name = _ROW_OF[board].split(".")
    kind: type = getattr(import_module(f"tracker.projections.{module}"), name)
    return kind
