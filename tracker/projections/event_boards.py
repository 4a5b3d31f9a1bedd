"""Boards from events: rows that later events update in place (battles, disputes) or a ruling supersedes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import BindParameter, CompoundSelect, Connection, Table, bindparam, select

from tracker import schema
from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.projections import battles, disputes, entries, row_json, sql
from tracker.projections.battles import BattleRow
from tracker.projections.dispute_rows import DisputeRow
from tracker.projections.row_json import read_row

# Later events about a dispute that is on the board.
ABOUT_A_DISPUTE = (
    records.RulingMade,
    records.DisputeCommentedOn,
    records.DisputeWithdrawn,
    records.DisputeReopened,
    records.DisputeSettledAgain,
)

OF_BATTLES = frozenset({records.BattleOpened, records.BattleClosed})
OF_DISPUTES = frozenset({records.RollDisputed, *ABOUT_A_DISPUTE})
"""The types of events that change the battle and dispute boards."""


def write_battles(connection: Connection, campaign: str, recorded: Sequence[RecordedEvent]) -> None:
    """Write the battles that these events open or close."""
    opened = {place.event.battle for place in recorded if isinstance(place.event, records.BattleOpened)}
    closed = {place.event.battle for place in recorded if isinstance(place.event, records.BattleClosed)}
    if not opened and not closed:
        return
    were: dict[str, BattleRow] = _rows_of(connection, campaign, schema.board_battles, closed - opened)
    write_battle_rows(connection, campaign, were, battles.redone(were, (), recorded))


def write_disputes(connection: Connection, campaign: str, recorded: Sequence[RecordedEvent]) -> None:
    """Write the disputes that these events open or change."""
    opened = {place.event.dispute for place in recorded if isinstance(place.event, records.RollDisputed)}
    ruled = {place.event.dispute for place in recorded if isinstance(place.event, ABOUT_A_DISPUTE)}
    if not opened and not ruled:
        return
    were: dict[int, DisputeRow] = _rows_of(connection, campaign, schema.board_disputes, ruled - opened)
    write_dispute_rows(connection, campaign, were, disputes.redone(were, (), recorded))


def _rows_of(
    connection: Connection, campaign: str, table: Table, wanted: Collection[str | int] | None = None
) -> dict[Any, Any]:
    # By key; all rows if no key is given.
    if wanted is not None and not wanted:
        return {}
    key = list(table.primary_key)[1]
    query = select(key, table.c.row).where(table.c.campaign_id == campaign)
    if wanted is not None:
        query = query.where(key.in_(wanted))
    return {name: read_row(table.name, row) for name, row in connection.execute(query)}


def write_battle_rows(
    connection: Connection, campaign: str, were: Mapping[str, BattleRow], are: Mapping[str, BattleRow]
) -> None:
    """Replace the battle rows `were` with `are`."""

    def bound(battle: str) -> sql.Bound:
        row = are[battle]
        return {
            "campaign_id": campaign,
            "battle_id": battle,
            "number": row["number"],
            "slot": row["slot"],
            "row": row_json.as_json(row),
        }

    changed = [battle for battle in are if battle in were and are[battle] != were[battle]]
    moved = {battle for battle in changed if _place(are[battle]) != _place(were[battle])}
    sql.write_changes(
        connection,
        schema.board_battles,
        gone=[{"campaign_id": campaign, "battle_id": battle} for battle in were if battle not in are],
        new=[bound(battle) for battle in are if battle not in were],
        changed=[bound(battle) for battle in changed if battle not in moved],
        moved=[bound(battle) for battle in changed if battle in moved],
    )


def _place(row: BattleRow) -> tuple[int, int]:
    return row["number"], row["slot"]


def write_dispute_rows(
    connection: Connection, campaign: str, were: Mapping[int, DisputeRow], are: Mapping[int, DisputeRow]
) -> None:
    """Replace the dispute rows `were` with `are`."""

    def bound(dispute: int) -> sql.Bound:
        return {"campaign_id": campaign, "dispute": dispute, "row": row_json.as_json(are[dispute])}

    sql.write_changes(
        connection,
        schema.board_disputes,
        gone=[{"campaign_id": campaign, "dispute": dispute} for dispute in were if dispute not in are],
        new=[bound(dispute) for dispute in are if dispute not in were],
        changed=[bound(dispute) for dispute in are if dispute in were and are[dispute] != were[dispute]],
    )


def supersede(connection: Connection, campaign: str, recorded: Sequence[RecordedEvent]) -> None:
    """Update the boards after a ruling: remove what its entry replaced."""
    fills: dict[int, list[int]] = {}
    for first, *_ in entries.groups(recorded):
        if entries.replaces(first):
            fills.setdefault(entries.slot_of(first), []).append(first.entry)
    superseded_types = mark_superseded(connection, campaign, fills)

    # A campaign has few battle rows, and only they show which battle an old slot belongs to.
    battles_were: dict[str, BattleRow] = _rows_of(connection, campaign, schema.board_battles)
    battles_are = battles.redone(battles_were, fills.keys(), recorded)
    write_battle_rows(connection, campaign, battles_were, battles_are)

    if superseded_types.isdisjoint({"RollDisputed", "RulingMade"}):
        write_disputes(connection, campaign, recorded)
    else:
        disputes_were: dict[int, DisputeRow] = _rows_of(connection, campaign, schema.board_disputes)
        disputes_are = disputes.redone(disputes_were, fills.keys(), recorded)
        write_dispute_rows(connection, campaign, disputes_were, disputes_are)


def mark_superseded(connection: Connection, campaign: str, fills: Mapping[int, list[int]]) -> set[str]:
    """Mark the rows below each slot's latest filling as struck; returns the event types that they hold."""
    superseded_types: set[str] = set()
    in_order = {slot: sorted(later) for slot, later in fills.items()}
    table = schema.board_entries
    for slots in _pages_of(sorted(fills)):
        marked: list[sql.Bound] = []
        for row in connection.execute(_UNSTRUCK_OF_SLOTS, {"campaign_id": campaign, "slots": slots}):
            later = in_order[row.slot]
            over = bisect_right(later, row.entry)
            if over < len(later):
                key = {"its_campaign_id": campaign, "its_entry": row.entry, "its_slot": row.slot}
                marked.append(key | {"struck_by": later[over]})
                superseded_types.update(row.events.split())
        if marked:
            sql.update_rows(connection, table, marked)
    return superseded_types


def _unstruck() -> CompoundSelect[Any]:
    table = schema.board_entries
    unstruck = select(table.c.entry, table.c.slot, table.c.events).where(
        table.c.campaign_id == bindparam("campaign_id"), table.c.struck_by.is_(None)
    )
    slots: BindParameter[Any] = bindparam("slots", expanding=True)
    own = unstruck.where(table.c.entry.in_(slots), table.c.slot == table.c.entry)
    return own.union_all(unstruck.where(table.c.slot.in_(slots), table.c.slot != table.c.entry))


_UNSTRUCK_OF_SLOTS = _unstruck()
"""The rows of these slots: by the key if an entry filled its own, else by the index of rulings."""


def _pages_of(slots: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(slots), sql.PAGE):
        yield slots[start : start + sql.PAGE]
