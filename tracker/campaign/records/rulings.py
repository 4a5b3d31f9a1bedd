"""Commands that doubt a roll or an entry, confirm a roll, and rule."""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.campaign.records.campaigns import AdoptPolicy, RepealPolicy
from tracker.campaign.records.declaring import Command, Event, command, event
from tracker.dice import Die
from tracker.errors import RulesRefuse
from tracker.records import Record

Strategy: TypeAlias = Literal["carry", "keep-later", "void-later"]
"""What becomes of later entries that nobody spoke for and that no longer follow: they stay open for somebody
to say (`carry`), are kept as played, or are voided."""


@command("DisputeRoll", game="every")
class DisputeRoll(Command):
    """Doubt one event, named by its place in the log. Who doubts an entry's header doubts the whole entry."""

    target_seq: int
    target_entry: int
    target_position: int
    target_slot: int
    raised_by: str
    reason: str
    rule: str | None = None


@command("WithdrawDispute")
class WithdrawDispute(Command):
    """Doubt it no longer: what was disputed stands, and no ruling is asked for."""

    dispute: int
    withdrawn_by: str
    reason: str


@command("ConfirmRoll")
class ConfirmRoll(Command):
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


@command("RuleOnDispute", game="every")
class RuleOnDispute(Command):
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


Verdict: TypeAlias = Literal[
    "confirmed", "corrected", "voided", "rerolled", "set", "reversed", "rolled_back", "house_rules"
]


@event("RollDisputed")
class RollDisputed(Event):
    """Somebody doubts an event. It stays in force until a ruling. `dispute` is this entry's number."""

    dispute: int
    target_seq: int
    target_entry: int
    target_position: int
    target_slot: int
    raised_by: str
    reason: str
    rule: str | None = None


@event("DisputeWithdrawn")
class DisputeWithdrawn(Event):
    """The doubt is taken back; what was disputed stands."""

    dispute: int
    withdrawn_by: str
    reason: str


@event("DisputeReopened")
class DisputeReopened(Event):
    """The ruling that answered this dispute was taken back, so it is open again."""

    dispute: int
    target_seq: int
    target_entry: int
    target_position: int
    target_slot: int
    raised_by: str
    reason: str
    rule: str | None = None


@event("DisputeSettledAgain")
class DisputeSettledAgain(Event):
    """The ruling that answered this dispute counts again: what had taken it back was itself taken back."""

    dispute: int
    ruling: int


@event("RollConfirmed")
class RollConfirmed(Event):
    """A second person saw the die fall as it was typed in. `number` is its place among the entry's dice."""

    target_seq: int
    target_entry: int
    target_position: int
    target_slot: int
    number: int
    die: Die
    witness: str


@event("RulingMade")
class RulingMade(Event):
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


@event("SlotVoided")
class SlotVoided(Event):
    """This slot counts for nothing any more. What it held stays in the log."""

    voided_slot: int
    reason: str


@event("SlotKept")
class SlotKept(Event):
    """The ruling keeps this slot as it was played, though the rules would not decide it so any more.

    `insisted`: the rules could decide it, and the arbitrator would not have it; so it stays until a ruling
    lets it go. `restored`: what was played is written again in this entry, for a ruling had replaced it.
    """

    kept_slot: int
    reason: str
    insisted: bool = False
    restored: bool = False


@event("SlotReleased")
class SlotReleased(Event):
    """This slot is no longer kept by ruling: the rules decide it again, or it is void."""

    released_slot: int
    reason: str
    insisted: bool = False


class DisputedAlready(RulesRefuse):
    """{address} is disputed already: see 'arbitrator dispute show {dispute}'."""

    address: str
    dispute: int


class NoOpenDispute(RulesRefuse):
    """There is no open dispute {dispute}. See 'arbitrator dispute list'."""

    dispute: str


class OwnWordOnly(RulesRefuse):
    """{who} typed this roll in, and nobody confirms their own entry. Let somebody else who saw the die say
    so: --by NAME.
    """

    who: str
