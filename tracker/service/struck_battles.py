"""Struck battles: the record of a battle whose opening a ruling voided.

The battle board has no such battle; the index of entries still has its entries, struck out.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.projections import entries, entry_queries, entry_rows
from tracker.projections.battles import closed_row, opened_row
from tracker.projections.entries import RulingOnSlot
from tracker.projections.entry_rows import EntryRow
from tracker.projections.queries import Row
from tracker.records import Record
from tracker.service.repository import CampaignRepository


class StruckBattle(Record):
    """A voided battle: its row as recorded, its rows of the index of entries, and the last ruling on its
    opening.
    """

    row: Row
    rows: Sequence[EntryRow]
    ruling: RulingOnSlot


def struck_battles(
    repository: CampaignRepository, connection: Connection, campaign: str, battles: Sequence[Row]
) -> list[StruckBattle]:
    """Every recorded battle that no longer counts, oldest first. `battles` are those that count."""
    marks = entry_queries.entries_touching(
        connection, campaign, fighters=set(), events={"BattleOpened", "BattleClosed"}
    )
    counting = {int(row["slot"]) for row in battles}
    starts = sorted(counting | {int(row["slot"]) for row in marks if "BattleOpened" in row["events"]})
    latest = {
        int(row["slot"]): row
        for row in marks
        if "BattleOpened" in row["events"] and row["struck_by"] is not None and row["slot"] not in counting
    }
    closings = [row for row in marks if "BattleClosed" in row["events"] and row["struck_by"] is not None]
    found = []
    for slot in sorted(latest):
        following = next((start for start in starts if start > slot), None)
        before = following if following is not None else latest[slot]["struck_by"] or slot
        opened = _event(repository, campaign, latest[slot], records.BattleOpened)
        assert isinstance(opened.event, records.BattleOpened), "the row names it"
        row: Row = dict(opened_row(opened, opened.event))
        closing = next((row for row in reversed(closings) if slot < row["slot"] < before), None)
        if closing is not None:
            closed = _event(repository, campaign, closing, records.BattleClosed)
            assert isinstance(closed.event, records.BattleClosed), "the row names it"
            row = dict(closed_row(opened_row(opened, opened.event), closed, closed.event))
            before = int(closing["slot"]) + 1
        rows = entry_queries.entries_between_battles(
            connection, campaign, after_slot=slot - 1, before_slot=before
        )
        # Entries written meanwhile that are no part of the battle (a dispute, a ruling) still count.
        gone = {written["slot"] for written in rows if written["struck_by"] is not None}
        rows = sorted(
            (written for written in rows if written["slot"] in gone),
            key=lambda written: (written["entry"], written["slot"]),
        )
        said = [written for written in rows if written["slot"] == slot and written["kind"] == "slot_voided"]
        if said:
            (ruling,) = words(repository, campaign, said[-1:])
            found.append(StruckBattle(row=row, rows=rows, ruling=ruling))
    return found


def words(repository: CampaignRepository, campaign: str, rows: Sequence[EntryRow]) -> list[RulingOnSlot]:
    """The effects of one ruling on the slots of these rows."""
    (entry,) = {row["entry"] for row in rows}
    events = repository.log.entry(campaign, entry)
    groups = {entries.slot_of(group[0]): group for group in entries.groups(events)}
    for row in rows:
        if row["slot"] not in groups:
            raise entry_rows.names_nothing(row)
    return [entries.ruling_on_slot(groups[row["slot"]]) for row in rows]


def _event(repository: CampaignRepository, campaign: str, row: EntryRow, kind: type) -> RecordedEvent:
    (content,) = repository.contents(campaign, [(row["entry"], row["slot"])])
    for recorded in content:
        if isinstance(recorded.event, kind):
            return recorded
    raise entry_rows.names_nothing(row)
