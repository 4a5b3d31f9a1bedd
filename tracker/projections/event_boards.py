"""Boards from events: injuries, experience, rolls and entries, many rows at a time."""

from __future__ import annotations

from sqlalchemy import (
    Connection,
)

from tracker import schema
from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.projections import entries
from tracker.projections.experience import experience_row
from tracker.projections.injuries import injury_row
from tracker.projections.ledger import ledger_row
from tracker.projections.rolls import roll_row
from tracker.projections.sql import (
    PAGE,
    Bound,
    as_json,
    insert_rows,
)


class RowBuffer:
    """Rows from events, waiting to be written many at a time."""

    def __init__(self, connection: Connection, campaign: str) -> None:
        self._connection = connection
        self._campaign = campaign
        self._injuries: list[Bound] = []
        self._experience: list[Bound] = []
        self._ledger: list[Bound] = []
        self._rolls: list[Bound] = []
        self._entries: list[Bound] = []
        self._waiting = (
            (schema.board_injuries, self._injuries),
            (schema.board_experience, self._experience),
            (schema.board_ledger, self._ledger),
            (schema.board_rolls, self._rolls),
            (schema.board_entries, self._entries),
        )

    def add(self, group: list[RecordedEvent], battle: str | None, *, is_struck: bool = False) -> None:
        """The rows of what one entry put into one slot. What was struck keeps its rolls and its entry."""
        campaign = self._campaign
        entry = entries.entry_row(group, battle)
        self._entries.append(
            {
                "campaign_id": campaign,
                "entry": entry["entry"],
                "slot": entry["slot"],
                "battle": battle,
                "row": as_json(entry),
            }
        )
        for place in group:
            event = place.event
            if isinstance(event, records.RollMade):
                self._rolls.append(
                    {
                        "campaign_id": campaign,
                        "seq": place.seq,
                        "slot": place.slot,
                        "entry": place.entry,
                        "fighter_id": event.fighter,
                        "purpose": event.purpose,
                        "row": as_json(roll_row(place, event, battle)),
                    }
                )
            elif is_struck:
                continue
            elif isinstance(event, (records.ExperienceGained, records.ExperienceSpent)):
                experience = experience_row(place, event, battle)
                self._experience.append(
                    {
                        "campaign_id": campaign,
                        "seq": place.seq,
                        "slot": place.slot,
                        "fighter_id": event.fighter,
                        "amount": experience["amount"],
                        "row": as_json(experience),
                    }
                )
            elif isinstance(event, (records.GangEnlisted, records.CreditsMoved, records.ItemMoved)):
                movement = ledger_row(place, event, battle)
                self._ledger.append(
                    {
                        "campaign_id": campaign,
                        "seq": place.seq,
                        "slot": place.slot,
                        "source_gang": movement["source_gang"],
                        "target_gang": movement["target_gang"],
                        "row": as_json(movement),
                    }
                )
            elif isinstance(event, records.LastingInjurySuffered):
                self._injuries.append(
                    {
                        "campaign_id": campaign,
                        "fighter_id": event.fighter,
                        "position": place.seq,
                        "slot": place.slot,
                        "row": as_json(injury_row(place, event, battle)),
                    }
                )

    def write_when_full(self) -> None:
        """Write the rows of the boards that have a page of them waiting."""
        for table, waiting in self._waiting:
            if len(waiting) >= PAGE:
                insert_rows(self._connection, table, waiting)
                waiting.clear()

    def write(self) -> None:
        """Write every row that is waiting."""
        for table, waiting in self._waiting:
            insert_rows(self._connection, table, waiting)
            waiting.clear()
