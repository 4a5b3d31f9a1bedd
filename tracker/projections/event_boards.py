"""Boards from events: injuries, experience, the ledger, rolls and entries, many rows at a time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, TypeAlias, TypedDict

import msgspec
from sqlalchemy import (
    Connection,
)

from tracker import schema
from tracker.campaign import records
from tracker.campaign.holdings import is_outside
from tracker.campaign.recorded_event import RecordedEvent
from tracker.dice import Source
from tracker.projections import Placed, entries
from tracker.projections.sql import (
    PAGE,
    Bound,
    as_json,
    insert_rows,
)


class ExperienceRow(Placed):
    """One gain of XP, or what was spent."""

    fighter: str
    amount: int
    reason: str
    victim: str | None
    activation: str | None
    section: str


def experience_row(
    recorded: RecordedEvent, event: records.ExperienceGained | records.ExperienceSpent, battle: str | None
) -> ExperienceRow:
    """The row of one gain, or of one spending."""
    gained = event if isinstance(event, records.ExperienceGained) else None
    return ExperienceRow(
        entry=recorded.entry,
        position=recorded.position,
        seq=recorded.seq,
        slot=recorded.slot,
        at=recorded.at,
        battle=battle,
        fighter=event.fighter,
        amount=event.amount if gained else -event.amount,
        reason=event.reason if isinstance(event, records.ExperienceGained) else event.why,
        victim=gained.victim if gained else None,
        activation=gained.activation if gained else None,
        section=event.section,
    )


class InjuryRow(Placed):
    """One lasting injury. `battle` is an id, `battle_number` the number that the event states."""

    fighter: str
    by: str | None
    table: str
    cell: str | None
    injury: str
    name: str
    counts_as: str | None
    occurrence: int
    within: str | None
    battle_number: int | None
    section: str


def injury_row(
    recorded: RecordedEvent,
    event: records.LastingInjurySuffered | records.InjuryBroughtAlong,
    battle: str | None,
) -> InjuryRow:
    """The row of one lasting injury; one brought along has no cell, no battle and nobody who dealt it."""
    suffered = event if isinstance(event, records.LastingInjurySuffered) else None
    return InjuryRow(
        entry=recorded.entry,
        position=recorded.position,
        seq=recorded.seq,
        slot=recorded.slot,
        at=recorded.at,
        battle=battle,
        fighter=event.fighter,
        by=suffered.by if suffered else None,
        table=event.table,
        cell=suffered.cell if suffered else None,
        injury=event.injury,
        name=event.name,
        counts_as=suffered.counts_as if suffered else None,
        occurrence=event.occurrence,
        within=suffered.within if suffered else None,
        battle_number=suffered.battle if suffered else None,
        section=event.section,
    )


Movement: TypeAlias = records.GangEnlisted | records.CreditsMoved | records.ItemMoved

FOUNDING = "@founding"
"""Where what a gang had on enlisting came from; no rule moves anything there."""


class LedgerRow(Placed):
    """One movement. `amount` is in credits, 0 where a thing moved; `item` is the thing."""

    kind: Literal["opening", "credits", "item"]
    source: str
    target: str
    source_gang: str | None
    target_gang: str | None
    amount: int
    item: dict[str, Any] | None
    thing: str | None
    fighter: str | None
    why: str
    section: str


class StatementLine(TypedDict):
    """One line of a gang's statement: what came or, below zero, went; from or to whom; what there is then."""

    row: LedgerRow
    change: int
    other_side: str
    balance: int


def ledger_row(recorded: RecordedEvent, event: Movement, battle: str | None) -> LedgerRow:
    """The row of one movement."""
    row = LedgerRow(
        entry=recorded.entry,
        position=recorded.position,
        seq=recorded.seq,
        slot=recorded.slot,
        at=recorded.at,
        battle=battle,
        kind="opening",
        source=FOUNDING,
        target="",
        source_gang=None,
        target_gang=None,
        amount=0,
        item=None,
        thing=None,
        fighter=None,
        why="on enlisting",
        section="",
    )
    if isinstance(event, records.GangEnlisted):
        row["target"] = row["target_gang"] = event.gang
        row["amount"] = event.credits
        return row
    row["source"], row["target"] = event.source, event.target
    row["why"], row["section"] = event.why, event.section
    if isinstance(event, records.CreditsMoved):
        row["kind"], row["amount"] = "credits", event.amount
        row["thing"], row["fighter"] = event.item, event.fighter
        row["source_gang"] = None if is_outside(event.source) else event.source
        row["target_gang"] = None if is_outside(event.target) else event.target
    else:
        row["kind"], row["thing"] = "item", event.item.name
        row["item"] = msgspec.json.decode(msgspec.json.encode(event.item))
        row["source_gang"], row["target_gang"] = event.source_gang, event.target_gang
    return row


def statement(rows: Iterable[LedgerRow], gang: str) -> list[StatementLine]:
    """A gang's statement from its rows in order of play, with the balance after each."""
    lines, balance = [], 0
    for row in rows:
        comes = row["target_gang"] == gang
        change = row["amount"] * (int(comes) - int(row["source_gang"] == gang))
        balance += change
        lines.append(
            StatementLine(
                row=row, change=change, other_side=row["source"] if comes else row["target"], balance=balance
            )
        )
    return lines


class ModifierOnRoll(TypedDict):
    """What was added to a roll, and why."""

    why: str
    by: int


class RollRow(Placed):
    """One roll. `struck_by` is the entry of the ruling that decided its slot again or voided it."""

    number: int
    purpose: str
    die: str
    faces: list[int]
    symbol: str | None
    source: Source
    fighter: str | None
    rolled_by: str | None
    modifiers: list[ModifierOnRoll]
    target: int | None
    passed: bool | None
    outcome: str
    section: str
    policy_version: str
    struck_by: int | None


def roll_row(recorded: RecordedEvent, event: records.RollMade, battle: str | None) -> RollRow:
    """The row of one roll, not struck."""
    return RollRow(
        entry=recorded.entry,
        position=recorded.position,
        seq=recorded.seq,
        slot=recorded.slot,
        at=recorded.at,
        battle=battle,
        number=event.number,
        purpose=event.purpose,
        die=event.die,
        faces=list(event.faces),
        symbol=event.symbol,
        source=event.source,
        fighter=event.fighter,
        rolled_by=event.rolled_by,
        modifiers=[ModifierOnRoll(why=modifier.why, by=modifier.by) for modifier in event.modifiers],
        target=event.target,
        passed=event.passed,
        outcome=event.outcome,
        section=event.section,
        policy_version=recorded.policy_version,
        struck_by=None,
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
            elif isinstance(event, (records.LastingInjurySuffered, records.InjuryBroughtAlong)):
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
