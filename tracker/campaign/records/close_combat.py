"""Close combat: a Fight, a Coup de Grace, a fighter who stands up.

The entry states who is engaged with whom, who turned and who was out of sight: only the table knows it.
Source: Core Rulebook (2023) · Close Combat.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import field

from tracker.campaign.cards import in_battle, on_combatant
from tracker.campaign.profiles import WeaponProfile
from tracker.campaign.records.declaring import Command, Event, Wording, command, event
from tracker.campaign.records.entries import Modifier
from tracker.campaign.records.hits import KeptInjury, SaveWith
from tracker.campaign.records.kinds import FighterId, GangId, Name, Note, TestModifier
from tracker.campaign.records.vehicles import VehicleAttacked
from tracker.campaign.state import CampaignState, LastFight
from tracker.errors import BadInput, ChoiceLeft, ChoiceOption, RulesRefuse
from tracker.records import Record, replace

Across: TypeAlias = Literal["nothing", "barricade", "wider"]
"""What lies between two who are engaged: base contact, an obstacle of less than 1 inch, a wider one."""


# --- commands --------------------------------------------------------------------------------------------


class FightWeapon(Record):
    """A weapon of a Fight."""

    weapon: Name
    """A weapon on the attacker's card, or what to call the one that `profile` gives the numbers of."""
    profile_name: Name | None = None
    """Which of its profiles."""
    profile: WeaponProfile | None = None
    """The weapon's numbers, where it stands on nobody's card."""


class FightTarget(Record):
    """An enemy under attack."""

    model: str
    """Who: a fighter, or a vehicle if `vehicle` says so."""
    vehicle: VehicleAttacked | None = None
    """The facts about a vehicle."""
    attack_dice: tuple[int, ...] = ()
    """Attack dice against it: for each weapon in order, unarmed last; none stated means all there are."""
    across: Across = "nothing"
    """What lies between."""
    save_with: SaveWith = "best"
    """What the owner saves with."""
    keeps: KeptInjury | None = None
    """The result that the owner keeps of two Injury dice, if one shows it; None: the milder one."""
    grudge_against: GangId | None = None
    """The {game.gang} that a grudge falls on, where an injury brings one."""
    in_arc: bool | None = None
    """Whether it is in the attacker's vision arc before any turn; None: nobody said."""
    behind: bool | None = None
    """Whether the attacker is outside its vision arc; None: nobody said."""
    cannot_be_moved: bool = False
    """Whether something keeps it from being knocked back."""
    follows: bool = False
    """Whether the attacker follows, should it be knocked back."""
    psyker: bool = False
    """Whether it is a psyker, where a trait asks for it."""
    inspired_by: FighterId | None = None
    """A friend within 6 inches with Inspirational, who may make up for a failed Cool test."""
    wards_off: Name | None = None
    """The weapon whose hits it parries and steps aside from first; None: as they were rolled."""


class ExtraModifier(Record):
    """A modifier of a skill, a condition or wargear that the tables here do not have."""

    why: Name
    """What it is."""
    attack_dice: int = 0
    """Attack dice more."""
    hit: TestModifier = 0
    """Modifier on every Hit roll."""
    strength: TestModifier = 0
    """Added to the Strength of every attack."""
    armour_penetration: TestModifier = 0
    """Added to its AP: -1 pierces better."""
    weapon: Name | None = None
    """The weapon whose attacks it is for, or `unarmed`; left out, for every attack."""
    spares_unarmed: bool = False
    """Whether Strength and AP leave unarmed attacks alone; false in older entries."""


@command(
    "Fight",
    part="rules for close combat",
    instead=("RollInjuryChart", "injury_chart in a battle report"),
    needs="melee_hit_roll",
    action=("attacker", "attack_dice"),
)
class Fight(Command):
    """One fighter's close combat attacks: a Fight (Basic), the free one of a Charge, or Reaction attacks."""

    attacker: FighterId
    """Who attacks."""
    targets: tuple[FightTarget, ...]
    """Whom, in the order that dice are rolled."""
    weapons: tuple[FightWeapon, ...] = ()
    """Up to two weapons; none for unarmed attacks."""
    engaged: tuple[tuple[str, str], ...] = ()
    """Pairs of enemies who are engaged with each other, beside the attacker and the targets."""
    charging: bool = False
    """Whether it is the free Fight of a Charge."""
    charged_unseen: bool = False
    """Whether the enemy charged was out of line of sight."""
    turn_to_face: bool = False
    """Whether the attacker turned to face first."""
    reaction: bool = False
    """Whether these are Reaction attacks."""
    extra: tuple[ExtraModifier, ...] = ()
    """What skills, conditions and wargear add."""
    coup_de_grace: FighterId | None = None
    """The enemy who gets the free Coup de Grace afterwards, if the rules allow it."""
    consolidate: bool = False
    """Whether the attacker consolidates afterwards, if the rules allow it."""
    activation: Note | None = None
    drives_off: bool = False
    """Whether the vehicle attacked drives off: then these are reactions after an Initiative test."""
    without: tuple[Name, ...] = ()
    """Traits and skills that their player may use, and does not."""
    ride_by: bool = False
    """Whether a mounted fighter strikes once in passing."""
    named_die: Name | None = None
    """The weapon, or `unarmed`, of the one Attack die that a skill strengthens; None: the first there is."""
    psyker: bool = False
    """Whether the attacker is a psyker, where a weapon's trait asks for it."""
    in_contact: tuple[FightTarget, ...] = ()
    """Who else is in base contact, friend or foe, where hits are spread at random."""

    def in_words(self, wording: Wording) -> str:
        kind = "reaction" if self.reaction else "charge" if self.charging else "fight"
        weapons = " and ".join(wording.text(weapon.weapon) for weapon in self.weapons)
        armed = f"with {weapons}" if weapons else "unarmed"
        targets = " and ".join(wording.fighter(target.model) for target in self.targets)
        return f"{kind}: {wording.fighter(self.attacker)} {armed} on {targets}"


@command(
    "CoupDeGrace",
    part="Coup de Grace",
    instead=("RollInjuryChart", "injury_chart in a battle report"),
    exchange="coup_de_grace",
    action=("attacker", "coup_de_grace"),
)
class CoupDeGrace(Command):
    """A Coup de Grace against an enemy who is Prone and Seriously Injured."""

    sentence = "Coup de Grace: {attacker} on {target}"

    attacker: FighterId
    """Who gives it."""
    target: FighterId
    """Who goes Out of Action by it."""
    activation: Note | None = None
    grudge_against: GangId | None = None
    """The {game.gang} that a grudge falls on, where an injury brings one."""


@command(
    "Unpin",
    part="pinning",
    instead=("StandUp", "stand in a battle report"),
    exchange="unpin",
    action=("fighter", "shooting"),
)
class Unpin(Command):
    """A fighter who was Prone and Pinned stands up."""

    sentence = "{fighter} stands up"

    fighter: FighterId
    """Who stood up."""


# --- events ----------------------------------------------------------------------------------------------


@event("FighterUnpinned")
class FighterUnpinned(Event):
    """A fighter is no longer Prone and Pinned. `charged_by`: Standing and Engaged, because of a charge."""

    fighter: FighterId
    charged_by: FighterId | None = None

    def in_words(self, wording: Wording) -> str:
        who = wording.fighter(self.fighter)
        if self.charged_by is None:
            return f"{who} stands up and is no longer Pinned"
        return f"{who} is Standing and Engaged, charged by {wording.fighter(self.charged_by)}"

    def apply(self, state: CampaignState) -> CampaignState:
        return on_combatant(state, self.fighter, pinned=False)


class AttackDiceOfWeapon(Record):
    """The number of Attack dice with one weapon; '' is unarmed."""

    weapon: str
    attack_dice: int


@event("AttackDiceShared")
class AttackDiceShared(Event):
    """A fighter's number of Attack dice, what was added to `attacks`, and the weapons that roll them."""

    fighter: FighterId
    attacks: int
    added: tuple[Modifier, ...]
    shares: tuple[AttackDiceOfWeapon, ...]
    section: str

    def in_words(self, wording: Wording) -> str:
        dice = wording.counted(sum(share.attack_dice for share in self.shares), "Attack dice", "Attack dice")
        added = "".join(f", {wording.words(modifier.why)} {modifier.by:+d}" for modifier in self.added)
        shares = ", ".join(
            f"{wording.text(share.weapon) or 'unarmed'} {share.attack_dice}" for share in self.shares
        )
        return f"{wording.fighter(self.fighter)} has {dice} (Attacks {self.attacks}{added}): {shares}"


@event("HelpNotCounted")
class HelpNotCounted(Event):
    """An engaged fighter does not assist or interfere, because `held_by` are engaged with them too."""

    fighter: FighterId
    against: FighterId
    interference: bool
    held_by: tuple[FighterId, ...]
    section: str

    def in_words(self, wording: Wording) -> str:
        held_by = ", ".join(map(wording.fighter, self.held_by))
        helps = "does not interfere with" if self.interference else "gives no assist against"
        against = wording.fighter(self.against)
        return f"{wording.fighter(self.fighter)} {helps} {against}: also engaged with {held_by}"


@event("FightResolved")
class FightResolved(Event):
    """The hits of a Fight are resolved. `may_react` are those who may now make Reaction attacks against it.

    `count_as_turned` were charged while Prone. A reaction lets nobody react; `charging` and `activation`
    are as stated. `missed` are the attacks that did not hit, counted where a skill of an enemy asks for them;
    `hampered` maps who was entangled to what it takes off their Reaction attacks. `ride_by`: it was one
    attack in passing, which is answered by one.
    """

    fighter: FighterId
    reaction: bool
    attacked: tuple[str, ...]
    may_react: tuple[FighterId, ...]
    count_as_turned: tuple[FighterId, ...]
    charging: bool
    activation: Note | None
    missed: int = 0
    hampered: dict[FighterId, int] = field(default_factory=dict)
    ride_by: bool = False

    def in_words(self, wording: Wording) -> str:
        fought = "has made the Reaction attacks" if self.reaction else "has fought"
        reactors = " and ".join(map(wording.fighter, self.may_react))
        react = f"; {reactors} may react" if reactors else ""
        missed = f"; {wording.counted(self.missed, 'attack')} did not hit" if self.missed else ""
        hampered = "".join(
            f"; {wording.fighter(fighter)} is entangled, {by:+d} on Reaction attacks"
            for fighter, by in self.hampered.items()
        )
        return f"{wording.fighter(self.fighter)} {fought}{react}{missed}{hampered}"

    def apply(self, state: CampaignState) -> CampaignState:
        if state.under_way is None:
            return state
        battle, last = state.under_way, state.under_way.last_fight
        if self.reaction:
            if last is not None and self.fighter in last.may_react:
                last = replace(
                    last,
                    may_react=tuple(name for name in last.may_react if name != self.fighter),
                    reacted=(*last.reacted, self.fighter),
                )
        else:
            again = (
                last is not None
                and self.activation is not None
                and (last.fighter, last.activation) == (self.fighter, self.activation)
            )
            last = LastFight(
                fighter=self.fighter,
                may_react=self.may_react,
                count_as_turned=self.count_as_turned,
                ride_by=self.ride_by,
                charging=self.charging or (again and last is not None and last.charging),
                activation=self.activation,
                fights=last.fights + 1 if again and last is not None else 1,
                missed=self.missed,
                hampered=self.hampered,
            )
        return in_battle(state, fights=battle.fights + 1, last_fight=last)


@event("FighterConsolidated")
class FighterConsolidated(Event):
    """A fighter moved up to `up_to_inches` after a Fight that left no enemy standing."""

    sentence = '{fighter} consolidates: moves up to {up_to_inches}"'

    fighter: FighterId
    up_to_inches: int


# --- refusals --------------------------------------------------------------------------------------------


class NobodyAttacked(BadInput):
    """A fight needs one target at least: targets: [mags]."""


class TargetOutOfArc(RulesRefuse):
    """{target} is outside {fighter}'s vision arc, and close combat attacks are made against enemies in it:
    write `turn_to_face: true`, which costs 1 on the Hit rolls (Close Combat · 1. Turn To Face; 4. Declare
    Targets).
    """

    fighter: str
    target: str


class TargetNamedTwice(BadInput):
    """{fighter} is named twice as a target: give all dice against one enemy together."""

    fighter: str


class NoEnemy(BadInput):
    """{fighter} and {other} are of one {game.gang}, and close combat is between enemies: look at `attacker`,
    `targets`, `engaged`, `assists` and `interference`.
    """

    fighter: str
    other: str


class CrewNotEngaged(RulesRefuse):
    """`attacks`: it is the attacker who is aboard."""

    crew: str
    attacks: bool = False

    def message(self) -> str:
        if self.attacks:
            return (
                f"{self.crew} is Crew, and who is aboard a vehicle makes no close combat attacks. Its weapons"
                " are fired with `shoot` and `from_vehicle`, and whom it runs into takes a `run_over`."
            )
        return (
            f"{self.crew} is Crew, and nobody can be engaged with a fighter aboard a vehicle. To attack the"
            " vehicle, name it: targets: [{vehicle: ..., facing: side, mobile: false}]."
        )


class NotEngaged(BadInput):
    """{fighter} is not engaged with {attacker}. Name this fighter among the targets, or under `engaged`."""

    fighter: str
    attacker: str


class FighterProne(RulesRefuse):
    """{fighter} is Prone and {condition}, and only a Standing fighter can be engaged (Close Combat).
    {next_step}
    """

    # `condition` is 'Pinned', 'Seriously Injured' or 'Webbed'.

    fighter: str
    condition: str
    next_step: str


class TooManyWeapons(BadInput):
    weapons: tuple[str, ...]

    def message(self) -> str:
        return (
            f"A fighter attacks with two weapons at most; {', '.join(self.weapons)} are {len(self.weapons)}"
            " (Close Combat · 2. Choose Weapons)."
        )


class MountedFightsSo(RulesRefuse):
    """{fighter} is Mounted: {why} (Conditions · Mounted)."""

    fighter: str
    why: str


class UnwieldyWithAnother(RulesRefuse):
    """{weapon} is Unwieldy and can only be used alone: take {other} out (Close Combat · 2. Choose
    Weapons).
    """

    weapon: str
    other: str


class NoCloseCombatWeapon(RulesRefuse):
    """{weapon} has neither the Melee nor the Sidearm trait and cannot be used in close combat. Without
    weapons the attacks are unarmed.
    """

    weapon: str


class MeleeWeaponAtHand(RulesRefuse):
    fighter: str
    sidearm: str
    weapons: tuple[str, ...]

    def message(self) -> str:
        return (
            f"Only one Attack dice may go to {self.fighter}'s {self.sidearm}, and the rest to a Melee weapon"
            f" before unarmed attacks: name {' or '.join(self.weapons)} as the second weapon."
        )


class CannotReachAcross(RulesRefuse):
    """{target} stands behind an obstacle of 1 inch or more, and {weapon} is not Versatile (Close Combat ·
    Fighting Across Barricades).
    """

    weapon: str
    target: str


class DiceShareMissing(ChoiceLeft):
    """`ways`: the possible shares altogether. `options`: those of `next_target`, whose share is missing."""

    key = "shares"

    fighter: str
    dice: int
    weapons: tuple[str, ...]
    ways: tuple[tuple[int, ...], ...]
    targets: int
    next_target: str
    options: tuple[tuple[int, ...], ...]

    def question(self) -> str:
        of = "for which weapon" if self.targets == 1 else f"at {self.next_target}"
        return f"How many of the {self.dice} Attack dice {of}?"

    def offered(self) -> list[ChoiceOption]:
        return [ChoiceOption(said=[*share], words=self._in_words(share)) for share in self.options]

    def _in_words(self, share: tuple[int, ...]) -> str:
        named = (f"{dice} {weapon}" for dice, weapon in zip(share, self.weapons, strict=False) if dice)
        return str(share[0]) if len(share) == 1 else ", ".join(named)

    def message(self) -> str:
        if self.dice < self.targets:
            return (
                f"{self.fighter} has {self.dice} Attack {'die' if self.dice == 1 else 'dice'}, and each of"
                f" {self.targets} targets takes one at least: name fewer."
            )
        if self.targets > 1:
            whom = "say of each target how many it takes"
        else:
            whom = "say which weapon takes the odd one"
        return (
            f"{self.fighter} has {self.dice} Attack dice ({', '.join(self.weapons)}): {whom}, with `dice:`"
            f" for each weapon in that order. Altogether {_in_turn(self.ways)}."
        )


class DiceShareWrong(RulesRefuse):
    fighter: str
    given: str
    dice: int
    weapons: tuple[str, ...]
    ways: tuple[tuple[int, ...], ...]

    def message(self) -> str:
        return (
            f"{self.fighter} has {self.dice} Attack dice, shared out as {_in_turn(self.ways)}"
            f" ({', '.join(self.weapons)}), not as {self.given} (Close Combat · 3. Determine Attack Dice)."
        )


def _in_turn(ways: tuple[tuple[int, ...], ...]) -> str:
    return " or ".join(str([*way]) for way in ways)


class CarriesOnlyOne(BadInput):
    """{fighter}'s card has one {weapon}, not two: enlist the other, or write its numbers."""

    fighter: str
    weapon: str


class ContradictoryStatement(BadInput):
    """{one} and {other} do not go together: {why}."""

    one: str
    other: str
    why: str


class DisarmedForReactions(RulesRefuse):
    """{fighter} is disarmed, and makes unarmed Reaction attacks to the end of the round: leave `weapons` out
    (Weapon Traits · Disarm).
    """

    fighter: str


class NoStrongerDie(RulesRefuse):
    """{fighter} makes no Attack die with {weapon} stronger: {why}. Take `named_die` out."""

    fighter: str
    weapon: str
    why: str


class CountsByItself(BadInput):
    """{why} counts by itself: take it out of `extra`, or write `without: [{why}]` and give its numbers there
    as before.
    """

    why: str


class ExtraForNoWeapon(BadInput):
    """{why} is stated for {weapon!r}, but this fighter attacks with {weapons}."""

    why: str
    weapon: str
    weapons: tuple[str, ...]


class NoReaction(RulesRefuse):
    """{fighter} cannot react to {attacker}'s attack: {why} (Close Combat · 7. Reaction Attacks)."""

    fighter: str
    attacker: str
    why: str


class ChargeFoughtAlready(RulesRefuse):
    """{fighter} charged and fought in activation {activation!r} already: a Charge takes the whole activation
    and brings one Fight. Give another fight another `activation`.
    """

    fighter: str
    activation: str


class NoCoupDeGrace(RulesRefuse):
    """{fighter} cannot give {target} a Coup de Grace: it is for an enemy who is Prone and Seriously
    Injured.
    """

    fighter: str
    target: str


class BrokenStaysDown(RulesRefuse):
    """{fighter} is Broken and makes no action but Running for Cover, so does not stand up (Resolve Hits ·
    Nerve Tests). Record the rally first, or look at the entries before.
    """

    fighter: str


class StandsByTest(RulesRefuse):
    """{fighter} is Mounted and stands up by an Initiative test (Conditions · Mounted): write `stand_up`."""

    fighter: str


class NotPinned(RulesRefuse):
    fighter: str
    condition: str
    """'Standing', 'Seriously Injured' or 'Webbed'."""

    def message(self) -> str:
        if self.condition == "Standing":
            return f"{self.fighter} is Standing and does not need to stand up."
        return f"{self.fighter} is {self.condition} and cannot stand up. Record the Recovery test first."
