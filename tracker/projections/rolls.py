"""The roll board: every die that ever fell, those struck by a ruling included and marked.

Knows `RollMade`. Knows no statistics: whether dice are fair is asked elsewhere, of these rows.
"""

from typing import TypedDict

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.dice import Source
from tracker.projections import Placed


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
