"""Commands of the post-battle sequence: what a gang does between two battles."""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.campaign.after_battle import Alignment
from tracker.campaign.records.declaring import Command, Event, command, event
from tracker.errors import BadInput, RulesRefuse

MarketPlace: TypeAlias = Literal["trading_post", "black_market"]
RewardDie: TypeAlias = Literal["D6", "D3"]


@command("ClaimScrap", whose="gang")
class ClaimScrap(Command):
    """The statement that this gang alone remained on the battlefield. `wrecks` None: as recorded."""

    gang: str
    wrecks: tuple[str, ...] | None = None


@command("TakeReward", whose="gang")
class TakeReward(Command):
    """A reward of the scenario into the stash: so many dice times `times`, and `credits_fixed`."""

    gang: str
    why: str
    dice: int = 0
    die: RewardDie = "D6"
    times: int = 10
    credits_fixed: int = 0


@command("ChangeReputation", whose="gang")
class ChangeReputation(Command):
    """Reputation gained (positive) or lost (negative)."""

    gang: str
    by: int
    why: str


@command("StateAlignment")
class StateAlignment(Command):
    """On which side of the law a gang stands. A second time it switches, once in a campaign."""

    gang: str
    alignment: Alignment
    why: str


@command("MedicalEscort", whose="by")
class MedicalEscort(Command):
    """`by` takes a Critically Injured friend to the Doc. `paid` False: the fee is not paid."""

    patient: str
    by: str
    paid: bool = True
    grudge_against: str | None = None


@command("NegotiateRepairs", whose="by")
class NegotiateRepairs(Command):
    """`by` has a damaged vehicle repaired. `worth` is vehicle and upgrades; None: as the card says."""

    vehicle: str
    by: str
    worth: int | None = None


@command("Trade", whose="by")
class Trade(Command):
    """`by` spends the action on trading."""

    by: str


@command("EndActions", whose="gang")
class EndActions(Command):
    """The gang takes no more post-battle actions: who is Critically Injured and unescorted dies."""

    gang: str


@command("SeekRare", whose="gang")
class SeekRare(Command):
    """The search for rare things that the gang's traders made possible. `extra` is what else counts."""

    gang: str
    market: MarketPlace = "trading_post"
    extra: int = 0
    extra_why: str = ""


PostBattleCommand: TypeAlias = (
    ChangeReputation
    | ClaimScrap
    | EndActions
    | MedicalEscort
    | NegotiateRepairs
    | SeekRare
    | StateAlignment
    | TakeReward
    | Trade
)


@event("StepReached")
class StepReached(Event):
    """A gang came to a step of its post-battle sequence; what lies before it is over."""

    gang: str
    step: str
    name: str
    section: str


@event("PostBattleActionTaken")
class PostBattleActionTaken(Event):
    """A fighter used their post-battle action."""

    fighter: str
    gang: str
    action: str
    name: str
    section: str


@event("CriticalTreated")
class CriticalTreated(Event):
    """What the Doc came to for one Critical Injury; `taken_to_doctor` False: nobody escorted them."""

    fighter: str
    outcome: str
    name: str
    section: str
    taken_to_doctor: bool = True


@event("RareItemsSought")
class RareItemsSought(Event):
    """A search for rare things: how rare and how illegal a thing the gang may buy now."""

    gang: str
    market: str
    rare_up_to: int
    illegal_up_to: int | None
    section: str


@event("VehicleRepaired")
class VehicleRepaired(Event):
    """Lasting damage removed from a vehicle, and its card as it stands after it."""

    vehicle: str
    name: str
    rattles: int
    handling_modifier: int
    toughness_front: int
    toughness_side: int
    toughness_rear: int
    movement: int
    hit_points: int
    section: str
    left: str | None = None
    left_name: str = ""
    battle: int | None = None


@event("FighterMissesBattle")
class FighterMissesBattle(Event):
    """Away for the gang's next battle, and for no other reason than this. `battle` is the one before it."""

    fighter: str
    battle: int
    why: str


@event("PostBattleDone")
class PostBattleDone(Event):
    """Something that a gang does once in a sequence is done: scrap claimed, an income taken, actions over."""

    gang: str
    what: str


@event("ReputationChanged")
class ReputationChanged(Event):
    """Reputation moved by `by`: over a sequence gains count before losses, and never below the floor."""

    gang: str
    by: int
    before: int
    after: int
    why: str
    section: str


@event("AlignmentStated")
class AlignmentStated(Event):
    """On which side of the law a gang stands from now on."""

    gang: str
    before: Alignment | None
    after: Alignment
    why: str


class NoSequenceOpen(RulesRefuse):
    """{gang} has no post-battle sequence open, so {what} cannot happen: it begins when a battle of theirs is
    recorded and ends when their next one opens. See 'arbitrator battle list'.
    """

    gang: str
    what: str


class StepOutOfOrder(RulesRefuse):
    """{gang} has come to '{reached}' already, and '{step}' comes before it ({section}). Put it earlier in the
    file, or dispute the entry that went ahead.
    """

    gang: str
    step: str
    reached: str
    section: str


class DoneAlready(RulesRefuse):
    """{gang} has done this already in this sequence: {what}. Once is all."""

    gang: str
    what: str


class CannotAct(RulesRefuse):
    """{fighter} cannot act ({action}): {why} ({section})."""

    fighter: str
    why: str
    action: str
    section: str


class ActionTakenAlready(RulesRefuse):
    """{fighter} has acted already in this sequence ({taken}): one action for each fighter ({section})."""

    fighter: str
    taken: str
    section: str


class AlignmentSwitched(RulesRefuse):
    """{gang} have switched their alignment already, which a gang does once in a campaign."""

    gang: str


class AlignmentSame(BadInput):
    gang: str
    alignment: str

    def message(self) -> str:
        return f"{self.gang} are {self.alignment.replace('_', '-')} already."


class NotCritical(RulesRefuse):
    fighter: str
    treated: str | None

    def message(self) -> str:
        if self.treated is not None:
            return f"{self.fighter} has been to the Doc already in this sequence: {self.treated}."
        return f"{self.fighter} is not Critically Injured, so the Doc has nothing to do."


class EscortsThemselves(RulesRefuse):
    """{fighter} cannot be their own escort: a Medical Escort takes another fighter of the gang."""

    fighter: str


class NotOfOneGang(RulesRefuse):
    """{one} and {other} belong to different gangs, so there is no {what}."""

    one: str
    other: str
    what: str


class NothingToRepair(RulesRefuse):
    """{vehicle} has no lasting damage to repair."""

    vehicle: str


class NobodyTrades(RulesRefuse):
    """Nobody of {gang} has taken the Trade action in this sequence, which rare things are sought with
    ({section}).
    """

    gang: str
    section: str


class NotAloneOnField(RulesRefuse):
    """{gang} did not remain alone on the battlefield: {why}."""

    gang: str
    why: str


class NoWreck(RulesRefuse):
    gang: str
    vehicle: str | None

    def message(self) -> str:
        if self.vehicle is None:
            return f"No enemy vehicle of {self.gang} was wrecked in this battle, so there is no scrap."
        return f"{self.vehicle} is no enemy vehicle that was wrecked in this battle."


class NoReward(BadInput):
    """{what} is no reward: give dice from 1 to 20, or credits from 1 on."""

    what: str


class NobodyToDraw(RulesRefuse):
    """There is nobody left to draw for {what}."""

    what: str


class CannotBeDrawn(BadInput):
    """{fighter} cannot be drawn for {what}.{fighter:nearest} Possible: {known:or nobody}."""

    fighter: str
    what: str
    known: tuple[str, ...]


class NoReputation(BadInput):
    """A change of 0 Reputation for {gang} is none: give a number from -100 to 100."""

    gang: str
