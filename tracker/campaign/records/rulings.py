"""Rulings: a roll or an entry is disputed, a roll confirmed, and the Arbitrator rules.

The slots that a ruling decides again have events of their own.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec.structs import asdict

from tracker.campaign.records.campaigns import AdoptPolicy, RepealPolicy
from tracker.campaign.records.declaring import Command, Event, Wording, command, event
from tracker.campaign.records.kinds import GangId
from tracker.campaign.state import CampaignState, OpenDispute
from tracker.campaign.verdicts import Verdict
from tracker.dice import Die
from tracker.errors import BadInput, RulesRefuse
from tracker.records import Record, replace

Strategy: TypeAlias = Literal["carry", "keep-later", "void-later"]
"""What becomes of later entries that no longer follow and that no answer names: the ruling waits for an
answer (`carry`), or they are kept as played, or voided."""
VERDICTS: dict[Verdict, str] = {
    "confirmed": "confirmed",
    "corrected": "corrected",
    "voided": "voided",
    "rerolled": "rolled again",
    "set": "set by ruling",
    "reversed": "taken back",
    "rolled_back": "rolled back",
    "house_rules": "house rules",
    "amended": "amended",
}


def ruling_words(dispute: int, verdict: Verdict, between: str = ": ", *, reverses: int | None = None) -> str:
    """'ruling on dispute 61: corrected'; one that nobody asked for is known by what it does."""
    said = VERDICTS[verdict] if reverses is None else f"ruling {reverses} {VERDICTS[verdict]}"
    return f"ruling on dispute {dispute}{between}{said}" if dispute else f"ruling{between}{said}"


# --- commands --------------------------------------------------------------------------------------------


@command("DisputeRoll", game="every")
class DisputeRoll(Command):
    """Dispute one event, named by its place in the log; of an entry's header, the whole entry."""

    target_seq: int
    target_entry: int
    target_position: int
    target_slot: int
    raised_by: str
    reason: str
    rule: str | None = None

    def in_words(self, wording: Wording) -> str:
        target = wording.address(self.target_entry, self.target_position)
        return f"dispute {target}: {wording.text(self.reason)}"


@command("WithdrawDispute", game="every")
class WithdrawDispute(Command):
    """Withdraw a dispute: the disputed event stands, and no ruling is needed."""

    sentence = "withdraw dispute {dispute}: {reason}"

    dispute: int
    withdrawn_by: str
    reason: str


@command("CommentOnDispute", game="every")
class CommentOnDispute(Command):
    """Comment on an open dispute. `gangs` are the gangs that the disputed event names: their players are
    concerned, or everybody if it names none.
    """

    sentence = "statement by {said_by} on dispute {dispute}: {says}"

    dispute: int
    said_by: str
    says: str
    gangs: tuple[GangId, ...] = ()


@command("ConfirmRoll", game="every")
class ConfirmRoll(Command):
    """A second person confirms how this die fell. `entered_by` is who typed it in, as the log has it."""

    sentence = "confirm {target_entry}.{target_position}, by {confirmed_by}"

    target_seq: int
    target_entry: int
    target_position: int
    target_slot: int
    number: int
    die: Die
    entered_by: str
    confirmed_by: str


class HouseRules(Record):
    """House rules that start or end with a battle that is recorded already."""

    from_battle: int
    adopting: tuple[AdoptPolicy, ...] = ()
    repealing: tuple[RepealPolicy, ...] = ()


class Amendment(Record):
    """What an entry should have said. `dice` are all its dice, if they were recorded wrong; None keeps them.
    `note` is its note, "" for none; None keeps it.
    """

    command: Command
    dice: tuple[Die, ...] | None = None
    note: str | None = None


@command("RuleOnDispute", game="every")
class RuleOnDispute(Command):
    """The arbitrator's ruling: the verdict, the die as it counts now, dice newly supplied, and what becomes
    of slots that no longer follow (`kept`, `voided`), all of them listed, whatever strategy found them.

    `dispute` is 0 for a ruling that nobody asked for: a roll back. `outcome` is what was set by ruling;
    `reverses` the entry of the ruling that is taken back; `unkept` are slots kept by an earlier ruling that
    are decided by the rules again; `amended` are slots that should have said something else.
    """

    dispute: int
    verdict: Verdict
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
    amended: dict[int, Amendment] | None = None

    def in_words(self, wording: Wording) -> str:
        ruling = ruling_words(self.dispute, self.verdict, ", ", reverses=self.reverses)
        return f"{ruling}: {wording.text(self.reason)}"


# --- events ----------------------------------------------------------------------------------------------


@event("RollDisputed")
class RollDisputed(Event):
    """Somebody disputes an event. It stays in force until a ruling. `dispute` is this entry's number."""

    dispute: int
    target_seq: int
    target_entry: int
    target_position: int
    target_slot: int
    raised_by: str
    reason: str
    rule: str | None = None

    def in_words(self, wording: Wording) -> str:
        cited = f", citing {wording.text(self.rule)}" if self.rule else ""
        target = wording.address(self.target_entry, self.target_position)
        return f"{wording.text(self.raised_by)} disputes {target}: {wording.text(self.reason)}{cited}"

    def apply(self, state: CampaignState) -> CampaignState:
        return _with_dispute(state, self)


@event("DisputeWithdrawn")
class DisputeWithdrawn(Event):
    """The dispute is withdrawn; what was disputed stands."""

    sentence = "dispute {dispute} is withdrawn by {withdrawn_by}: {reason}"

    dispute: int
    withdrawn_by: str
    reason: str

    def apply(self, state: CampaignState) -> CampaignState:
        return _without_dispute(state, self.dispute)


@event("DisputeCommentedOn")
class DisputeCommentedOn(Event):
    """Somebody concerned commented on an open dispute. It appears in its thread; nothing changes."""

    sentence = "{said_by} says on dispute {dispute}: {says}"

    dispute: int
    said_by: str
    says: str


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

    def in_words(self, wording: Wording) -> str:
        target = wording.address(self.target_entry, self.target_position)
        return f"dispute {self.dispute} about {target} is open again"

    def apply(self, state: CampaignState) -> CampaignState:
        return _with_dispute(state, self)


@event("DisputeSettledAgain")
class DisputeSettledAgain(Event):
    """The ruling that answered this dispute counts again, because the ruling that took it back was taken
    back.
    """

    sentence = "dispute {dispute} is settled again by ruling {ruling}"

    dispute: int
    ruling: int

    def apply(self, state: CampaignState) -> CampaignState:
        return _without_dispute(state, self.dispute)


@event("RollConfirmed")
class RollConfirmed(Event):
    """A second person saw the die show what was typed in. `number` is its place among the entry's dice."""

    target_seq: int
    target_entry: int
    target_position: int
    target_slot: int
    number: int
    die: Die
    witness: str

    def in_words(self, wording: Wording) -> str:
        return f"{wording.text(self.witness)} confirms {wording.die(self.die)} of entry {self.target_entry}"


@event("RulingMade")
class RulingMade(Event):
    """The Arbitrator's ruling. Its changes follow in the same entry, stamped with their slots.

    `dispute` is 0 if nobody disputed. `before` and `after` are the disputed die as recorded and as ruled,
    `outcome` what was set by ruling. `reverses` is the entry of a ruling that is taken back, `turns` all
    rulings that this reverses with it: each stops counting if it counted, and counts again if not.
    """

    dispute: int
    verdict: Verdict
    reason: str
    before: Die | None = None
    after: Die | None = None
    outcome: str | None = None
    reverses: int | None = None
    turns: tuple[int, ...] = ()

    def in_words(self, wording: Wording) -> str:
        ruling = ruling_words(self.dispute, self.verdict, reverses=self.reverses)
        if self.verdict in ("house_rules", "amended"):
            ruling += f" {wording.text(self.outcome)}"
        elif self.outcome is not None:
            ruling += f" as {wording.words(self.outcome)}"
        if self.before is not None and self.after is not None:
            ruling += f", {wording.die(self.before)} -> {wording.face(self.after)}"
        elif (die := self.before or self.after) is not None:
            ruling += f", {wording.die(die)}"
        return f"{ruling}: {wording.text(self.reason)}"

    def apply(self, state: CampaignState) -> CampaignState:
        taken_back = tuple(sorted({*state.rulings_taken_back} ^ {*self.turns}))
        return replace(_without_dispute(state, self.dispute), rulings_taken_back=taken_back)


@event("SlotVoided")
class SlotVoided(Event):
    """This slot counts no longer. Its content stays in the log."""

    sentence = "entry {voided_slot} no longer counts: {reason}"

    voided_slot: int
    reason: str


@event("SlotKept")
class SlotKept(Event):
    """The ruling keeps this slot as it was played, although the rules would no longer decide it so.

    `insisted`: the rules could decide it, but the Arbitrator keeps it until a later ruling. `restored`: the
    content is written again in this entry, because a ruling had replaced it.
    """

    sentence = "entry {kept_slot} is kept as played: {reason}"

    kept_slot: int
    reason: str
    insisted: bool = False
    restored: bool = False

    def apply(self, state: CampaignState) -> CampaignState:
        return replace(state, kept={**state.kept, self.kept_slot: self.insisted})


@event("SlotReleased")
class SlotReleased(Event):
    """This slot is no longer kept by ruling: the rules decide it again, or it is void."""

    sentence = "entry {released_slot} is no longer kept as played: {reason}"

    released_slot: int
    reason: str
    insisted: bool = False

    def apply(self, state: CampaignState) -> CampaignState:
        kept = {slot: insisted for slot, insisted in state.kept.items() if slot != self.released_slot}
        return replace(state, kept=kept)


def _with_dispute(state: CampaignState, opened: RollDisputed | DisputeReopened) -> CampaignState:
    dispute = OpenDispute(**asdict(opened))
    return replace(state, disputes={**state.disputes, opened.dispute: dispute})


def _without_dispute(state: CampaignState, dispute: int) -> CampaignState:
    if dispute not in state.disputes:
        return state
    return replace(
        state,
        disputes={
            number: open_dispute for number, open_dispute in state.disputes.items() if number != dispute
        },
    )


# --- refusals --------------------------------------------------------------------------------------------


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


class NotARoll(BadInput):
    """{address} is no roll ({what}), so it has no faces to correct or to confirm. Name the roll behind it; a
    whole entry is struck by ruling with --void.
    """

    address: str
    what: str


class RuledOnAlready(RulesRefuse):
    """{address} no longer counts: entry {entry} decided it again. What stands there now is {now}: name that,
    as in 'arbitrator dispute open {now}'.
    """

    address: str
    entry: int
    now: str


class RulingIncomplete(RulesRefuse):
    """The ruling leaves slots that the Arbitrator has to answer for.

    `foreseen` are the dice that it will ask for: entry, which die, and whether it surely does.
    """

    unsettled: tuple[tuple[int, str, str], ...]
    foreseen: tuple[tuple[int, str, bool], ...] = ()

    @property
    def exit_code(self) -> int:  # type: ignore[override]  # dice missing is a matter of input
        return 2 if any(result == "needs_dice" for _, result, _ in self.unsettled) else 1

    def message(self) -> str:
        lines = []
        for entry, result, why in self.unsettled:
            if result == "needs_dice":
                lines.append(f"entry {entry} needs dice that were never rolled: {why}")
            else:
                lines.append(f"entry {entry} no longer follows: {why}")
        dice = [f"entry {entry}, {die}" for entry, die, certain in self.foreseen if certain]
        perhaps = [f"entry {entry}, {die}" for entry, die, certain in self.foreseen if not certain]
        return (
            "The ruling is not complete; nothing was changed. "
            + " ".join(f"({number}) {line}" for number, line in enumerate(lines, start=1))
            + (f" Dice to roll: {'; '.join(dice)}." if dice else "")
            + (f" Perhaps also, depending on these: {'; '.join(perhaps)}." if perhaps else "")
            + " For each say --dice ENTRY:PURPOSE=FACES (or --roll), --keep ENTRY, or --void-entry ENTRY;"
            " or answer for all of them with --strategy keep-later or void-later."
        )
