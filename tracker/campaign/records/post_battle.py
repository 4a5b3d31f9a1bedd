"""The post-battle sequence: what a gang does between two battles, its Reputation, and the Doc.

Source: Core Rulebook (2023) · The Post-battle Sequence.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from tracker.campaign.after_battle import Alignment, RareSought
from tracker.campaign.cards import fighter_on_card, on_fighter, vehicle_on_card
from tracker.campaign.records import kinds
from tracker.campaign.records.declaring import Command, Event, Wording, command, event
from tracker.campaign.state import CampaignState, LastingDamageOnCard
from tracker.errors import BadInput, RulesRefuse
from tracker.records import replace

MarketPlace: TypeAlias = Literal["trading_post", "black_market"]
RewardDie: TypeAlias = Literal["D6", "D3"]


# --- commands --------------------------------------------------------------------------------------------


@command("ClaimScrap", part="vehicles", entry="scrap", activity="scrap", whose="gang")
class ClaimScrap(Command):
    """Scrap for the {game.gang} that alone remained on the battlefield. Dice: scrap, for each
    wreck.
    """

    gang: kinds.GangId
    """The {game.gang}: writing it here says that it remained alone."""
    wrecks: Annotated[tuple[kinds.VehicleId, ...], kinds.Size()] | None = None
    """The enemy vehicles wrecked; else all that were recorded so."""
    late: kinds.Note | None = None
    """The Arbitrator's word why it comes after the Wrap-up, as for a wreck that a ruling brought; the wrecks
    are named then."""

    def contradiction(self, written: frozenset[str]) -> str | None:  # noqa: ARG002  # the fields say it all
        if self.late is not None and not self.wrecks:
            return "scrap that comes late names its wrecks: add `wrecks`."
        return None

    def in_words(self, wording: Wording) -> str:
        late = f" (late: {wording.words(self.late)})" if self.late is not None else ""
        return f"{wording.gang(self.gang)} take the scrap, alone on the battlefield{late}"


@command(
    "TakeReward",
    part="rewards by dice",
    instead=("MoveCredits", "credits in a post-battle file"),
    entry="reward",
    activity="rewards",
    whose="gang",
    asks="gang dice? die? credits? why",
)
class TakeReward(Command, kw_only=True):
    """A reward of the scenario. Dice: reward, or reward_d3."""

    gang: kinds.GangId
    """The {game.gang} that gets it."""
    dice: kinds.Count = 0
    """How many dice."""
    die: RewardDie = "D6"
    """Which dice."""
    times: kinds.Times = 10
    """What their sum is multiplied by."""
    credits_fixed: Annotated[kinds.Credits, kinds.FileKey(name="credits")] = 0
    """{game.Credits} beside the dice."""
    why: kinds.Note
    """What for."""

    def in_words(self, wording: Wording) -> str:
        dice = f"{self.dice}{self.die} x {self.times}" if self.dice else ""
        fixed = wording.money(self.credits_fixed) if self.credits_fixed else ""
        what = " and ".join(part for part in (dice, fixed) if part)
        return f"reward for {wording.gang(self.gang)}, {what}: {wording.words(self.why)}"


@command(
    "ChangeReputation",
    part="Reputation",
    instead=("ChangeGlory", "glory in a post-battle file"),
    entry="reputation",
    activity="reputation",
    whose="gang",
)
class ChangeReputation(Command):
    """Reputation gained or lost: over the sequence gains count before losses."""

    sentence = "Reputation of {gang} {by:+d}: {why}"

    gang: kinds.GangId
    """The {game.gang}."""
    by: kinds.Change
    """How much; negative when lost."""
    why: kinds.Note
    """What for."""


@command("StateAlignment", part="alignments", entry="alignment")
class StateAlignment(Command):
    """A {game.gang} states its side of the law; it may switch once."""

    gang: kinds.GangId
    """The {game.gang}."""
    alignment: Alignment
    """Its side from now on."""
    why: kinds.Note
    """Why."""

    def in_words(self, wording: Wording) -> str:
        side = self.alignment.replace("_", "-")
        return f"{wording.gang(self.gang)} are {side}: {wording.words(self.why)}"


@command(
    "MedicalEscort",
    part="medical escorts",
    entry="medical_escort",
    activity="actions",
    whose="by",
    asks="patient by paid?@doctor_fee",
)
class MedicalEscort(Command):
    """A Medical Escort. Dice: doctor_fee, doctor, then stabilised (archived: doctor_injury)."""

    patient: kinds.FighterId
    """Who is Critically Injured."""
    by: kinds.FighterId
    """The other fighter of the {game.gang} whose action it is."""
    paid: bool = True
    """false when the {game.gang} does not pay what the Doc asks: the patient dies."""
    grudge_against: kinds.GangId | None = None
    """The {game.gang} that a grudge falls on, where an injury brings one."""

    def in_words(self, wording: Wording) -> str:
        unpaid = "" if self.paid else ", unpaid"
        return f"{wording.fighter(self.by)} takes {wording.fighter(self.patient)} to the Doc{unpaid}"


@command("NegotiateRepairs", part="vehicles", entry="repairs", activity="actions", whose="by")
class NegotiateRepairs(Command):
    """A damaged vehicle is repaired. Dice: repairs."""

    sentence = "{by} has {vehicle} repaired"

    vehicle: kinds.VehicleId
    """The vehicle."""
    by: kinds.FighterId
    """The fighter whose action it is."""
    worth: kinds.Credits | None = None
    """Vehicle and upgrades, without weapons and wargear, in {game.credits}; else as its card says."""


@command(
    "Trade",
    part="post-battle actions",
    instead=("BuyItem", "buy in a post-battle file"),
    entry="trade",
    activity="actions",
    whose="by",
)
class Trade(Command):
    """The Trade action, which allows a search for rare items."""

    sentence = "{by} trades"

    by: kinds.FighterId
    """The fighter whose action it is."""


@command("EndActions", part="post-battle actions", entry="end_actions", activity="actions", whose="gang")
class EndActions(Command):
    """The {game.gang} takes no more actions; Critically Injured fighters without an escort die."""

    sentence = "{gang} take no more actions"

    gang: kinds.GangId
    """The {game.gang}."""


@command(
    "SeekRare",
    part="search for rare things",
    instead=("BuyItem", "buy in a post-battle file"),
    entry="seek_rare",
    activity="seek_rare",
    whose="gang",
    asks="gang market?",
)
class SeekRare(Command):
    """The search for rare things, once. Dice: seek_rare (archived: seek_illegal too)."""

    gang: kinds.GangId
    """The {game.gang}."""
    market: MarketPlace = "trading_post"
    """Where it looks."""
    extra: kinds.Signed = 0
    """What else counts."""
    extra_why: kinds.Note = ""
    """What that is."""

    def in_words(self, wording: Wording) -> str:
        return f"{wording.gang(self.gang)} seek rare things at the {wording.words(self.market)}"


# --- events ----------------------------------------------------------------------------------------------


@event("StepReached")
class StepReached(Event):
    """A gang reached a step of its post-battle sequence; the steps before it are over."""

    gang: kinds.GangId
    step: str
    name: str
    section: str

    def in_words(self, wording: Wording) -> str:
        number, _, title = wording.text(self.name).partition(". ")
        return f"{wording.gang(self.gang)} begin {f'step {number}: {title}' if title else number}"

    def apply(self, state: CampaignState) -> CampaignState:
        return _in_sequence(state, self.gang, step=self.step)


@event("PostBattleActionTaken")
class PostBattleActionTaken(Event):
    """A fighter used their post-battle action."""

    sentence = "{fighter}'s post-battle action: {name}"

    fighter: kinds.FighterId
    gang: kinds.GangId
    action: str
    name: str
    section: str

    def apply(self, state: CampaignState) -> CampaignState:
        after = state.after_battle.get(self.gang)
        if after is None:
            return state
        traders = (*after.traders, self.fighter) if self.action == "trade" else after.traders
        acted = dict(sorted({**after.acted, self.fighter: self.action}.items()))
        return _in_sequence(state, self.gang, acted=acted, traders=traders)


@event("CriticalTreated")
class CriticalTreated(Event):
    """The Doc's result for one Critical Injury. `taken_to_doctor` False: nobody escorted the fighter."""

    sentence = "{fighter}'s Critical Injury: {name}"

    fighter: kinds.FighterId
    outcome: str
    name: kinds.Note
    section: str
    taken_to_doctor: bool = True

    def apply(self, state: CampaignState) -> CampaignState:
        state = on_fighter(state, self.fighter, critical=False)
        gang = fighter_on_card(state, self.fighter).gang
        after = state.after_battle.get(gang)
        if after is None or not self.taken_to_doctor:
            return state
        escorted = dict(sorted({**after.escorted, self.fighter: self.outcome}.items()))
        return _in_sequence(state, gang, escorted=escorted)


@event("RareItemsSought")
class RareItemsSought(Event):
    """A search for rare items: how rare and how illegal an item the gang may buy now."""

    gang: kinds.GangId
    market: str
    rare_up_to: int
    illegal_up_to: int | None
    section: str

    def in_words(self, wording: Wording) -> str:
        illegal = f", Illegal ({self.illegal_up_to})" if self.illegal_up_to is not None else ""
        where = wording.words(self.market.replace("_", " "))
        return f"{wording.gang(self.gang)} may buy up to Rare ({self.rare_up_to}){illegal} at the {where}"

    def apply(self, state: CampaignState) -> CampaignState:
        rare = RareSought(market=self.market, rare_up_to=self.rare_up_to, illegal_up_to=self.illegal_up_to)
        return _in_sequence(state, self.gang, rare=rare)


@event("VehicleRepaired")
class VehicleRepaired(Event):
    """Lasting damage was removed from a vehicle; the card after the repair."""

    vehicle: kinds.VehicleId
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

    def in_words(self, wording: Wording) -> str:
        left = f", but for {wording.text(self.left_name)}" if self.left is not None else ""
        return f"{wording.text(self.name)} is repaired{left}"

    def apply(self, state: CampaignState) -> CampaignState:
        left = self.left
        stays = LastingDamageOnCard(damage=left, name=self.left_name, battle=self.battle) if left else None
        return state.with_vehicle(
            replace(
                vehicle_on_card(state, self.vehicle),
                lasting_damage=(stays,) if stays is not None else (),
                rattles=self.rattles,
                handling_modifier=self.handling_modifier,
                unreliable=0,
                in_repair=False,
                toughness_front=self.toughness_front,
                toughness_side=self.toughness_side,
                toughness_rear=self.toughness_rear,
                movement=self.movement,
                hit_points=self.hit_points,
            )
        )


@event("FighterMissesBattle")
class FighterMissesBattle(Event):
    """A fighter is away for the gang's next battle, for this reason alone. `battle` is the one before it."""

    sentence = "{fighter} misses the {game.gang}'s next battle: {why}"

    fighter: kinds.FighterId
    battle: int
    why: str

    def apply(self, state: CampaignState) -> CampaignState:
        return on_fighter(state, self.fighter, absent_since=self.battle)


@event("PostBattleDone")
class PostBattleDone(Event):
    """A gang did something that it may do once in a sequence: scrap claimed, an income taken, actions
    ended.
    """

    gang: kinds.GangId
    what: str

    def in_words(self, wording: Wording) -> str:
        kind, _, which = self.what.partition(":")
        what = f"the {wording.words(kind)} of {wording.text(which)}" if which else _DONE.get(kind)
        return f"{wording.gang(self.gang)} have finished {what or f'the {wording.words(kind)}'}"

    def apply(self, state: CampaignState) -> CampaignState:
        after = state.after_battle.get(self.gang)
        return _in_sequence(state, self.gang, done=(*after.done, self.what)) if after is not None else state


_DONE = {
    "actions": "their actions",
    "capture": "the capture roll",
    "took_part": "the XP for taking part",
    "mvp": "the XP for their best",
}


@event("ReputationChanged")
class ReputationChanged(Event):
    """Reputation changed by `by`. Over a sequence gains count before losses, and never below the floor."""

    gang: kinds.GangId
    by: int
    before: int
    after: int
    why: str
    section: str

    def in_words(self, wording: Wording) -> str:
        why = "gains count before losses" if self.by > 0 else f"never below {self.after}"
        otherwise = f", {why}" if self.after != self.before + self.by else ""
        moved = f"Reputation {self.before} -> {self.after} ({self.by:+d}{otherwise})"
        return f"{wording.gang(self.gang)}: {moved}: {wording.text(self.why)}"

    def apply(self, state: CampaignState) -> CampaignState:
        state = state.with_gang(replace(state.gangs[self.gang], reputation=self.after))
        after = state.after_battle.get(self.gang)
        if after is None:
            return state
        before = after.reputation_before if after.reputation_before is not None else self.before
        return _in_sequence(
            state,
            self.gang,
            reputation_before=before,
            reputation_gained=after.reputation_gained + max(self.by, 0),
            reputation_lost=after.reputation_lost + max(-self.by, 0),
        )


@event("AlignmentStated")
class AlignmentStated(Event):
    """A gang is on this side of the law from now on."""

    gang: kinds.GangId
    before: Alignment | None
    after: Alignment
    why: kinds.Note

    def in_words(self, wording: Wording) -> str:
        side = wording.text(self.after).replace("_", "-")
        return f"{wording.gang(self.gang)} are {side}: {wording.words(self.why)}"

    def apply(self, state: CampaignState) -> CampaignState:
        gang = state.gangs[self.gang]
        switched = gang.alignment_switched or self.before is not None
        return state.with_gang(replace(gang, alignment=self.after, alignment_switched=switched))


def _in_sequence(state: CampaignState, gang: str, **changes: object) -> CampaignState:
    """The state with some facts of a gang's sequence changed; as it was for who has none open."""
    after = state.after_battle.get(gang)
    if after is None:
        return state
    return replace(state, after_battle={**state.after_battle, gang: replace(after, **changes)})


# --- refusals --------------------------------------------------------------------------------------------


class NoSequenceOpen(RulesRefuse):
    """{gang} has no post-battle sequence open, so {what} cannot happen: it begins when a battle of theirs is
    recorded and ends when their next one opens. See 'arbitrator battle list'.
    """

    gang: str
    what: str


class StepOutOfOrder(RulesRefuse):
    """{gang} has begun '{reached}' already, and '{step}' comes before it ({section}). Put it earlier in the
    file, or dispute the entry that went ahead.
    """

    gang: str
    step: str
    reached: str
    section: str


class OncePerSequence(RulesRefuse):
    """{gang} has done this already in this sequence: {what}. It is done once."""

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
    """{gang} have switched their alignment already, which a {game.gang} does once in a campaign."""

    gang: str


class AlignmentSame(BadInput):
    rules_out = True
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
    """{fighter} cannot be their own escort: a Medical Escort takes another fighter of the {game.gang}."""

    fighter: str


class NotOfOneGang(RulesRefuse):
    """{one} and {other} belong to different {game.gangs}, so there is no {what}."""

    one: str
    other: str
    what: str


class NothingToRepair(RulesRefuse):
    """{vehicle} has no lasting damage to repair."""

    vehicle: str


class NobodyTrades(RulesRefuse):
    """Nobody of {gang} has taken the Trade action in this sequence, and rare things need it ({section})."""

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
        return f"{self.vehicle} is not an enemy vehicle that was wrecked in this battle."


class NoReward(BadInput):
    """{what} is not a reward: give 1 to 20 dice, or at least 1 {game.credit}."""

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
    """A change of 0 Reputation for {gang} changes nothing: give a number from -100 to 100."""

    rules_out = True
    gang: str
