"""Commands that doubt a roll or an entry, confirm a roll, and rule."""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.campaign.commands.campaigns import AdoptPolicy, RepealPolicy
from tracker.dice import Die
from tracker.records import Record

Strategy: TypeAlias = Literal["carry", "keep-later", "void-later"]
"""What becomes of later entries that nobody spoke for and that no longer follow: they stay open for somebody
to say (`carry`), are kept as played, or are voided."""


class DisputeRoll(Record):
    """Doubt one event, named by its place in the log. Who doubts an entry's header doubts the whole entry."""

    target_seq: int
    target_entry: int
    target_position: int
    target_slot: int
    raised_by: str
    reason: str
    rule: str | None = None


class WithdrawDispute(Record):
    """Doubt it no longer: what was disputed stands, and no ruling is asked for."""

    dispute: int
    withdrawn_by: str
    reason: str


class ConfirmRoll(Record):
    """A second person saw this die fall so. `entered_by` is who typed it in, as the log has it."""

    target_seq: int
    target_entry: int
    target_position: int
    target_slot: int
    number: int
    die: Die
    entered_by: str
    confirmed_by: str


class HouseRules(Record):
    """House rules that hold, or hold no more, from a battle on that is recorded already."""

    from_battle: int
    adopting: tuple[AdoptPolicy, ...] = ()
    repealing: tuple[RepealPolicy, ...] = ()


class RuleOnDispute(Record):
    """The arbitrator's ruling: the verdict, the die as it counts now, dice newly supplied, and what becomes
    of slots that no longer follow (`kept`, `voided`), all of them listed, whatever strategy found them.

    `dispute` is 0 for a ruling that nobody asked for: a roll back. `outcome` is what was set by ruling;
    `reverses` the entry of the ruling that is taken back; `unkept` are slots kept by an earlier ruling that
    are decided by the rules again.
    """

    dispute: int
    verdict: Literal[
        "confirmed", "corrected", "voided", "rerolled", "set", "reversed", "rolled_back", "house_rules"
    ]
    reason: str
    faces: Die | None = None
    supplied: dict[int, tuple[Die, ...]] | None = None
    kept: tuple[int, ...] = ()
    voided: tuple[int, ...] = ()
    outcome: str | None = None
    reverses: int | None = None
    unkept: tuple[int, ...] = ()
    strategy: Strategy = "carry"
    house_rules: HouseRules | None = None


DisputeCommand: TypeAlias = DisputeRoll | RuleOnDispute | WithdrawDispute | ConfirmRoll
