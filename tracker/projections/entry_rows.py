"""A row of the index of entries, as stored and as read back.

Knows no filter, no event, and nothing about an entry beyond its row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, TypedDict

import msgspec

from tracker import schema
from tracker.projections.row_json import BoardDamaged, as_json
from tracker.projections.sql import Bound
from tracker.records import decoder_of

COLUMNS = tuple(column for column in schema.board_entries.columns if column.name != "campaign_id")


Kind: TypeAlias = Literal["played", "ruling", "decided_again", "slot_voided", "slot_kept"]


class EntryRow(TypedDict):
    """An entry's events in one slot, or a ruling's events about one, and whom they are about.

    `battle` is the one that the slot belongs to now. `struck_by` is the entry of the ruling that later
    decided the slot again or voided it. `events` names the types without the header, in order and once each;
    `fighters` are those they are about, `gangs` those whose credits or things moved.
    """

    entry: int
    slot: int
    battle: str | None
    kind: Kind
    struck_by: int | None
    command: str | None
    events: list[str]
    fighters: list[str]
    gangs: list[str]


def bound(campaign: str, row: EntryRow) -> Bound:
    """The values of a row for its statement."""
    return {
        "campaign_id": campaign,
        "entry": row["entry"],
        "slot": row["slot"],
        "struck_by": row["struck_by"],
        "command": row["command"],
        "events": " ".join(row["events"]),
        "fighters": as_json(row["fighters"]),
        "gangs": as_json(row["gangs"]) if row["gangs"] else None,
    }


def kind_of(entry: int, slot: int, command: str | None, events: Sequence[str]) -> Kind:
    """What an entry did to a slot. A ruling's event about another slot has no header, and comes first."""
    if command is None and events and events[0] in _MARK_KINDS:
        return _MARK_KINDS[events[0]]
    if slot != entry:
        return "decided_again"
    return "ruling" if "RulingMade" in events else "played"


_MARK_KINDS: dict[str, Kind] = {"SlotVoided": "slot_voided", "SlotKept": "slot_kept"}


def read_entry_row(row: Any) -> EntryRow:
    """The row from these `COLUMNS`, without its battle. Raises BoardDamaged."""
    try:
        events = row.events.split()
        return EntryRow(
            entry=row.entry,
            slot=row.slot,
            battle=None,
            kind=kind_of(row.entry, row.slot, row.command, events),
            struck_by=row.struck_by,
            command=row.command,
            events=events,
            fighters=decoder_of(list[str]).decode(row.fighters),
            gangs=decoder_of(list[str]).decode(row.gangs) if row.gangs is not None else [],
        )
    except (msgspec.MsgspecError, RecursionError) as wrong:
        raise BoardDamaged(board="entries", reason=str(wrong)) from wrong


def names_nothing(row: EntryRow) -> BoardDamaged:
    """The refusal of a row whose entry does not hold what the row says."""
    reason = f"entry {row['entry']} does not hold in slot {row['slot']} what it names"
    return BoardDamaged(board="entries", reason=reason)
