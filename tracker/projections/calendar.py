"""The battle that a slot belongs to, by the rows of the battles. Knows no event."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tracker.projections.battles import BattleRow


class Calendar:
    """The battle that each slot belongs to: from its opening to its closing, both included.

    Takes openings and closings in order of play.
    """

    def __init__(self) -> None:
        self.from_slots: list[int] = [0]
        self.battles: list[str | None] = [None]

    @classmethod
    def of(cls, rows: Iterable[BattleRow]) -> Calendar:
        """The calendar of these battle rows."""
        calendar = cls()
        marks: list[tuple[int, int, bool, str]] = []
        for row in rows:
            marks.append((row["slot"], row["seq"], True, row["battle"]))
            if row["closed"] is not None:
                marks.append((row["closed"]["slot"], row["closed"]["seq"], False, row["battle"]))
        for slot, _, opens, battle in sorted(marks):
            if opens:
                calendar.open(slot, battle)
            else:
                calendar.close(slot, battle)
        return calendar

    def open(self, slot: int, battle: str) -> None:
        """Begin a battle in this slot."""
        self.from_slots.append(slot)
        self.battles.append(battle)

    def close(self, slot: int, battle: str) -> None:
        """End that battle with this slot, if it is under way."""
        if self.battles[-1] == battle:
            self.from_slots.append(slot + 1)
            self.battles.append(None)

    def battle_at(self, slot: int) -> str | None:
        """The battle that a slot belongs to, or None between battles."""
        return self.battles[bisect_right(self.from_slots, slot) - 1]
