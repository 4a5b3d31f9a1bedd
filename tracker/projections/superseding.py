"""Board rows that later events update in place (battles, disputes), and rows that a ruling supersedes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import (
    Connection,
    Table,
    select,
)

from tracker import schema
from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.projections import battles, disputes, entries, sql
from tracker.projections.battles import BattleRow, Calendar
from tracker.projections.disputes import DisputeRow
from tracker.projections.rows import read_row

# What later entries say of a dispute that is on the board.
ABOUT_A_DISPUTE = (
    records.RulingMade,
    records.DisputeCommentedOn,
    records.DisputeWithdrawn,
    records.DisputeReopened,
    records.DisputeSettledAgain,
)


def write_battles(
    connection: Connection, campaign: str, recorded: Sequence[RecordedEvent], calendar: Calendar
) -> None:
    """The battles that these events open or close."""
    opened = {place.event.battle for place in recorded if isinstance(place.event, records.BattleOpened)}
    closed = {place.event.battle for place in recorded if isinstance(place.event, records.BattleClosed)}
    if not opened and not closed:
        return
    were: dict[str, BattleRow] = _rows_of(connection, campaign, schema.board_battles, closed - opened)
    for place in recorded:
        mark(calendar, place)
    write_battle_rows(connection, campaign, were, battles.redone(were, (), recorded))


def write_disputes(connection: Connection, campaign: str, recorded: Sequence[RecordedEvent]) -> None:
    """The disputes that these events open, or say something of."""
    opened = {place.event.dispute for place in recorded if isinstance(place.event, records.RollDisputed)}
    ruled = {place.event.dispute for place in recorded if isinstance(place.event, ABOUT_A_DISPUTE)}
    if not opened and not ruled:
        return
    were: dict[int, DisputeRow] = _rows_of(connection, campaign, schema.board_disputes, ruled - opened)
    write_dispute_rows(connection, campaign, were, disputes.redone(were, (), recorded))


def mark(calendar: Calendar, place: RecordedEvent) -> None:
    """Put what an event says of battles into the calendar."""
    if isinstance(place.event, records.BattleOpened):
        calendar.open(place.slot, place.event.battle)
    elif isinstance(place.event, records.BattleClosed):
        calendar.close(place.slot, place.event.battle)


def _rows_of(
    connection: Connection, campaign: str, table: Table, wanted: Collection[str | int] | None = None
) -> dict[Any, Any]:
    # By key; all of them when none is named.
    if wanted is not None and not wanted:
        return {}
    key = list(table.primary_key)[1]
    query = select(key, table.c.row).where(table.c.campaign_id == campaign)
    if wanted is not None:
        query = query.where(key.in_(wanted))
    return {name: read_row(table, row) for name, row in connection.execute(query)}


def write_battle_rows(
    connection: Connection, campaign: str, were: Mapping[str, BattleRow], are: Mapping[str, BattleRow]
) -> None:
    """Make the battles that were on the board those that are."""

    def bound(battle: str) -> sql.Bound:
        row = are[battle]
        return {
            "campaign_id": campaign,
            "battle_id": battle,
            "number": row["number"],
            "slot": row["slot"],
            "row": sql.as_json(row),
        }

    sql.write_changes(
        connection,
        schema.board_battles,
        gone=[{"campaign_id": campaign, "battle_id": battle} for battle in were if battle not in are],
        new=[bound(battle) for battle in are if battle not in were],
        changed=[bound(battle) for battle in are if battle in were and are[battle] != were[battle]],
    )


def write_dispute_rows(
    connection: Connection, campaign: str, were: Mapping[int, DisputeRow], are: Mapping[int, DisputeRow]
) -> None:
    """Make the disputes that were on the board those that are."""

    def bound(dispute: int) -> sql.Bound:
        return {"campaign_id": campaign, "dispute": dispute, "row": sql.as_json(are[dispute])}

    sql.write_changes(
        connection,
        schema.board_disputes,
        gone=[{"campaign_id": campaign, "dispute": dispute} for dispute in were if dispute not in are],
        new=[bound(dispute) for dispute in are if dispute not in were],
        changed=[bound(dispute) for dispute in are if dispute in were and are[dispute] != were[dispute]],
    )


def supersede(connection: Connection, campaign: str, recorded: Sequence[RecordedEvent]) -> Calendar:
    """Take off the boards what a ruling's entries replaced; gives the calendar that holds now."""
    fills: dict[int, list[int]] = {}
    for first, *_ in entries.groups(recorded):
        if entries.replaces(first):
            fills.setdefault(entries.slot_of(first), []).append(first.entry)
    touched = mark_superseded(connection, campaign, fills)
    for slots in _pages_of(sorted(fills)):
        for table in sql.OF_WHAT_COUNTS:
            connection.execute(sql.DELETE_SLOTS[table], {"its_campaign_id": campaign, "slots": slots})

    # The rows of a campaign's battles are few, and they alone say which battle an old slot belongs to.
    battles_were: dict[str, BattleRow] = _rows_of(connection, campaign, schema.board_battles)
    battles_are = battles.redone(battles_were, fills.keys(), recorded)
    write_battle_rows(connection, campaign, battles_were, battles_are)
    calendar = Calendar.of(battles_are.values())
    were = Calendar.of(battles_were.values())
    _move_to_battles(connection, campaign, were, calendar, last_slot=max(place.entry for place in recorded))

    if touched.isdisjoint({"RollDisputed", "RulingMade"}):
        write_disputes(connection, campaign, recorded)
    else:
        disputes_were: dict[int, DisputeRow] = _rows_of(connection, campaign, schema.board_disputes)
        disputes_are = disputes.redone(disputes_were, fills.keys(), recorded)
        write_dispute_rows(connection, campaign, disputes_were, disputes_are)
    return calendar


def mark_superseded(connection: Connection, campaign: str, fills: Mapping[int, list[int]]) -> set[str]:
    """Mark what lies under each slot's later entries, and say which types of event that was."""
    touched: set[str] = set()
    in_order = {slot: sorted(later) for slot, later in fills.items()}
    for slots in _pages_of(sorted(fills)):
        for table in (schema.board_rolls, schema.board_entries):
            marked: list[sql.Bound] = []
            for stored in connection.execute(
                sql.SELECT_SLOTS[table], {"campaign_id": campaign, "slots": slots}
            ):
                row = read_row(table, stored.row)
                later = in_order[row["slot"]]
                over = bisect_right(later, row["entry"])
                if row["struck_by"] is None and over < len(later):
                    row["struck_by"] = later[over]
                    marked.append(_key_of(table, campaign, row) | {"row": sql.as_json(row)})
                    touched.update(row.get("events", ()))
            if marked:
                sql.update_rows(connection, table, marked)
    return touched


def _move_to_battles(
    connection: Connection, campaign: str, was: Calendar, now: Calendar, *, last_slot: int
) -> None:
    for start, end in now.differs_from(was, last_slot=last_slot):
        for first in range(start, end + 1, sql.PAGE):
            span = {"campaign_id": campaign, "first": first, "last": min(end, first + sql.PAGE - 1)}
            battle = now.battle_at(start)
            for table in sql.BY_EVENT:
                moved: list[sql.Bound] = []
                for stored in connection.execute(sql.SELECT_SPAN[table], span):
                    row = read_row(table, stored.row) | {"battle": battle}
                    column = {"battle": battle} if "battle" in table.c else {}
                    moved.append(_key_of(table, campaign, row) | column | {"row": sql.as_json(row)})
                if moved:
                    sql.update_rows(connection, table, moved)


def _pages_of(slots: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(slots), sql.PAGE):
        yield slots[start : start + sql.PAGE]


def _key_of(table: Table, campaign: str, row: Mapping[str, Any]) -> sql.Bound:
    """The key of an event's row, bound for `UPDATE`."""
    if table is schema.board_injuries:
        return {"its_campaign_id": campaign, "its_fighter_id": row["fighter"], "its_position": row["seq"]}
    return {"its_campaign_id": campaign} | {
        f"its_{column.name}": row[column.name] for column in list(table.primary_key)[1:]
    }
