"""The ledger: one row for each movement to or from a gang, made from the log's events.

Knows movements of credits and things. The balance is the sum of its rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal, TypeAlias, TypedDict

from tracker.campaign import records
from tracker.campaign.holdings import is_outside
from tracker.campaign.recorded_event import RecordedEvent
from tracker.projections import RowPosition, position_of
from tracker.projections.row_json import as_json, from_json

Movement: TypeAlias = records.GangEnlisted | records.CreditsMoved | records.ItemMoved

FOUNDING = "@founding"
"""The source of what a gang had on enlisting."""


class LedgerRow(RowPosition):
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
    """A line of a gang's statement: the amount (negative when it left the gang), the other side, the balance
    after it.
    """

    row: LedgerRow
    change: int
    other_side: str
    balance: int


MOVEMENTS = (records.GangEnlisted, records.CreditsMoved, records.ItemMoved)


def gangs_moving(event: records.Event) -> tuple[str, ...]:
    """The gangs whose ledger shows this event."""
    if not isinstance(event, MOVEMENTS):
        return ()
    source, target = _gangs_of(event)
    return tuple(gang for gang in (source, target) if gang is not None)


def _gangs_of(event: Movement) -> tuple[str | None, str | None]:
    if isinstance(event, records.GangEnlisted):
        return None, event.gang
    if isinstance(event, records.ItemMoved):
        return event.source_gang, event.target_gang
    return (
        None if is_outside(event.source) else event.source,
        None if is_outside(event.target) else event.target,
    )


def ledger_row(recorded: RecordedEvent, event: Movement, battle: str | None) -> LedgerRow:
    """The row of one movement."""
    row = LedgerRow(
        **position_of(recorded),
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
    row["source_gang"], row["target_gang"] = _gangs_of(event)
    if isinstance(event, records.GangEnlisted):
        row["target"], row["amount"] = event.gang, event.credits
        return row
    row["source"], row["target"] = event.source, event.target
    row["why"], row["section"] = event.why, event.section
    if isinstance(event, records.CreditsMoved):
        row["kind"], row["amount"] = "credits", event.amount
        row["thing"], row["fighter"] = event.item, event.fighter
    else:
        row["kind"], row["thing"] = "item", event.item.name
        row["item"] = from_json(as_json(event.item))
    return row


def ledger_rows(recorded: Iterable[RecordedEvent], gang: str, battle: str | None) -> Iterator[LedgerRow]:
    """The rows of these events that concern a gang."""
    for place in recorded:
        event = place.event
        if isinstance(event, MOVEMENTS) and gang in _gangs_of(event):
            yield ledger_row(place, event, battle)


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
