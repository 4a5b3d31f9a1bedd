"""Hits, falls and stated outcomes, and their effects in the battle.

Source: Core Rulebook (2023) · Resolve Hits.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, TypeAlias

from tracker.campaign.cards import fighter_on_card, on_combatant, on_fighter
from tracker.campaign.profiles import WeaponProfile
from tracker.campaign.records import kinds
from tracker.campaign.records.declaring import Command, Event, Wording, command, event
from tracker.campaign.state import CampaignState
from tracker.errors import ChoiceLeft, ChoiceOption, RulesRefuse

Cover: TypeAlias = Literal["none", "partial", "full"]
SaveWith: TypeAlias = Literal["best", "armour", "field_armour", "none"]
RangeBand: TypeAlias = Literal["short", "long", "beyond"]
KeptInjury: TypeAlias = Literal["flesh_wound", "serious_injury", "out_of_action"]
OutOfActionReason: TypeAlias = Literal[
    "injury_dice",
    "toughness",
    "stated",
    "coup_de_grace",
    "recovery_test",
    "succumbed",
    "webbed",
    "injury_chart",
    "vehicle_wrecked",
]


def symbol_in_words(symbol: str) -> str:
    """What a symbol of the Injury die is called: 'Out of Action'."""
    return symbol.replace("_", " ").title().replace(" Of ", " of ")


# --- commands --------------------------------------------------------------------------------------------


@command("ResolveHit", part="Injury die", instead=("RollInjuryChart", "injury_chart in a battle report"))
class ResolveHit(Command):
    """A hit that struck: wound roll, save, damage, injury."""

    target: kinds.FighterId
    """The fighter who was hit."""
    attacker: kinds.FighterId | None = None
    """The fighter who made the attack; None where nobody did."""
    weapon: kinds.Name | None = None
    """A weapon on the attacker's card, or what to call the one that `profile` gives the numbers of."""
    profile_name: kinds.Name | None = None
    """Which of the weapon's profiles was used."""
    profile: WeaponProfile | None = None
    """The weapon's numbers, where it stands on nobody's card."""
    save_cover: Cover = "none"
    """Cover that helps the save: only against Blast and Template."""
    save_with: SaveWith = "best"
    """What the owner saves with."""
    keeps: KeptInjury | None = None
    """What the owner keeps of two Injury dice, where one shows it; None: the milder."""
    in_close_combat: bool = False
    """Whether it was a close combat attack."""
    hit_roll: int | None = None
    """The natural hit die, where a trait of the weapon asks for it."""
    hit_needs: int | None = None
    """What the Hit roll needed, where the target may still parry it or step aside; None: that is over."""
    range_band: Literal["short", "long"] | None = None
    """How far it was, where a trait of the weapon asks for it."""
    behind: bool | None = None
    """Whether the attacker was outside the target's vision arc; None: nobody said."""
    cannot_be_moved: bool = False
    """Whether something keeps the target from being knocked back."""
    stays_beneath: bool = False
    """Whether the target would lie under the marker or template still, should a dodge move it by 2 inches."""
    target_psyker: bool = False
    """Whether the target is a psyker, where a trait asks for it."""
    inspired_by: kinds.FighterId | None = None
    """A friend of the target within 6 inches who makes up for a failed Cool test with Inspirational."""
    without: tuple[kinds.Name, ...] = ()
    """Traits and skills that their player may use, and does not."""
    attack: bool = True
    """False for a hit that no Attack action caused: it earns no experience."""
    reaction: bool = False
    """True for a Reaction attack, the only one that a Broken fighter may make."""
    activation: kinds.Note | None = None
    grudge_against: kinds.GangId | None = None
    """The {game.gang} that a grudge falls on, where an injury brings one."""

    def in_words(self, wording: Wording) -> str:
        weapon = wording.text(self.weapon) if self.weapon is not None else ""
        if not weapon and self.profile is not None:
            weapon = wording.text(self.profile.name)
        if self.profile_name:
            profile = wording.text(self.profile_name)
            weapon = f"{weapon} ({profile})" if weapon else profile
        attacker = wording.fighter(self.attacker) if self.attacker is not None else ""
        whose = f"{attacker}'s {weapon}" if attacker and weapon else attacker or weapon
        on = f"on {wording.fighter(self.target)}"
        return f"hit: {whose} {on}" if whose else f"hit {on}"


@command(
    "RollInjuryDice",
    part="Injury die",
    instead=("RollInjuryChart", "injury_chart in a battle report"),
    exchange="injury_roll",
    asks="target by? count? why",
)
class RollInjuryDice(Command):
    """Injury dice for another reason than a wounding hit."""

    target: kinds.FighterId
    """The fighter they are rolled for."""
    why: kinds.Note
    """Why they are rolled."""
    attacker: Annotated[kinds.FighterId | None, kinds.FileKey(name="by")] = None
    """The fighter who caused it, if any."""
    injury_dice: Annotated[kinds.DiceCount, kinds.FileKey(name="count")] = 1
    """How many Injury dice."""
    save_with: SaveWith = "none"
    """What is rolled to save first, where a save is allowed."""
    keeps: KeptInjury | None = None
    """What the owner keeps of two Injury dice, where one shows it; else the milder."""
    armour_penetration: Annotated[kinds.ArmourPenetration, kinds.FileKey(name="AP")] = 0
    """Armour Penetration against that save."""
    in_close_combat: Annotated[bool, kinds.FileKey(name="close_combat")] = False
    """Whether it happened in close combat."""
    attack: bool = False
    """true when an Attack action caused it: it can earn experience."""
    reaction: bool = False
    """true for a Reaction attack, the only one that a Broken fighter may make."""
    activation: kinds.Note | None = None
    grudge_against: kinds.GangId | None = None
    """The {game.gang} that a grudge falls on, where an injury brings one."""

    def in_words(self, wording: Wording) -> str:
        dice = wording.counted(self.injury_dice, "Injury die", "Injury dice")
        whom = f"{wording.fighter(self.target)}{wording.by(self.attacker)}"
        return f"{dice} for {whom}: {wording.words(self.why)}"


@command(
    "StateOutcome",
    part="Injury die",
    instead=("RollInjuryChart", "injury_chart with its result in a battle report"),
)
class StateOutcome(Command):
    """An outcome from the notes, without the dice that led there."""

    OUTCOMES: ClassVar[dict[str, str]] = {
        "flesh_wound": "has a Flesh Wound",
        "serious_injury": "is Seriously Injured",
        "out_of_action": "is Out of Action",
    }

    target: kinds.FighterId
    """Whom it happened to."""
    outcome: Literal["flesh_wound", "serious_injury", "out_of_action"]
    """What happened."""
    attacker: kinds.FighterId | None = None
    """Who did it, if anybody."""
    out_of_action_dice: int = 1
    """How many Injury dice showed Out of Action; 1 when nobody remembers."""
    in_close_combat: bool = False
    """Whether it happened in close combat."""
    coup_de_grace: bool = False
    """Whether it was a Coup de Grace."""
    attack: bool = True
    """False when no Attack action caused it: it earns no experience."""
    reaction: bool = False
    """True for a Reaction attack, the only one that a Broken fighter may make."""
    activation: kinds.Note | None = None
    grudge_against: kinds.GangId | None = None
    """The {game.gang} that a grudge falls on, where an injury brings one."""

    def in_words(self, wording: Wording) -> str:
        how = ", Coup de Grace" if self.coup_de_grace else ""
        outcome = f"{wording.fighter(self.target)} {self.OUTCOMES[self.outcome]}"
        return f"stated: {outcome}{wording.by(self.attacker)}{how}"


@command("ResolveFall", game="every", exchange="fall")
class ResolveFall(Command):
    """A fall."""

    target: Annotated[kinds.FighterId, kinds.FileKey(name="fighter")]
    """Who fell."""
    distance_hundredths: Annotated[kinds.Hundredths, kinds.FileKey(name="inches")]
    """How far, with up to two decimals."""
    save_with: SaveWith = "best"
    """What the owner saves with."""
    keeps: KeptInjury | None = None
    """What the owner keeps of two Injury dice, where one shows it; else the milder."""
    grudge_against: kinds.GangId | None = None
    """The {game.gang} that a grudge falls on, where an injury brings one."""
    voluntary: bool = False
    """Trench Crusade: true where the model dropped of its own will."""
    spend_markers: kinds.MarkerCount = 0
    """Trench Crusade: Blood Markers that the opponent spends on the injury roll, +1 DICE each."""
    spend_blessings: kinds.MarkerCount = 0
    """Trench Crusade: Blessing Markers that the owner spends on the injury roll, -1 DICE each."""

    def in_words(self, wording: Wording) -> str:
        return f'fall: {wording.fighter(self.target)} falls {wording.inches(self.distance_hundredths)}"'


# --- events ----------------------------------------------------------------------------------------------


@event("WoundsLost")
class WoundsLost(Event):
    """A fighter lost Wounds, and has some left."""

    fighter: kinds.FighterId
    by: kinds.FighterId | None
    wounds_lost: int
    wounds_left: int

    def in_words(self, wording: Wording) -> str:
        lost = wording.counted(self.wounds_lost, "Wound")
        who = wording.fighter(self.fighter)
        return f"{who} loses {lost}{wording.by(self.by, 'to')}: {self.wounds_left} left"

    def apply(self, state: CampaignState) -> CampaignState:
        return on_combatant(state, self.fighter, wounds_left=self.wounds_left)


@event("FleshWoundsSuffered")
class FleshWoundsSuffered(Event):
    """Toughness falls by `flesh_wounds` until the battle ends; `toughness` is the rest."""

    fighter: kinds.FighterId
    by: kinds.FighterId | None
    flesh_wounds: int
    toughness: int

    def in_words(self, wording: Wording) -> str:
        wounds = "a Flesh Wound" if self.flesh_wounds == 1 else f"{self.flesh_wounds} Flesh Wounds"
        left = f"Toughness {self.toughness} until the battle ends"
        return f"{wording.fighter(self.fighter)} suffers {wounds}{wording.by(self.by, 'from')}: {left}"

    def apply(self, state: CampaignState) -> CampaignState:
        if state.under_way is None or self.fighter not in state.under_way.combatants:
            return state
        suffered = state.under_way.combatants[self.fighter].flesh_wounds + self.flesh_wounds
        return on_combatant(state, self.fighter, flesh_wounds=suffered)


@event("SeriousInjurySuffered")
class SeriousInjurySuffered(Event):
    """A fighter is Prone and Seriously Injured. In close combat this allows a Coup de Grace."""

    fighter: kinds.FighterId
    by: kinds.FighterId | None
    in_close_combat: bool = False

    def in_words(self, wording: Wording) -> str:
        where = " in close combat" if self.in_close_combat else ""
        return f"{wording.fighter(self.fighter)} is Seriously Injured{where}{wording.by(self.by)}"

    def apply(self, state: CampaignState) -> CampaignState:
        return on_combatant(
            state,
            self.fighter,
            seriously_injured=True,
            pinned=False,
            seriously_injured_in_close_combat=self.in_close_combat,
            seriously_injured_by=self.by,
        )


@event("FighterWebbed")
class FighterWebbed(Event):
    """A fighter is held by a web until an End phase frees them, or takes them out."""

    fighter: kinds.FighterId
    by: kinds.FighterId | None

    def in_words(self, wording: Wording) -> str:
        return f"{wording.fighter(self.fighter)} is Webbed{wording.by(self.by)}"

    def apply(self, state: CampaignState) -> CampaignState:
        return on_combatant(state, self.fighter, webbed=True)


@event("SpecialRuleUsed")
class SpecialRuleUsed(Event):
    """A trait or a skill that works once in a battle, or once a round, was used. `key` identifies it."""

    fighter: kinds.FighterId
    name: str
    key: str
    each_round: bool = False

    def in_words(self, wording: Wording) -> str:
        span = "round" if self.each_round else "battle"
        return f"{wording.fighter(self.fighter)} has used {wording.text(self.name)}, once for this {span}"

    def apply(self, state: CampaignState) -> CampaignState:
        if state.under_way is None or self.fighter not in state.under_way.combatants:
            return state
        used = state.under_way.combatants[self.fighter].rules_used
        return on_combatant(state, self.fighter, rules_used=(*used, self.key))


@event("FighterPinned")
class FighterPinned(Event):
    """A fighter is Prone and Pinned, as after a fall."""

    sentence = "{fighter} is Prone and Pinned"

    fighter: kinds.FighterId

    def apply(self, state: CampaignState) -> CampaignState:
        return on_combatant(state, self.fighter, pinned=True)


@event("FighterWentOutOfAction")
class FighterWentOutOfAction(Event):
    """A fighter was removed from this battle. `out_of_action_dice` is how many Injury dice showed it."""

    REASONS: ClassVar[dict[str, str]] = {
        "toughness": ", no Toughness left",
        "vehicle_wrecked": ", in the wreck",
        "stated": ", as stated",
        "coup_de_grace": ", Coup de Grace",
        "recovery_test": ", by the Recovery test",
        "succumbed": ", succumbing after the battle",
        "webbed": ", still Webbed",
    }

    fighter: kinds.FighterId
    by: kinds.FighterId | None
    reason: OutOfActionReason
    out_of_action_dice: int
    lasting_injury_rolls: int

    def in_words(self, wording: Wording) -> str:
        why = self.REASONS.get(self.reason, "")
        if self.reason == "injury_dice" and self.out_of_action_dice > 1:
            why = f" on {self.out_of_action_dice} Injury dice"
        goes = "goes" if self.by is None else "is taken"
        out = f"{wording.fighter(self.fighter)} {goes} Out of Action{wording.by(self.by)}{why}"
        # Some books decide after the battle what becomes of the fighter.
        if not self.lasting_injury_rolls:
            return out
        return f"{out}: {wording.counted(self.lasting_injury_rolls, 'Lasting Injury roll')}"

    def apply(self, state: CampaignState) -> CampaignState:
        state = on_combatant(state, self.fighter, out_of_action=True, taken_out_by=self.by)
        fighter = fighter_on_card(state, self.fighter)
        state = on_fighter(state, self.fighter, times_out_of_action=fighter.times_out_of_action + 1)
        attacker = state.fighter(self.by) if self.by else None
        if attacker is None or attacker.gang == fighter.gang:
            return state
        return on_fighter(state, attacker.fighter, enemies_taken_out=attacker.enemies_taken_out + 1)


# --- refusals --------------------------------------------------------------------------------------------


class TargetOutOfReach(RulesRefuse):
    """{target} cannot be shot at from there: {rule}, while Prone, beyond the weapon's Short range. Choose
    another target, or say `range: short` or `prone: false` if that is how it was.
    """

    target: str
    rule: str


class HelpsNoAmmoTest(RulesRefuse):
    """{fighter} has no skill by which a friend's failed Ammo test is made again: take `munitioneer` out, or
    put the card right.
    """

    fighter: str


class InjuryDieNotKept(ChoiceLeft):
    """{fighter} rolled {rolled} with the Injury dice, and their owner keeps one: `keeps` says which. Left
    out, it is {kept}.
    """

    key = "keeps"

    target: str
    fighter: str
    rolled: tuple[str, ...]
    kept: str

    @property
    def model(self) -> str:
        return self.target

    def question(self) -> str:
        return f"{self.fighter}: which of the two Injury dice is kept? Their owner chooses."

    def offered(self) -> list[ChoiceOption]:
        return [ChoiceOption(said=symbol, words=symbol_in_words(symbol)) for symbol in self.rolled]

    def usual(self) -> str:
        return self.kept
