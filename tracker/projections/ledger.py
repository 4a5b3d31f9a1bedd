"""The ledger board: every movement of credits and things that counts now, with both sides.

Knows `GangEnlisted` (the opening balance), `CreditsMoved` and `ItemMoved`. Knows no balance: that stands on
the gang's row, and the sum of this board must agree with it.
"""

from collections.abc import Iterable
from typing import Any, Literal, TypeAlias, TypedDict

import msgspec

from tracker.campaign import records
from tracker.campaign.holdings import is_outside
from tracker.campaign.recorded_event import RecordedEvent
from tracker.projections import Placed

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
