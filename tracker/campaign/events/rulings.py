"""Disputes, confirmations and rulings."""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.dice import Die
from tracker.records import Record

Verdict: TypeAlias = Literal[
    "confirmed", "corrected", "voided", "rerolled", "set", "reversed", "rolled_back", "house_rules"
]


class RollDisputed(Record):
    """Somebody doubts an event. It stays in force until a ruling. `dispute` is this entry's number."""

    dispute: int
    target_seq: int
    target_entry: int
    target_position: int
    target_slot: int
    raised_by: str
    reason: str
    rule: str | None = None


class DisputeWithdrawn(Record):
    """The doubt is taken back; what was disputed stands."""

    dispute: int
    withdrawn_by: str
    reason: str


class DisputeReopened(Record):
    """The ruling that answered this dispute was taken back, so it is open again."""

    dispute: int
    target_seq: int
    target_entry: int
    target_position: int
    target_slot: int
    raised_by: str
    reason: str
    rule: str | None = None


class DisputeSettledAgain(Record):
    """The ruling that answered this dispute counts again: what had taken it back was itself taken back."""

    dispute: int
    ruling: int


class RollConfirmed(Record):
    """A second person saw the die fall as it was typed in. `number` is its place among the entry's dice."""

    target_seq: int
    target_entry: int
    target_position: int
    target_slot: int
    number: int
    die: Die
    witness: str


class RulingMade(Record):
    """The arbitrator's word. What it changes follows in the same entry, stamped with its slots.

    `dispute` is 0 where nobody asked. `before` and `after` are the disputed die as it was taken and as it is
    taken now, `outcome` what was set by ruling. `reverses` is the entry of a ruling that is taken back,
    `turns` all rulings that this turns with it: each counts no more if it did, and again if it did not.
    """

    dispute: int
    verdict: Verdict
    reason: str
    before: Die | None = None
    after: Die | None = None
    outcome: str | None = None
    reverses: int | None = None
    turns: tuple[int, ...] = ()


class SlotVoided(Record):
    """This slot counts for nothing any more. What it held stays in the log."""

    voided_slot: int
    reason: str


class SlotKept(Record):
    """The ruling keeps this slot as it was played, though the rules would not decide it so any more.

    `insisted`: the rules could decide it, and the arbitrator would not have it; so it stays until a ruling
    lets it go. `restored`: what was played is written again in this entry, for a ruling had replaced it.
    """

    kept_slot: int
    reason: str
    insisted: bool = False
    restored: bool = False


class SlotReleased(Record):
    """This slot is no longer kept by ruling: the rules decide it again, or it is void."""

    released_slot: int
    reason: str
    insisted: bool = False
